//! Everything that is stored: the rows of the lists, and the records that only relations show.

use std::collections::HashMap;

use serde_json::Value;

use super::super::settings::Settings;
use super::table::{Member, Table};
use super::{people, places, policy, timestamp, workspace};

/// A record with what it does not show.
#[derive(Clone, Debug)]
pub struct Row {
    /// The record without relations.
    pub record: Value,
    /// Values of members that only filters know, by the member's name.
    pub hidden: HashMap<&'static str, Vec<String>>,
    /// The ids of related records, by the member of `included`.
    pub related: HashMap<String, Vec<String>>,
    /// The record as text.
    pub(super) text: String,
    /// The members that filters and sort fields look at.
    pub(super) cells: Vec<Cell>,
    /// Its id.
    pub(super) key: String,
    /// Whether it is soft-deleted.
    pub(super) trashed: bool,
}

/// A member, taken apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    /// Its text, or those of its values; empty if it is null.
    pub(super) texts: Vec<Text>,
    /// The timestamp it is, in microseconds.
    pub(super) timestamp: Option<i64>,
}

/// A text and what it is without regard to case.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) exact: String,
    pub(super) folded: String,
}

/// All rows.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    lists: Vec<(&'static str, Vec<Row>)>,
    /// The records that only relations show, by their id.
    pub others: HashMap<String, Value>,
    places: HashMap<String, (usize, usize)>,
}

impl Rows {
    /// The rows of so many people.
    pub(super) fn new(people: usize, settings: &Settings) -> Self {
        let mut users = people::rows(people, settings);
        let (mut dimensions, mut attributes) = places::rows(people);
        let mut accounts = workspace::rows(people);
        let mut others = workspace::integrations();
        people::relate(&mut users, settings, &mut others);
        policy::derive(&mut users, &mut attributes, &mut others);
        workspace::relate(&mut users, &mut accounts);
        places::count(&mut dimensions, &attributes);
        Self {
            lists: vec![
                ("/directory/users", users),
                ("/directory/attributes", attributes),
                ("/directory/dimensions", dimensions),
                ("/workspace/users", accounts),
            ],
            others,
            places: HashMap::new(),
        }
    }

    /// The rows of the list under a path; none if there is no such list.
    pub fn of(&mut self, path: &str) -> &mut Vec<Row> {
        let list = self.lists.iter_mut().find(|(one, _)| *one == path);
        &mut list.unwrap().1
    }

    /// The same, to be read.
    pub fn list(&self, path: &str) -> Option<&[Row]> {
        let list = self.lists.iter().find(|(one, _)| *one == path);
        list.map(|(_, rows)| rows.as_slice())
    }

    /// The row with this id.
    pub(super) fn row(&self, id: &str) -> Option<&Row> {
        let (list, row) = self.places.get(id)?;
        Some(&self.lists[*list].1[*row])
    }

    /// The record with this id, be it in a list or not.
    pub fn record(&self, id: &str) -> Option<&Value> {
        self.row(id)
            .map(|row| &row.record)
            .or_else(|| self.others.get(id))
    }

    /// Takes all rows apart.
    pub(super) fn index(&mut self, tables: &[Table]) {
        for (list, (path, rows)) in self.lists.iter_mut().enumerate() {
            let table = tables.iter().find(|table| table.operation.path == *path).unwrap();
            for (index, row) in rows.iter_mut().enumerate() {
                row.index(table);
                self.places.insert(row.id().to_owned(), (list, index));
            }
        }
    }

    /// Changes the row at a place of a list and takes it apart again.
    pub(super) fn change(&mut self, table: &Table, index: usize, change: impl FnOnce(&mut Row)) {
        let rows = self.of(&table.operation.path);
        change(&mut rows[index]);
        rows[index].index(table);
    }

    /// The place of a row in its list.
    pub(super) fn position(&self, id: &str) -> Option<usize> {
        self.places.get(id).map(|(_, index)| *index)
    }
}

impl Row {
    pub(super) fn of(record: Value) -> Self {
        Self {
            record,
            hidden: HashMap::new(),
            related: HashMap::new(),
            text: String::new(),
            cells: Vec::new(),
            key: String::new(),
            trashed: false,
        }
    }

    /// Its id; empty if it has none.
    pub fn id(&self) -> &str {
        self.record["id"].as_str().unwrap_or_default()
    }

    /// Whether it is soft-deleted.
    pub fn is_trashed(&self) -> bool {
        self.record["timestamp"]["deleted_at"].is_string()
    }

    /// Whether it was soft-deleted when it was stored last: what is not stored yet does not count.
    pub fn was_trashed(&self) -> bool {
        self.trashed
    }

    /// The text of a member of the record.
    pub fn text_of(&self, member: &str) -> Option<&str> {
        self.record[member].as_str()
    }

    /// The ids of the records related under a member of `included`.
    pub fn related_ids(&self, member: &str) -> &[String] {
        self.related.get(member).map(Vec::as_slice).unwrap_or_default()
    }

    fn index(&mut self, table: &Table) {
        self.text = self.record.to_string();
        self.key = self.id().to_owned();
        self.trashed = self.is_trashed();
        self.cells = table.members.iter().map(|member| self.cell(member)).collect();
    }

    fn cell(&self, member: &Member) -> Cell {
        let mut texts = Vec::new();
        if member.shown {
            collect(member.at.find(&self.record).unwrap_or(&Value::Null), &mut texts);
        } else if let Some(hidden) = member.at.last().and_then(|name| self.hidden.get(name)) {
            texts.clone_from(hidden);
        }
        let is_timestamp = member
            .at
            .segments()
            .first()
            .is_some_and(|name| name == "timestamp");
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
