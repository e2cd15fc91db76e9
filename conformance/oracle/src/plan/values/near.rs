//! Texts that are nearly a value: parts of one, and values in disguise.

use std::collections::{BTreeMap, BTreeSet};

use super::disguise::{cut_off, disguises, is_long, without_accents};
use super::{ClassedValue, Shown, ValueRelation};
use crate::corpus::predicate::folded;
use crate::plan::sample::{Choice, is_plain, is_usable, is_usable_part};

/// The beginning of many values has so many letters.
const BEGINNING: std::ops::Range<usize> = 3..24;

/// Texts that no record has and that are nearly a value: parts of one, and one in disguise. A record that is not soft-deleted
/// has the value if there is such a one: it would be found without the word that shows soft-deleted records.
pub(super) fn near_misses(shown: &Shown, choice: &mut Choice) -> Vec<ClassedValue> {
    let values = &shown.values;
    let known: BTreeSet<String> = values.keys().map(|value| folded(value)).collect();
    let mut meant: Vec<&String> = shown.live.iter().collect();
    if !meant.iter().any(|value| is_long(value)) {
        meant = values.keys().collect();
    }
    let long: Vec<&String> = meant.iter().copied().filter(|value| is_long(value)).collect();
    let odd: Vec<&String> = long.iter().copied().filter(|value| !is_plain(value)).collect();
    let mut near = Vec::from_iter(shared_beginning(&long));
    let taken = choice.some(&long, 1).into_iter().chain(choice.some(&odd, 1));
    for (at, value) in taken.enumerate() {
        let mut parts = parts(value);
        // The beginning of one value and the end of an odd one: every filter is asked for both.
        if !odd.is_empty() {
            parts = vec![parts.swap_remove(at)];
        }
        near.extend(parts);
    }
    near.extend(in_disguise(&meant, choice));
    let is_meant = |text: &str| is_usable_part(text) && is_usable(text.trim_start());
    let is_near = |one: &ClassedValue| is_meant(&one.value) && !known.contains(&folded(&one.value));
    near.retain(is_near);
    let words = meant.iter().filter_map(|value| word(value)).filter(is_near);
    // A word behind a blank is a word to every index. Nothing is drawn, so that the other values stay the same.
    let is_spaced = |one: &ClassedValue| {
        let behind_a_blank = format!(" {}", one.value);
        one.near
            .as_ref()
            .is_some_and(|whole| whole.ends_with(&behind_a_blank))
    };
    near.extend(words.max_by_key(|one| (is_spaced(one), one.value.chars().count())));
    near
}

/// Parts of values in disguise, of values of records that are not soft-deleted if there are any; whether no record contains
/// one is not looked at.
pub(super) fn near_needles(
    needles: &[ClassedValue],
    shown: &Shown,
    choice: &mut Choice,
) -> Vec<ClassedValue> {
    let mut meant: Vec<&String> = needles.iter().map(|one| &one.value).collect();
    // A part that is cut somewhere is found only if there is a value up to there: whole values are the longest parts.
    meant.extend(shown.live.iter().filter(|value| is_usable(value)));
    let is_live = |text: &&String| shown.live.iter().any(|value| value.contains(*text));
    if meant.iter().any(|text| is_long(text) && is_live(text)) {
        meant.retain(is_live);
    }
    let mut variants = in_disguise(&meant, choice);
    variants.retain(|one| is_usable_part(&one.value));
    variants
}

/// The beginning that the most values have, the longest of several: whatever record is found wrongly, it is likely to have it.
fn shared_beginning(values: &[&String]) -> Option<ClassedValue> {
    let mut shared: BTreeMap<String, (usize, &String)> = BTreeMap::new();
    for value in values {
        let letters: Vec<char> = value.chars().collect();
        for length in BEGINNING.start..letters.len().min(BEGINNING.end) {
            shared
                .entry(letters[..length].iter().collect())
                .or_insert((0, value))
                .0 += 1;
        }
    }
    let most = shared.into_iter();
    let most = most.max_by_key(|(beginning, (count, _))| (*count, beginning.chars().count()));
    most.map(|(beginning, (_, value))| part(value, &beginning, "beginning of many values"))
}

/// The beginning and the end of a value.
fn parts(value: &str) -> Vec<ClassedValue> {
    let letters: Vec<char> = value.chars().collect();
    let parts = [
        (&letters[..letters.len() - 1], "beginning of a value"),
        (&letters[1..], "end of a value"),
    ];
    let parts = parts.into_iter();
    parts
        .map(|(letters, class)| part(value, &letters.iter().collect::<String>(), class))
        .collect()
}

/// The last word of a value of several: an index of words finds the value by it.
fn word(value: &str) -> Option<ClassedValue> {
    let mut words = value.rsplit(|letter: char| !letter.is_alphanumeric());
    let last = words.find(|word| word.chars().count() >= BEGINNING.start)?;
    (last != value).then(|| part(value, last, "a word of a value"))
}

/// A part of a value.
fn part(value: &str, text: &str, class: &'static str) -> ClassedValue {
    ClassedValue {
        kind: ValueRelation::Part,
        near: Some(value.to_owned()),
        ..ClassedValue::shown(text, class)
    }
}

/// The longest value with signs after it, and values in disguise, every second one odd if there are odd ones.
fn in_disguise(values: &[&String], choice: &mut Choice) -> Vec<ClassedValue> {
    let longest = values.iter().filter(|value| is_long(value));
    let Some(longest) = longest.max_by_key(|value| value.chars().count()) else {
        return Vec::new();
    };
    let mut near = cut_off(longest, choice);
    for (round, disguise) in disguises(choice).into_iter().enumerate() {
        let mut fit: Vec<&String> = values
            .iter()
            .copied()
            .filter(|value| (disguise.fits)(value))
            .collect();
        if round % 2 == 1 && fit.iter().any(|value| !is_plain(value)) {
            fit.retain(|value| !is_plain(value));
        }
        let value = choice.some(&fit, 1).pop();
        near.extend(value.map(|value| disguise.dress(value)));
    }
    let plain: Vec<_> = values.iter().filter_map(|value| without_accents(value)).collect();
    near.extend(choice.some(&plain, 1));
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown<const ALL: usize, const LIVE: usize>(all: [&str; ALL], live: [&str; LIVE]) -> Shown {
        Shown {
            values: all.map(|value| (value.to_owned(), 1)).into(),
            live: live.map(str::to_owned).into(),
            ..Shown::default()
        }
    }

    #[test]
    fn a_near_miss_is_no_value() {
        let shown = shown(["Smith", "Smit"], ["Smith"]);
        let near = near_misses(&shown, &mut Choice::new(1, "x"));
        assert!(near.iter().any(|one| one.kind == ValueRelation::Part));
        assert!(
            near.iter().all(|one| !shown.values.contains_key(&one.value)),
            "{near:?}"
        );
    }

    #[test]
    fn the_beginning_of_many_values_is_the_longest_that_the_most_have() {
        let values = ["drusr_k0a1", "drusr_k0a2", "drusr_k0b1", "Ann"].map(str::to_owned);
        let values: Vec<&String> = values.iter().collect();
        let shared = shared_beginning(&values).unwrap();
        assert_eq!(
            (shared.value.as_str(), shared.near.as_deref()),
            ("drusr_k0", Some("drusr_k0a1"))
        );
        assert_eq!(shared_beginning(&values[3..]), None);
    }

    #[test]
    fn a_near_miss_is_near_a_value_of_a_record_that_is_not_soft_deleted() {
        let shown = shown(["Smith", "Kowalski"], ["Kowalski"]);
        for seed in 0..20 {
            for near in near_misses(&shown, &mut Choice::new(seed, "x")) {
                assert_eq!(near.near.as_deref(), Some("Kowalski"), "{near:?}");
            }
        }
    }
}
