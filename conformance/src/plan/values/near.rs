//! Texts that are nearly a value: parts of one, and values in disguise.

use std::collections::{BTreeMap, BTreeSet};

use super::{ClassedValue, ValueRelation};
use crate::corpus::predicate::folded;
use crate::plan::sample::{Choice, is_usable};

/// Texts that no record has and that are nearly a value: parts of one, and one in disguise.
pub(super) fn near_misses(shown: &BTreeMap<String, usize>, choice: &mut Choice) -> Vec<ClassedValue> {
    let known: BTreeSet<String> = shown.keys().map(|value| folded(value)).collect();
    let long: Vec<&String> = shown.keys().filter(|value| value.chars().count() > 3).collect();
    let mut near = Vec::new();
    for value in choice.some(&long, 1) {
        let letters: Vec<char> = value.chars().collect();
        let text = |letters: &[char]| letters.iter().collect::<String>();
        near.extend([
            (text(&letters[..letters.len() - 1]), "beginning of a value"),
            (text(&letters[1..]), "end of a value"),
        ]);
    }
    let parts = near.into_iter().map(|(text, class)| ClassedValue {
        kind: ValueRelation::Part,
        ..ClassedValue::shown(&text, class)
    });
    let variants: Vec<_> = match choice.some(&long, 1).first() {
        Some(value) => disguises(value, choice)
            .into_iter()
            .chain(with_signs(value))
            .collect(),
        None => Vec::new(),
    };
    let mut near: Vec<_> = parts.chain(variants).collect();
    near.retain(|one| is_usable(&one.value) && !known.contains(&folded(&one.value)));
    near
}

/// Parts of values in disguise; whether no record contains one is not looked at.
pub(super) fn near_needles(needles: &[ClassedValue], choice: &mut Choice) -> Vec<ClassedValue> {
    let long: Vec<&ClassedValue> = needles
        .iter()
        .filter(|one| one.value.chars().count() > 3)
        .collect();
    let mut variants = match choice.some(&long, 1).first() {
        Some(one) => {
            let disguised = disguises(&one.value, choice).into_iter();
            disguised.chain(with_signs(&one.value)).collect()
        }
        None => Vec::new(),
    };
    variants.retain(|one| is_usable(&one.value));
    variants
}

/// Signs that names and numbers have, and signs that URLs, markup, patterns and query languages know.
const SIGNS: [(&str, &str); 2] = [
    ("-.+'\" _@", "signs of names within a value"),
    ("-&=#;:/?!*|^$~<>()[]{}\\%`", "signs of languages within a value"),
];

/// A value with many signs at once in its middle: no sign is a reason to refuse it, and none is left out.
fn with_signs(value: &str) -> [ClassedValue; 2] {
    let letters: Vec<char> = value.chars().collect();
    let (before, after) = letters.split_at(letters.len() / 2);
    SIGNS.map(|(signs, class)| {
        let letters = before.iter().copied().chain(signs.chars());
        let text: String = letters.chain(after.iter().copied()).collect();
        ClassedValue {
            kind: ValueRelation::Disguised,
            ..ClassedValue::shown(&text, class)
        }
    })
}

/// A value with what some query languages read as something else in place of a letter or after it: of each kind of
/// character one form.
fn disguises(value: &str, choice: &mut Choice) -> Vec<ClassedValue> {
    let letters: Vec<char> = value.chars().collect();
    let (inner, end) = (letters.len() / 2, letters.len() - 1);
    let text = |letters: &[char]| letters.iter().collect::<String>();
    let (before, rest) = (text(&letters[..inner]), text(&letters[inner + 1..]));
    let percents = [
        ("%".to_owned(), "percent alone"),
        (format!("{}%", text(&letters[..end])), "percent for the end"),
        (format!("{before}%{rest}"), "percent for a letter"),
    ];
    let signs = [
        (format!("{value}' OR '1'='1"), "quotes after a value"),
        (format!("{value}\\"), "backslash after a value"),
        (
            format!("{before}'{}", text(&letters[inner..])),
            "quote within a value",
        ),
    ];
    let underscore = (format!("{before}_{rest}"), "underscore for a letter");
    let one_of = |forms: [(String, &'static str); 3], choice: &mut Choice| forms[choice.below(3)].clone();
    let disguises = [underscore, one_of(percents, choice), one_of(signs, choice)];
    let classed = disguises.map(|(text, class)| ClassedValue {
        kind: ValueRelation::Disguised,
        ..ClassedValue::shown(&text, class)
    });
    classed.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_miss_is_no_value() {
        let shown = BTreeMap::from([("Smith".to_owned(), 1), ("Smit".to_owned(), 1)]);
        let near = near_misses(&shown, &mut Choice::new(1, "x"));
        assert!(near.iter().any(|one| one.kind == ValueRelation::Part));
        assert!(near.iter().all(|one| !shown.contains_key(&one.value)), "{near:?}");
    }
}
