//! Whether an answer is the one expected, as far as the specification fixes it.

use std::collections::{HashMap, HashSet};

use jiff::SignedDuration;
use rollcall_contract::Match;
use serde_json::Value;

use super::answer::{Answer, canonical};
use super::query::as_timestamp;
use super::question::{Look, Question};
use crate::mutation::Sample;

/// How near a bound a timestamp may be so that the filter's answer is open (L15, L16).
const MARGIN: SignedDuration = SignedDuration::from_hours(24);

/// In what an answer differs from the list that is expected; none if it does not, as far as it is fixed.
pub(super) fn difference(question: &Question, expected: &Answer, got: &Answer) -> Option<String> {
    if *got == Answer::Refused && has_strange_id(question) || is_past_the_end(question, expected, got) {
        return None;
    }
    let (
        Answer::List {
            records: wanted,
            pages: sizes,
        },
        Answer::List { records, pages },
    ) = (expected, got)
    else {
        return (std::mem::discriminant(expected) != std::mem::discriminant(got))
            .then(|| format!("expected {}, got {}", named(expected), named(got)));
    };
    if question.look == Look::Status {
        return None;
    }
    let open = unspecified(question, wanted.iter().chain(records));
    let fixed = |record: &&Value| !open.contains(id(record));
    let wanted: Vec<&Value> = wanted.iter().filter(fixed).collect();
    let shown: Vec<&Value> = records.iter().filter(fixed).collect();
    let known: HashMap<&str, &Value> = wanted.iter().map(|record| (id(record), *record)).collect();
    for record in &shown {
        let Some(wanted) = known.get(id(record)) else {
            return Some(format!("{} is shown", id(record)));
        };
        if wanted != record && canonical(wanted) != canonical(record) {
            return Some(format!("{} shows {}", id(record), changed(wanted, record)));
        }
    }
    let ranks = ranks(question, &wanted);
    let is_sorted = ranks.is_some();
    let ranks = ranks.unwrap_or_default();
    let is_unique = is_sorted && ranks.values().collect::<HashSet<_>>().len() == wanted.len();
    let order: Vec<_> = shown.iter().filter_map(|record| ranks.get(id(record))).collect();
    if is_sorted && !order.is_sorted() {
        return Some("the order is another".to_owned());
    }
    match question.look {
        Look::Page(page) if is_unique && open.is_empty() => {
            let size = sizes.first().copied().unwrap_or_default().max(1);
            let part = wanted
                .iter()
                .skip((page - 1) * size)
                .take(size)
                .map(|record| id(record));
            (!part.eq(shown.iter().map(|record| id(record)))).then(|| "the page has other records".to_owned())
        }
        Look::Page(_) | Look::Status => None,
        // Without an order that is unique, pages need not fit each other (L5).
        Look::Walk if is_unique || pages.len() < 2 => {
            let ids: HashSet<&str> = shown.iter().map(|record| id(record)).collect();
            let lost = wanted.iter().find(|record| !ids.contains(id(record)));
            let lost = lost.map(|record| format!("{} is missing", id(record)));
            // Everything may stand on one page, whatever page is asked for (L3).
            let doubled = (ids.len() != shown.len()).then(|| "a record is shown twice".to_owned());
            lost.or(doubled)
        }
        Look::Walk => None,
    }
}

/// Whether a page is asked for that comes after the last one, and nothing is shown there that the list does not have: it may be
/// refused (L2), and it is not said that it has no records.
fn is_past_the_end(question: &Question, expected: &Answer, got: &Answer) -> bool {
    let (Look::Page(page), Answer::List { records, pages }) = (question.look, expected) else {
        return false;
    };
    let size = pages.first().copied().unwrap_or_default();
    let is_past = page > 1 && (page - 1) * size >= records.len();
    is_past
        && match got {
            Answer::Refused => true,
            Answer::List { records: shown, .. } => shown.iter().all(|record| records.contains(record)),
            Answer::Broken(_) => false,
        }
}

/// Whether a filter by an id has a value that has not the form of one: a target may refuse that.
fn has_strange_id(question: &Question) -> bool {
    let is_id = |value: &str| {
        let parts = value.split_once('_');
        let is_word = |part: &str| {
            !part.is_empty()
                && part
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        };
        parts.is_some_and(|(prefix, rest)| is_word(prefix) && is_word(rest))
    };
    let mut query = question.request.query.iter();
    let names = [
        "filter[id]",
        "filter[manager_id]",
        "filter[parent_id]",
        "filter[workspace_integration_id]",
    ];
    query.any(|(name, value)| names.contains(&name.as_str()) && !is_id(value))
}

/// The records about which the bounds of a date window say nothing.
fn unspecified<'r>(question: &Question, records: impl Iterator<Item = &'r Value>) -> HashSet<&'r str> {
    let filters = Sample::get().filters();
    let bounds = question.request.query.iter().filter_map(|(name, value)| {
        let (_, filter) = filters.iter().find(|(one, _)| one == name)?;
        let is_bound = matches!(filter.matching, Match::Before | Match::After);
        Some((filter.fields.first()?, as_timestamp(value)?)).filter(|_| is_bound)
    });
    let bounds: Vec<_> = bounds.collect();
    let is_near = |record: &&Value| {
        bounds.iter().any(|(field, bound)| {
            let own = field.find(record).and_then(Value::as_str).and_then(as_timestamp);
            own.is_some_and(|own| own.duration_since(*bound).abs() <= MARGIN)
        })
    };
    records.filter(is_near).map(id).collect()
}

/// The place of each record by the sort keys asked for, equal where the keys are; none if there are none.
fn ranks<'r>(question: &Question, records: &[&'r Value]) -> Option<HashMap<&'r str, usize>> {
    let sort = &Sample::get().list.sort;
    let keys = question.request.words("sort");
    let fields = keys.iter().map(|key| {
        let name = key.trim_start_matches('-');
        sort.iter().find(|(one, _)| one == name).map(|(_, at)| at)
    });
    let fields: Vec<_> = fields
        .collect::<Option<_>>()
        .filter(|fields: &Vec<_>| !fields.is_empty())?;
    let key = |record: &'r Value| {
        fields
            .iter()
            .map(|at| at.find(record).unwrap_or(&Value::Null))
            .collect::<Vec<_>>()
    };
    let mut ranks = HashMap::new();
    let (mut rank, mut last) = (0, None);
    for record in records {
        let own = key(record);
        if last.as_ref().is_some_and(|last| *last != own) {
            rank += 1;
        }
        last = Some(own);
        ranks.insert(id(record), rank);
    }
    Some(ranks)
}

/// The first member in which two records differ.
pub(super) fn changed(wanted: &Value, got: &Value) -> String {
    let (wanted, got) = (canonical(wanted), canonical(got));
    let names = wanted
        .as_object()
        .into_iter()
        .chain(got.as_object())
        .flat_map(|members| members.keys());
    let mut names = names.filter(|name| wanted.get(*name) != got.get(*name));
    names.next().cloned().unwrap_or_default()
}

fn named(answer: &Answer) -> String {
    match answer {
        Answer::List { records, .. } => format!("{} records", records.len()),
        Answer::Refused => "a refusal".to_owned(),
        Answer::Broken(why) => why.clone(),
    }
}

fn id(record: &Value) -> &str {
    record["id"].as_str().unwrap_or_default()
}
