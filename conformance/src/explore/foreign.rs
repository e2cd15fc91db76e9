//! Values of other members, to ask a filter for: code may look at the wrong member, or at another one where its own is missing.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rollcall_contract::{Match, ValueKind};
use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::predicate::{MemberValue, ObservableFilter, folded};
use rollcall_oracle::corpus::records::Record;
use rollcall_oracle::plan::sample::{Choice, is_plain, is_usable};
use serde_json::Value;

/// So many other members are each asked for in the place of a filter's own.
const FOREIGN: usize = 2;
/// So many records without a value of a filter's own are looked at for values of other members.
const LACKING: usize = 20;

/// Values of two other members: of the one whose values look most like the filter's own, and of the one whose name does. A value of
/// a record that has none of the filter's own comes first. No value of the filter's own is or contains them. For a filter by a
/// related record they are records that nobody refers to.
pub(super) fn foreign(
    (at, filter): (usize, &ObservableFilter),
    filters: &[ObservableFilter],
    (list, shown_by): (&ListCorpus, &[BTreeMap<String, usize>]),
    choice: &mut Choice,
) -> Vec<String> {
    if filter.is_join(list) {
        let ids = list.live().map(|(id, _)| id.to_owned());
        let unrelated: Vec<String> = ids.filter(|id| !shown_by[at].contains_key(id)).collect();
        return choice.some(&unrelated, FOREIGN);
    }
    if !is_text(filter) {
        return Vec::new();
    }
    let own: Vec<String> = shown_by[at].keys().map(|value| folded(value)).collect();
    let is_own = |value: &str| match filter.matching {
        Match::Contains => own.iter().any(|own| own.contains(value)),
        _ => own.iter().any(|own| own == value),
    };
    let text = |value: String| {
        let text = match filter.matching {
            Match::Contains => {
                let other = words(&value).find(|word| !is_own(&folded(word)));
                other.map(str::to_owned)
            }
            _ => Some(value).filter(|value| is_plain(value) && !is_own(&folded(value))),
        };
        text.filter(|text| is_usable(text))
    };
    let records = list.live().map(|(_, record)| record);
    let lacking = records.filter(|record| filter.member_value(record) == MemberValue::Null);
    let lacking: Vec<&Record> = lacking.take(LACKING).collect();
    let others = mixed_up(filter, filters.iter().zip(shown_by), list).into_iter();
    let foreign = others.filter_map(|(other, shown)| {
        let of_lacking = lacking.iter().map(|record| other.member_value(record));
        let of_lacking = of_lacking.filter_map(|value| match value {
            MemberValue::Value(value) => Some(value),
            MemberValue::Null | MemberValue::Unknown => None,
        });
        let values: Vec<&String> = shown.keys().collect();
        let first = choice.below(values.len().max(1));
        let values = values.into_iter().cycle().skip(first).take(shown.len());
        of_lacking.chain(values.cloned()).find_map(text)
    });
    foreign.take(FOREIGN).collect()
}

/// The filters that look at a text of another place: the one with the values most alike first, then the one with the name most alike,
/// then the others by their values.
fn mixed_up<'f, T>(
    filter: &ObservableFilter,
    filters: impl Iterator<Item = (&'f ObservableFilter, T)>,
    list: &ListCorpus,
) -> Vec<(&'f ObservableFilter, T)> {
    let mut places = BTreeSet::from([&filter.places]);
    let others = filters.filter(|(other, _)| is_text(other) && places.insert(&other.places));
    let mut others: Vec<_> = others.collect();
    let are_alike = |other: &ObservableFilter| {
        let records = list.live().map(|(_, record)| record);
        records.filter(|record| alike(record, filter, other)).count()
    };
    others.sort_by_cached_key(|(other, _)| Reverse(are_alike(other)));
    let own_words: BTreeSet<&str> = words_of_name(&filter.name).collect();
    let likest_name = (1..others.len()).rev().max_by_key(|at| {
        let words = words_of_name(&others[*at].0.name);
        words.filter(|word| own_words.contains(word)).count()
    });
    if let Some(at) = likest_name {
        others[1..=at].rotate_right(1);
    }
    others
}

fn is_text(filter: &ObservableFilter) -> bool {
    matches!(filter.matching, Match::Exact | Match::Contains) && matches!(filter.kind, ValueKind::Text { .. })
}

/// The words of the name of a parameter.
fn words_of_name(name: &str) -> impl Iterator<Item = &str> {
    name.split(|letter: char| !letter.is_alphanumeric())
}

/// The words and numbers of a text, the last first.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.rsplit(|letter: char| !letter.is_alphanumeric())
        .filter(|word| word.chars().count() > 2)
}

/// Whether one of two members of a record contains the other.
fn alike(record: &Value, one: &ObservableFilter, other: &ObservableFilter) -> bool {
    let (MemberValue::Value(one), MemberValue::Value(other)) =
        (one.member_value(record), other.member_value(record))
    else {
        return false;
    };
    let (one, other) = (folded(&one), folded(&other));
    one.contains(&other) || other.contains(&one)
}
