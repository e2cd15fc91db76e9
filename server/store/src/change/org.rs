//! How `org` of a user follows from their attributes (P2). Derived here, typed in nowhere.

use std::collections::{BTreeMap, HashMap};

use crate::change::chunks::each_chunk;
use crate::dialect::Connection;
use crate::error::Result;
use crate::fold::searchable;
use crate::sql::{Sql, Value};

/// Works out `org` of these users from their attributes (P2).
pub fn describe(connection: &Connection, users: &[String]) -> Result<()> {
    let mut sql = Sql::new(
        "SELECT x.directory_user_id, d.handle, t.name FROM user_attributes x
         JOIN directory_attributes t ON t.id = x.directory_attribute_id AND t.deleted_at IS NULL
         JOIN directory_dimensions d ON d.id = t.directory_dimension_id
         WHERE x.directory_user_id IN ",
    );
    sql.bind_all(users.iter().map(String::as_str))
        .push(" ORDER BY 1, 2, t.name");
    let mut orgs: HashMap<String, BTreeMap<String, Vec<String>>> = HashMap::new();
    connection.query(&sql, |cells| {
        let (user, dimension, name) = (cells.string()?, cells.string()?, cells.string()?);
        orgs.entry(user)
            .or_default()
            .entry(dimension)
            .or_default()
            .push(name);
        Ok(())
    })?;
    let described = users.iter().map(|user| {
        let org = orgs.remove(user).unwrap_or_default();
        let org: serde_json::Map<_, _> = org
            .into_iter()
            .map(|(dimension, names)| (dimension, names.join(", ").into()))
            .collect();
        let org = serde_json::Value::Object(org);
        vec![
            user.as_str().into(),
            org.to_string().into(),
            searchable(&org).into(),
        ]
    });
    let described: Vec<Vec<Value>> = described.collect();
    if !described.is_empty() {
        let mut sql = Sql::update_rows("directory_users", &["org", "org_folded"], described);
        connection.execute(sql.push(" AND directory_users.org <> v.column2"))?;
    }
    Ok(())
}

/// Works out `org` of all users.
pub fn describe_all(connection: &Connection) -> Result<()> {
    each_chunk(connection, |users| describe(connection, users))
}
