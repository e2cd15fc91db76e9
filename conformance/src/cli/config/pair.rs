//! A key and its value, such as `workspace-user=wsusr_1`.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::{Deserialize, Deserializer};

/// A key and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The text before the first `=`.
    pub key: String,
    /// The text after it.
    pub value: String,
}

/// A text is no pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a key and a value are expected, with = between them")]
pub struct NotAPair;

impl FromStr for Pair {
    type Err = NotAPair;

    fn from_str(text: &str) -> Result<Self, NotAPair> {
        let (key, value) = text.split_once('=').ok_or(NotAPair)?;
        let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
        match key.is_empty() || value.is_empty() {
            true => Err(NotAPair),
            false => Ok(Self { key, value }),
        }
    }
}

impl Pair {
    /// Pairs as a map; of several with one key, the last.
    pub fn map(pairs: &[Self]) -> BTreeMap<String, String> {
        let pairs = pairs.iter().cloned();
        pairs.map(|Self { key, value }| (key, value)).collect()
    }
}

/// Reads pairs from a table.
pub(super) fn table<'de, D: Deserializer<'de>>(table: D) -> Result<Vec<Pair>, D::Error> {
    let table = BTreeMap::<String, String>::deserialize(table)?.into_iter();
    Ok(table.map(|(key, value)| Pair { key, value }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_may_contain_the_sign() {
        let pair: Pair = "org=filter[a=b]".parse().unwrap();
        assert_eq!((pair.key.as_str(), pair.value.as_str()), ("org", "filter[a=b]"));
        for text in ["org", "=x", "org="] {
            assert_eq!(text.parse::<Pair>(), Err(NotAPair));
        }
    }
}
