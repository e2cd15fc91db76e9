//! Members that are another at every request although nothing was written: the time of the last activity is one.

use std::collections::{BTreeMap, BTreeSet};

use rollcall_contract::Pointer;
use serde_json::Value;

use super::records::id_at;

/// The places at which a record differs in two readings. Elements of an array have the place of the array; records in it are
/// compared by their identifier, and those that stand in one of them only are not.
pub fn changed_places(identifier: &Pointer, one: &Value, other: &Value) -> BTreeSet<Pointer> {
    let mut changed = BTreeSet::new();
    compare(identifier, (one, other), &Pointer::root(), &mut changed);
    changed
}

fn compare(
    identifier: &Pointer,
    (one, other): (&Value, &Value),
    place: &Pointer,
    changed: &mut BTreeSet<Pointer>,
) {
    match (one, other) {
        (Value::Object(ours), Value::Object(theirs)) => {
            for name in ours.keys().chain(theirs.keys()) {
                match (ours.get(name), theirs.get(name)) {
                    (Some(ours), Some(theirs)) => {
                        compare(identifier, (ours, theirs), &place.child(name), changed);
                    }
                    _ => drop(changed.insert(place.child(name))),
                }
            }
        }
        (Value::Array(ours), Value::Array(theirs)) if one != other => {
            let theirs: BTreeMap<&str, &Value> = by_id(identifier, theirs).collect();
            let mut records = by_id(identifier, ours).peekable();
            if records.peek().is_none() && theirs.is_empty() {
                changed.insert(place.clone());
            }
            for (id, record) in records {
                if let Some(other) = theirs.get(id) {
                    compare(identifier, (record, other), place, changed);
                }
            }
        }
        _ if one != other => drop(changed.insert(place.clone())),
        _ => {}
    }
}

fn by_id<'v>(identifier: &Pointer, records: &'v [Value]) -> impl Iterator<Item = (&'v str, &'v Value)> {
    records
        .iter()
        .filter_map(move |record| Some((id_at(identifier, record)?, record)))
}

/// A record without the members at some places.
pub fn without(record: &Value, places: &BTreeSet<Pointer>) -> Value {
    let mut rest = record.clone();
    for place in places {
        remove(&mut rest, place.segments());
    }
    rest
}

fn remove(value: &mut Value, segments: &[String]) {
    match (value, segments) {
        (Value::Array(elements), _) => elements.iter_mut().for_each(|element| remove(element, segments)),
        (Value::Object(members), [last]) => drop(members.shift_remove(last)),
        (Value::Object(members), [name, rest @ ..]) => {
            members
                .get_mut(name)
                .into_iter()
                .for_each(|member| remove(member, rest));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn id() -> Pointer {
        Pointer::of(["id"])
    }

    #[test]
    fn a_change_has_the_place_of_its_member() {
        let record = |hour: u8, others: Value| {
            json!({"id": "a", "timestamp": {"last_activity_at": hour},
                "included": {"reports": others, "manager": {"id": "m", "seen": hour}}})
        };
        let reports = |hour: u8| json!([{"id": "r", "seen": hour}, {"id": "s", "seen": 0}]);
        let turned = json!([{"id": "s", "seen": 0}, {"id": "r", "seen": 1}]);
        let one = record(1, reports(1));
        let places = changed_places(&id(), &one, &record(2, reports(2)));
        let told: Vec<String> = places.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "/included/manager/seen",
                "/included/reports/seen",
                "/timestamp/last_activity_at"
            ]
        );
        assert_eq!(without(&one, &places), without(&record(2, reports(2)), &places));
        assert_eq!(changed_places(&id(), &one, &record(1, turned)), BTreeSet::new());
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![Just(Value::Null), any::<u8>().prop_map(Value::from)];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                prop::collection::btree_map("[a-c]", inner, 0..4).prop_map(|members| json!(members)),
                prop::collection::vec(any::<u8>(), 0..3).prop_map(|items| json!(items)),
            ]
        })
    }

    proptest! {
        #[test]
        fn without_what_has_changed_two_readings_are_the_same(one in values(), other in values()) {
            let places = changed_places(&id(), &one, &other);
            prop_assert_eq!(places.is_empty(), one == other);
            if !places.contains(&Pointer::root()) {
                prop_assert_eq!(without(&one, &places), without(&other, &places));
            }
        }
    }
}
