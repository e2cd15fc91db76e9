//! An integer that cannot leave its bounds.

use std::fmt::{self, Display};

use serde::de::{Error as _, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// An integer from `MIN` to `MAX`, both included. Like JSON Schema it reads `30.0` as the integer it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Bounded<const MIN: i64, const MAX: i64>(i64);

/// A number outside its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfBounds {
    value: i64,
    minimum: i64,
    maximum: i64,
}

impl Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} is not from {} to {}",
            self.value, self.minimum, self.maximum
        )
    }
}

impl std::error::Error for OutOfBounds {}

impl<const MIN: i64, const MAX: i64> Bounded<MIN, MAX> {
    /// The number itself.
    pub fn get(self) -> i64 {
        self.0
    }
}

impl<const MIN: i64, const MAX: i64> TryFrom<i64> for Bounded<MIN, MAX> {
    type Error = OutOfBounds;

    fn try_from(value: i64) -> Result<Self, OutOfBounds> {
        match (MIN..=MAX).contains(&value) {
            true => Ok(Self(value)),
            false => Err(OutOfBounds {
                value,
                minimum: MIN,
                maximum: MAX,
            }),
        }
    }
}

impl<const MIN: i64, const MAX: i64> Display for Bounded<MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de, const MIN: i64, const MAX: i64> Deserialize<'de> for Bounded<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Integer<const MIN: i64, const MAX: i64>;

        impl<const MIN: i64, const MAX: i64> Visitor<'_> for Integer<MIN, MAX> {
            type Value = Bounded<MIN, MAX>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "an integer from {MIN} to {MAX}")
            }

            fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Self::Value, E> {
                Bounded::try_from(value).map_err(E::custom)
            }

            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Self::Value, E> {
                let value =
                    i64::try_from(value).map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))?;
                self.visit_i64(value)
            }

            fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Self::Value, E> {
                // Whole numbers below 2^53 are exact as f64; anything else is no integer we could mean.
                match value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0 {
                    #[expect(clippy::cast_possible_truncation, reason = "checked in the line above")]
                    true => self.visit_i64(value as i64),
                    false => Err(E::invalid_type(Unexpected::Float(value), &self)),
                }
            }
        }

        deserializer
            .deserialize_any(Integer::<MIN, MAX>)
            .map_err(D::Error::custom)
    }
}
