//! Texts that are nearly a value: parts of one, and values in disguise.

use std::collections::BTreeSet;

use super::{ClassedValue, Shown, ValueRelation};
use crate::corpus::predicate::folded;
use crate::plan::sample::{Choice, is_plain, is_usable};

/// Texts that no record has and that are nearly a value: parts of one, and one in disguise. A record that is not soft-deleted
/// has the value if there is such a one: it would be found without the word that shows soft-deleted records.
pub(super) fn near_misses(shown: &Shown, choice: &mut Choice) -> Vec<ClassedValue> {
    let values = &shown.values;
    let known: BTreeSet<String> = values.keys().map(|value| folded(value)).collect();
    let is_long = |value: &&String| value.chars().count() > 3;
    let mut long: Vec<&String> = shown.live.iter().filter(is_long).collect();
    if long.is_empty() {
        long = values.keys().filter(is_long).collect();
    }
    let mut near = Vec::new();
    let odd: Vec<&String> = long.iter().copied().filter(|value| !is_plain(value)).collect();
    for value in choice.some(&long, 1).into_iter().chain(choice.some(&odd, 1)) {
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
        Some(value) => {
            let disguised = disguises(value, choice).into_iter();
            disguised.chain(with_signs(value, choice)).collect()
        }
        None => Vec::new(),
    };
    let mut near: Vec<_> = parts.chain(variants).collect();
    near.retain(|one| is_usable(&one.value) && !known.contains(&folded(&one.value)));
    near
}

/// Parts of values in disguise, of values of records that are not soft-deleted if there are any; whether no record contains
/// one is not looked at.
pub(super) fn near_needles(
    needles: &[ClassedValue],
    shown: &Shown,
    choice: &mut Choice,
) -> Vec<ClassedValue> {
    let mut long: Vec<&ClassedValue> = needles.iter().collect();
    long.retain(|one| one.value.chars().count() > 3);
    let is_live = |one: &&ClassedValue| shown.live.iter().any(|value| value.contains(&one.value));
    if long.iter().any(is_live) {
        long.retain(is_live);
    }
    let mut variants = match choice.some(&long, 1).first() {
        Some(one) => {
            let disguised = disguises(&one.value, choice).into_iter();
            disguised.chain(with_signs(&one.value, choice)).collect()
        }
        None => Vec::new(),
    };
    variants.retain(|one| is_usable(&one.value));
    variants
}

/// Signs of names, and of URLs, markup, patterns and query languages; a blank among them.
const SIGNS: &str = "-.+'\"_@& =#;:/?!*|^$~<>()[]{}\\%`";
/// Signs within names.
const SIGNS_OF_NAMES: &str = "-_.'";

/// A value with all signs after it, each time another one first, so that code which stops at a sign finds the value; and a value
/// with signs of names in its middle, which code that leaves them out finds.
fn with_signs(value: &str, choice: &mut Choice) -> [ClassedValue; 2] {
    let mut signs: Vec<char> = SIGNS.chars().collect();
    let first = choice.below(signs.len());
    signs.rotate_left(first);
    let signs: String = signs.into_iter().collect();
    let middle = value.chars().count() / 2;
    let (before, after): (String, String) = (
        value.chars().take(middle).collect(),
        value.chars().skip(middle).collect(),
    );
    let texts = [
        // Many servers trim a blank at an end.
        (format!("{value}{signs}x"), "signs after a value"),
        (
            format!("{before}{SIGNS_OF_NAMES}{after}"),
            "signs of names within a value",
        ),
    ];
    texts.map(|(text, class)| ClassedValue {
        kind: ValueRelation::Disguised,
        ..ClassedValue::shown(&text, class)
    })
}

/// Letters without sense after a zero, with all signs among them: no text is too strange to search for.
pub(super) fn senseless_with_signs(letters: &str) -> String {
    let (before, after) = letters.split_at(letters.len() / 2);
    format!("0{before}{SIGNS}{after}")
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
    fn a_near_miss_is_near_a_value_of_a_record_that_is_not_soft_deleted() {
        let shown = shown(["Smith", "Kowalski"], ["Kowalski"]);
        for seed in 0..20 {
            for near in near_misses(&shown, &mut Choice::new(seed, "x")) {
                assert!(
                    !near.value.contains('S') && !near.value.contains("mit"),
                    "{near:?}"
                );
            }
        }
    }
}
