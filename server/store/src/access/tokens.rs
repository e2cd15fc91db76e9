//! Tokens of the API: random, kept as a hash, of a workspace user, with scopes and an end (A1).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rollcall::Timestamp;
use rollcall::lists::WorkspaceTokens;
use rollcall::model::{LifecycleState, LogAction, WorkspaceItem};

use crate::change::fields::Fields;
use crate::change::log::LogEntry;
use crate::change::unit::Unit;
use crate::dialect::Connection;
use crate::error::{Error, Result};
use crate::grant::{digest, encoded};
use crate::render::{push_columns, read};
use crate::sql::Sql;
use crate::tables::kind;
use crate::tables::resource::Resource;
use crate::tables::table::{ReadContext, RecordType, Stored as _};

/// How tokens begin, so that scanners for leaked secrets know them.
const MARK: &str = "rollcall_";
/// The prefix of a token's id; the type of its id has four.
const PREFIX: &str = "wstok_";

/// What a new token is to be.
#[derive(Clone, Debug)]
pub struct NewToken<'t> {
    /// A name to know it by.
    pub name: &'t str,
    /// The workspace user it belongs to.
    pub owner: &'t str,
    /// Its scopes.
    pub scopes: &'t [String],
    /// When it ends.
    pub expires_at: Timestamp,
    /// The secret to use, for a demo that is to be repeated; else a random one.
    pub secret: Option<&'t str>,
}

/// The scopes there are: those the operations of the contract ask for.
pub fn scopes() -> Vec<&'static str> {
    let mut scopes: Vec<_> = rollcall::operations::ALL
        .iter()
        .map(|operation| operation.scope)
        .collect();
    scopes.sort_unstable();
    scopes.dedup();
    scopes
}

/// 256 bits that nobody can guess, as a token is written.
pub fn secret(ids: &mut crate::ids::Ids) -> String {
    [MARK, &URL_SAFE_NO_PAD.encode(ids.secret())].concat()
}

/// Makes a token; gives its secret, which is nowhere else.
pub fn create(unit: &mut Unit<'_>, token: &NewToken<'_>) -> Result<String> {
    let now = unit.now();
    let secret = match token.secret {
        Some(secret) => secret.to_owned(),
        None => secret(unit.ids),
    };
    let id = unit.ids.with_prefix(PREFIX, now);
    let fields = Fields::new()
        .set("id", id.as_str())
        .set("kind", kind::TOKEN)
        .set("workspace_user_id", token.owner)
        .text("name", token.name)
        .set("state", LifecycleState::Expiring.to_string())
        .set("created_at", now)
        .set("updated_at", now)
        .set("expires_at", token.expires_at);
    unit.insert(WorkspaceItem::TABLE, &fields)?;
    let fields = Fields::new()
        .set("id", id.as_str())
        .set("hash", encoded(&digest(&secret)))
        .set("scopes", token.scopes.join(" "));
    unit.insert("token_secrets", &fields)?;
    let message = format!("Token {:?} was created.", token.name);
    let entry = LogEntry {
        action: LogAction::Created,
        record: &id,
        parent: Some(token.owner),
        related: None,
        subject: None,
        message,
    };
    unit.log(&entry)?;
    Ok(secret)
}

/// Takes a token out of use.
pub fn revoke(unit: &mut Unit<'_>, id: &str) -> Result<()> {
    let mut sql = Sql::new("SELECT workspace_user_id FROM workspace_items t WHERE id = ");
    sql.bind(id)
        .push(" AND kind = ")
        .bind(kind::TOKEN)
        .push(" AND deleted_at IS NULL");
    let owner = unit
        .connection()
        .first(&sql, |cells| cells.string())?
        .ok_or(Error::NotFound)?;
    let now = unit.now();
    let fields = Fields::new()
        .set("state", LifecycleState::Deactivated.to_string())
        .set("updated_at", now)
        .set("deleted_at", now);
    unit.update(WorkspaceItem::TABLE, id, &fields)?;
    let message = "Token was revoked.".to_owned();
    unit.log(&LogEntry {
        action: LogAction::Deleted,
        record: id,
        parent: Some(&owner),
        related: None,
        subject: None,
        message,
    })
}

/// A token as its operator sees it; the secret is nowhere.
#[derive(Clone, Debug)]
pub struct ListedToken {
    /// The record.
    pub item: WorkspaceItem,
    /// Its scopes, with a space between them.
    pub scopes: String,
    /// The email of the workspace user it belongs to.
    pub owner: String,
}

/// The tokens that are not revoked.
pub fn all(connection: &Connection, now: Timestamp) -> Result<Vec<ListedToken>> {
    let reading = ReadContext {
        now,
        base: "",
        lapsed: false,
        overdue: true,
        memory: None,
    };
    let mut sql = Sql::new("SELECT ");
    push_columns(&mut sql, RecordType::of::<WorkspaceItem>(), &reading);
    sql.push(
        ", s.scopes, u.email FROM workspace_items t JOIN token_secrets s ON s.id = t.id
         JOIN workspace_users u ON u.id = t.workspace_user_id WHERE t.deleted_at IS NULL",
    );
    <WorkspaceTokens as Resource>::SCOPE.push(&mut sql, "t", now);
    sql.push(" ORDER BY t.id");
    connection.query(&sql, |cells| {
        let item = read::<WorkspaceItem>(cells, &reading)?;
        Ok(ListedToken {
            item,
            scopes: cells.string()?,
            owner: cells.string()?,
        })
    })
}
