//! Numbers of JSON that would not come back as they were written.

/// The first number in a valid JSON text that has more digits than are kept; `12345678901234567890123` would become 1.2e22.
pub(super) fn altered(json: &str) -> Option<&str> {
    let mut rest = json;
    loop {
        let begin = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit())?;
        rest = &rest[begin..];
        if let Some(text) = rest.strip_prefix('"') {
            rest = behind_text(text);
            continue;
        }
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')))
            .unwrap_or(rest.len());
        let (number, after) = rest.split_at(end);
        if !is_kept(number) {
            return Some(number);
        }
        rest = after;
    }
}

/// What follows a text whose opening mark was taken off.
fn behind_text(text: &str) -> &str {
    let mut is_escaped = false;
    let end = text.find(|c| {
        let ends = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    });
    end.map_or("", |end| &text[end + 1..])
}

fn is_kept(number: &str) -> bool {
    let read = serde_json::from_str::<serde_json::Value>(number);
    read.is_ok_and(|read| Decimal::of(&read.to_string()) == Decimal::of(number))
}

/// A number as it is written, whichever way: the digits that count, and the place of the last of them.
#[derive(Debug, PartialEq, Eq)]
struct Decimal {
    is_negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    fn of(number: &str) -> Option<Self> {
        let (sign, number) = number
            .strip_prefix('-')
            .map_or((false, number), |number| (true, number));
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{part}");
        let digits = all.trim_start_matches('0').trim_end_matches('0');
        let dropped = all.trim_start_matches('0').len() - digits.len();
        let exponent: i64 = exponent.parse().ok()?;
        let exponent = exponent - i64::try_from(part.len()).ok()? + i64::try_from(dropped).ok()?;
        let is_zero = digits.is_empty();
        Some(Self {
            is_negative: sign && !is_zero,
            digits: digits.to_owned(),
            exponent: if is_zero { 0 } else { exponent },
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::altered;

    #[test]
    fn numbers_that_would_change_are_found() {
        let cases = [
            (
                r#"{"a":12345678901234567890123}"#,
                Some("12345678901234567890123"),
            ),
            (
                r#"{"a":[1,0.1,-0,1.50,1e2,18446744073709551615,-9223372036854775808]}"#,
                None,
            ),
            (
                r#"{"12345678901234567890123":"1.00000000000000000001 \" 99999999999999999999999"}"#,
                None,
            ),
            (r#"{"a":0.1234567890123456789}"#, Some("0.1234567890123456789")),
            (r#"{"a":1e400}"#, Some("1e400")),
        ];
        for (json, expected) in cases {
            assert_eq!(altered(json), expected, "{json}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_written_from_a_number_is_kept(whole in any::<i64>(), real in any::<f64>().prop_filter("finite", |real| real.is_finite())) {
            let json = serde_json::json!({"a": whole, "b": real}).to_string();
            prop_assert_eq!(altered(&json), None);
        }
    }
}
