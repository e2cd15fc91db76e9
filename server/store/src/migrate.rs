//! How a database comes to the present schema.

use crate::dialect::Connection;
use crate::error::{Error, Result};
use crate::fold::composed;
use crate::schema::{SCHEMAS, column_name, columns_with, schema_tables};
use crate::sql::Sql;
use crate::tables;

/// The step behind which folded texts are in the composed form.
const COMPOSED_FOLDS: i64 = 7;

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
        column_name(column).ok_or_else(why)
    });
    known.collect()
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
            let column = column_name(column)
                .ok_or_else(|| Error::Corrupt(format!("{table} has a column {column:?}")))?;
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
