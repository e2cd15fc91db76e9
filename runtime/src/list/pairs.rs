//! The text of a query as names and values. Strict: what is badly encoded is a fault, never dropped.

use crate::list::MOST_FAULTS;
use crate::{Fault, FaultCode};

/// Decoded names and values, in order.
pub type Pairs = Vec<(String, String)>;

/// Splits and decodes the text behind the `?`. Names that cannot be decoded are shown as they came.
pub fn pairs(query: &str) -> Result<Pairs, Vec<Fault>> {
    let mut pairs = Vec::new();
    let mut faults = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        if faults.len() == MOST_FAULTS {
            break;
        }
        match (decode(name), decode(value)) {
            (Ok(name), Ok(value)) => pairs.push((name, value)),
            (decoded, Err(why)) => {
                let name = decoded.unwrap_or_else(|_| name.to_owned());
                faults.push(Fault::of_parameter(&name, FaultCode::InvalidEncoding, why));
            }
            (Err(why), Ok(_)) => faults.push(Fault::of_parameter(name, FaultCode::InvalidEncoding, why)),
        }
    }
    if faults.is_empty() { Ok(pairs) } else { Err(faults) }
}

fn decode(text: &str) -> Result<String, &'static str> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = match (first, tail) {
            (b'+', tail) => {
                bytes.push(b' ');
                tail
            }
            (b'%', [high, low, tail @ ..]) => {
                let digit = |byte: &u8| {
                    char::from(*byte)
                        .to_digit(16)
                        .and_then(|digit| u8::try_from(digit).ok())
                };
                let (Some(high), Some(low)) = (digit(high), digit(low)) else {
                    return Err(BAD_ESCAPE);
                };
                bytes.push(high << 4 | low);
                tail
            }
            (b'%', _) => return Err(BAD_ESCAPE),
            (byte, tail) => {
                bytes.push(*byte);
                tail
            }
        };
    }
    String::from_utf8(bytes).map_err(|_| "the bytes are not UTF-8")
}

const BAD_ESCAPE: &str = "a % is followed by two hexadecimal digits; write a literal one as %25";

/// Encodes a name or value so that [`pairs`] gives it back and a shell or browser leaves it alone.
pub(crate) fn encode(text: &str, into: &mut String) {
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b',' => {
                into.push(char::from(byte))
            }
            _ => {
                into.push('%');
                into.extend(
                    [byte >> 4, byte & 15].map(|digit| char::from(b"0123456789ABCDEF"[usize::from(digit)])),
                );
            }
        }
    }
}
