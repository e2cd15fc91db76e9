//! The schema as text: the steps to it, and the tables and columns that they name.

use std::collections::BTreeSet;

/// The steps from an empty file to the present schema, in order; never changed, only added to.
pub(crate) const SCHEMAS: [&str; 7] = [
    include_str!("0001_directory.sql"),
    include_str!("0002_idempotency.sql"),
    include_str!("0003_evaluations_and_orders.sql"),
    include_str!("0004_smaller_and_covering.sql"),
    include_str!("0005_kept_refusals.sql"),
    include_str!("0006_import_names.sql"),
    include_str!("0007_composed_folds.sql"),
];

/// The tables of the schema, each behind those that it refers to. A later step may make a table anew.
pub fn schema_tables() -> impl Iterator<Item = &'static str> {
    let tables = SCHEMAS
        .iter()
        .flat_map(|schema| schema.split("\nCREATE TABLE ").skip(1));
    let mut named = BTreeSet::new();
    let names = tables.filter_map(|table| table.split_once(" (").map(|(name, _)| name));
    names.filter(move |name| named.insert(*name))
}

/// The name of a column as the schema has it.
pub(crate) fn column_name(name: &str) -> Option<&'static str> {
    let is_part = |letter: char| letter == '_' || letter.is_ascii_alphanumeric();
    let mut names = SCHEMAS
        .iter()
        .flat_map(|schema| schema.split(|letter| !is_part(letter)));
    names.find(|known| *known == name)
}

/// The columns of a table that refer to rows of the same table.
pub(crate) fn self_references(table: &str) -> impl Iterator<Item = &'static str> {
    columns_with(table, format!("REFERENCES {table} ("))
}

/// The columns of a table whose definition has these words.
pub(crate) fn columns_with(table: &str, words: String) -> impl Iterator<Item = &'static str> {
    let begin = format!("\nCREATE TABLE {table} (");
    let schema = SCHEMAS.iter().find_map(|schema| schema.split_once(&begin));
    let columns = schema.map_or("", |(_, table)| table.split("\n);").next().unwrap_or_default());
    let columns = columns.lines().filter(move |column| column.contains(&words));
    columns.filter_map(|column| column.split_whitespace().next())
}
