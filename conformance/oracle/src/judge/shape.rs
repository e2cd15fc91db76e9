//! The shape of a relation, by the schemas of the contract.

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::Validator;
use rollcall_contract::{Contract, Form, Pointer, Relation};
use serde_json::Value;

use crate::corpus::ListCorpus;
use crate::corpus::listing::{Pages, identity};
use crate::corpus::related::relation_value;
use crate::corpus::shape_fault;
use crate::http::exchange::shortened;
use crate::judge::Violation;

/// What judges the relations of a list, by their member.
#[derive(Debug, Default)]
pub struct RelationShapes(BTreeMap<String, (Relation, Option<Validator>)>);

/// What is wrong with the shape of a relation.
pub struct ShapeFault {
    /// What is wrong.
    pub what: String,
    /// The place below the relation; none if it is the relation as such.
    pub place: Option<Pointer>,
}

impl RelationShapes {
    /// The relations that records of a list show.
    pub fn of(contract: &Contract, list: &ListCorpus) -> Self {
        let described = &list.spec.list;
        let relations = described.relations.iter().map(|relation| {
            let schema = contract.relation_schema(described, relation);
            let schema = schema.map(|schema| contract.document().json_schema_of(&schema, Form::Judging));
            let validator = schema.and_then(|schema| jsonschema::validator_for(&schema).ok());
            (relation.member.clone(), (relation.clone(), validator))
        });
        Self(relations.collect())
    }

    /// What is wrong with a relation of a record; none if it shows nothing.
    pub fn wrong(&self, record: &Value, relation: &Relation) -> Option<Result<(), ShapeFault>> {
        let value = relation_value(record, relation)?;
        // A relation of which one is shown and several are counted may be an array as well (R10).
        let several = relation.many || relation.count.is_some() && value.is_array();
        let fault = |what: &str, place: Option<Pointer>| ShapeFault {
            what: format!("{} {what}", relation.member),
            place,
        };
        let wrong = |what: &str| Some(Err(fault(what, None)));
        match value {
            Value::Array(_) if !several => return wrong("is an array"),
            Value::Array(records) if records.is_empty() => return None,
            Value::Array(_) => {}
            _ if several => return wrong("is no array"),
            _ => {}
        }
        let (_, validator) = self.0.get(&relation.member)?;
        let error = validator
            .as_ref()
            .and_then(|validator| validator.iter_errors(value).next());
        Some(match error {
            None => Ok(()),
            Some(error) => {
                let place = error.instance_path();
                let at = if place.as_str().is_empty() {
                    String::new()
                } else {
                    format!("{place} ")
                };
                let what = shortened(&format!("{at}{}", shape_fault::describe(&error)), 200);
                Err(fault(&what, place.as_str().parse().ok()))
            }
        })
    }

    /// Records of an answer with a relation of another shape.
    pub(super) fn violation(&self, reading: &Pages) -> Option<Violation> {
        let mut first = None;
        let mut places = BTreeSet::new();
        let wrong = reading.records.iter().filter_map(|record| {
            let mut relations = self.0.values();
            let fault = relations.find_map(|(relation, _)| self.wrong(record, relation)?.err())?;
            let id = identity(record);
            first.get_or_insert_with(|| format!("{id}: {}", fault.what));
            places.extend(fault.place);
            Some(id)
        });
        let wrong = wrong.collect();
        let expected = "relations of the shape that is listed for them";
        let violation = Violation::of_records(wrong, expected, |_| first.unwrap_or_default())?;
        Some(Violation { places, ..violation })
    }
}
