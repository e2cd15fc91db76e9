//! How far a database has come: a client that gives the position of its last change to any server reads that change there.

use std::fmt;
use std::str::FromStr;

/// A place in the history of a database. A greater one is later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position(u64);

impl Position {
    pub(super) fn new(number: u64) -> Self {
        Self(number)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}", self.0)
    }
}

impl FromStr for Position {
    type Err = NoPosition;

    fn from_str(text: &str) -> Result<Self, NoPosition> {
        // No sign, and no number of zeros in front.
        let is_number = text.len() <= 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u64::from_str_radix(text, 16).ok().filter(|_| is_number);
        number.map(Self).ok_or(NoPosition)
    }
}

/// The text is none that a server has given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a position that a server has given")]
pub struct NoPosition;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_position_that_was_given_is_understood(number: u64) {
            let position = Position(number);
            prop_assert_eq!(position.to_string().parse(), Ok(position));
        }

        #[test]
        fn any_text_is_a_position_or_refused(text in "[+-]?[0-9a-gA-F ]{0,20}") {
            if text.parse::<Position>().is_ok() {
                prop_assert!(text.len() <= 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit()));
            }
        }
    }
}
