//! The values to ask a filter for: real values of each class that code is known to read wrongly.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use rollcall_contract::{Match, ValueKind};

use crate::moment;
use crate::sample::{Choice, is_usable};
use crate::seen::{ONLY, SeenFilter, WITH, WITHOUT, folded};

/// A value of a filter, and the class it is taken from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClassedValue {
    pub(crate) value: String,
    pub(crate) class: &'static str,
}

/// A class of texts: its name, and whether a text is in it.
type Class = (&'static str, fn(&str) -> bool);

/// The classes of texts. A text of such a class is read as something else by some query language, URL parser, number parser
/// or pattern, or is changed by folding, trimming or cutting.
const CLASSES: &[Class] = &[
    ("single quote", |text| text.contains('\'')),
    ("double quote", |text| text.contains('"')),
    ("percent", |text| text.contains('%')),
    ("underscore", |text| text.contains('_')),
    ("backslash", |text| text.contains('\\')),
    ("ampersand", |text| text.contains('&')),
    ("plus", |text| text.contains('+')),
    ("hash", |text| text.contains('#')),
    ("semicolon", |text| text.contains(';')),
    ("equals sign", |text| text.contains('=')),
    ("question mark", |text| text.contains('?')),
    ("slash", |text| text.contains('/')),
    ("colon", |text| text.contains(':')),
    ("bracket", |text| {
        text.contains(['[', ']', '(', ')', '{', '}', '<', '>'])
    }),
    ("asterisk", |text| text.contains('*')),
    ("bar, caret, dollar, tilde", |text| {
        text.contains(['|', '^', '$', '~', '`', '!'])
    }),
    ("at sign", |text| text.contains('@')),
    ("dot", |text| text.contains('.')),
    ("hyphen", |text| text.contains('-')),
    ("blank", |text| text.contains(' ')),
    ("two blanks", |text| text.contains("  ")),
    ("leading zero", |text| {
        text.len() > 1 && text.starts_with('0') && is_number(text)
    }),
    ("word for a truth value or for nothing", is_word),
    ("number", is_number),
    ("number in another form", |text| {
        !is_number(text) && text.parse::<f64>().is_ok()
    }),
    ("capitals", |text| {
        text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase)
    }),
    ("non-ASCII letter", |text| {
        text.chars()
            .any(|letter| letter.is_alphabetic() && !letter.is_ascii())
    }),
    ("beyond the basic plane", |text| {
        text.chars().any(|letter| u32::from(letter) > 0xffff)
    }),
    ("combining mark", |text| {
        text.chars()
            .any(|letter| ('\u{300}'..'\u{370}').contains(&letter))
    }),
    ("case that does not fold one to one", |text| {
        text.chars().any(|letter| {
            letter.to_uppercase().count() > 1
                || letter.to_lowercase().count() > 1
                || "ıſKΣςẞ".contains(letter)
        })
    }),
    ("one character", |text| text.chars().count() == 1),
    ("50 characters", |text| text.chars().count() >= 50),
];

/// Whether a value that some record shows can be asked for: what a word is taken for is not open where a record has it.
fn can_be_asked(text: &str) -> bool {
    is_usable(text) || is_word(text)
}

/// Whether code is known to take a text for a truth value or for nothing.
fn is_word(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let words = [
        "null",
        "nil",
        "none",
        "undefined",
        "nan",
        "true",
        "false",
        "yes",
        "no",
        "on",
        "off",
    ];
    words.contains(&text.as_str())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// So many values are taken of the commonest and of the rarest.
const EXTREMES: usize = 2;
/// So many values are drawn that are of no class in particular.
const DRAWN: usize = 3;

/// The values of a filter, given the values that records show of its members, each with the number of its records, and
/// those that soft-deleted records show.
pub(crate) fn levels(
    filter: &SeenFilter,
    shown: &BTreeMap<String, usize>,
    of_deleted: &BTreeSet<String>,
    choice: &mut Choice,
) -> Vec<ClassedValue> {
    let mut values = match (filter.matching, &filter.kind) {
        (Match::Trashed, _) => words(&[WITH, ONLY, WITHOUT, "both"]),
        (Match::Flag, _) if !filter.all.is_empty() => words(&["true"]),
        (Match::Flag, _) | (Match::Exact, ValueKind::Boolean) => words(&["true", "false"]),
        (Match::Before | Match::After, _) => bounds(shown, choice),
        (Match::Exact, ValueKind::Word(known)) => shown
            .keys()
            .filter(|value| known.contains(value))
            .map(|value| classed(value, "word"))
            .collect(),
        (Match::Exact, _) => {
            let mut values = texts(shown, choice);
            values.extend(near_misses(shown, choice));
            values
        }
        (Match::Contains, _) => needles(shown, choice),
    };
    if matches!(filter.matching, Match::Exact | Match::Contains) {
        let deleted: Vec<&String> = of_deleted.iter().filter(|value| is_usable(value)).collect();
        let one = choice.some(&deleted, 1).into_iter();
        values.extend(one.map(|value| classed(value, "of a soft-deleted record")));
    }
    let mut seen = BTreeSet::new();
    values.retain(|value| seen.insert(value.value.clone()));
    values
}

fn classed(value: &str, class: &'static str) -> ClassedValue {
    ClassedValue {
        value: value.to_owned(),
        class,
    }
}

fn words(words: &[&str]) -> Vec<ClassedValue> {
    words.iter().map(|word| classed(word, "word")).collect()
}

/// Whole values: of each class one, and the commonest, rarest, longest and shortest.
fn texts(shown: &BTreeMap<String, usize>, choice: &mut Choice) -> Vec<ClassedValue> {
    let mut folds: BTreeMap<String, usize> = BTreeMap::new();
    for value in shown.keys() {
        *folds.entry(folded(value)).or_default() += 1;
    }
    let usable: Vec<&String> = shown
        .keys()
        .filter(|value| can_be_asked(value) && folds[&folded(value)] == 1)
        .collect();
    let mut values = Vec::new();
    for (name, is_in) in CLASSES {
        let fit: Vec<&&String> = usable.iter().filter(|value| is_in(value)).collect();
        if !fit.is_empty() {
            values.push(classed(fit[choice.below(fit.len())], name));
        }
    }
    let mut by_count = usable.clone();
    by_count.sort_by_key(|value| shown[*value]);
    values.extend(
        by_count
            .iter()
            .rev()
            .take(EXTREMES)
            .map(|value| classed(value, "common")),
    );
    values.extend(by_count.iter().take(EXTREMES).map(|value| classed(value, "rare")));
    let length = |value: &&&String| value.chars().count();
    values.extend(
        usable
            .iter()
            .max_by_key(length)
            .map(|value| classed(value, "longest")),
    );
    values.extend(
        usable
            .iter()
            .min_by_key(length)
            .map(|value| classed(value, "shortest")),
    );
    values.extend(
        choice
            .some(&usable, DRAWN)
            .into_iter()
            .map(|value| classed(value, "any")),
    );
    values
}

/// So many values are changed a little, of each filter.
const CHANGED: usize = 2;

/// Texts that no record has and that are nearly a value: a part of it, and it with a character in its middle.
fn near_misses(shown: &BTreeMap<String, usize>, choice: &mut Choice) -> Vec<ClassedValue> {
    let known: BTreeSet<String> = shown.keys().map(|value| folded(value)).collect();
    let long: Vec<&String> = shown.keys().filter(|value| value.chars().count() > 3).collect();
    let mut near = Vec::new();
    for value in choice.some(&long, CHANGED) {
        let letters: Vec<char> = value.chars().collect();
        let (length, half) = (letters.len(), letters.len() / 2);
        let text = |letters: &[char]| letters.iter().collect::<String>();
        near.extend([
            (text(&letters[..length - 1]), "beginning of a value"),
            (text(&letters[1..]), "end of a value"),
            (
                format!("{}'{}", text(&letters[..half]), text(&letters[half..])),
                "value with a character more",
            ),
        ]);
    }
    near.retain(|(text, _)| is_usable(text) && !known.contains(&folded(text)));
    near.into_iter()
        .map(|(text, class)| classed(&text, class))
        .collect()
}

/// So many parts of a value are asked for.
const PARTS: usize = 2;

/// Parts of values: around the characters of each class, and beginnings, middles, ends and wholes.
fn needles(shown: &BTreeMap<String, usize>, choice: &mut Choice) -> Vec<ClassedValue> {
    let texts: Vec<&String> = shown.keys().filter(|value| !value.is_empty()).collect();
    let mut values = Vec::new();
    for (name, is_in) in CLASSES {
        let fit: Vec<&&String> = texts.iter().filter(|value| is_in(value)).collect();
        if fit.is_empty() {
            continue;
        }
        let letters: Vec<char> = fit[choice.below(fit.len())].chars().collect();
        // The smallest part around a character that alone makes a text one of the class.
        let at = (0..letters.len()).find(|at| is_in(&letters[*at].to_string()));
        let part: String = match at {
            Some(at) => letters[at.saturating_sub(2)..(at + 3).min(letters.len())]
                .iter()
                .collect(),
            None => letters.iter().collect(),
        };
        if is_usable(&part) {
            values.push(classed(&part, name));
        }
    }
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
            if is_usable(&part) {
                values.push(classed(&part, class));
            }
        }
    }
    values
}

/// Timestamps that calendars, time zones and clocks get wrong.
const CALENDAR: [(&str, &str); 11] = [
    ("leap day", "2024-02-29"),
    ("leap day", "2020-02-29T12:00:00Z"),
    ("end of a year", "2023-12-31 23:59:59"),
    ("end of a month", "2024-04-30"),
    ("begin of summer time", "2024-03-31 02:30:00"),
    ("end of summer time", "2024-10-27T01:30:00Z"),
    ("limit of 32 bit", "2038-01-19T03:14:08Z"),
    ("before 1970", "1969-12-31"),
    ("before 1970", "1901-12-13T20:45:52Z"),
    ("far future", "9998-12-31"),
    ("two-digit confusion", "2012-11-10"),
];
/// Bounds are placed at so many places of the timestamps that records show.
const PLACES: usize = 5;

/// Bounds that divide the records, in each specified form, and those of the calendar.
fn bounds(shown: &BTreeMap<String, usize>, choice: &mut Choice) -> Vec<ClassedValue> {
    let mut moments: Vec<Timestamp> = shown.keys().filter_map(|text| moment::read(text)).collect();
    moments.sort();
    let mut values = Vec::new();
    if !moments.is_empty() {
        for place in 0..PLACES {
            let at = moments[(moments.len() - 1) * place / (PLACES - 1)];
            let days = i64::try_from(choice.below(9)).unwrap_or_default() - 4;
            let midnight = moment::days_later(moment::midnight(at), days);
            let forms = moment::forms(midnight);
            let form = &forms[choice.below(forms.len())];
            values.push(classed(form, "among the records"));
        }
    }
    values.extend(CALENDAR.iter().map(|(class, text)| classed(text, class)));
    values
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

        #[test]
        fn a_text_is_a_value_that_no_open_point_makes_ambiguous(seed: u64, shown in prop::collection::btree_map("\\PC{0,12}", 1..4usize, 0..12)) {
            for text in texts(&shown, &mut Choice::new(seed, "x")) {
                prop_assert!(shown.contains_key(&text.value) && can_be_asked(&text.value), "{text:?}");
            }
        }
    }

    #[test]
    fn a_near_miss_is_no_value() {
        let shown = BTreeMap::from([("Smith".to_owned(), 1), ("Smit".to_owned(), 1)]);
        let near = near_misses(&shown, &mut Choice::new(1, "x"));
        assert!(near.iter().any(|one| one.value == "mith") && near.iter().all(|one| one.value != "Smit"));
    }

    #[test]
    fn every_bound_is_a_timestamp() {
        let shown = BTreeMap::from([("2024-05-06T07:08:09.123456Z".to_owned(), 1)]);
        for bound in bounds(&shown, &mut Choice::new(1, "x")) {
            assert!(moment::read(&bound.value).is_some(), "{bound:?}");
        }
    }
}
