//! Chooses the values to ask for: common ones, rare ones, and those that are spelled in a way that breaks filters.
//!
//! The choice depends on the seed and on the data alone. Values that an open point makes ambiguous are never chosen.

use std::collections::{BTreeMap, BTreeSet};

use crate::corpus::predicate::folded;

/// A source of choices that repeats itself for the same seed.
#[derive(Clone, Debug)]
pub struct Choice(u64);

impl Choice {
    /// Choices that depend on the seed and on what they are for.
    pub fn new(seed: u64, purpose: &str) -> Self {
        let mixed = purpose.bytes().fold(seed ^ 0x9e37_79b9_7f4a_7c15, |mixed, byte| {
            (mixed ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Self(mixed)
    }

    /// A number below `limit`, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).unwrap_or_default()
    }

    /// `count` of `items` at most, all different, in their order.
    pub fn some<T: Clone>(&mut self, items: &[T], count: usize) -> Vec<T> {
        let mut chosen = BTreeSet::new();
        while chosen.len() < count.min(items.len()) {
            chosen.insert(self.below(items.len()));
        }
        chosen.into_iter().map(|index| items[index].clone()).collect()
    }

    /// A word that no record has: letters and digits without sense.
    pub fn word(&mut self, length: usize) -> String {
        let alphabet = b"bcdfghjkmnpqrstvwxz23456789";
        (0..length)
            .map(|_| char::from(alphabet[self.below(alphabet.len())]))
            .collect()
    }
}

/// The values to ask a filter for: at most eight.
pub fn values(choice: &mut Choice, counts: &BTreeMap<String, usize>) -> Vec<String> {
    let mut folds: BTreeMap<String, usize> = BTreeMap::new();
    for value in counts.keys() {
        *folds.entry(folded(value)).or_insert(0) += 1;
    }
    // Two values that differ by case alone cannot be told apart where case is folded.
    let usable: Vec<&String> = counts
        .keys()
        .filter(|value| is_usable(value) && folds[&folded(value)] == 1)
        .collect();
    let mut chosen: Vec<String> = Vec::new();
    let mut take = |found: Option<&&String>| {
        if let Some(value) = found
            && !chosen.contains(*value)
        {
            chosen.push((*value).clone());
        }
    };
    take(usable.iter().max_by_key(|value| counts[**value]));
    take(usable.iter().min_by_key(|value| counts[**value]));
    for odd in [
        |c: char| c == '\'',
        |c: char| c == '%',
        |c: char| c == '\\',
        |c: char| c == '_',
        |c: char| !c.is_ascii(),
    ] {
        take(usable.iter().find(|value| value.contains(odd)));
    }
    if !usable.is_empty() {
        take(Some(&usable[choice.below(usable.len())]));
    }
    chosen
}

/// Whether nothing that the specification leaves open decides how a whole value is read: as of a part of one, and comparisons
/// of whole texts may ignore blanks at the end, as in SQL.
pub fn is_usable(value: &str) -> bool {
    is_usable_part(value) && value.trim() == value
}

/// Whether nothing that the specification leaves open decides how a part of a value is read: commas may part it (L9), a word of
/// another type may be converted, nothing but blanks may count as empty (L8), an over-long value may be refused (L20).
pub fn is_usable_part(value: &str) -> bool {
    let word = value.to_ascii_lowercase();
    !value.trim().is_empty()
        && value.len() <= 200
        && !value.contains(|c: char| c == ',' || c.is_control())
        && !["null", "true", "false", "undefined"].contains(&word.as_str())
}

/// Whether no query language reads a character of a text as something else.
pub fn is_plain(text: &str) -> bool {
    !text.contains(['%', '_', '\\', '\''])
}

/// Pairs of usable values that are nearly the same: as numbers, but for signs and blanks, or one the beginning of the
/// other; the nearest first.
pub fn near(values: &[String]) -> Vec<(&str, &str)> {
    let letters = |value: &str| {
        value
            .chars()
            .filter(|letter| letter.is_alphanumeric())
            .collect::<String>()
    };
    let keys: [fn(&str) -> Option<String>; 2] = [
        |value| value.parse::<u64>().ok().map(|number| number.to_string()),
        |value| {
            Some(
                value
                    .chars()
                    .filter(|letter| letter.is_ascii_alphanumeric())
                    .collect(),
            )
        },
    ];
    let usable: Vec<&str> = values
        .iter()
        .map(String::as_str)
        .filter(|value| is_usable(value))
        .collect();
    let mut pairs = Vec::new();
    for key in keys {
        let mut first: BTreeMap<String, &str> = BTreeMap::new();
        for value in &usable {
            match key(value)
                .filter(|key| !key.is_empty())
                .map(|key| first.entry(key).or_insert(value))
            {
                Some(known) if known != value && folded(known) != folded(value) => {
                    pairs.push((*known, *value))
                }
                _ => {}
            }
        }
    }
    // Sorted values that begin alike stand next to each other.
    let alike = usable.windows(2).filter(|pair| {
        folded(pair[1]).starts_with(&folded(pair[0]))
            && folded(&letters(pair[0])) != folded(&letters(pair[1]))
    });
    pairs.extend(alike.map(|pair| (pair[0], pair[1])));
    let mut seen = BTreeSet::new();
    pairs.retain(|pair| seen.insert(*pair));
    pairs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_choice_repeats_itself(seed: u64, values in prop::collection::btree_map(".{0,8}", 1..5usize, 0..30)) {
            let choose = || super::values(&mut Choice::new(seed, "x"), &values);
            prop_assert_eq!(choose(), choose());
        }

        #[test]
        fn chosen_values_are_usable_and_different(seed: u64, values in prop::collection::btree_map(".{0,8}", 1..5usize, 0..30)) {
            let chosen = super::values(&mut Choice::new(seed, "x"), &values);
            let folds: BTreeSet<_> = chosen.iter().map(|value| folded(value)).collect();
            prop_assert_eq!(folds.len(), chosen.len());
            prop_assert!(chosen.iter().all(|value| is_usable(value) && values.contains_key(value)));
        }

        #[test]
        fn some_are_as_many_as_asked_for(seed: u64, items in prop::collection::vec(any::<u8>(), 0..20), count in 0..30usize) {
            let chosen = Choice::new(seed, "some").some(&items, count);
            prop_assert_eq!(chosen.len(), count.min(items.len()));
        }
    }
}
