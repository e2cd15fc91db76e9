//! Related records that an answer has at its top: each record gets those that it refers to. Everything after this finds them in
//! the record, as in answers that have them there.
//!
//! Invariant: a relation that was not asked for gets no record that a relation that was asked for refers to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rollcall_contract::{Linked, Pointer, Relation, Role};
use serde_json::{Map, Value};

use crate::corpus::list_spec::ListSpec;
use crate::corpus::members::spelled;
use crate::corpus::records::Record;
use crate::http::exchange::Exchange;

/// The related records that the records of an answer get may have so many bytes in all: many records can refer to one.
const MOST_BYTES: usize = 64 << 20;

/// How the records of one list get their related records.
#[derive(Debug)]
pub struct LinkedRecords {
    linked: Linked,
    relations: Vec<Relation>,
    /// The parameter that takes relations.
    include: Option<String>,
    identifier: Pointer,
}

/// The values that a reference and its record have in common.
type Key = Vec<String>;

/// Records by their keys, each with the length of its text.
type ByKey<'v> = BTreeMap<Key, (&'v Value, usize)>;

impl LinkedRecords {
    /// For a list whose answers have related records at their top.
    pub fn of(spec: &ListSpec) -> Option<Self> {
        Some(Self {
            linked: spec.frame.related.linked.clone()?,
            relations: spec.list.relations.clone(),
            include: spec.parameter(Role::Include).map(str::to_owned),
            identifier: spec.identifier.clone(),
        })
    }

    /// The records of an answer with their related records. A relation that was asked for shows a reference where the answer does
    /// not have the record; a related record may be one of the records themselves.
    ///
    /// # Errors
    /// The related records are too large in all. The text follows the name of the body.
    pub fn join(&self, records: Vec<Arc<Record>>, exchange: &Exchange) -> Result<Vec<Arc<Record>>, String> {
        let body = exchange.json().unwrap_or_default();
        let top = self.linked.records.find(&body).and_then(Value::as_array);
        let top = self.by_key(top.into_iter().flatten());
        let (asked, others): (Vec<&Relation>, Vec<&Relation>) = self
            .relations
            .iter()
            .partition(|relation| self.is_asked(relation, exchange));
        if asked.is_empty() && top.is_empty() {
            return Ok(records);
        }
        let own = self.by_key(records.iter().map(|record| &***record));
        let taken: BTreeSet<Key> = records
            .iter()
            .flat_map(|record| asked.iter().flat_map(move |relation| self.keys(record, relation)))
            .collect();
        let mut left = MOST_BYTES;
        let mut found = |known: Option<&(&Value, usize)>| {
            let (record, bytes) = known?;
            left = left.saturating_sub(*bytes);
            (left > 0).then(|| (*record).clone())
        };
        let joined = records.iter().map(|record| {
            let mut value = Value::clone(record);
            for relation in &asked {
                let shown = self.linked_value(record, relation, |reference| {
                    let key = self.key(reference);
                    let known = key.and_then(|key| top.get(&key).or_else(|| own.get(&key)));
                    found(known).or_else(|| Some(reference.clone()))
                });
                put(&mut value, relation.at.segments(), shown);
            }
            for relation in &others {
                let shown = self.linked_value(record, relation, |reference| {
                    let key = self.key(reference).filter(|key| !taken.contains(key))?;
                    found(top.get(&key))
                });
                put(&mut value, relation.at.segments(), shown);
            }
            Arc::new(Record::new(value, &self.identifier))
        });
        let joined = joined.collect();
        match left {
            0 => Err(format!(
                "has related records of more than {MOST_BYTES} bytes in all"
            )),
            _ => Ok(joined),
        }
    }

    /// Whether the request of an answer asked for a relation.
    fn is_asked(&self, relation: &Relation, exchange: &Exchange) -> bool {
        let query = exchange.request.query.iter();
        let mut words = query
            .filter(|(name, _)| Some(name) == self.include.as_ref())
            .flat_map(|(_, words)| words.split(','));
        words.any(|word| word == relation.name)
    }

    /// What a record shows of a relation, made of its references; none if it has no references, or none that shows anything.
    fn linked_value(
        &self,
        record: &Value,
        relation: &Relation,
        mut of_reference: impl FnMut(&Value) -> Option<Value>,
    ) -> Option<Value> {
        match self.linked.references.at(&relation.member).find(record)? {
            Value::Array(references) => Some(references.iter().filter_map(of_reference).collect()),
            Value::Null => Some(Value::Null),
            reference => of_reference(reference),
        }
    }

    /// The keys of the references of a relation.
    fn keys(&self, record: &Value, relation: &Relation) -> Vec<Key> {
        let mut keys = Vec::new();
        self.linked_value(record, relation, |reference| {
            keys.extend(self.key(reference));
            None
        });
        keys
    }

    /// What a reference or a record is told by.
    fn key(&self, value: &Value) -> Option<Key> {
        let by = self.linked.by.iter();
        by.map(|place| place.find(value).and_then(spelled)).collect()
    }

    /// Records by their keys; of several with the same, the first.
    fn by_key<'v>(&self, records: impl Iterator<Item = &'v Value>) -> ByKey<'v> {
        let mut by_key = ByKey::new();
        for record in records {
            if let Some(key) = self.key(record) {
                by_key
                    .entry(key)
                    .or_insert_with(|| (record, record.to_string().len()));
            }
        }
        by_key
    }
}

/// Puts a value at a place of a record, in objects that are made for it.
fn put(record: &mut Value, place: &[String], value: Option<Value>) {
    match (place, value) {
        (_, None) => {}
        ([], Some(value)) => *record = value,
        ([name, rest @ ..], value) => {
            if !record.is_object() {
                *record = Value::Object(Map::new());
            }
            if let Some(members) = record.as_object_mut() {
                put(members.entry(name.as_str()).or_insert(Value::Null), rest, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rollcall_contract::Contract;
    use serde_json::json;

    use super::*;
    use crate::corpus::related::related;
    use crate::http::request::Request;

    /// What the records of an answer of the third contract show of their relations, by their identifiers.
    fn related_of(include: &str, body: &Value) -> Vec<(String, String, Vec<String>)> {
        let contract = Contract::parse(include_str!("../../../tests/third/board.yaml")).unwrap();
        let spec = ListSpec::all(&contract, &BTreeMap::new()).remove(0);
        let linked = LinkedRecords::of(&spec).unwrap();
        let request = Request::get(&spec.operation.path);
        let exchange = Exchange {
            request: match include {
                "" => request,
                words => request.with("include", words),
            },
            status: 200,
            content_type: None,
            link: None,
            location: None,
            challenge: None,
            body: body.to_string(),
        };
        let records = body["data"].as_array().unwrap().iter();
        let records = records.map(|record| Arc::new(Record::new(record.clone(), &spec.identifier)));
        let joined = linked.join(records.collect(), &exchange).unwrap();
        let told = |other: &Value| match &other["attributes"]["name"] {
            Value::Null => format!("reference to {}", other["id"].as_str().unwrap()),
            name => name.as_str().unwrap().to_owned(),
        };
        let relations = joined.iter().flat_map(|record| {
            let relations = spec.list.relations.iter().map(move |relation| (record, relation));
            relations.map(|(record, relation)| {
                let others = related(record, relation).into_iter().map(told).collect();
                (
                    record["id"].as_str().unwrap().to_owned(),
                    relation.name.clone(),
                    others,
                )
            })
        });
        relations
            .filter(|(_, _, others): &(_, _, Vec<_>)| !others.is_empty())
            .collect()
    }

    fn resource(kind: &str, id: &str, relationships: &Value) -> Value {
        json!({"type": kind, "id": id, "attributes": {"name": format!("{kind} {id}")}, "relationships": relationships})
    }

    fn reference(kind: &str, id: &str) -> Value {
        json!({"data": {"type": kind, "id": id}})
    }

    fn told(id: &str, relation: &str, others: &[&str]) -> (String, String, Vec<String>) {
        (
            id.to_owned(),
            relation.to_owned(),
            others.iter().map(ToString::to_string).collect(),
        )
    }

    #[test]
    fn a_relation_shows_the_record_of_its_type_and_identifier() {
        let body = json!({
            "data": [
                resource("tasks", "1", &json!({"assignee": reference("people", "1"), "parent": {"data": null}})),
                resource("tasks", "2", &json!({"assignee": reference("people", "2"), "parent": reference("tasks", "1")})),
            ],
            "included": [resource("people", "1", &json!({}))],
        });
        assert_eq!(
            related_of("assignee,parent", &body),
            [
                told("1", "assignee", &["people 1"]),
                told("2", "assignee", &["reference to 2"]),
                told("2", "parent", &["tasks 1"])
            ]
        );
    }

    #[test]
    fn a_relation_that_was_not_asked_for_shows_what_no_other_relation_accounts_for() {
        let both = json!({"assignee": reference("people", "1"), "subtasks": {"data": [{"type": "tasks", "id": "7"}]}});
        let body = json!({
            "data": [resource("tasks", "1", &both)],
            "included": [resource("people", "1", &json!({})), resource("tasks", "7", &json!({}))],
        });
        let everything = [
            told("1", "assignee", &["people 1"]),
            told("1", "subtasks", &["tasks 7"]),
        ];
        assert_eq!(related_of("", &body), everything);
        assert_eq!(related_of("assignee,subtasks", &body), everything);
        let one =
            json!({"parent": reference("tasks", "7"), "subtasks": {"data": [{"type": "tasks", "id": "7"}]}});
        let body =
            json!({"data": [resource("tasks", "1", &one)], "included": [resource("tasks", "7", &json!({}))]});
        assert_eq!(
            related_of("subtasks", &body),
            [told("1", "subtasks", &["tasks 7"])]
        );
    }
}
