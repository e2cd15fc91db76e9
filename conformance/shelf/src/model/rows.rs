//! Everything that is stored: the rows of the lists, and the records that only relations show.

use std::collections::HashMap;

use serde_json::Value;

use super::super::settings::Settings;
use super::row::Row;
use super::table::Table;
use super::{people, places, policy, workspace};

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
                table.index(row);
                self.places.insert(row.id().to_owned(), (list, index));
            }
        }
    }

    /// Changes the row at a place of a list and takes it apart again.
    pub(super) fn change(&mut self, table: &Table, index: usize, change: impl FnOnce(&mut Row)) {
        let rows = self.of(&table.operation.path);
        change(&mut rows[index]);
        table.index(&mut rows[index]);
    }

    /// The place of a row in its list.
    pub(super) fn position(&self, id: &str) -> Option<usize> {
        self.places.get(id).map(|(_, index)| *index)
    }
}
