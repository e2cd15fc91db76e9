//! Tokens of the API: random, kept as a hash, of a workspace user, with scopes and an end (A1).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rollcall::Timestamp;
use rollcall::lists::WorkspaceTokens;
use rollcall::model::{LifecycleState, LogAction, WorkspaceItem};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq;

use crate::store::change::log::LogEntry;
use crate::store::change::unit::{Fields, Unit};
use crate::store::dialect::Connection;
use crate::store::error::{Error, Result};
use crate::store::render::{push_columns, read};
use crate::store::sql::Sql;
use crate::store::tables::kind;
use crate::store::tables::table::{ReadContext, Resource, Stored as _};

/// What a token may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The token's id.
    pub token: String,
    /// The workspace user it belongs to.
    pub owner: String,
    /// Its scopes.
    pub scopes: Vec<String>,
}

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
        .set("hash", hash(&secret))
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
        remembered: None,
    };
    let mut sql = Sql::new("SELECT ");
    push_columns::<WorkspaceItem>(&mut sql, &reading);
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

/// The digest of a secret, by which the store knows it.
pub(crate) type Digest = [u8; 32];

pub(crate) fn digest(secret: &str) -> Digest {
    Sha256::digest(secret.as_bytes()).into()
}

/// Whose token this is, if it is one that is in use: not revoked, not expired, of a workspace user who may sign in. Comes
/// with the timestamp at which time alone ends that.
pub(crate) fn find(
    connection: &Connection,
    digest: &Digest,
    now: Timestamp,
) -> Result<Option<(Grant, Timestamp)>> {
    let hash = encoded(digest);
    let mut sql = Sql::new(
        "SELECT s.hash, t.id, t.workspace_user_id, s.scopes, {least t.expires_at, coalesce(u.expires_at, t.expires_at)}",
    );
    push_in_use(&mut sql, now);
    sql.push(" AND s.hash = ").bind(hash.as_str());
    let found = connection.first(&sql, |cells| {
        let kept = cells.string()?;
        let grant = Grant {
            token: cells.string()?,
            owner: cells.string()?,
            scopes: cells.text()?.split(' ').map(str::to_owned).collect(),
        };
        Ok((kept, grant, cells.timestamp()?))
    })?;
    // The index has compared hashes already; what is compared here takes the same time for any other.
    Ok(found
        .filter(|(kept, ..)| kept.as_bytes().ct_eq(hash.as_bytes()).into())
        .map(|(_, grant, until)| (grant, until)))
}

/// Whose token this is, if it is one that is in use.
pub fn grant(connection: &Connection, secret: &str, now: Timestamp) -> Result<Option<Grant>> {
    Ok(find(connection, &digest(secret), now)?.map(|(grant, _)| grant))
}

/// Adds the tables of a token `t`, its secret `s` and its owner `u`, and the condition that it is in use: not revoked, not
/// expired, of a workspace user who may sign in.
fn push_in_use(sql: &mut Sql, now: Timestamp) {
    sql.push(
        " FROM token_secrets s
         JOIN workspace_items t ON t.id = s.id AND t.deleted_at IS NULL
         JOIN workspace_users u ON u.id = t.workspace_user_id AND u.deleted_at IS NULL AND u.state IN ('active', 'expiring')
         WHERE t.expires_at > ",
    );
    sql.bind(now)
        .push(" AND (u.expires_at IS NULL OR u.expires_at > ");
    sql.bind(now).push(")");
}

/// Whether nobody could restore a workspace user any more if this one were deprecated: it has a token in use that may, and
/// no other that stays active has (O9).
pub fn is_last_way_in(connection: &Connection, id: &str, now: Timestamp) -> Result<bool> {
    let scope = rollcall::operations::RESTORE_WORKSPACE_USER.scope;
    let may_restore = |whose: &'static str| {
        let mut sql = Sql::new("SELECT 1");
        push_in_use(&mut sql, now);
        sql.push(" AND ' ' || s.scopes || ' ' LIKE ")
            .bind(format!("% {scope} %"));
        sql.push(whose).bind(id).push(" LIMIT 1");
        connection.first(&sql, |cells| cells.int())
    };
    let own = may_restore(" AND t.workspace_user_id = ")?;
    Ok(own.is_some() && may_restore(" AND u.state = 'active' AND t.workspace_user_id <> ")?.is_none())
}

fn hash(secret: &str) -> String {
    encoded(&digest(secret))
}

fn encoded(digest: &Digest) -> String {
    URL_SAFE_NO_PAD.encode(digest)
}
