//! A record as it is stored, with what it does not show.

use std::collections::HashMap;

use serde_json::Value;

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
}
