//! What the operators draw from: the stored rows of the model that is mutated, and the words of its contract.

use std::sync::LazyLock;

use rollcall_contract::{Filter, List, Match, Operation};
use serde_json::Value;

use super::{Draw, original};
use crate::Model;
use crate::model::{CONTRACT, Row, Rows, USERS};

/// How many people the mutants have.
pub const PEOPLE: usize = 200;

/// The rows and words to draw from.
pub struct Sample {
    /// All rows of the model that is mutated.
    pub rows: Rows,
    /// The operation that lists directory users.
    pub operation: &'static Operation,
    /// What the contract says of that list.
    pub list: &'static List,
    /// The members of a directory user's record, as JSON pointers.
    pub members: Vec<String>,
}

static SAMPLE: LazyLock<Sample> = LazyLock::new(Sample::take);

impl Sample {
    /// The sample, which is taken once.
    pub fn get() -> &'static Self {
        &SAMPLE
    }

    fn take() -> Self {
        let rows = Model::new(PEOPLE, original().hooks()).stored();
        let (operation, list) = CONTRACT
            .lists()
            .find(|(operation, _)| operation.path == USERS)
            .unwrap();
        let members = members(&rows.list(USERS).unwrap()[0].record);
        Self {
            rows,
            operation,
            list,
            members,
        }
    }

    /// The rows of the directory users.
    pub fn users(&self) -> &[Row] {
        self.rows.list(USERS).unwrap()
    }

    /// The ids of the records that can be written to.
    pub fn writable(&self) -> Vec<String> {
        let lists = ["/workspace/users", "/directory/attributes"];
        let rows = lists
            .into_iter()
            .filter_map(|path| self.rows.list(path))
            .flatten();
        rows.map(|row| row.id().to_owned()).collect()
    }

    /// The filters of directory users with a meaning that the specification gives, by their parameters' names.
    pub fn filters(&self) -> Vec<(&'static str, &'static Filter)> {
        let filters = self.operation.filters();
        let filters = filters.filter(|(parameter, filter)| {
            filter.matching != Match::Trashed
                && parameter.name.starts_with("filter[")
                && !parameter.origin.extension
        });
        filters
            .map(|(parameter, filter)| (parameter.name.as_str(), filter))
            .collect()
    }

    /// A sort field.
    pub fn field(&self, draw: &mut Draw) -> String {
        draw.pick(&self.list.sort).0.clone()
    }

    /// A relation of directory users, by the name to ask for.
    pub fn relation(&self, draw: &mut Draw) -> &'static rollcall_contract::Relation {
        draw.pick(&self.list.relations)
    }

    /// The value of a member of some user's record.
    pub fn value(&self, draw: &mut Draw, member: &str) -> Value {
        let values = self.users().iter().filter_map(|row| row.record.pointer(member));
        let values: Vec<_> = values.filter(|value| !value.is_null()).collect();
        values
            .get(draw.below(values.len().max(1)))
            .map_or(Value::Null, |value| (*value).clone())
    }
}

/// The members of a record: those at the top, and those of timestamps, counts and links.
fn members(record: &Value) -> Vec<String> {
    let mut members = Vec::new();
    for (name, value) in record.as_object().unwrap() {
        match name.as_str() {
            "timestamp" | "count" | "links" => {
                let inner = value.as_object().unwrap().keys();
                members.extend(inner.map(|inner| format!("/{name}/{inner}")));
            }
            "included" => {}
            _ => members.push(format!("/{name}")),
        }
    }
    members
}
