//! What the names in an import file stand for in the store: integrations, users, dimensions, attributes.

use rollcall::model::{
    DirectoryAttribute, DirectoryDimension, DirectoryIdentity, DirectoryUser, WorkspaceIntegration,
};

use crate::dialect::Connection;
use crate::error::Result;
use crate::fold::{fold, identity, letter_case};
use crate::sql::Sql;
use crate::tables::table::Stored;

/// A user a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The id.
    pub id: String,
    /// Whether the user is soft-deleted.
    pub is_trashed: bool,
}

/// The id and vendor of the integration with this handle.
pub fn integration(connection: &Connection, handle: &str) -> Result<Option<(String, String)>> {
    let mut sql = Sql::new([
        "SELECT id, vendor FROM ",
        WorkspaceIntegration::TABLE,
        " WHERE handle = ",
    ]);
    sql.bind(handle);
    connection.first(&sql, |cells| Ok((cells.string()?, cells.string()?)))
}

/// Whether there is an integration at all.
pub fn has_integration(connection: &Connection) -> Result<bool> {
    let sql = Sql::new(["SELECT 1 FROM ", WorkspaceIntegration::TABLE, " LIMIT 1"]);
    Ok(connection.first(&sql, |cells| cells.int())?.is_some())
}

/// How many users there are, soft-deleted ones too.
pub fn users(connection: &Connection) -> Result<i64> {
    let sql = Sql::new(["SELECT count(*) FROM ", DirectoryUser::TABLE]);
    Ok(connection.first(&sql, |cells| cells.int())?.unwrap_or_default())
}

/// The user an integration knows under this key, and whether its entries call the user by this name.
pub fn identified(
    connection: &Connection,
    integration: &str,
    key: &str,
    name: &str,
) -> Result<Option<(Found, bool)>> {
    let mut sql = Sql::new("SELECT u.id, u.deleted_at, n.name FROM ");
    sql.push([DirectoryIdentity::TABLE, " i JOIN ", DirectoryUser::TABLE]);
    sql.push(" u ON u.id = i.directory_user_id LEFT JOIN import_names n ON n.directory_user_id = u.id");
    sql.push(" AND n.workspace_integration_id = i.workspace_integration_id AND n.name = ")
        .bind(name);
    sql.push(" WHERE i.workspace_integration_id = ");
    sql.bind(integration).push(" AND i.vendor_id = ").bind(key);
    connection.first(&sql, |cells| {
        let found = Found {
            id: cells.string()?,
            is_trashed: cells.int_or_null()?.is_some(),
        };
        Ok((found, cells.text_or_null()?.is_some()))
    })
}

/// Whether the entries of an integration call any user by a name.
pub fn has_names(connection: &Connection, integration: &str) -> Result<bool> {
    let mut sql = Sql::new("SELECT 1 FROM import_names WHERE workspace_integration_id = ");
    sql.bind(integration).push(" LIMIT 1");
    Ok(connection.first(&sql, |cells| cells.int())?.is_some())
}

/// The user whom the entries of an integration call by this name.
pub fn named(connection: &Connection, integration: &str, name: &str) -> Result<Option<Found>> {
    let mut sql = Sql::new("SELECT u.id, u.deleted_at FROM import_names n JOIN ");
    sql.push([DirectoryUser::TABLE, " u ON u.id = n.directory_user_id"]);
    sql.push(" WHERE n.workspace_integration_id = ");
    sql.bind(integration).push(" AND n.name = ").bind(name);
    found(connection, &sql)
}

/// A user whom an operator may mean by a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Who it is.
    pub found: Found,
    /// The email.
    pub email: String,
    /// The handle of the integration that the user comes from.
    pub integration: String,
}

/// The live users whom a name may mean, else the soft-deleted ones: a name is the id of a user, an email, or a
/// key by which an integration knows the user.
pub fn candidates(connection: &Connection, name: &str) -> Result<Vec<Candidate>> {
    let mut sql = Sql::new([
        "SELECT u.id, u.deleted_at, u.email, g.handle FROM ",
        DirectoryUser::TABLE,
    ]);
    sql.push([" u JOIN ", WorkspaceIntegration::TABLE]);
    sql.push(" g ON g.id = u.workspace_integration_id WHERE u.id IN (SELECT id FROM ");
    sql.push([DirectoryUser::TABLE, " WHERE email_folded = "])
        .bind(fold(name));
    sql.push(" UNION ALL SELECT id FROM ");
    sql.push([DirectoryUser::TABLE, " WHERE id = "]).bind(name);
    sql.push(" UNION ALL SELECT directory_user_id FROM ");
    sql.push([DirectoryIdentity::TABLE, " WHERE vendor_id = "])
        .bind(name)
        .push(") ORDER BY u.id");
    let rows = connection.query(&sql, |cells| {
        let found = Found {
            id: cells.string()?,
            is_trashed: cells.int_or_null()?.is_some(),
        };
        let (email, integration) = (cells.string()?, cells.string()?);
        Ok(Candidate {
            found,
            email,
            integration,
        })
    })?;
    // The fold of the search finds more than an identity is.
    let is_meant = |one: &Candidate| fold(&one.email) != fold(name) || identity(&one.email) == identity(name);
    let (trashed, live): (Vec<_>, Vec<_>) = rows
        .into_iter()
        .filter(is_meant)
        .partition(|one| one.found.is_trashed);
    Ok(if live.is_empty() { trashed } else { live })
}

/// The keys by which an integration knows a user.
pub fn keys(connection: &Connection, integration: &str, user: &str) -> Result<Vec<String>> {
    let mut sql = Sql::new(["SELECT vendor_id FROM ", DirectoryIdentity::TABLE]);
    sql.push(" WHERE directory_user_id = ").bind(user);
    sql.push(" AND workspace_integration_id = ").bind(integration);
    connection.query(&sql, |cells| cells.string())
}

/// The user with this id.
pub fn with_id(connection: &Connection, id: &str) -> Result<Option<Found>> {
    let mut sql = Sql::new([
        "SELECT id, deleted_at FROM ",
        DirectoryUser::TABLE,
        " WHERE id = ",
    ]);
    found(connection, sql.bind(id))
}

fn found(connection: &Connection, sql: &Sql) -> Result<Option<Found>> {
    connection.first(sql, |cells| {
        Ok(Found {
            id: cells.string()?,
            is_trashed: cells.int_or_null()?.is_some(),
        })
    })
}

/// The ids of the first two live users of an integration whose email is this one, but for the case of ASCII letters.
pub fn with_email(connection: &Connection, integration: &str, email: &str) -> Result<Vec<String>> {
    with_text(connection, integration, "email", email)
}

/// The ids of the first two live users of an integration whose username is this one, but for the case of ASCII letters.
pub fn with_username(connection: &Connection, integration: &str, username: &str) -> Result<Vec<String>> {
    with_text(connection, integration, "username", username)
}

fn with_text(
    connection: &Connection,
    integration: &str,
    column: &'static str,
    text: &str,
) -> Result<Vec<String>> {
    // By the text alone: an index over the integration would be a poor choice, and one a database might make.
    let mut sql = Sql::new([
        "SELECT id, workspace_integration_id, deleted_at, ",
        column,
        " FROM ",
        DirectoryUser::TABLE,
    ]);
    sql.push([" WHERE ", column, "_folded = "]);
    let rows = connection.query(sql.bind(fold(text)), |cells| {
        Ok((
            cells.string()?,
            cells.text()? == integration,
            cells.int_or_null()?,
            identity(cells.text()?) == identity(text),
        ))
    })?;
    let live = rows
        .into_iter()
        .filter(|(_, ours, deleted_at, is_same)| *ours && deleted_at.is_none() && *is_same);
    Ok(live.map(|(id, ..)| id).take(2).collect())
}

/// The id of the dimension with this handle.
pub fn dimension(connection: &Connection, handle: &str) -> Result<Option<String>> {
    let mut sql = Sql::new(["SELECT id FROM ", DirectoryDimension::TABLE, " WHERE handle = "]);
    connection.first(sql.bind(handle), |cells| cells.string())
}

/// The id and name of the oldest live attribute of this name in a dimension. `folded` ignores the case of letters where no
/// attribute has just this name.
pub fn attribute(
    connection: &Connection,
    dimension: &str,
    name: &str,
    folded: bool,
) -> Result<Option<(String, String)>> {
    let mut sql = Sql::new(["SELECT id, name FROM ", DirectoryAttribute::TABLE]);
    sql.push(" WHERE deleted_at IS NULL AND directory_dimension_id = ");
    sql.bind(dimension).push(" AND name_folded = ").bind(fold(name));
    if !folded {
        sql.push(" AND name = ").bind(name);
    }
    sql.push(" ORDER BY name <> ").bind(name).push(", id");
    let found = connection.query(&sql, |cells| Ok((cells.string()?, cells.string()?)))?;
    let same = letter_case(name);
    Ok(found.into_iter().find(|(_, name)| letter_case(name) == same))
}

/// Whether an attribute of the dimension has this handle, soft-deleted or not.
pub fn has_handle(connection: &Connection, dimension: &str, handle: &str) -> Result<bool> {
    let mut sql = Sql::new([
        "SELECT 1 FROM ",
        DirectoryAttribute::TABLE,
        " WHERE directory_dimension_id = ",
    ]);
    sql.bind(dimension).push(" AND handle = ").bind(handle);
    Ok(connection.first(&sql, |cells| cells.int())?.is_some())
}

/// The live users with this attribute whom an integration knows.
pub fn members(connection: &Connection, attribute: &str, integration: &str) -> Result<Vec<String>> {
    let mut sql = Sql::new("SELECT x.directory_user_id FROM user_attributes x JOIN ");
    sql.push([
        DirectoryUser::TABLE,
        " u ON u.id = x.directory_user_id AND u.deleted_at IS NULL",
    ]);
    sql.push([" WHERE EXISTS (SELECT 1 FROM ", DirectoryIdentity::TABLE]);
    sql.push(" i WHERE i.directory_user_id = x.directory_user_id AND i.workspace_integration_id = ");
    sql.bind(integration)
        .push(") AND x.directory_attribute_id = ")
        .bind(attribute);
    sql.push(" ORDER BY 1");
    connection.query(&sql, |cells| cells.string())
}
