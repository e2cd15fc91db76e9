//! The workspace users that tokens belong to: found by email or id, made by email, brought back when they may not sign in.

use rollcall::Timestamp;
use rollcall::lists::WorkspaceUsers;
use rollcall::model::{
    DirectoryUserState, LifecycleState, LogAction, Provider, WorkspaceUser, WorkspaceUserId,
};

use crate::change::fields::Fields;
use crate::change::log::LogEntry;
use crate::change::operations::HasLifecycle as _;
use crate::change::unit::Unit;
use crate::dialect::Connection;
use crate::error::{Error, Result};
use crate::lifecycle::{Next, shown_state};
use crate::sql::Sql;
use crate::tables::table::Stored;

/// What to do with an owner who may not sign in, so that the token would be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inactive {
    /// It is an error.
    Refuse,
    /// They become active; their roles stay as they are. The log says so.
    Activate,
}

/// A workspace user who may come to own a token.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Candidate {
    id: String,
    /// The state shown now.
    state: String,
    is_trashed: bool,
}

impl Candidate {
    fn may_sign_in(&self) -> bool {
        let states = [LifecycleState::Active, LifecycleState::Expiring];
        !self.is_trashed && states.iter().any(|state| state.to_string() == self.state)
    }
}

/// The id of the workspace user with this email or id; made, as an operator's native account, where nobody has the email.
/// Where several have it, one who may sign in is preferred, then one who is not soft-deleted.
///
/// # Errors
/// `NotFound` for an id that nobody has, `MayNotSignIn` for an owner who is out of use and is to stay so.
pub fn owner(unit: &mut Unit<'_>, name: &str, inactive: Inactive) -> Result<String> {
    let mut candidates = candidates(unit.connection(), name, unit.now())?;
    candidates.sort_by_key(|one| (!one.may_sign_in(), one.is_trashed));
    match (candidates.into_iter().next(), inactive) {
        (Some(found), _) if found.may_sign_in() => Ok(found.id),
        (Some(found), Inactive::Activate) => {
            let next = Next {
                state: DirectoryUserState::Active,
                expires_at: None,
                deleted_at: None,
            };
            WorkspaceUsers::apply_transition(unit, &found.id, next, LogAction::Restored)?;
            Ok(found.id)
        }
        (
            Some(Candidate {
                id,
                state,
                is_trashed,
            }),
            Inactive::Refuse,
        ) => {
            let trashed = if is_trashed { " and soft-deleted" } else { "" };
            Err(Error::MayNotSignIn(format!("{id} is {state}{trashed}")))
        }
        (None, _) if name.contains('@') => make(unit, name),
        (None, _) => Err(Error::NotFound),
    }
}

fn candidates(connection: &Connection, name: &str, now: Timestamp) -> Result<Vec<Candidate>> {
    let mut sql = Sql::new("SELECT id, state, expires_at, deleted_at FROM workspace_users WHERE id = ");
    sql.bind(name)
        .push(" OR email = ")
        .bind(name)
        .push(" ORDER BY id");
    connection.query(&sql, |cells| {
        let (id, state) = (cells.string()?, cells.string()?);
        let state = shown_state(&state, cells.timestamp_or_null()?, now).to_owned();
        let is_trashed = cells.timestamp_or_null()?.is_some();
        Ok(Candidate {
            id,
            state,
            is_trashed,
        })
    })
}

fn make(unit: &mut Unit<'_>, email: &str) -> Result<String> {
    let now = unit.now();
    let id = unit.ids.id::<WorkspaceUserId>(now);
    let handle = email.split('@').next().unwrap_or_default();
    let fields = Fields::new()
        .set("id", id.as_str())
        .set("state", LifecycleState::Active.to_string())
        .set("provider", Provider::NativeIdp.to_string())
        .text("name", handle)
        .text("handle", handle)
        .text("email", email)
        .set("created_at", now)
        .set("updated_at", now);
    unit.insert(WorkspaceUser::TABLE, &fields)?;
    unit.log(&LogEntry {
        action: LogAction::Created,
        record: &id,
        parent: None,
        related: None,
        subject: None,
        message: "Workspace user was created to hold a token.".to_owned(),
    })?;
    Ok(id)
}
