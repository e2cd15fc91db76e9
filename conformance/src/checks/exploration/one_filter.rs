//! The checks of one filter and one value: which a value is about, and which has failed.

use rollcall_contract::{Match, Test, ValueKind};
use serde_json::Value;

use crate::corpus::ListCorpus;
use crate::corpus::listing::ListResponse;
use crate::corpus::members::shown_at;
use crate::corpus::predicate::{MemberValue, Membership, ONLY, ObservableFilter, WITH, WITHOUT, folded};
use crate::corpus::query::Query;
use crate::corpus::records::Record;
use crate::oracle::{self, Aspect};
use crate::plan::sample::is_plain;
use crate::plan::{Domain, Level, ValueRelation, YEAR_ONE};

/// The check that needs a record of every word.
const EACH_WORD: &str = "ST1";

/// The check that has failed if the answer to a query by one filter is wrong.
pub(super) fn check(
    list: &ListCorpus,
    domain: &Domain,
    (query, aspect): (&Query, Aspect),
    answer: &ListResponse,
) -> &'static str {
    let is_other = |(filter, _): &&(ObservableFilter, String)| filter.matching != Match::Trashed;
    let by = query.filters.iter().find(is_other).or(query.filters.first());
    let Some((filter, value)) = by else {
        return "N1";
    };
    let is_alien = aspect == Aspect::Alien;
    let level = domain.level(&filter.name, value);
    let relation = match level {
        Some(level) => level.value.kind,
        None if filter
            .snapshot(list)
            .is_some_and(|view| filter.is_whole_in(view, value)) =>
        {
            ValueRelation::Whole
        }
        None if is_plain(value) => ValueRelation::MemberValue,
        // A value in disguise that was shrunk.
        None => ValueRelation::Disguised,
    };
    // A blank before or after a text is no sign of a query language.
    let is_disguised = relation == ValueRelation::Disguised && value.trim() == value;
    let fails_on_sign = aspect == Aspect::Answer && !is_plain(value);
    match filter.matching {
        Match::Exact => match relation {
            _ if fails_on_sign => "E10",
            ValueRelation::Part => "E3",
            _ if is_disguised => "E10",
            _ if is_alien && are_longer(list, query, answer) => "E3",
            ValueRelation::Foreign if is_part(list, filter, value) => "E3",
            ValueRelation::Foreign => "E4",
            _ if is_alien && oracle::expected(list, query).is_empty() => "E4",
            _ => of_shown_value(list, filter, is_alien),
        },
        Match::Contains => match relation {
            ValueRelation::Address => "X7",
            _ if value.starts_with('@') => "X7",
            _ if fails_on_sign => "X6",
            _ if is_alien && show_name(list, filter, (query, value), answer) => "X9",
            _ if (is_disguised || is_sign(value)) && is_alien => "X6",
            // Read as a blank.
            _ if is_alien && value.contains('+') => "X7",
            ValueRelation::Words => "X4",
            ValueRelation::Senseless => "X5",
            _ if is_alien && shows_words(list, query, answer) => "X4",
            _ if is_alien => "X2",
            ValueRelation::Whole if is_plain(value) => "X3",
            _ => either(is_plain(value), "X1", "X6"),
        },
        Match::Flag if filter.all.is_empty() => match (value.as_str(), is_alien) {
            ("true", _) => "B1",
            (_, true) => "B2",
            (_, false) => "B4",
        },
        Match::Flag => either(violates_test(list, query, answer), "B5", "B6"),
        Match::Before if is_alien && value == YEAR_ONE => "D10",
        Match::Before | Match::After if aspect == Aspect::Answer => "D8",
        Match::Before | Match::After if !is_alien => "D3",
        Match::Before => "D1",
        Match::After => "D2",
        Match::Trashed => of_scope(value),
    }
}

/// Whether a text is nothing but signs, one of which query languages read as something else.
fn is_sign(text: &str) -> bool {
    !is_plain(text) && !text.contains(char::is_alphanumeric)
}

/// The check of a word for soft deletion.
fn of_scope(word: &str) -> &'static str {
    match word {
        ONLY => "T3",
        WITH => "T5",
        WITHOUT => "T2",
        _ => "T6",
    }
}

/// The check that has failed if the answer to an exact filter by a value that records show is wrong.
pub(super) fn of_shown_value(list: &ListCorpus, filter: &ObservableFilter, is_alien: bool) -> &'static str {
    match filter {
        _ if filter.is_identifier() => "E7",
        _ if filter.is_join(list) => "E8",
        _ if filter.is_word() => either(is_alien, "ST1", "ST3"),
        _ => either(is_alien, "E1", "E2"),
    }
}

fn either(is_first: bool, first: &'static str, second: &'static str) -> &'static str {
    if is_first { first } else { second }
}

/// Whether a record shows a value of the filter's member that a text is a part of.
fn is_part(list: &ListCorpus, filter: &ObservableFilter, text: &str) -> bool {
    let text = folded(text);
    let records = filter
        .snapshot(list)
        .into_iter()
        .flat_map(|snapshot| snapshot.records());
    let mut values = records.map(|(_, record)| filter.shown(record));
    values.any(|shown| matches!(shown, MemberValue::Value(value) if folded(&value).contains(&text)))
}

/// Whether each record that does not belong to the answer shows a longer value, and no other spelling of the same number.
fn are_longer(list: &ListCorpus, query: &Query, answer: &ListResponse) -> bool {
    let is_longer = |record: &Record| {
        query
            .filters
            .iter()
            .all(|(filter, value)| match filter.shown(record) {
                MemberValue::Value(shown) => {
                    let is_same_number = value
                        .parse::<f64>()
                        .is_ok_and(|number| shown.parse() == Ok(number));
                    folded(&shown).contains(&folded(value)) && !is_same_number
                }
                _ => false,
            })
    };
    unexpected(list, query, answer).all(is_longer)
}

/// Whether every record that does not belong to the answer has a free-form member with the text in its name.
fn show_name(
    list: &ListCorpus,
    filter: &ObservableFilter,
    (query, text): (&Query, &str),
    answer: &ListResponse,
) -> bool {
    let text = folded(text);
    let shows_name = |record: &Record| {
        let members = filter.places.iter().filter_map(|place| shown_at(place, record));
        let mut objects = members.filter_map(Value::as_object);
        objects.any(|object| object.keys().any(|name| folded(name).contains(&text)))
    };
    unexpected(list, query, answer).all(shows_name)
}

/// Whether a value is several words, and every record that does not belong to the answer shows one of them.
fn shows_words(list: &ListCorpus, query: &Query, answer: &ListResponse) -> bool {
    let by_words = query.filters.iter().flat_map(|(filter, value)| {
        let words = value.split(' ').filter(|word| !word.is_empty());
        words.map(|word| Query::by(filter, word)).collect::<Vec<_>>()
    });
    let by_words: Vec<Query> = by_words.collect();
    let has_blank = query.filters.iter().any(|(_, value)| value.contains(' '));
    let shows_one = |record: &Record| {
        by_words
            .iter()
            .any(|word| word.membership(list, record) != Membership::Excluded)
    };
    has_blank && unexpected(list, query, answer).all(shows_one)
}

/// Whether some record that does not belong to an answer has another value than a flag that stands for conditions demands; if
/// none has, they lack a value.
fn violates_test(list: &ListCorpus, query: &Query, answer: &ListResponse) -> bool {
    let mut conditions = query.filters.iter().flat_map(|(filter, _)| &filter.all);
    let test = conditions.find_map(|condition| match &condition.test {
        Test::Is(wanted) => Some((&condition.field, wanted)),
        Test::Present(_) => None,
    });
    test.is_some_and(|(field, wanted)| {
        unexpected(list, query, answer)
            .any(|record| shown_at(field, record).is_some_and(|shown| shown != wanted))
    })
}

/// The records of an answer that do not belong to it.
fn unexpected<'a>(
    list: &'a ListCorpus,
    query: &'a Query,
    answer: &'a ListResponse,
) -> impl Iterator<Item = &'a Record> {
    let records = answer.reading().into_iter().flat_map(|reading| &reading.records);
    let records = records.map(|record| record.as_ref());
    records.filter(|record| query.membership(list, record) == Membership::Excluded)
}

/// The checks of single values that have to look at a filter.
pub(super) fn checks_of(list: &ListCorpus, filter: &ObservableFilter) -> &'static [&'static str] {
    match filter.matching {
        Match::Exact if filter.is_word() => &["ST1", "ST2", "ST3", "E3"],
        Match::Exact if filter.is_identifier() => &["E7", "E3", "E10"],
        Match::Exact if filter.is_join(list) => &["E8", "E3", "E10"],
        Match::Exact if matches!(filter.kind, ValueKind::Text { .. }) => &["E1", "E2", "E3", "E10"],
        Match::Exact => &["E1", "E2"],
        Match::Contains => &["X1", "X2", "X3", "X5", "X6"],
        Match::Flag if filter.all.is_empty() => &["B1", "B2", "B4"],
        Match::Flag => &["B5", "B6"],
        // Of a timestamp that no record shows only the answers can be compared.
        Match::Before | Match::After if filter.places.is_empty() => &[],
        Match::Before => &["D1", "D3", "D4", "D6", "D8", "D9", "D10"],
        Match::After => &["D2", "D3", "D5", "D6", "D7", "D8", "D9"],
        Match::Trashed if filter.takes_any_word() => &["T2", "T3", "T5", "T6"],
        Match::Trashed => &["T2", "T3", "T5"],
    }
}

/// How a check calls what it has to look at of a filter: the filter, or each of its words.
pub(super) fn labels<'f>(
    check: &str,
    filter: &'f ObservableFilter,
) -> impl Iterator<Item = String> + use<'f> {
    let words: &[String] = match &filter.kind {
        ValueKind::Word(words) if check == EACH_WORD => words,
        _ => &[],
    };
    let whole = words.is_empty().then(|| filter.name.clone());
    let words = words.iter().map(|word| label(EACH_WORD, filter, word));
    whole.into_iter().chain(words)
}

/// The one of these that a value stands for.
pub(super) fn label(check: &str, filter: &ObservableFilter, value: &str) -> String {
    match &filter.kind {
        ValueKind::Word(_) if check == EACH_WORD => format!("{}={value}", filter.name),
        _ => filter.name.clone(),
    }
}

/// Those of them that a value is about.
pub(super) fn of_value<'l>(
    list: &ListCorpus,
    filter: &ObservableFilter,
    level: &'l Level,
) -> impl Iterator<Item = &'static str> + use<'l> {
    let value = level.value.value.as_str();
    let parts_records = || !level.verdicts.included.is_empty() && !level.verdicts.excluded.is_empty();
    let matching = filter.matching;
    let is_about = move |check: &&'static str| match (matching, level.value.kind) {
        (Match::Flag, _) => parts_records() && matches!(*check, "B2" | "B4") == (value == "false"),
        (Match::Before | Match::After, _) => match *check {
            "D7" => false,
            "D8" => true,
            "D9" => parts_records() && !value.ends_with('Z'),
            "D10" => value == YEAR_ONE,
            _ => parts_records(),
        },
        (Match::Trashed, _) => *check == of_scope(value) && !level.verdicts.included.is_empty(),
        (_, ValueRelation::MemberValue) => match *check {
            "E10" | "X6" => !is_plain(value),
            check => !matches!(check, "E3" | "X3" | "X5"),
        },
        (_, ValueRelation::Senseless) => *check == "X5",
        (_, ValueRelation::Words | ValueRelation::Address | ValueRelation::MemberName) => false,
        (_, ValueRelation::Whole) => matches!(*check, "X1" | "X2" | "X3"),
        (_, ValueRelation::Part) => *check == "E3",
        (_, ValueRelation::Disguised) => matches!(*check, "E10" | "X6"),
        (_, ValueRelation::Foreign) => matches!(*check, "E1" | "E8" | "X2"),
    };
    let of_kind = match level.value.kind {
        ValueRelation::Words => Some("X4"),
        ValueRelation::Address => Some("X7"),
        ValueRelation::MemberName => Some("X9"),
        _ => None,
    };
    checks_of(list, filter)
        .iter()
        .copied()
        .filter(is_about)
        .chain(of_kind)
}
