//! What a file has a place for. An import replaces just that, by nothing too, and leaves alone what the file can't say.

use std::collections::BTreeSet;

use super::column::{Column, Field};
use super::standing;

/// The fields, dimensions and metadata keys a file has columns or members for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PresentColumns {
    fields: [bool; Field::ALL.len()],
    dimensions: BTreeSet<String>,
    metadata: BTreeSet<String>,
}

impl PresentColumns {
    /// What the header of a CSV file names.
    pub(super) fn columns<'c>(columns: impl IntoIterator<Item = &'c Column>) -> Self {
        let mut present = Self::default();
        columns.into_iter().for_each(|column| present.add(column));
        present
    }

    pub(super) fn add(&mut self, column: &Column) {
        match column {
            Column::Field(field) => self.field(*field),
            Column::Org(dimension) => self.dimension(dimension),
            Column::Metadata(key) | Column::MetadataJson(key) => self.metadata(key),
            Column::Account(attribute) => self.account(attribute),
        }
    }

    /// Notes an attribute that says how an account stands (short name in lower case).
    pub(super) fn account(&mut self, attribute: &str) {
        if standing::tells_end(attribute) {
            self.field(Field::ExpiresAt);
        }
    }

    pub(super) fn field(&mut self, field: Field) {
        self.fields[field as usize] = true;
    }

    pub(super) fn dimension(&mut self, handle: &str) {
        if !self.dimensions.contains(handle) {
            self.dimensions.insert(handle.to_owned());
        }
    }

    pub(super) fn metadata(&mut self, key: &str) {
        if !self.metadata.contains(key) {
            self.metadata.insert(key.to_owned());
        }
    }

    pub(super) fn has_field(&self, field: Field) -> bool {
        self.fields[field as usize]
    }

    pub(super) fn has_dimension(&self, handle: &str) -> bool {
        self.dimensions.contains(handle)
    }

    pub(super) fn has_metadata(&self, key: &str) -> bool {
        self.metadata.contains(key)
    }
}
