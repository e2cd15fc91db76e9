//! Where a chunked body ends (RFC 9112 §7.1). Nothing is decoded: the bytes are followed, so that what comes after them is
//! known to be the next request.

/// Follows a chunked body, byte by byte.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chunks {
    at: At,
}

/// How far a body was followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// All of the bytes belong to the body, which goes on.
    On,
    /// The body ends after so many bytes.
    End(usize),
    /// After so many bytes it is no chunked body any more.
    Broken(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// In the size of a chunk, after some digits.
    Size { size: u64, digits: u8 },
    /// In what may stand behind the size, which is not looked at.
    Extension { size: u64 },
    /// After the carriage return of a size.
    SizeEnd { size: u64 },
    /// In a chunk, so many bytes before its end.
    Data { left: u64 },
    /// After a chunk.
    DataEnd,
    /// After the carriage return behind a chunk.
    DataEndReturn,
    /// In the trailers: whether the line is still empty.
    Trailer { is_empty: bool },
    /// After the carriage return of a trailer line.
    TrailerReturn { is_empty: bool },
}

impl Default for At {
    fn default() -> Self {
        Self::Size { size: 0, digits: 0 }
    }
}

/// The most digits of a size: more would not fit into the number.
const MAX_DIGITS: u8 = 15;

impl Chunks {
    /// Follows the body through more bytes.
    pub fn follow(&mut self, bytes: &[u8]) -> Followed {
        let mut index = 0;
        while index < bytes.len() {
            if let At::Data { left } = self.at {
                let here = (bytes.len() - index) as u64;
                index += usize::try_from(left.min(here)).unwrap_or(bytes.len());
                self.at = match left.saturating_sub(here) {
                    0 => At::DataEnd,
                    left => At::Data { left },
                };
                continue;
            }
            let Some(next) = self.at.after(bytes[index]) else {
                return Followed::Broken(index);
            };
            index += 1;
            match next {
                Some(at) => self.at = at,
                None => return Followed::End(index),
            }
        }
        Followed::On
    }
}

impl At {
    /// Where one more byte leads: nowhere if it may not stand here, to `None` if the body ends with it.
    fn after(self, byte: u8) -> Option<Option<Self>> {
        let size_end = |size| At::SizeEnd { size };
        Some(Some(match (self, byte) {
            (Self::Size { size, digits }, _) if byte.is_ascii_hexdigit() && digits < MAX_DIGITS => {
                let digit = char::from(byte).to_digit(16)?;
                Self::Size {
                    size: size << 4 | u64::from(digit),
                    digits: digits + 1,
                }
            }
            (Self::Size { size, digits: 1.. } | Self::Extension { size }, b'\r') => size_end(size),
            (Self::Size { size, digits: 1.. }, b';') => Self::Extension { size },
            (Self::Extension { size }, b'\t' | b' '..=b'~') => Self::Extension { size },
            (Self::SizeEnd { size: 0 }, b'\n') => Self::Trailer { is_empty: true },
            (Self::SizeEnd { size }, b'\n') => Self::Data { left: size },
            (Self::DataEnd, b'\r') => Self::DataEndReturn,
            (Self::DataEndReturn, b'\n') => Self::default(),
            (Self::Trailer { is_empty }, b'\r') => Self::TrailerReturn { is_empty },
            (Self::Trailer { .. }, byte) if byte != b'\n' => Self::Trailer { is_empty: false },
            (Self::TrailerReturn { is_empty: false }, b'\n') => Self::Trailer { is_empty: true },
            (Self::TrailerReturn { is_empty: true }, b'\n') => return Some(None),
            _ => return None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn follow(body: &[u8], piece: usize) -> Followed {
        let mut chunks = Chunks::default();
        let mut before = 0;
        for bytes in body.chunks(piece) {
            match chunks.follow(bytes) {
                Followed::On => before += bytes.len(),
                Followed::End(at) => return Followed::End(before + at),
                Followed::Broken(at) => return Followed::Broken(before + at),
            }
        }
        Followed::On
    }

    #[test]
    fn a_body_ends_behind_its_trailers() {
        for body in [
            "0\r\n\r\n",
            "3\r\nabc\r\n0\r\n\r\n",
            "A;x=\"y\"\r\n0123456789\r\n0;z\r\nTrailer: a\r\nOther: b\r\n\r\n",
        ] {
            for piece in [1, 2, 7, 100] {
                let whole = [body, "GET /"].concat();
                assert_eq!(
                    follow(whole.as_bytes(), piece),
                    Followed::End(body.len()),
                    "{body:?}"
                );
                assert_eq!(follow(&body.as_bytes()[..body.len() - 1], piece), Followed::On);
            }
        }
    }

    #[test]
    fn what_is_no_chunk_is_broken() {
        for (body, at) in [
            ("\r\n", 0),
            ("x\r\n", 0),
            (" 3\r\nabc", 0),
            ("3 \r\nabc", 1),
            ("3\nabc", 1),
            ("3\r\nabcd", 6),
            ("3\r\nabc\n", 6),
            ("0\r\n\n", 3),
            ("0000000000000001\r\n", 15),
            ("-1\r\n", 0),
        ] {
            assert_eq!(follow(body.as_bytes(), 100), Followed::Broken(at), "{body:?}");
        }
    }

    proptest! {
        #[test]
        fn pieces_do_not_change_the_end(
            parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..20), 0..4),
            piece in 1usize..9,
            rest in prop::collection::vec(any::<u8>(), 0..9),
        ) {
            let mut body = Vec::new();
            for part in &parts {
                body.extend(format!("{:x}\r\n", part.len()).into_bytes());
                body.extend_from_slice(part);
                body.extend_from_slice(b"\r\n");
            }
            body.extend_from_slice(b"0\r\n\r\n");
            let end = body.len();
            body.extend(rest);
            prop_assert_eq!(follow(&body, piece), Followed::End(end));
        }

        #[test]
        fn any_bytes_are_followed(bytes in prop::collection::vec(any::<u8>(), 0..60), piece in 1usize..9) {
            prop_assert_eq!(follow(&bytes, piece), follow(&bytes, 100));
        }
    }
}
