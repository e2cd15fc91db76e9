//! Changes of state: read, check what the caller asked to be checked, apply the lifecycle, log, answer the new record.

use rollcall::Timestamp;
use rollcall::http::Json;
use rollcall::list::List;
use rollcall::lists::{DirectoryAttributes, DirectoryUsers, WorkspaceUsers};
use rollcall::model::{DeprecateRequest, DirectoryUserState, LogAction, WorkspaceItem, WorkspaceUser};

use crate::change::fields::Fields;
use crate::change::idempotency::{self, Preconditions};
use crate::change::unit::Unit;
use crate::error::{Error, Result};
use crate::grant::is_last_way_in;
use crate::lifecycle::{self, EXPIRED, Illegal, Lifecycle, Next};
use crate::query::list::get;
use crate::sql::Sql;
use crate::tables::kind;
use crate::tables::resource::Resource;
use crate::tables::table::Stored;

const WORKSPACE_ITEMS: &str = <WorkspaceItem as Stored>::TABLE;

/// A list of records whose state changes.
pub trait HasLifecycle: Resource {
    /// Writes what came of it, and what belongs to it.
    fn apply_transition(unit: &mut Unit<'_>, id: &str, next: Next, action: LogAction) -> Result<()>;
}

/// Activates a record (O2).
pub fn activate<R: HasLifecycle>(
    unit: &mut Unit<'_>,
    terms: &Preconditions,
    id: &str,
) -> Result<Json<R::Record>> {
    change::<R>(unit, terms, id, |unit, present| {
        match present.activate().map_err(illegal)? {
            Some(next) => R::apply_transition(unit, id, next, LogAction::Activated),
            // The record is as asked for.
            None => Ok(()),
        }
    })
}

/// Deprecates a record (§4.3, O9).
pub fn deprecate<R: HasLifecycle>(
    unit: &mut Unit<'_>,
    terms: &Preconditions,
    id: &str,
    body: DeprecateRequest,
) -> Result<Json<R::Record>> {
    change::<R>(unit, terms, id, |unit, present| {
        let expires_at = lifecycle::expiry(body, unit.now()).map_err(Error::BadExpiry)?;
        let next = present.deprecate(expires_at, unit.now()).map_err(illegal)?;
        R::apply_transition(unit, id, next, LogAction::Deprecated)
    })
}

/// Restores a workspace user, with or without the roles held before (§4.2, O7, O8).
pub fn restore(
    unit: &mut Unit<'_>,
    terms: &Preconditions,
    id: &str,
    roles: bool,
) -> Result<Json<WorkspaceUser>> {
    change::<WorkspaceUsers>(unit, terms, id, |unit, present| {
        let next = present.restore().map_err(illegal)?;
        if roles {
            attach_roles(unit, id, true)?;
        } else {
            give_up_roles(unit, id)?;
        }
        WorkspaceUsers::apply_transition(unit, id, next, LogAction::Restored)
    })
}

fn change<R: HasLifecycle>(
    unit: &mut Unit<'_>,
    terms: &Preconditions,
    id: &str,
    act: impl FnOnce(&mut Unit<'_>, Lifecycle) -> Result<()>,
) -> Result<Json<R::Record>> {
    if let Some(kept) = idempotency::kept_answer(unit, terms)? {
        return Ok(kept);
    }
    let answer = change_now::<R>(unit, terms, id, act);
    idempotency::keep_answer(unit, terms, &answer)?;
    answer
}

/// Makes a change. A refusal comes before anything is written.
fn change_now<R: HasLifecycle>(
    unit: &mut Unit<'_>,
    terms: &Preconditions,
    id: &str,
    act: impl FnOnce(&mut Unit<'_>, Lifecycle) -> Result<()>,
) -> Result<Json<R::Record>> {
    let present = read_lifecycle::<R>(unit, id)?;
    if let Some(wanted) = &terms.conditions.if_match
        && !wanted.allow_change(&record::<R>(unit, id)?.etag())
    {
        return Err(Error::Changed);
    }
    act(unit, present)?;
    unit.recompute_derived()?;
    record::<R>(unit, id)
}

fn record<R: Resource>(unit: &Unit<'_>, id: &str) -> Result<Json<R::Record>> {
    get::<R>(unit.connection(), &unit.reading()?, id)?.ok_or(Error::NotFound)
}

/// What a transition looks at.
fn read_lifecycle<R: HasLifecycle>(unit: &Unit<'_>, id: &str) -> Result<Lifecycle> {
    let mut sql = Sql::new([
        "SELECT state, expires_at, deleted_at FROM ",
        R::Record::TABLE,
        " WHERE id = ",
    ]);
    let found = unit.connection().first(sql.bind(id), |cells| {
        let (stored, expires_at) = (cells.string()?, cells.timestamp_or_null()?);
        let shown = lifecycle::shown_state(&stored, expires_at, unit.now());
        Ok(Lifecycle {
            state: shown
                .parse()
                .map_err(|_| Error::Corrupt(format!("state {shown:?}")))?,
            expires_at,
            deleted_at: cells.timestamp_or_null()?,
        })
    })?;
    found.ok_or(Error::NotFound)
}

fn illegal(why: Illegal) -> Error {
    Error::Illegal(why.to_string())
}

fn fields(next: Next, now: Timestamp) -> Fields {
    Fields::new()
        .set("state", next.state.to_string())
        .set("expires_at", next.expires_at)
        .set("deleted_at", next.deleted_at)
        .set("updated_at", now)
}

fn message(what: &str, action: LogAction, next: Next) -> String {
    match next.expires_at {
        Some(expiry) => format!("{what} was {action}; it expires at {expiry}."),
        None => format!("{what} was {action}."),
    }
}

impl HasLifecycle for DirectoryUsers {
    fn apply_transition(unit: &mut Unit<'_>, id: &str, next: Next, action: LogAction) -> Result<()> {
        let now = unit.now();
        let expired_at = next.expires_at.filter(|_| next.state.to_string() == EXPIRED);
        let fields = fields(next, now)
            .set("expired_at", expired_at)
            .set("deactivated_at", None::<Timestamp>);
        unit.update(<Self as List>::Record::TABLE, id, &fields)?;
        unit.log_transition(action, id, message("Directory user", action, next))?;
        unit.mark_user_dirty(id);
        Ok(())
    }
}

impl HasLifecycle for WorkspaceUsers {
    fn apply_transition(unit: &mut Unit<'_>, id: &str, next: Next, action: LogAction) -> Result<()> {
        let now = unit.now();
        if next.state != DirectoryUserState::Active {
            if is_last_way_in(unit.connection(), id, now)? {
                return Err(Error::LastWayIn);
            }
            attach_roles(unit, id, false)?;
        }
        unit.update(<Self as List>::Record::TABLE, id, &fields(next, now))?;
        unit.log_transition(action, id, message("Workspace user", action, next))
    }
}

impl HasLifecycle for DirectoryAttributes {
    fn apply_transition(unit: &mut Unit<'_>, id: &str, next: Next, action: LogAction) -> Result<()> {
        let now = unit.now();
        let mut fields = fields(next, now);
        if action == LogAction::Activated {
            fields = fields.set("activated_at", now);
        }
        unit.update(<Self as List>::Record::TABLE, id, &fields)?;
        unit.log_transition(action, id, message("Attribute", action, next))?;
        unit.mark_attribute_dirty(id)
    }
}

/// Attaches the roles of a workspace user, or detaches and keeps them (O8).
fn attach_roles(unit: &mut Unit<'_>, id: &str, attached: bool) -> Result<()> {
    let fields = Fields::new()
        .set("is_attached", attached)
        .set("updated_at", unit.now());
    for role in roles(unit, id, Some(!attached))? {
        unit.update(WORKSPACE_ITEMS, &role, &fields)?;
    }
    Ok(())
}

/// Takes the roles of a workspace user away for good: a later restore does not find them, for they were not held when it
/// was deprecated again (O8).
fn give_up_roles(unit: &mut Unit<'_>, id: &str) -> Result<()> {
    let now = unit.now();
    let fields = Fields::new()
        .set("is_attached", false)
        .set("deleted_at", now)
        .set("updated_at", now);
    for role in roles(unit, id, None)? {
        unit.update(WORKSPACE_ITEMS, &role, &fields)?;
    }
    Ok(())
}

/// The roles of a workspace user: those that are attached, those that are not, or all.
fn roles(unit: &Unit<'_>, id: &str, attached: Option<bool>) -> Result<Vec<String>> {
    let mut sql = Sql::new("SELECT id FROM workspace_items WHERE workspace_user_id = ");
    sql.bind(id).push(" AND kind = ").bind(kind::ROLE);
    sql.push(" AND deleted_at IS NULL");
    if let Some(attached) = attached {
        sql.push(" AND is_attached = ").bind(attached);
    }
    unit.connection().query(&sql, |cells| cells.string())
}
