//! The further places that show a record: its list, and the relations of other records. Each of them has to
//! show what a write has stored (W16).
//!
//! Invariant: a place that does not show the record says nothing.

use rollcall_contract::{Match, Operation, Relation, Role};
use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::members::{Kind, Members};
use rollcall_oracle::corpus::moving::{changed_places, without};
use rollcall_oracle::corpus::projection::DeletedScope;
use rollcall_oracle::corpus::related::relation_value;
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::Ruling;
use rollcall_oracle::open_points::related_number::RelationForm;
use rollcall_oracle::open_points::timestamp;
use serde_json::Value;

use super::attempt::{WriteRuling, WriteViolation};
use super::difference::{RecordFault, difference};
use super::observer::{RecordObserver, RecordSnapshot, within};
use super::write_target::WriteTarget;
use crate::discovery::references::References;
use crate::engine::Engine;

/// Requests that may show a record: its list by its identifier, and a record that includes it.
pub(super) fn requests(engine: &Engine, operation: &Operation, id: &str) -> Vec<Request> {
    let lists = engine.corpus.lists.iter().enumerate();
    let requests = lists.filter_map(|(index, list)| {
        match operation.answer.schema.as_ref() == Some(&list.spec.list.record) {
            true => by_identifier(list, id),
            false => including(engine, index, id),
        }
    });
    requests.collect()
}

/// The list, asked for one record alone, soft-deleted or not.
fn by_identifier(list: &ListCorpus, id: &str) -> Option<Request> {
    let spec = &list.spec;
    let mut filters = spec.operation.filters();
    let (parameter, _) = filters
        .find(|(_, filter)| filter.matching == Match::Exact && filter.fields == [spec.identifier.clone()])?;
    let request = Request::get(&spec.operation.path).with(&parameter.name, id);
    Some(match spec.with_trashed() {
        Some((name, word)) => request.with(name, word),
        None => request,
    })
}

/// A list, asked for a record that was seen to include this one.
fn including(engine: &Engine, list: usize, id: &str) -> Option<Request> {
    let include = engine.list(list).spec.parameter(Role::Include)?;
    let (owner, relation) = owner(engine, list, id)?;
    Some(by_identifier(engine.list(list), owner)?.with(include, &relation.name))
}

/// A record of a list that was seen to include this one, and the relation.
pub(super) fn owner<'e>(engine: &'e Engine, list: usize, id: &str) -> Option<(&'e str, &'e Relation)> {
    let references = engine.recall::<References>(list)?;
    let list = engine.list(list);
    let [records, ..] = &references.projections;
    let of_deleted = references
        .of_deleted
        .get(&(DeletedScope::With, RelationForm::Records));
    let projections = records.iter().chain(of_deleted);
    let snapshots = projections.filter_map(|projection| list.snapshot(projection));
    let mut seen = snapshots.flat_map(|snapshot| snapshot.records());
    seen.find_map(|(owner, record)| {
        let mut relations = list.spec.list.relations.iter();
        let shows_it = |related: &Value| within(related, &engine.contract.identifier, id).is_some();
        let relation = relations.find(|relation| relation_value(record, relation).is_some_and(shows_it))?;
        Some((owner, relation))
    })
}

/// Whether some places show the record as its observer does; none if no place shows it.
pub(super) async fn agreement(
    engine: &Engine,
    operation: &Operation,
    target: &WriteTarget,
    (after, views): (&RecordSnapshot, &[&RecordObserver]),
) -> Result<WriteRuling, TargetError> {
    let (Some(observer), Some(schema)) = (&target.observer, operation.answer.schema.as_deref()) else {
        return Ok(Ruling::NotApplicable);
    };
    let members = Members::of(&engine.contract, schema);
    let mut agreement = Ruling::NotApplicable;
    for view in views {
        match lasting(engine, &members, (observer, after), view).await? {
            Ruling::NotApplicable => {}
            Ruling::Holds => agreement = Ruling::Holds,
            other => return Ok(other),
        }
    }
    Ok(agreement)
}

/// Whether a place shows the record as its observer does, or otherwise again and again; what was written may take a while to
/// be seen.
async fn lasting(
    engine: &Engine,
    members: &Members,
    (observer, after): (&RecordObserver, &RecordSnapshot),
    view: &RecordObserver,
) -> Result<WriteRuling, TargetError> {
    let (mut known, mut last) = (after.clone(), Ruling::NotApplicable);
    for wait in view.waits() {
        let Some(shown) = view.projection(engine).await? else {
            return Ok(Ruling::NotApplicable);
        };
        if unlike(members, &known.record, &shown.record).is_none() {
            return Ok(Ruling::Holds);
        }
        // What is observed may have changed meanwhile.
        let Some(now) = observer.projection(engine).await? else {
            return Ok(Ruling::NotApplicable);
        };
        // The time of the last activity may be another at every request.
        let moving = changed_places(&engine.contract.identifier, &known.record, &now.record);
        known = now;
        let [still, still_shown] = [&known, &shown].map(|one| without(&one.record, &moving));
        let Some((what, place)) = unlike(members, &still, &still_shown) else {
            return Ok(Ruling::Holds);
        };
        let expected = format!("the record {} as it is after the write", observer.id());
        last = WriteViolation::new(expected, what)
            .at(place)
            .shown_by(&shown.exchange)
            .ruling();
        tokio::time::sleep(wait).await;
    }
    view.waited_in_vain();
    Ok(last)
}

/// The state or the timestamp that two places show otherwise.
fn unlike(members: &Members, record: &Value, shown: &Value) -> Option<RecordFault> {
    let time = |value: &Value| value.as_str().and_then(timestamp::read);
    difference(members, shown, record, |place, shown, own| {
        let is_written = match members.kind(place) {
            Kind::Timestamp => true,
            Kind::Enumerated => members.is_state(place),
            _ => false,
        };
        let is_same_time = time(own).is_some_and(|own| time(shown) == Some(own));
        is_written && !is_same_time
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn places_are_compared_by_state_and_timestamps_alone() {
        let contract = rollcall_oracle::our_contract().unwrap();
        let members = Members::of(&contract, "DirectoryAttribute");
        let record = |name: &str, state: &str, at: &str| json!({"name": name, "state": state, "timestamp": {"expires_at": at}});
        let one = record("a", "expiring", "2027-01-01T00:00:00Z");
        assert_eq!(
            unlike(
                &members,
                &one,
                &record("b", "expiring", "2027-01-01T00:00:00.000000Z")
            ),
            None
        );
        assert!(unlike(&members, &one, &record("a", "active", "2027-01-01T00:00:00Z")).is_some());
        assert!(unlike(&members, &one, &record("a", "expiring", "2028-01-01T00:00:00Z")).is_some());
        assert_eq!(unlike(&members, &one, &json!({"state": "expiring"})), None);
    }
}
