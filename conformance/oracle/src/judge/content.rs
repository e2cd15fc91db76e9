//! What the records of an answer show: the same members and relations as in every other answer.
//!
//! Invariant: what an open point lets differ is not compared: the place and form of what is empty (R9), which of several
//! secondary users is shown (R10), where counts stand (R11), soft-deleted related records (R15), the end of a long relation
//! (L3), and what related records include themselves (P3).

use std::collections::BTreeSet;
use std::mem;

use rollcall_contract::{Frame, Relation};
use serde_json::Value;

use super::{Facts, Sight};
use crate::corpus::listing::{Pages, identity};
use crate::corpus::members::count_of;
use crate::corpus::moving::without;
use crate::corpus::predicate::{MemberValue, folded};
use crate::corpus::query::Query;
use crate::corpus::records::{Record, id_at, id_of};
use crate::corpus::related::{may_be_bounded, related, relation_value};
use crate::corpus::{ListCorpus, Projection};
use crate::judge::Violation;
use crate::open_points::related_number::RelationForm;

/// Records that show another value of a member than they do in the list.
pub(super) fn differs(facts: &Facts, list: &ListCorpus, reading: &Pages) -> Option<Violation> {
    let snapshot = list.widest_snapshot()?;
    if !facts.members.described {
        return None;
    }
    let mut places = BTreeSet::new();
    let differs = wrong(reading, "the records that the list shows", |record| {
        let known = snapshot.record(id_of(record)?)?;
        // Where a link leads may differ (R2).
        let other_link = facts.members.links().find_map(|place| {
            let [ours, theirs] = [record, known].map(|record| place.find(record).unwrap_or(&Value::Null));
            let is_like = mem::discriminant(ours) == mem::discriminant(theirs);
            (!theirs.is_null() && !is_like).then_some((place, ours))
        });
        if let Some((place, ours)) = other_link {
            places.insert(place.clone());
            return Some(format!("{place} {ours}, which is a link in the list"));
        }
        let mut compared = facts
            .members
            .comparable()
            .filter(|place| !facts.moving.contains(*place));
        compared.find_map(|place| {
            // A member that is left out counts as null (R1).
            let [ours, theirs] = [record, known].map(|record| place.find(record).unwrap_or(&Value::Null));
            (ours != theirs).then(|| {
                places.insert(place.clone());
                format!("{place} is {ours}, and {theirs} in the list")
            })
        })
    })?;
    Some(Violation {
        compares: Some(facts.moving.clone()),
        places,
        ..differs
    })
}

/// Records that show another relation, in one form, than they do where the relations alone are asked for.
pub(super) fn relation_differs(
    facts: &Facts,
    list: &ListCorpus,
    query: &Query,
    reading: &Pages,
    form: RelationForm,
) -> Option<Violation> {
    let snapshot = |projection: Option<&Projection>| list.snapshot(projection?);
    let live = snapshot(facts.references[form.index()].as_ref());
    let scope = query.deleted_scope(list);
    let by_scope = |scope| snapshot(facts.of_deleted.get(&(scope, form)));
    let deleted = scope.and_then(by_scope);
    let otherwise_deleted = scope.and_then(|scope| by_scope(scope.other()));
    let asked = facts
        .relations
        .iter()
        .filter(|relation| query.include.contains(&form.name(relation)));
    let asked: Vec<&Relation> = asked.collect();
    let differs = wrong(
        reading,
        "the relations that are shown without further parameters",
        |record| {
            let id = id_of(record)?;
            // Whether soft-deleted related records are shown may depend on the word for soft deletion (R15).
            let references = [(deleted, false), (live, query.speaks_of_deletion(list))];
            let known = references
                .iter()
                .filter_map(|(snapshot, scoped)| Some((snapshot.as_ref()?.record(id)?, *scoped)));
            let known: Vec<_> = known.collect();
            let read = known
                .iter()
                .flat_map(|(known, scoped)| asked.iter().map(move |relation| (*relation, *known, *scoped)));
            let seen = asked.iter().filter(|_| known.is_empty()).filter_map(|relation| {
                let sight = facts.seen.sight(list, query, &form.name(relation), id)?;
                Some((*relation, sight.record.as_ref(), false))
            });
            let mut compared = read.chain(seen);
            let differs = compared.find_map(|(relation, known, scoped)| {
                let what = form_differs(facts, list, (relation, form), (record, known), scoped)?;
                Some(format!("{}: {what}", form.name(relation)))
            });
            differs.or_else(|| {
                let is_steady = form == RelationForm::Records && facts.moving.is_empty();
                let known = otherwise_deleted.filter(|_| is_steady)?.record(id)?;
                let mut asked = asked.iter();
                asked.find_map(|relation| shared_differs(list, relation, [record, known]))
            })
        },
    )?;
    Some(Violation {
        compares: Some(facts.moving.clone()),
        ..differs
    })
}

/// The first record of an answer that shows another relation than in an earlier answer, the name of the relation, and the
/// earlier answer.
pub fn unlike_before<'f>(
    facts: &'f Facts,
    list: &ListCorpus,
    (query, form): (&Query, RelationForm),
    reading: &Pages,
) -> Option<(String, String, &'f Sight)> {
    reading.records.iter().find_map(|record| {
        let id = id_of(record)?;
        facts.relations.iter().find_map(|relation| {
            let name = form.name(relation);
            let asked = query.include.contains(&name);
            let sight = asked.then(|| facts.seen.sight(list, query, &name, id))??;
            form_differs(facts, list, (relation, form), (record, &sight.record), false)?;
            Some((id.to_owned(), name, sight))
        })
    })
}

/// The difference between a relation in a form in two answers.
fn form_differs(
    facts: &Facts,
    list: &ListCorpus,
    (relation, form): (&Relation, RelationForm),
    (record, known): (&Value, &Value),
    scoped: bool,
) -> Option<String> {
    let differs = |record: &Value, known: &Value| match form {
        RelationForm::Records => records_differ(&list.spec.frame, relation, (record, known), scoped),
        RelationForm::Count | RelationForm::Exists => {
            let [ours, theirs] = [record, known].map(|record| {
                let found = list.spec.numbers.find(record, relation, form);
                found.map(|found| found.value)
            });
            value_differs(ours, theirs, scoped)
        }
    };
    match facts.moving.is_empty() {
        true => differs(record, known),
        false => differs(&without(record, &facts.moving), &without(known, &facts.moving)),
    }
}

/// The difference between the related records of two answers.
fn records_differ(
    frame: &Frame,
    relation: &Relation,
    (record, known): (&Value, &Value),
    scoped: bool,
) -> Option<String> {
    let (ours, theirs) = (related(record, relation), related(known, relation));
    if ours == theirs {
        return None;
    }
    if may_be_bounded(ours.len()) || may_be_bounded(theirs.len()) {
        return None;
    }
    let is_one_of_several = !relation.many && relation.count.is_some();
    if is_one_of_several && !matches!(relation_value(record, relation), Some(Value::Array(_))) {
        let is_lost = ours.is_empty() && !theirs.is_empty();
        return is_lost.then(|| format!("nothing in place of {} records", theirs.len()));
    }
    let counts = (ours.len(), theirs.len());
    let (ours, theirs) = (all_plain(frame, &ours), all_plain(frame, &theirs));
    if ours == theirs && counts.0 > counts.1 {
        return Some(format!(
            "{} records in place of {}, one of them twice",
            counts.0, counts.1
        ));
    }
    if let Some(lost) = theirs.difference(&ours).next() {
        return Some(format!(
            "{} records, and not this one of {}: {lost}",
            ours.len(),
            theirs.len()
        ));
    }
    let added = ours.difference(&theirs).next()?;
    (!scoped).then(|| {
        format!(
            "{} records in place of {}, among them {added}",
            ours.len(),
            theirs.len()
        )
    })
}

/// A related record that both answers show, with other members in one of them.
fn shared_differs(list: &ListCorpus, relation: &Relation, [record, known]: [&Value; 2]) -> Option<String> {
    let theirs = related(known, relation);
    let id = |record| id_at(&list.spec.identifier, record);
    related(record, relation).into_iter().find_map(|ours| {
        let theirs = theirs
            .iter()
            .find(|theirs| id(theirs).is_some() && id(theirs) == id(ours))?;
        if ours == *theirs {
            return None;
        }
        let [ours, theirs] = [ours, *theirs].map(|record| plain(&list.spec.frame, record));
        (ours != theirs).then(|| format!("{}: {ours}, and elsewhere {theirs}", relation.name))
    })
}

/// A related record without its own relations.
fn plain(frame: &Frame, record: &Value) -> String {
    let mut record = record.clone();
    if let Some(members) = record.as_object_mut() {
        members.retain(|name, _| !frame.holds_relations(name));
    }
    record.to_string()
}

/// Related records without their own relations.
fn all_plain(frame: &Frame, records: &[&Value]) -> BTreeSet<String> {
    records.iter().map(|record| plain(frame, record)).collect()
}

/// The difference between two numbers, or two truths, wherever they stand.
fn value_differs(ours: Option<&Value>, theirs: Option<&Value>, scoped: bool) -> Option<String> {
    let theirs = theirs?;
    let Some(ours) = ours else {
        return Some(format!("missing in place of {theirs}"));
    };
    let counts = (count_of(ours), count_of(theirs));
    let may_be_more = scoped && (counts.0 > counts.1 || ours.as_bool() > theirs.as_bool());
    let is_same = ours == theirs || counts.0.is_some() && counts.0 == counts.1;
    (!is_same && !may_be_more).then(|| format!("{ours} in place of {theirs}"))
}

/// Soft-deleted records that a filter finds by a related record, and that show no such record although it is asked for: the
/// filter proves that there is one. It is not hidden for being soft-deleted itself (R15), since other records show it.
pub(super) fn hides_related(list: &ListCorpus, query: &Query, reading: &Pages) -> Option<Violation> {
    let proving = query.filters.iter().filter_map(|(filter, value)| {
        let Projection::Including(name) = &filter.projection else {
            return None;
        };
        let snapshot = list.snapshot(&filter.projection)?;
        let is_proof = query.include.contains(name) && filter.is_shown_in(snapshot, value);
        is_proof.then_some((filter, value, name, snapshot))
    });
    let proving: Vec<_> = proving.collect();
    wrong(
        reading,
        "the related record that the filter finds them by",
        |record| {
            let id = id_of(record)?;
            let hiding = proving.iter().find(|(filter, value, _, snapshot)| {
                let shows_other = match filter.member_value(record) {
                    MemberValue::Value(shown) => folded(&shown) != folded(value),
                    MemberValue::Null => true,
                    MemberValue::Unknown => false,
                };
                shows_other && list.spec.is_deleted(record) && !snapshot.is_live(id)
            });
            hiding.map(|(.., name, _)| format!("nothing, or another record, as {name}"))
        },
    )
}

/// Records with related ones that are those of another record.
pub(super) fn refers_elsewhere(
    facts: &Facts,
    list: &ListCorpus,
    query: &Query,
    reading: &Pages,
) -> Option<Violation> {
    let asked = facts
        .relations
        .iter()
        .filter(|relation| facts.inverse.has(relation) && query.include.contains(&relation.name));
    let asked: Vec<&Relation> = asked.collect();
    wrong(reading, "related records that refer to the record", |record| {
        let mut wrong = asked
            .iter()
            .filter_map(|relation| facts.inverse.wrong(relation, record, list)?.err());
        wrong.next()
    })
}

/// Records that show a relation that was not asked for.
pub(super) fn uninvited(facts: &Facts, query: &Query, reading: &Pages) -> Option<Violation> {
    let others = facts
        .relations
        .iter()
        .filter(|relation| !query.include.contains(&relation.name));
    let others: Vec<&Relation> = others.collect();
    wrong(reading, "nothing included that was not requested", |record| {
        let mut others = others.iter();
        let other =
            others.find(|other| relation_value(record, other).is_some_and(|value| !is_empty(value)))?;
        Some(format!("shows {}", other.name))
    })
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.is_empty(),
        Value::Object(members) => members.is_empty(),
        value => value.is_null(),
    }
}

/// A violation of the records of an answer that something is wrong about.
fn wrong(
    reading: &Pages,
    expected: &str,
    mut what: impl FnMut(&Record) -> Option<String>,
) -> Option<Violation> {
    let mut record_ids = BTreeSet::new();
    let mut first = None;
    for record in &reading.records {
        if let Some(what) = what(record) {
            let id = identity(record);
            first.get_or_insert_with(|| format!("{id} with {what}"));
            record_ids.insert(id);
        }
    }
    Violation::of_records(record_ids, expected, |_| first.unwrap_or_default())
}
