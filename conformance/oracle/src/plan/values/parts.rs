//! Parts of values, for filters that search.

use std::collections::BTreeMap;

use super::classes::{CLASSES, Class};
use super::{ClassedValue, DRAWN};
use crate::plan::sample::{Choice, is_usable_part};

/// So many parts of a value are asked for.
const PARTS: usize = 2;
/// So many texts are looked through for a part of a class.
const TEXTS: usize = 12;
/// The lengths of such parts.
const LENGTHS: [usize; 5] = [1, 2, 3, 5, 9];

/// Parts of values: of each class one or two, and beginnings, middles, ends and wholes.
pub(super) fn needles(shown: &BTreeMap<String, usize>, choice: &mut Choice) -> Vec<ClassedValue> {
    let texts: Vec<&String> = shown.keys().filter(|value| !value.is_empty()).collect();
    let mut values = Vec::new();
    for class in CLASSES {
        let around = around(*class, &texts, choice);
        // Of a class by length or as a whole a part is another text than the whole.
        if around
            .as_ref()
            .is_none_or(|part| !class.1(&part.value) || texts.contains(&&part.value))
        {
            values.extend(inner(*class, &texts, choice));
        }
        values.extend(around);
    }
    values.extend(common(&texts));
    for text in choice.some(&texts, DRAWN) {
        let letters: Vec<char> = text.chars().collect();
        let (length, half) = (letters.len(), letters.len() / 2);
        let parts = [
            ("whole", 0, length),
            ("beginning", 0, half.max(1)),
            ("end", half, length),
            ("middle", 1.min(length - 1), (length - 1).max(1)),
            ("two characters", half.saturating_sub(1), (half + 1).min(length)),
        ];
        for (class, from, to) in choice.some(&parts, PARTS) {
            let part: String = letters[from.min(to)..to].iter().collect();
            values.push(ClassedValue::shown(&part, class));
        }
    }
    values.retain(|one| is_usable_part(&one.value));
    values
}

/// A part around a character that alone makes a text one of a class, or the character alone: that finds more records. Without
/// such a character, the whole text.
fn around((name, is_in): Class, texts: &[&String], choice: &mut Choice) -> Option<ClassedValue> {
    let fit: Vec<&&String> = texts.iter().filter(|value| is_in(value)).collect();
    let letters: Vec<char> = fit.get(choice.below(fit.len().max(1)))?.chars().collect();
    let at = (0..letters.len()).find(|at| is_in(&letters[*at].to_string()));
    let around = choice.below(3);
    let part: String = match at {
        Some(at) => letters[at.saturating_sub(around)..(at + 1 + around).min(letters.len())]
            .iter()
            .collect(),
        None => letters.iter().collect(),
    };
    Some(ClassedValue::shown(&part, name))
}

/// A part of a class from within a word: neither a beginning nor an end.
fn inner((name, is_in): Class, texts: &[&String], choice: &mut Choice) -> Option<ClassedValue> {
    let mut parts = Vec::new();
    for text in choice.some(texts, TEXTS) {
        let letters: Vec<char> = text.chars().collect();
        for length in LENGTHS {
            let windows = letters.windows(length + 2);
            let inner =
                windows.filter(|window| window[0].is_alphanumeric() && window[length + 1].is_alphanumeric());
            let inner = inner.map(|window| window[1..=length].iter().collect::<String>());
            parts.extend(inner.filter(|part| is_in(part) && is_usable_part(part)));
        }
    }
    let part = parts.get(choice.below(parts.len().max(1)))?;
    Some(ClassedValue::shown(part, name))
}

/// The letter that the most texts have, if some have it not: what it finds can be narrowed further.
fn common(texts: &[&String]) -> Option<ClassedValue> {
    let having = |letter: char| texts.iter().filter(|text| text.contains(letter)).count();
    let letters = ('a'..='z').map(|letter| (having(letter), letter));
    let (count, letter) = letters.filter(|(count, _)| *count < texts.len()).max()?;
    (count > 0).then(|| ClassedValue::shown(&letter.to_string(), "a common letter"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_needle_is_a_part_of_a_value(seed: u64, shown in prop::collection::btree_map("\\PC{0,12}", 1..4usize, 0..12)) {
            for needle in needles(&shown, &mut Choice::new(seed, "x")) {
                prop_assert!(shown.keys().any(|value| value.contains(&needle.value)), "{needle:?}");
            }
        }
    }
}
