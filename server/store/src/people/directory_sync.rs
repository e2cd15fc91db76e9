//! People as an import compares them and an export writes them: their rows, what has changed of them, what they belong to.

use std::str::FromStr as _;

use rollcall::Timestamp;
use rollcall::model::{DirectoryIdentity, DirectoryUser, DirectoryUserState as State, LogAction};
use serde_json::Value;

use crate::change::chunks::CHUNK;
use crate::change::fields::Fields;
use crate::change::unit::Unit;
use crate::dialect::{Cells, Connection};
use crate::error::{Error, Result};
use crate::lifecycle::shown_state;
use crate::sql::Sql;
use crate::tables::table::Stored;

/// What a file can say of a directory user.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonRow {
    /// The state shown.
    pub state: State,
    /// When the user expires or expired.
    pub expires_at: Option<Timestamp>,
    /// The first name.
    pub first_name: String,
    /// The last name.
    pub last_name: String,
    /// The full name.
    pub full_name: String,
    /// The email.
    pub email: String,
    /// The username.
    pub username: String,
    /// The badge identifier.
    pub badge_id: Option<String>,
    /// The employee identifier.
    pub employee_id: Option<String>,
    /// The alternative employee identifier.
    pub employee_alt_id: Option<String>,
    /// The id of the manager.
    pub manager_id: Option<String>,
    /// The metadata, an object.
    pub metadata: Value,
}

/// The columns of [`PersonRow`], in order.
const KEPT: &str =
    "u.state, u.expires_at, u.first_name, u.last_name, u.full_name, u.email, u.username, u.badge_id,
    u.employee_id, u.employee_alt_id, u.manager_id, u.metadata";

type Text = (&'static str, fn(&PersonRow) -> Option<&str>);

/// The texts among them, which have folded twins.
const TEXTS: [Text; 8] = [
    ("first_name", |kept| Some(&kept.first_name)),
    ("last_name", |kept| Some(&kept.last_name)),
    ("full_name", |kept| Some(&kept.full_name)),
    ("email", |kept| Some(&kept.email)),
    ("username", |kept| Some(&kept.username)),
    ("badge_id", |kept| kept.badge_id.as_deref()),
    ("employee_id", |kept| kept.employee_id.as_deref()),
    ("employee_alt_id", |kept| kept.employee_alt_id.as_deref()),
];

impl PersonRow {
    fn read(cells: &mut Cells<'_, '_>, now: Timestamp) -> Result<Self> {
        let (stored, expires_at) = (cells.string()?, cells.timestamp_or_null()?);
        Ok(Self {
            state: state(&stored, expires_at, now)?,
            expires_at,
            first_name: cells.string()?,
            last_name: cells.string()?,
            full_name: cells.string()?,
            email: cells.string()?,
            username: cells.string()?,
            badge_id: cells.string_or_null()?,
            employee_id: cells.string_or_null()?,
            employee_alt_id: cells.string_or_null()?,
            manager_id: cells.string_or_null()?,
            metadata: cells.json()?,
        })
    }

    /// The columns in which this differs from what was there before, and what a person calls them.
    pub fn changes(&self, before: Option<&Self>, now: Timestamp) -> (Fields, Vec<&'static str>) {
        let (mut fields, mut names) = (Fields::new(), Vec::new());
        for (column, of) in TEXTS {
            if before.is_none_or(|before| of(before) != of(self)) {
                fields = fields.text_or_null(column, of(self));
                names.push(column);
            }
        }
        if before.is_none_or(|before| before.manager_id != self.manager_id) {
            fields = fields.set("manager_id", self.manager_id.as_deref());
            names.push("manager");
        }
        if before.is_none_or(|before| before.metadata != self.metadata) {
            fields = fields.values("metadata", &self.metadata);
            names.push("metadata");
        }
        if before.is_none_or(|before| (before.state, before.expires_at) != (self.state, self.expires_at)) {
            fields = fields
                .set("state", self.state.to_string())
                .set("expires_at", self.expires_at)
                .set(
                    "expired_at",
                    self.expires_at.filter(|_| self.state == State::Expired),
                )
                .set(
                    "deactivated_at",
                    (self.state == State::Deactivated).then_some(now),
                );
            names.push("state");
        }
        (fields, names)
    }
}

fn state(stored: &str, expires_at: Option<Timestamp>, now: Timestamp) -> Result<State> {
    let shown = shown_state(stored, expires_at, now);
    State::from_str(shown).map_err(|why| Error::Corrupt(format!("state {shown:?}: {why}")))
}

/// The user with this id.
pub fn kept(connection: &Connection, id: &str, now: Timestamp) -> Result<Option<PersonRow>> {
    let mut sql = Sql::new([
        "SELECT ",
        KEPT,
        " FROM ",
        DirectoryUser::TABLE,
        " u WHERE u.id = ",
    ]);
    sql.bind(id);
    connection.first(&sql, |cells| PersonRow::read(cells, now))
}

/// A directory identity: a user as an integration knows them.
#[derive(Clone, Debug, PartialEq)]
pub struct Identity {
    /// The user.
    pub user: String,
    /// The state shown.
    pub state: State,
    /// When it expires or expired.
    pub expires_at: Option<Timestamp>,
    /// The full name.
    pub full_name: String,
    /// The email.
    pub email: String,
    /// The names of the attributes by dimension, an object.
    pub org: Value,
}

impl Identity {
    /// The columns in which this differs from what was there before.
    pub fn changes(&self, before: Option<&Self>) -> Fields {
        let mut fields = Fields::new();
        if before.is_none_or(|before| before.user != self.user) {
            fields = fields.set("directory_user_id", self.user.as_str());
        }
        if before.is_none_or(|before| (before.state, before.expires_at) != (self.state, self.expires_at)) {
            fields = fields
                .set("state", self.state.to_string())
                .set("expires_at", self.expires_at);
        }
        if before.is_none_or(|before| before.full_name != self.full_name) {
            fields = fields.text("full_name", &self.full_name);
        }
        if before.is_none_or(|before| before.email != self.email) {
            fields = fields.text("email", &self.email);
        }
        if before.is_none_or(|before| before.org != self.org) {
            fields = fields.set("org", self.org.to_string());
        }
        fields
    }
}

/// The id and content of the identity under which an integration knows somebody.
pub fn identity(
    connection: &Connection,
    integration: &str,
    key: &str,
    now: Timestamp,
) -> Result<Option<(String, Identity)>> {
    let mut sql = Sql::new(
        "SELECT i.id, i.directory_user_id, i.state, i.expires_at, i.full_name, i.email, i.org FROM ",
    );
    sql.push([DirectoryIdentity::TABLE, " i WHERE i.workspace_integration_id = "]);
    sql.bind(integration).push(" AND i.vendor_id = ").bind(key);
    connection.first(&sql, |cells| {
        let id = cells.string()?;
        let (user, stored, expires_at) = (cells.string()?, cells.string()?, cells.timestamp_or_null()?);
        let identity = Identity {
            user,
            state: state(&stored, expires_at, now)?,
            expires_at,
            full_name: cells.string()?,
            email: cells.string()?,
            org: cells.json()?,
        };
        Ok((id, identity))
    })
}

/// Writes the org of the identities by which an integration knows a user.
pub fn describe_identities(unit: &mut Unit<'_>, user: &str, integration: &str, org: &Value) -> Result<()> {
    let mut sql = Sql::new(["UPDATE ", DirectoryIdentity::TABLE, " SET org = "]);
    sql.bind(org.to_string()).push(", updated_at = ").bind(unit.now());
    sql.push(" WHERE directory_user_id = ").bind(user);
    sql.push(" AND workspace_integration_id = ").bind(integration);
    unit.execute(&sql).map(drop)
}

/// Notes what the entries of an integration call a user, so that a later file can refer to the user by it.
pub fn call(unit: &mut Unit<'_>, integration: &str, user: &str, name: &str) -> Result<()> {
    let of = || Fields::new().set("workspace_integration_id", integration);
    unit.insert(
        "import_names",
        &of().set("name", name).set("directory_user_id", user),
    )
}

/// Forgets whom the entries of an integration call by a name, and what they call a user.
pub fn forget_names(unit: &mut Unit<'_>, integration: &str, user: &str, name: &str) -> Result<()> {
    let of = || Fields::new().set("workspace_integration_id", integration);
    unit.delete("import_names", &of().set("name", name))?;
    unit.delete("import_names", &of().set("directory_user_id", user))
}

/// That a user has an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The user.
    pub user: String,
    /// The attribute.
    pub attribute: String,
    /// The handle of its dimension.
    pub dimension: String,
    /// Its name.
    pub name: String,
}

/// The attributes of these users, by user, dimension and name; soft-deleted attributes are left out, as in `org`.
pub fn memberships<'i>(
    connection: &Connection,
    users: impl IntoIterator<Item = &'i str>,
) -> Result<Vec<Membership>> {
    let mut sql = Sql::new(
        "SELECT x.directory_user_id, x.directory_attribute_id, d.handle, t.name FROM user_attributes x
         JOIN directory_attributes t ON t.id = x.directory_attribute_id AND t.deleted_at IS NULL
         JOIN directory_dimensions d ON d.id = t.directory_dimension_id
         WHERE x.directory_user_id IN ",
    );
    sql.bind_all(users).push(" ORDER BY 1, 3, 4, 2");
    connection.query(&sql, |cells| {
        let (user, attribute) = (cells.string()?, cells.string()?);
        let (dimension, name) = (cells.string()?, cells.string()?);
        Ok(Membership {
            user,
            attribute,
            dimension,
            name,
        })
    })
}

/// Gives a user an attribute.
pub fn add_membership(unit: &mut Unit<'_>, user: &str, attribute: &str) -> Result<()> {
    unit.insert(MEMBERSHIPS, &membership(user, attribute))
}

/// Takes an attribute from a user.
pub fn remove_membership(unit: &mut Unit<'_>, user: &str, attribute: &str) -> Result<()> {
    unit.delete(MEMBERSHIPS, &membership(user, attribute))
}

const MEMBERSHIPS: &str = "user_attributes";

fn membership(user: &str, attribute: &str) -> Fields {
    Fields::new()
        .set("directory_user_id", user)
        .set("directory_attribute_id", attribute)
}

/// A live user as an export writes them.
#[derive(Clone, Debug)]
pub struct Exported {
    /// The id.
    pub id: String,
    /// The row.
    pub kept: PersonRow,
    /// What the integration calls the user, else the id.
    pub key: String,
    /// What it calls the manager, else their id; none where the manager is soft-deleted.
    pub manager: Option<String>,
}

/// The next live users after an id, in order of ids.
pub fn exported(
    connection: &Connection,
    integration: &str,
    after: &str,
    now: Timestamp,
) -> Result<Vec<Exported>> {
    let mut sql = select_exported(integration);
    sql.push(" WHERE u.deleted_at IS NULL AND u.id > ");
    sql.bind(after).push(" ORDER BY u.id LIMIT ").bind(CHUNK as i64);
    connection.query(&sql, |cells| Exported::read(cells, now))
}

/// The user with this id, soft-deleted or not.
pub fn exported_user(
    connection: &Connection,
    integration: &str,
    id: &str,
    now: Timestamp,
) -> Result<Option<Exported>> {
    let mut sql = select_exported(integration);
    sql.push(" WHERE u.id = ").bind(id);
    connection.first(&sql, |cells| Exported::read(cells, now))
}

fn select_exported(integration: &str) -> Sql {
    let users = DirectoryUser::TABLE;
    let push_key = |sql: &mut Sql, user: &'static str| {
        sql.push([
            "COALESCE((SELECT i.vendor_id FROM ",
            DirectoryIdentity::TABLE,
            " i",
        ])
        .push([
            " WHERE i.directory_user_id = ",
            user,
            ".id AND i.deleted_at IS NULL",
        ])
        .push(" AND i.integration_handle = ")
        .bind(integration)
        .push([" ORDER BY i.id LIMIT 1), ", user, ".id)"]);
    };
    let mut sql = Sql::new(["SELECT u.id, ", KEPT, ", "]);
    push_key(&mut sql, "u");
    sql.push(", (SELECT ");
    push_key(&mut sql, "m");
    sql.push([
        " FROM ",
        users,
        " m WHERE m.id = u.manager_id AND m.deleted_at IS NULL) FROM ",
        users,
        " u",
    ]);
    sql
}

impl Exported {
    fn read(cells: &mut Cells<'_, '_>, now: Timestamp) -> Result<Self> {
        Ok(Self {
            id: cells.string()?,
            kept: PersonRow::read(cells, now)?,
            key: cells.string()?,
            manager: cells.string_or_null()?,
        })
    }
}

/// Soft-deletes a user and the identities by which integrations know them, or undoes that. An identity that was soft-deleted at
/// another time stays so.
pub fn set_deleted(unit: &mut Unit<'_>, user: &str, is_deleted: bool) -> Result<()> {
    let now = unit.now();
    let fields = Fields::new()
        .set("deleted_at", is_deleted.then_some(now))
        .set("updated_at", now);
    let mut sql = Sql::new(["SELECT i.id FROM ", DirectoryIdentity::TABLE]);
    sql.push([" i JOIN ", DirectoryUser::TABLE]);
    sql.push(
        " u ON u.id = i.directory_user_id AND u.deleted_at IS NOT DISTINCT FROM i.deleted_at WHERE u.id = ",
    );
    sql.bind(user);
    for identity in unit.connection().query(&sql, |cells| cells.string())? {
        unit.update(DirectoryIdentity::TABLE, &identity, &fields)?;
    }
    unit.update(DirectoryUser::TABLE, user, &fields)?;
    unit.mark_memberships_dirty(user);
    let (action, what) = match is_deleted {
        true => (LogAction::Deleted, "soft-deleted"),
        false => (LogAction::Restored, "restored"),
    };
    unit.log_transition(action, user, format!("Directory user was {what}."))
}
