//! The values to ask a filter for: real values of each class that code is known to read wrongly.

mod bounds;
pub(super) mod classes;
mod disguise;
mod near;
mod parts;
mod phrases;

use std::collections::{BTreeMap, BTreeSet};

use rollcall_contract::{Match, ValueKind};

pub use self::bounds::YEAR_ONE;
use self::bounds::bounds;
use self::classes::{CLASSES, can_be_asked, rarest_shapes};
pub use self::disguise::BLANK_BEFORE;
use self::near::{near_misses, near_needles};
use self::parts::needles;
use crate::corpus::predicate::{ONLY, ObservableFilter, WITH, WITHOUT, folded};
use crate::plan::sample::{self, Choice, is_usable};

/// A value of a filter, and the class it is taken from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassedValue {
    /// The value as it is sent.
    pub value: String,
    /// The name of its class.
    pub class: &'static str,
    /// Its relation to the values that records show.
    pub kind: ValueRelation,
    /// The value that it nearly is, if it is none.
    pub near: Option<String>,
}

/// How a value stands to the values that records show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueRelation {
    /// Some record shows it, or a record may.
    MemberValue,
    /// For a partial filter: the whole of a value.
    Whole,
    /// For an exact filter: a part of a value, and no value itself.
    Part,
    /// A value of another member.
    Foreign,
    /// A value with a character that some query languages read as something else in place of its own, or added.
    Disguised,
    /// For a partial filter: several words of a value, in their order or in another.
    Words,
    /// For a partial filter: the domain of an address, or a part of a value written as in a URL.
    Address,
    /// For a partial filter: the name of a member of an object whose values it searches.
    MemberName,
    /// A text without sense.
    Senseless,
    /// A word that code writes for a member without a value.
    Nothing,
    /// The text that Perl and PHP take for no value.
    Zero,
}

/// What records show of a filter's members, and what is nearly such.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// The values, each with the number of its records.
    pub values: BTreeMap<String, usize>,
    /// The values that records show which are not soft-deleted.
    pub live: BTreeSet<String>,
    /// The values that soft-deleted records show.
    pub of_deleted: BTreeSet<String>,
    /// Whether a record that is not soft-deleted has no value, and the values are no identifiers of related records.
    pub is_null: bool,
    /// Values of other members.
    pub foreign: Vec<String>,
    /// The names of members of objects whose values the filter searches.
    pub names: BTreeSet<String>,
    /// Values of records that are unlike most: of a username, say, that is not in the email.
    pub unlike: Vec<String>,
}

/// So many values are taken of the commonest and of the rarest.
const EXTREMES: usize = 1;
/// So many pairs of values are taken that are nearly the same.
const NEAR: usize = 2;
/// So many values are drawn that are of no class in particular.
const DRAWN: usize = 2;
/// So many values are taken of shapes that no other value has.
const SHAPES: usize = 4;
/// A filter with more values than this is not asked for all of them.
pub const FEW: usize = 40;

/// The words with which code writes that there is no value.
pub(super) const NOTHING: [&str; 4] = ["null", "none", "undefined", "nil"];

/// The class of words that are none for soft deletion.
pub(super) const NO_WORD: &str = "no word";

/// The values of a filter, given what records show.
pub fn levels(filter: &ObservableFilter, shown: &Shown, choice: &mut Choice) -> Vec<ClassedValue> {
    let values = &shown.values;
    let mut levels = match (filter.matching, &filter.kind) {
        (Match::Trashed, _) if filter.takes_any_word() => {
            let mut levels = words(&[WITH, ONLY, WITHOUT]);
            levels.extend(
                no_words(filter)
                    .iter()
                    .map(|word| ClassedValue::shown(word, NO_WORD)),
            );
            levels
        }
        (Match::Trashed, _) => words(&[WITH, ONLY, WITHOUT]),
        (Match::Flag, _) if !filter.all.is_empty() => words(&["true"]),
        (Match::Flag, _) | (Match::Exact, ValueKind::Boolean) => words(&["true", "false"]),
        (Match::Before | Match::After, _) => bounds(filter.matching, values, choice),
        (Match::Exact, ValueKind::Word(known)) => {
            let words = values.keys().filter(|value| known.contains(value));
            let mut levels: Vec<_> = words.map(|value| ClassedValue::shown(value, "word")).collect();
            let mut parts = near_misses(shown, choice);
            parts.retain(|near| near.kind == ValueRelation::Part && !known.contains(&near.value));
            levels.extend(parts);
            levels
        }
        (Match::Exact, _) => {
            let mut levels = texts(values, choice);
            let usable = usable(values);
            let unlike = shown.unlike.iter().filter(|value| usable.contains(value));
            levels.extend(unlike.map(|value| ClassedValue::shown(value, "unlike another member")));
            levels.extend(near_misses(shown, choice));
            levels.extend(texts_for_nothing(shown, choice));
            levels
        }
        (Match::Contains, _) => {
            let mut levels = needles(values, choice);
            let whole: Vec<&String> = values.keys().filter(|value| is_usable(value)).collect();
            levels.extend(rarest_shapes(&whole, &levels, SHAPES / 2));
            levels.extend(near_needles(&levels, shown, choice));
            for needle in levels
                .iter_mut()
                .filter(|needle| values.contains_key(&needle.value))
            {
                needle.kind = ValueRelation::Whole;
            }
            levels.extend(phrases::texts(shown, choice));
            levels.extend(part_of_nothing(shown));
            levels
        }
    };
    if matches!(filter.matching, Match::Exact | Match::Contains) {
        levels.extend(shown.foreign.iter().map(|value| ClassedValue {
            kind: ValueRelation::Foreign,
            ..ClassedValue::shown(value, "of another member")
        }));
        let deleted: Vec<&String> = shown.of_deleted.iter().filter(|value| is_usable(value)).collect();
        let one = choice.some(&deleted, 1).into_iter();
        let kind = match filter.matching {
            Match::Contains => ValueRelation::Whole,
            _ => ValueRelation::MemberValue,
        };
        levels.extend(one.map(|value| ClassedValue {
            kind,
            ..ClassedValue::shown(value, "of a soft-deleted record")
        }));
    }
    let mut seen = BTreeSet::new();
    levels.retain(|level| seen.insert(level.value.clone()));
    levels
}

impl ClassedValue {
    /// A value that some record shows, or may.
    pub fn shown(value: &str, class: &'static str) -> Self {
        Self {
            value: value.to_owned(),
            class,
            kind: ValueRelation::MemberValue,
            near: None,
        }
    }
}

/// Words that are none for soft deletion, and that careless code takes for one. Whether case matters is not specified.
fn no_words(filter: &ObservableFilter) -> [String; 5] {
    let [with, only] = [WITH, ONLY].map(|word| filter.sent(word));
    [
        format!("{only}-these"),
        format!("{with}al"),
        format!(" {only}"),
        "all".to_owned(),
        "true".to_owned(),
    ]
}

/// Texts that careless code takes for a member without a value: the record would be found by the value that it lacks, or a record
/// that has the value would be shown without it.
fn texts_for_nothing(shown: &Shown, choice: &mut Choice) -> impl Iterator<Item = ClassedValue> {
    let known: BTreeSet<String> = shown.values.keys().map(|value| folded(value)).collect();
    // The first one is the word of JSON and SQL.
    let words = [NOTHING[0], NOTHING[choice.below(NOTHING.len())]];
    let word = words[choice.below(words.len())];
    let texts = [
        (word, ValueRelation::Nothing, "a word for nothing"),
        ("0", ValueRelation::Zero, "zero"),
    ];
    let meant = texts.into_iter();
    let meant = meant.filter(move |(text, ..)| shown.is_null && !known.contains(*text));
    meant.map(|(text, kind, class)| ClassedValue {
        kind,
        ..ClassedValue::shown(text, class)
    })
}

/// A part of the words for nothing that no value has: of the first word, which JSON and SQL have, and of as many others as can
/// be.
fn part_of_nothing(shown: &Shown) -> Option<ClassedValue> {
    if !shown.is_null {
        return None;
    }
    let known: Vec<String> = shown.values.keys().map(|value| folded(value)).collect();
    let parts = (1..=3).flat_map(|length| {
        NOTHING
            .iter()
            .flat_map(move |word| (0..=word.len() - length).map(move |at| &word[at..at + length]))
    });
    let unknown = parts.filter(|part| !known.iter().any(|value| value.contains(part)));
    let words = |part: &&str| {
        let others = NOTHING.iter().filter(|word| word.contains(part));
        (NOTHING[0].contains(part), others.count())
    };
    // Of several that are as good, the last is the best: so the first comes last.
    let best = unknown.collect::<Vec<_>>().into_iter().rev().max_by_key(words);
    best.map(|part| ClassedValue {
        kind: ValueRelation::Nothing,
        ..ClassedValue::shown(part, "a part of a word for nothing")
    })
}

fn words(words: &[&str]) -> Vec<ClassedValue> {
    words
        .iter()
        .map(|word| ClassedValue::shown(word, "word"))
        .collect()
}

/// The values that no open point makes ambiguous, nor another value that differs by case alone.
fn usable(shown: &BTreeMap<String, usize>) -> Vec<&String> {
    let mut folds: BTreeMap<String, usize> = BTreeMap::new();
    for value in shown.keys() {
        *folds.entry(folded(value)).or_default() += 1;
    }
    let is_usable = |value: &&String| can_be_asked(value) && folds[&folded(value)] == 1;
    shown.keys().filter(is_usable).collect()
}

/// Whole values: of each class one, and the commonest, rarest, longest and shortest.
fn texts(shown: &BTreeMap<String, usize>, choice: &mut Choice) -> Vec<ClassedValue> {
    let usable = usable(shown);
    let mut values = Vec::new();
    for (name, is_in) in CLASSES {
        let fit: Vec<&&String> = usable.iter().filter(|value| is_in(value)).collect();
        if !fit.is_empty() {
            values.push(ClassedValue::shown(fit[choice.below(fit.len())], name));
        }
    }
    let mut by_count = usable.clone();
    by_count.sort_by_key(|value| shown[*value]);
    values.extend(
        by_count
            .iter()
            .rev()
            .take(EXTREMES)
            .map(|value| ClassedValue::shown(value, "common")),
    );
    values.extend(
        by_count
            .iter()
            .take(EXTREMES)
            .map(|value| ClassedValue::shown(value, "rare")),
    );
    let length = |value: &&&String| value.chars().count();
    values.extend(
        usable
            .iter()
            .max_by_key(length)
            .map(|value| ClassedValue::shown(value, "longest")),
    );
    values.extend(
        usable
            .iter()
            .min_by_key(length)
            .map(|value| ClassedValue::shown(value, "shortest")),
    );
    let all: Vec<String> = shown.keys().cloned().collect();
    let near = sample::near(&all).into_iter().take(NEAR);
    values.extend(
        near.flat_map(|(one, other)| [one, other])
            .map(|value| ClassedValue::shown(value, "nearly another value")),
    );
    let drawn = if usable.len() <= FEW { FEW } else { DRAWN };
    values.extend(
        choice
            .some(&usable, drawn)
            .into_iter()
            .map(|value| ClassedValue::shown(value, "any")),
    );
    values.extend(rarest_shapes(&usable, &values, SHAPES));
    values
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_text_is_a_value_that_no_open_point_makes_ambiguous(seed: u64, shown in prop::collection::btree_map("\\PC{0,12}", 1..4usize, 0..12)) {
            for text in texts(&shown, &mut Choice::new(seed, "x")) {
                prop_assert!(shown.contains_key(&text.value) && can_be_asked(&text.value), "{text:?}");
            }
        }
    }

    #[test]
    fn a_part_of_the_words_for_nothing_is_in_no_value() {
        let part = |values: &[&str]| {
            let values = values.iter().map(|value| ((*value).to_owned(), 1)).collect();
            let shown = |is_null| Shown {
                values,
                is_null,
                ..Shown::default()
            };
            part_of_nothing(&shown(true)).map(|part| part.value)
        };
        assert_eq!(part(&["10-16"]).as_deref(), Some("n"));
        assert_eq!(part(&["Ann", "Ida Öz"]).as_deref(), Some("u"));
        assert_eq!(part(&["Ann Lee", "Ida Fuentes", "Bo"]).as_deref(), Some("nu"));
        assert_eq!(part(&["null, none, undefined, nil"]), None);
        assert_eq!(part_of_nothing(&Shown::default()), None);
    }
}
