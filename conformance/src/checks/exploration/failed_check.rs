//! Which check a minimal query fails, where that takes another question.

use std::collections::BTreeSet;

use rollcall_contract::Match;

use super::classify::check;
use super::domain::Known;
use super::one_filter::of_shown_value;
use super::shrink::shows;
use crate::corpus::ListCorpus;
use crate::corpus::listing::{ListResponse, Pages, identity};
use crate::corpus::members::shown_at;
use crate::corpus::predicate::ObservableFilter;
use crate::corpus::query::Query;
use crate::engine::Engine;
use crate::http::target::TargetError;
use crate::open_points::timestamp;
use crate::oracle::{Aspect, Facts, judge};
use crate::plan::Domain;
use crate::plan::sample::{is_plain, is_usable};

/// The number of the check that a minimal query fails. Where the same question in another spelling is answered rightly, it
/// is the check of that spelling; where a second key has displaced the first, the check of their precedence; where an order
/// has displaced a filter, the check of both.
pub(super) async fn failed_check(
    engine: &mut Engine,
    list: usize,
    known: &Known,
    (query, aspect): (&Query, Aspect),
) -> Result<&'static str, TargetError> {
    let facts = &known.facts;
    let request = query.request(engine.list(list));
    let answer = engine.ask(list, &request).await?;
    let id = check(engine.list(list), &known.domain, (query, aspect), &answer);
    if aspect == Aspect::Alien && forgets_filters(engine, list, query, &answer).await? {
        return Ok("G5");
    }
    if id == "T2" && aspect == Aspect::Alien {
        // The list without the word has the same soft-deleted records: it behaves as the default.
        let bare = engine
            .ask(list, &Query::default().request(engine.list(list)))
            .await?;
        let ids = |answer: &ListResponse| -> BTreeSet<String> {
            let records = answer.reading().into_iter().flat_map(|reading| &reading.records);
            records.map(|record| identity(record)).collect()
        };
        return Ok(if ids(&bare).is_superset(&ids(&answer)) {
            "T1"
        } else {
            id
        });
    }
    if id == "O4" && aspect == Aspect::Order {
        return Ok(of_precedence(engine.list(list), facts, query, &answer));
    }
    // Keys in mixed directions cannot be right where keys in one direction are wrong.
    for descending in [false, true].into_iter().filter(|_| id == "O6") {
        let mut other = query.clone();
        other.sort.iter_mut().for_each(|key| key.descending = descending);
        if shows(engine, list, facts, (&other, aspect)).await? {
            let request = other.request(engine.list(list));
            let answer = engine.ask(list, &request).await?;
            return Ok(of_precedence(engine.list(list), facts, &other, &answer));
        }
    }
    if id == "G5" && query.page.is_none() {
        let mut unfiltered = query.clone();
        unfiltered.filters.clear();
        let request = unfiltered.request(engine.list(list));
        let others = engine.ask(list, &request).await?;
        let is_lost = |(one, other): (&Pages, &Pages)| one.ids() == other.ids();
        let is_lost = answer.reading().zip(others.reading()).is_some_and(is_lost);
        return Ok(if is_lost { "O7" } else { id });
    }
    if let (Aspect::Missing, "E10" | "X6", Some(plain)) =
        (aspect, id, with_plain_value(engine.list(list), query))
    {
        // Where a value without signs is not found either, it is not the sign.
        let answer = engine.ask(list, &plain.request(engine.list(list))).await?;
        let is_lost = shows(engine, list, facts, (&plain, aspect)).await?;
        let of_plain = check(engine.list(list), &known.domain, (&plain, aspect), &answer);
        return Ok(if is_lost { of_plain } else { id });
    }
    let Some((respelled, if_wrong, if_right)) = respelled(engine.list(list), &known.domain, id, query) else {
        return Ok(id);
    };
    let request = respelled.request(engine.list(list));
    let answer = engine.ask(list, &request).await?;
    let violations = judge(facts, engine.list(list), &respelled, &answer);
    // Of two relations the other one may be lost now, in another form.
    let is_relation = |aspect| matches!(aspect, Aspect::Relation(_));
    let is_wrong = violations.iter().any(|violation| {
        violation.aspect.is_like(aspect) || is_relation(violation.aspect) && is_relation(aspect)
    });
    Ok(if is_wrong { if_wrong } else { if_right })
}

/// The check of two keys in one direction that an answer fails: its records are not even in the order of the first key, or in
/// that alone.
fn of_precedence(list: &ListCorpus, facts: &Facts, query: &Query, answer: &ListResponse) -> &'static str {
    let mut by_first = query.clone();
    by_first.sort.truncate(1);
    let violations = judge(facts, list, &by_first, answer);
    let is_first_lost = violations.iter().any(|one| one.aspect == Aspect::Order);
    if is_first_lost { "O5" } else { "O4" }
}

/// Whether the pages of an answer after the first are the last ones of the same list without filters.
async fn forgets_filters(
    engine: &mut Engine,
    list: usize,
    query: &Query,
    answer: &ListResponse,
) -> Result<bool, TargetError> {
    let Some(reading) = answer.reading() else {
        return Ok(false);
    };
    let first_page = reading.on_first_page().count();
    if query.filters.is_empty() || first_page == reading.records.len() {
        return Ok(false);
    }
    let mut unfiltered = query.clone();
    unfiltered.filters.clear();
    let others = engine.ask(list, &unfiltered.request(engine.list(list))).await?;
    let ids = reading.ids_in_order().unwrap_or_default();
    let all = others.reading().and_then(Pages::ids_in_order).unwrap_or_default();
    Ok(ids.len() > first_page && all.ends_with(&ids[first_page..]))
}

/// A query that tells two checks apart, the check that has failed if its answer is wrong, and the check that has failed if
/// its answer is right. The same question in another spelling (relations in the opposite order, a timestamp in the form of
/// ISO 8601), values of two filters that find something together, or one without sense.
fn respelled(
    list: &ListCorpus,
    domain: &Domain,
    id: &'static str,
    query: &Query,
) -> Option<(Query, &'static str, &'static str)> {
    let mut other = query.clone();
    let asked = asked(&mut other);
    match id {
        "E4" => {
            let (filter, value) = asked?;
            let shown = of_shown_value(list, filter, true);
            *value = without_sense(value);
            Some((other, id, shown))
        }
        "K3" => {
            let [one, two] = &query.filters[..] else {
                return None;
            };
            let values = domain
                .telling_pair([one, two].map(|(filter, value)| (filter.name.as_str(), value.as_str())))?;
            for (known, value) in other.filters.iter_mut().zip(values) {
                known.1 = value.to_owned();
            }
            Some((other, "K1", id))
        }
        "I8" if query.include.len() > 1 => {
            other.include.reverse();
            Some((other, id, "I9"))
        }
        "D1" | "D2" | "D3" => {
            let (_, value) = asked?;
            *value = timestamp::read(value)?.to_string();
            (other != *query).then_some((other, id, "D9"))
        }
        "E3" | "E10" | "X6" => {
            let (_, value) = asked?;
            *value = without_sense(value);
            Some((other, if id == "X6" { "X5" } else { "E4" }, id))
        }
        _ => None,
    }
}

/// The first filter and value of a query: a word about soft deletion may stand before it.
fn asked(query: &mut Query) -> Option<&mut (ObservableFilter, String)> {
    let mut filters = query.filters.iter_mut();
    filters.find(|(filter, _)| filter.matching != Match::Trashed)
}

/// The query with another value, one without signs. Some record shows it in the member that shows the value of the query.
fn with_plain_value(list: &ListCorpus, query: &Query) -> Option<Query> {
    let mut plain = query.clone();
    let (filter, value) = asked(&mut plain)?;
    let snapshot = filter.snapshot(list)?;
    let texts = |place| {
        snapshot
            .records()
            .filter_map(move |(_, record)| shown_at(place, record)?.as_str())
    };
    let place = filter
        .places
        .iter()
        .find(|place| texts(*place).any(|text| text.contains(value.as_str())))?;
    let is_other = |text: &&str| is_plain(text) && is_usable(text) && text.chars().count() > 3;
    *value = texts(place).find(is_other)?.to_owned();
    Some(plain)
}

/// A value of the same form that nobody has: the beginning up to a low line, and letters without sense.
fn without_sense(value: &str) -> String {
    let parts = value
        .split_once('_')
        .filter(|(prefix, _)| prefix.chars().all(char::is_alphanumeric));
    let (prefix, rest) = parts.unwrap_or(("", value));
    let letters = "qxzjvq7xkwzq".chars().cycle();
    let prefix = if prefix.is_empty() {
        String::new()
    } else {
        format!("{prefix}_")
    };
    prefix + &letters.take(rest.chars().count().max(12)).collect::<String>()
}
