//! Tokens in use: the workspace user and the scopes that a secret stands for (A1).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rollcall::Timestamp;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq;

use crate::dialect::Connection;
use crate::error::Result;
use crate::lifecycle::{ACTIVE, EXPIRING};
use crate::sql::{Sql, Word};

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
         JOIN workspace_users u ON u.id = t.workspace_user_id AND u.deleted_at IS NULL AND u.state IN (",
    );
    sql.push(Word(ACTIVE))
        .push(", ")
        .push(Word(EXPIRING))
        .push(")\n         WHERE t.expires_at > ");
    sql.bind(now)
        .push(" AND (u.expires_at IS NULL OR u.expires_at > ");
    sql.bind(now).push(")");
}

/// Whether nobody could restore a workspace user any more if this one were deprecated: it has a token in use that may, and
/// no other that stays active has (O9).
pub fn is_last_way_in(connection: &Connection, id: &str, now: Timestamp) -> Result<bool> {
    let scope = rollcall::operations::RESTORE_WORKSPACE_USER.scope;
    let may_restore = |of_others: bool| {
        let mut sql = Sql::new("SELECT 1");
        push_in_use(&mut sql, now);
        sql.push(" AND ' ' || s.scopes || ' ' LIKE ")
            .bind(format!("% {scope} %"));
        match of_others {
            true => sql
                .push(" AND u.state = ")
                .push(Word(ACTIVE))
                .push(" AND t.workspace_user_id <> "),
            false => sql.push(" AND t.workspace_user_id = "),
        };
        sql.bind(id).push(" LIMIT 1");
        connection.first(&sql, |cells| cells.int())
    };
    let own = may_restore(false)?;
    Ok(own.is_some() && may_restore(true)?.is_none())
}

/// A digest as it is stored.
pub(crate) fn encoded(digest: &Digest) -> String {
    URL_SAFE_NO_PAD.encode(digest)
}
