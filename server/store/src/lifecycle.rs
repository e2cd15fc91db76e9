//! States and transitions (§3, O1): pure, with the time passed in. The store keeps what is said here; nothing else decides.

use std::fmt::{self, Display};

use rollcall::model::{DirectoryUserState, LifecycleState};
use rollcall::{Presence, Timestamp};
use serde::{Deserialize, Serialize};

/// The state of a record in use without an end.
pub const ACTIVE: &str = "active";
/// The state whose end is set.
pub const EXPIRING: &str = "expiring";
/// The state after that end.
pub const EXPIRED: &str = "expired";

/// Seconds of a day (O6).
const DAY: i64 = 86_400;

/// The state to show for a stored one: an expiry that has passed has passed, whether or not anybody has recorded it.
pub fn shown_state(stored: &str, expires_at: Option<Timestamp>, now: Timestamp) -> &str {
    if stored == EXPIRING && expires_at.is_some_and(|expiry| expiry <= now) {
        EXPIRED
    } else {
        stored
    }
}

/// What a transition looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifecycle {
    /// The state shown now.
    pub state: DirectoryUserState,
    /// When it expires or expired.
    pub expires_at: Option<Timestamp>,
    /// When it was soft-deleted.
    pub deleted_at: Option<Timestamp>,
}

/// What a transition leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// The new state.
    pub state: DirectoryUserState,
    /// The new expiry.
    pub expires_at: Option<Timestamp>,
    /// The new deletion.
    pub deleted_at: Option<Timestamp>,
}

/// A transition that the present state does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Illegal {
    verb: &'static str,
    state: DirectoryUserState,
    trashed: bool,
}

impl Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trashed = if self.trashed { " and soft-deleted" } else { "" };
        write!(
            f,
            "A record that is {}{trashed} cannot be {}.",
            self.state, self.verb
        )
    }
}

/// Both expiry options were given, or an expiry lies beyond what a timestamp can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BadExpiry {
    /// `expires_at` and `expires_after_days` (O4).
    Both,
    /// The timestamp cannot be written.
    OutOfRange,
}

/// When a body says that a record expires; neither option means now (O5), null is as absent (O4).
pub fn expiry(body: rollcall::model::DeprecateRequest, now: Timestamp) -> Result<Timestamp, BadExpiry> {
    match (body.expires_at, body.expires_after_days) {
        (Presence::Value(_), Presence::Value(_)) => Err(BadExpiry::Both),
        (Presence::Value(timestamp), _) => Ok(timestamp.0),
        (_, Presence::Value(days)) => now.plus_seconds(days.get() * DAY).ok_or(BadExpiry::OutOfRange),
        _ => Ok(now),
    }
}

impl Lifecycle {
    /// Activate: whatever is not soft-deleted or suspended becomes active without an expiry (O2). `None` changes nothing.
    pub fn activate(self) -> Result<Option<Next>, Illegal> {
        use DirectoryUserState as S;
        if self.deleted_at.is_some() || self.state == S::Suspended {
            return Err(self.illegal("activated"));
        }
        let next = Next {
            state: S::Active,
            expires_at: None,
            deleted_at: None,
        };
        Ok((self.state != S::Active).then_some(next))
    }

    /// Deprecate: an active, expiring or expired record becomes `expiring` while the expiry lies ahead, else `expired` (O1, O3).
    pub fn deprecate(self, expires_at: Timestamp, now: Timestamp) -> Result<Next, Illegal> {
        use DirectoryUserState as S;
        let deprecable = matches!(self.state, S::Active | S::Expiring | S::Expired);
        if self.deleted_at.is_some() || !deprecable {
            return Err(self.illegal("deprecated"));
        }
        let state = if expires_at > now { S::Expiring } else { S::Expired };
        Ok(Next {
            state,
            expires_at: Some(expires_at),
            deleted_at: None,
        })
    }

    /// Restore: a soft-deleted, deactivated, expiring or expired record becomes active (O7).
    pub fn restore(self) -> Result<Next, Illegal> {
        use DirectoryUserState as S;
        let restorable =
            self.deleted_at.is_some() || matches!(self.state, S::Deactivated | S::Expiring | S::Expired);
        let next = Next {
            state: S::Active,
            expires_at: None,
            deleted_at: None,
        };
        if restorable {
            Ok(next)
        } else {
            Err(self.illegal("restored"))
        }
    }

    fn illegal(self, verb: &'static str) -> Illegal {
        Illegal {
            verb,
            state: self.state,
            trashed: self.deleted_at.is_some(),
        }
    }
}

/// The five states of workspace users and attributes among the six of directory users.
pub fn widened(state: LifecycleState) -> DirectoryUserState {
    match state {
        LifecycleState::Staged => DirectoryUserState::Staged,
        LifecycleState::Active => DirectoryUserState::Active,
        LifecycleState::Expiring => DirectoryUserState::Expiring,
        LifecycleState::Expired => DirectoryUserState::Expired,
        LifecycleState::Deactivated => DirectoryUserState::Deactivated,
    }
}
