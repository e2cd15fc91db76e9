//! What the contract says of a list, in the form in which it is needed per request.

use std::collections::HashMap;

use rollcall_contract::{Contract, Filter, List, Operation, Pointer, Position};
use serde_json::Value;

use super::row::{Cell, Row, Text};
use super::timestamp;

/// The lists that the model serves.
pub(super) const SERVED: [&str; 4] = [
    "/directory/users",
    "/directory/attributes",
    "/directory/dimensions",
    "/workspace/users",
];

/// A list that the model serves.
pub(super) struct Table {
    pub(super) operation: Operation,
    pub(super) list: List,
    /// The members that filters and sort fields look at, in the order of a row's cells.
    pub(super) members: Vec<Member>,
    /// What each filter looks at.
    pub(super) filters: HashMap<String, (Filter, Vec<Column>)>,
    /// What each sort field looks at.
    pub(super) sorts: HashMap<String, Column>,
    /// The members of the summaries of related records, by the name of their schema.
    pub(super) summaries: HashMap<String, Vec<String>>,
}

/// A member that something looks at.
pub(super) struct Member {
    pub(super) at: Pointer,
    pub(super) shown: bool,
}

/// Where the cell of a member stands in every row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column(pub(super) usize);

impl Column {
    /// The first text of a row's cell.
    pub fn first_text(self, row: &Row) -> Option<&str> {
        Some(row.cells[self.0].texts.first()?.exact.as_str())
    }
}

impl Table {
    pub(super) fn all(contract: &Contract) -> Vec<Self> {
        let lists = contract
            .lists()
            .filter(|(operation, _)| SERVED.contains(&operation.path.as_str()));
        lists
            .map(|(operation, list)| Self::of(contract, operation, list))
            .collect()
    }

    fn of(contract: &Contract, operation: &Operation, list: &List) -> Self {
        let mut table = Self {
            operation: operation.clone(),
            list: list.clone(),
            members: Vec::new(),
            filters: HashMap::new(),
            sorts: HashMap::new(),
            summaries: HashMap::new(),
        };
        for (parameter, filter) in operation.filters() {
            let fields = filter
                .fields
                .iter()
                .chain(filter.all.iter().map(|condition| &condition.field));
            let columns = fields.map(|at| table.column(at, filter.shown)).collect();
            table
                .filters
                .insert(parameter.name.clone(), (filter.clone(), columns));
        }
        for (field, at) in &list.sort {
            let column = table.column(at, true);
            table.sorts.insert(field.clone(), column);
        }
        for schema in list
            .relations
            .iter()
            .filter_map(|relation| relation.record.clone())
        {
            let properties = contract.document().schema(&schema).unwrap()["properties"].as_object();
            let members = properties.unwrap().keys().cloned().collect();
            table.summaries.insert(schema, members);
        }
        table
    }

    /// Takes a row apart.
    pub(super) fn index(&self, row: &mut Row) {
        row.text = row.record.to_string();
        row.key = row.id().to_owned();
        row.trashed = row.is_trashed();
        row.cells = self.members.iter().map(|member| member.cell(row)).collect();
    }

    /// Whether the list has a parameter in its query.
    pub(super) fn knows(&self, name: &str) -> bool {
        let mut query = self.operation.parameters_in(Position::Query);
        query.any(|parameter| parameter.name == name)
    }

    /// The related record as it stands in `included`.
    pub(super) fn summary(&self, schema: &str, record: &Value) -> Value {
        let members = self.summaries[schema].iter();
        members
            .map(|member| (member.clone(), record[member].clone()))
            .collect()
    }

    fn column(&mut self, at: &Pointer, shown: bool) -> Column {
        let known = self
            .members
            .iter()
            .position(|member| member.at == *at && member.shown == shown);
        Column(known.unwrap_or_else(|| {
            self.members.push(Member {
                at: at.clone(),
                shown,
            });
            self.members.len() - 1
        }))
    }
}

impl Member {
    fn cell(&self, row: &Row) -> Cell {
        let mut texts = Vec::new();
        if self.shown {
            collect(self.at.find(&row.record).unwrap_or(&Value::Null), &mut texts);
        } else if let Some(hidden) = self.at.last().and_then(|name| row.hidden.get(name)) {
            texts.clone_from(hidden);
        }
        let is_timestamp = self.at.segments().first().is_some_and(|name| name == "timestamp");
        let text = |exact: String| Text {
            folded: exact.to_lowercase(),
            exact,
        };
        Cell {
            timestamp: texts
                .first()
                .filter(|_| is_timestamp)
                .and_then(|text| timestamp::parse(text)),
            texts: texts.into_iter().map(text).collect(),
        }
    }
}

/// The texts of a value: its own, or those of its members' values.
fn collect(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::Null => {}
        Value::String(text) => texts.push(text.clone()),
        Value::Bool(flag) => texts.push(flag.to_string()),
        Value::Number(number) => texts.push(number.to_string()),
        Value::Array(values) => values.iter().for_each(|value| collect(value, texts)),
        Value::Object(members) => members.values().for_each(|value| collect(value, texts)),
    }
}
