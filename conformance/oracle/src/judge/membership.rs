//! What an answer has to hold, computed from records that were read without the question: nothing that does not belong,
//! everything that does.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::corpus::listing::{ListResponse, Pages, identity};
use crate::corpus::members::shown_at;
use crate::corpus::predicate::{MemberValue, Membership, ObservableFilter};
use crate::corpus::query::Query;
use crate::corpus::records::{Record, id_of};
use crate::corpus::{ListCorpus, Projection};
use crate::judge::Violation;
use crate::judge::violation::named;

/// The identifiers of the records that have to come back.
pub fn expected(list: &ListCorpus, query: &Query) -> BTreeSet<String> {
    let Some(snapshot) = list.widest_snapshot() else {
        return BTreeSet::new();
    };
    let included = query.verdicts(list).included;
    let records = snapshot.records().enumerate();
    // A record without an identifier cannot be told from another.
    records
        .filter(|(place, (_, record))| included.has(*place) && id_of(record).is_some())
        .map(|(_, (id, _))| id.to_owned())
        .collect()
}

/// The records of an answer that do not belong there. A record that shows something else here than in the list, and belongs
/// there by what the list shows, is wrong in its members alone.
pub fn unexpected(list: &ListCorpus, query: &Query, answer: &ListResponse) -> Option<Violation> {
    let reading = answer.reading()?;
    let strange = |record: &Record| query.membership(list, record) == Membership::Excluded;
    let known = |record: &Record| list.widest_snapshot()?.record(id_of(record)?);
    let strange = |record: &&Arc<Record>| strange(record) && known(record).is_none_or(strange);
    let unexpected: Vec<_> = reading.records.iter().filter(strange).collect();
    let first = unexpected.first()?;
    let why = query.filters.iter().find(|(filter, value)| {
        filter.membership(first, list.snapshot(&filter.projection), value) == Membership::Excluded
    });
    let shown = why.map(|(filter, _)| {
        let seen = match filter.projection == Projection::Default {
            true => Some(first.as_ref()),
            false => list
                .snapshot(&filter.projection)
                .and_then(|snapshot| snapshot.record(&identity(first))),
        };
        let places = filter
            .places
            .iter()
            .chain(filter.all.iter().map(|condition| &condition.field));
        let values = places.map(|place| {
            let value = seen.and_then(|record| shown_at(place, record));
            format!(
                "{place} {}",
                value.map_or("missing".to_owned(), ToString::to_string)
            )
        });
        values.collect::<Vec<_>>().join(", ")
    });
    let ids = unexpected.iter().map(|record| identity(record)).collect();
    let count = reading.records.len();
    let shown = shown.map_or_else(String::new, |shown| format!("; the first shows {shown}"));
    Violation::of_records(ids, describe(query), |names| {
        format!("{names}, of {count} records, must not be there{shown}")
    })
}

/// The records without a timestamp that a bound takes in while it leaves others of them out. Whether a bound finds such records is
/// open (L16), but nothing that they show makes them differ: they belong to the answer all, or none of them does.
pub(super) fn divided(list: &ListCorpus, query: &Query, answer: &ListResponse) -> Option<Violation> {
    let (reading, snapshot) = (answer.reading()?, list.widest_snapshot()?);
    let (bounds, others): (Vec<_>, Vec<_>) = query
        .filters
        .iter()
        .cloned()
        .partition(|(filter, _)| filter.is_bound());
    let is_shown =
        |bound: &ObservableFilter| bound.projection == Projection::Default && !bound.is_by_deletion(list);
    if bounds.is_empty() || !bounds.iter().all(|(bound, _)| is_shown(bound)) {
        return None;
    }
    let is_without = |record: &Record| {
        let mut bounds = bounds.iter();
        bounds.all(|(bound, _)| bound.member_value(record) == MemberValue::Null)
    };
    if !reading.records.iter().any(|record| is_without(record)) {
        return None;
    }
    let others = Query {
        filters: others,
        ..query.clone()
    };
    let (meant, found) = (others.verdicts(list).included, reading.ids());
    let records = snapshot.records().enumerate();
    let without = records.filter(|(place, (id, record))| {
        meant.has(*place) && id_of(record).is_some() && reading.reaches(id) && is_without(record)
    });
    let ids = without.map(|(_, (id, _))| id.to_owned());
    let (taken, left_out): (BTreeSet<_>, BTreeSet<_>) = ids.partition(|id| found.contains(id.as_str()));
    let other = left_out.first()?;
    let expected = format!(
        "all records without a timestamp to be compared, or none of them: {}",
        describe(query)
    );
    Violation::of_records(taken, expected, |names| format!("{names} without {other}"))
}

/// The soft-deleted records of an answer to a query that hides them.
pub(super) fn deleted(list: &ListCorpus, query: &Query, reading: &Pages) -> Option<Violation> {
    if !query.hides_deleted || query.speaks_of_deletion(list) {
        return None;
    }
    let records = reading
        .records
        .iter()
        .filter(|record| list.spec.is_deleted(record));
    let ids = records.map(|record| identity(record)).collect();
    Violation::of_records(ids, "no soft-deleted record", |names| {
        format!("{names}, soft-deleted")
    })
}

/// The records that belong to an answer and are not in it; an answer that may be incomplete lacks nothing.
pub fn missing(list: &ListCorpus, query: &Query, answer: &ListResponse) -> Option<Violation> {
    let expected = expected(list, query);
    let says = match expected.len() {
        1 => format!("at least 1 record{}", having(query)),
        count => format!("at least {count} records{}", having(query)),
    };
    let Some(reading) = answer.reading() else {
        return (!expected.is_empty()).then(|| Violation::of_answer(says, answer));
    };
    let found = reading.ids();
    let missing: BTreeSet<String> = expected
        .into_iter()
        .filter(|id| reading.reaches(id) && !found.contains(id.as_str()))
        .collect();
    let says = format!("{says}, among them {}", named(&missing)?);
    let got = |names: &str| match reading.records.is_empty() {
        true => "none".to_owned(),
        false => format!("{} without {names}", answer.describe()),
    };
    Violation::of_records(missing, says, got).map(|violation| violation.of_absence())
}

/// An answer with records, whatever they are, to a question that no record answers; a refusal is as good as none.
pub fn not_empty(query: &Query, answer: &ListResponse) -> Option<Violation> {
    let expected = "no records, or a refusal";
    match answer {
        answer if answer.is_refused() => None,
        ListResponse::Records(reading) => {
            let ids = reading.records.iter().map(|record| identity(record)).collect();
            let wanted = format!("{expected}: there are no {}", describe(query));
            Violation::of_records(ids, wanted, |names| format!("{} ({names})", answer.describe()))
        }
        answer => Some(Violation::of_answer(expected, answer)),
    }
}

/// What a question asks for, in words.
pub fn describe(query: &Query) -> String {
    format!("records{}", having(query))
}

/// The filters of a query, to follow the word "records": ` with filter[x] "v"`, or ` of the list` without filters.
fn having(query: &Query) -> String {
    let filters = query.filters.iter();
    let filters = filters.map(|(filter, value)| format!("{} {:?}", filter.name, filter.sent(value)));
    match Vec::from_iter(filters).join(" and ") {
        none if none.is_empty() => " of the list".to_owned(),
        filters => format!(" with {filters}"),
    }
}
