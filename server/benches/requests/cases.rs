//! The requests that are measured, each with the statement that finds the same rows.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::Result;

/// A request.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// Path and query.
    pub(crate) target: String,
    /// A statement that reads the same rows, as well as we can write it.
    pub(crate) sql: String,
}

/// All requests, about the people of this directory.
pub(crate) fn cases(database: &Path) -> Result<Vec<Case>> {
    let directory = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let one = |sql: &str| directory.query_row(sql, [], |row| row.get::<_, String>(0));
    let email =
        one("SELECT email FROM directory_users WHERE deleted_at IS NULL ORDER BY id LIMIT 1 OFFSET 700")?;
    let id = one("SELECT id FROM directory_users WHERE deleted_at IS NULL ORDER BY id LIMIT 1 OFFSET 700")?;
    let users: i64 = directory.query_row(
        "SELECT count(*) FROM directory_users WHERE deleted_at IS NULL",
        [],
        |row| row.get(0),
    )?;
    let deep = users * 9 / 1_000;
    let (rare, domain) = (email.split('@').next().unwrap_or_default(), "example.org");
    let live = "FROM directory_users WHERE +deleted_at IS NULL";
    let (skipped, limit) = ((deep - 1) * 100, "LIMIT 100");
    let case = |name, query: &str, sql: String| Case {
        name,
        target: format!("/api/v1/directory/users{query}")
            .replace('[', "%5B")
            .replace(']', "%5D"),
        sql,
    };
    Ok(vec![
        case("first page of 100", "?page[size]=100", format!("SELECT * {live} ORDER BY id {limit}")),
        case(
            "exact email",
            &format!("?filter[email]={email}"),
            format!("SELECT * {live} AND email_folded = lower('{email}') AND email = '{email}'"),
        ),
        case(
            "email contains a domain, by last name, 50",
            &format!("?filter[email_search]={domain}&sort=last_name&page[size]=50"),
            format!("SELECT * {live} AND instr(email_folded, '{domain}') ORDER BY last_name_folded, last_name, id LIMIT 50"),
        ),
        case(
            "email contains a rare handle, by last name",
            &format!("?filter[email_search]={rare}&sort=last_name&page[size]=50"),
            format!(
                "SELECT * {live} AND seq IN (SELECT rowid FROM directory_users_search WHERE directory_users_search MATCH
                 '{{email_folded}} : \"{rare}\"') ORDER BY last_name_folded, last_name, id LIMIT 50"
            ),
        ),
        case(
            "state, by last name, 100",
            "?filter[state]=active&sort=last_name&page[size]=100",
            format!("SELECT * {live} AND +state = 'active' ORDER BY last_name_folded, last_name, id {limit}"),
        ),
        case(
            "page with manager, identities, two counts",
            "?page[size]=100&include=manager-user,directory-identities,direct-report-users-count,policy-users-count",
            format!(
                "SELECT u.*, m.*, i.* FROM (SELECT * {live} ORDER BY id {limit}) u
                 LEFT JOIN directory_users m ON m.id = u.manager_id
                 LEFT JOIN directory_identities i ON i.directory_user_id = u.id"
            ),
        ),
        case(
            "page at nine tenths by number",
            &format!("?page={deep}&page[size]=100"),
            format!("SELECT * {live} ORDER BY id {limit} OFFSET {skipped}"),
        ),
        case("one record by id", &format!("/{id}"), format!("SELECT * FROM directory_users WHERE id = '{id}'")),
    ])
}
