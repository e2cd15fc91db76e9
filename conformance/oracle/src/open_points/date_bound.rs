//! L15: whether the time of day of a bound counts. The type of a date filter is "string (date)", so a target may compare whole
//! days in UTC.

/// How a target reads a bound that has a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundReading {
    /// As a timestamp.
    Timestamp,
    /// As the whole day.
    Day,
}

impl BoundReading {
    /// The reading that explains which bounds find a record: first a bound on its side of which the record is, then one on whose
    /// other side it is, then further bounds of the same day. None if neither does, or if two bounds leave it open.
    pub fn of(found: &[bool]) -> Option<Self> {
        match found {
            [true, false, ..] => Some(Self::Timestamp),
            [first, rest @ ..] if rest.len() > 2 && rest.iter().all(|other| other == first) => {
                Some(Self::Day)
            }
            _ => None,
        }
    }

    /// How reports call it.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Timestamp => "the time of day counts",
            Self::Day => "whole days are compared",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_a_timestamp_or_a_whole_day() {
        assert_eq!(BoundReading::of(&[true, false]), Some(BoundReading::Timestamp));
        assert_eq!(BoundReading::of(&[true, true]), None);
        assert_eq!(BoundReading::of(&[true; 4]), Some(BoundReading::Day));
        assert_eq!(BoundReading::of(&[false; 4]), Some(BoundReading::Day));
        // Two hours early, and reversed.
        assert_eq!(BoundReading::of(&[false, false, false, true]), None);
        assert_eq!(BoundReading::of(&[false, true, true, false]), None);
    }
}
