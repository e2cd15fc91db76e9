//! The schema: how a database comes to it, and its tables.

use std::collections::BTreeSet;

use crate::store::dialect::Connection;
use crate::store::error::{Error, Result};
use crate::store::fold::composed;
use crate::store::sql::Sql;
use crate::store::tables;

/// The steps from an empty file to the present schema, in order; never changed, only added to.
const SCHEMAS: [&str; 7] = [
    include_str!("0001_directory.sql"),
    include_str!("0002_idempotency.sql"),
    include_str!("0003_evaluations_and_orders.sql"),
    include_str!("0004_smaller_and_covering.sql"),
    include_str!("0005_kept_refusals.sql"),
    include_str!("0006_import_names.sql"),
    include_str!("0007_composed_folds.sql"),
];

/// The step behind which folded texts are in the composed form.
const COMPOSED_FOLDS: i64 = 7;

/// The tables of the schema, each behind those that it refers to. A later step may make a table anew.
pub fn schema_tables() -> impl Iterator<Item = &'static str> {
    let tables = SCHEMAS
        .iter()
        .flat_map(|schema| schema.split("\nCREATE TABLE ").skip(1));
    let mut named = BTreeSet::new();
    let names = tables.filter_map(|table| table.split_once(" (").map(|(name, _)| name));
    names.filter(move |name| named.insert(*name))
}

/// The columns of a table in the order of its definition, but for those that the database numbers its rows by.
///
/// # Errors
/// When the schema has no column of this name.
pub fn columns(connection: &Connection, table: &'static str) -> Result<Vec<&'static str>> {
    let numbering: Vec<&str> = columns_with(table, "{serial}".to_owned()).collect();
    let columns = connection.columns(table)?;
    let others = columns
        .iter()
        .filter(|column| !numbering.contains(&column.as_str()));
    let known = others.map(|column| {
        let why = || Error::Corrupt(format!("{table} has a column {column:?} of another program"));
        name(column).ok_or_else(why)
    });
    known.collect()
}

/// A name as the schema has it.
fn name(name: &str) -> Option<&'static str> {
    let is_part = |letter: char| letter == '_' || letter.is_ascii_alphanumeric();
    let mut names = SCHEMAS
        .iter()
        .flat_map(|schema| schema.split(|letter| !is_part(letter)));
    names.find(|known| *known == name)
}

/// The columns of a table that refer to rows of the same table.
pub fn self_references(table: &str) -> impl Iterator<Item = &'static str> {
    columns_with(table, format!("REFERENCES {table} ("))
}

/// The columns of a table whose definition has these words.
fn columns_with(table: &str, words: String) -> impl Iterator<Item = &'static str> {
    let begin = format!("\nCREATE TABLE {table} (");
    let schema = SCHEMAS.iter().find_map(|schema| schema.split_once(&begin));
    let columns = schema.map_or("", |(_, table)| table.split("\n);").next().unwrap_or_default());
    let columns = columns.lines().filter(move |column| column.contains(&words));
    columns.filter_map(|column| column.split_whitespace().next())
}

/// How many steps a file is behind the present schema.
///
/// # Errors
/// When a newer version or another program made the file.
pub fn missing_schemas(connection: &Connection) -> Result<i64> {
    let known = i64::try_from(SCHEMAS.len()).unwrap_or(i64::MAX);
    let found = connection.schema_version()?;
    if found == UNFINISHED_COPY {
        return Err(Error::UnfinishedCopy);
    }
    if found > known {
        return Err(Error::TooNew { found, known });
    }
    if found == 0 && connection.has_tables()? {
        return Err(Error::Corrupt("it holds tables of another program".to_owned()));
    }
    Ok(known - found)
}

/// In the place of a version, that a directory is being copied into the database.
const UNFINISHED_COPY: i64 = -1;

/// Marks a database as one into which a directory is being copied, so that nobody takes a part for the whole.
pub fn begin_copy(connection: &Connection) -> Result<()> {
    connection.set_schema_version(UNFINISHED_COPY)
}

/// Takes the mark away.
pub fn end_copy(connection: &Connection) -> Result<()> {
    match connection.schema_version()? {
        UNFINISHED_COPY => connection.set_schema_version(i64::try_from(SCHEMAS.len()).unwrap_or(i64::MAX)),
        _ => Ok(()),
    }
}

/// Brings the texts that older versions folded to the composed form.
fn compose_folds(connection: &Connection) -> Result<()> {
    for table in schema_tables() {
        let columns = connection.columns(table)?;
        for column in columns.iter().filter(|column| column.ends_with("_folded")) {
            let column =
                name(column).ok_or_else(|| Error::Corrupt(format!("{table} has a column {column:?}")))?;
            let sql = Sql::new([
                "SELECT id, ",
                column,
                " FROM ",
                table,
                " WHERE ",
                column,
                " IS NOT NULL",
            ]);
            let changed = connection.query(&sql, |cells| {
                let (id, folded) = (cells.text()?.to_owned(), cells.text()?);
                let composed = match folded.is_ascii() {
                    true => None,
                    false => Some(composed(folded.chars())).filter(|composed| composed != folded),
                };
                Ok(composed.map(|composed| (id, composed)))
            })?;
            for (id, composed) in changed.into_iter().flatten() {
                let mut sql = Sql::new(["UPDATE ", table, " SET ", column, " = "]);
                sql.bind(composed).push(" WHERE id = ").bind(id);
                connection.execute(&sql)?;
            }
        }
    }
    Ok(())
}

/// Brings a file to the present schema.
pub fn migrate(connection: &Connection) -> Result<()> {
    if missing_schemas(connection)? == 0 {
        return Ok(());
    }
    connection.check_migration()?;
    connection.transaction(true, |connection| {
        // Another process may have been faster.
        let found = connection.schema_version()?;
        for (version, schema) in (1..)
            .zip(SCHEMAS)
            .skip(usize::try_from(found).unwrap_or_default())
        {
            connection.script(schema)?;
            if version == COMPOSED_FOLDS {
                compose_folds(connection)?;
            }
            connection.set_schema_version(version)?;
        }
        for table in tables::searched() {
            if !connection.has_search(table.name, table.searched)? {
                connection.create_search(table.name, table.searched)?;
            }
        }
        Ok(())
    })
}
