//! Who writes the demo: the unit of work, random numbers, the present, and lives whose timestamps agree with their state.

use rollcall::Timestamp;
use rollcall::model::{
    DirectoryUserState as State, LogAction, Provider, WorkspaceLogId, WorkspaceUser, WorkspaceUserId,
};
use rollcall_store::Result;
use rollcall_store::change::fields::Fields;
use rollcall_store::change::log::LogEntry;
use rollcall_store::change::unit::Unit;
use rollcall_store::ids::Prefixed;
use rollcall_store::tables::table::Stored;

use super::rng::DemoRng;
use super::{DAY, DAYS, Demo, names};

/// Writes records, at timestamps of the past.
pub(super) struct Author<'u, 'c> {
    pub(super) unit: &'u mut Unit<'c>,
    pub(super) rng: DemoRng,
    /// The first timestamp there is.
    pub(super) start: Timestamp,
    pub(super) now: Timestamp,
    /// The workspace user whom the caller's token belongs to.
    pub(super) operator: String,
}

impl<'u, 'c> Author<'u, 'c> {
    /// Begins with the operator, who did all that is done from then on.
    pub(super) fn new(unit: &'u mut Unit<'c>, demo: &Demo) -> Result<Self> {
        let start = demo.now.plus_seconds(-DAYS * DAY).unwrap_or(demo.now);
        let mut author = Self {
            unit,
            rng: DemoRng::new(demo.seed),
            start,
            now: demo.now,
            operator: String::new(),
        };
        author.operator = author.id::<WorkspaceUserId>(start);
        let fields = author
            .life(State::Active, start, false)
            .fields()
            .set("id", author.operator.as_str())
            .set("provider", Provider::NativeIdp.to_string())
            .text("name", names::OPERATOR.0)
            .text("handle", names::OPERATOR.1)
            .text("email", &[names::OPERATOR.1, "@", names::DOMAINS[0]].concat())
            .set("last_authenticated_at", demo.now)
            .set("last_activity_at", demo.now);
        author.insert(WorkspaceUser::TABLE, &fields)?;
        Ok(author)
    }

    /// A new identifier, made at `timestamp`.
    pub(super) fn id<I: Prefixed>(&mut self, timestamp: Timestamp) -> String {
        self.unit.ids.id::<I>(timestamp)
    }

    pub(super) fn insert(&mut self, table: &'static str, fields: &Fields) -> Result<()> {
        self.unit.insert(table, fields)
    }

    /// The timestamp that is `part` of `whole` parts of the past away from its start; the last is before the present.
    pub(super) fn timestamp(&self, part: u64, whole: u64) -> Timestamp {
        let span = i128::from(self.now.micros() - self.start.micros());
        let offset = span * i128::from(part) / i128::from(whole.max(1));
        let micros = i128::from(self.start.micros()) + offset;
        i64::try_from(micros)
            .ok()
            .and_then(Timestamp::from_micros)
            .unwrap_or(self.now)
    }

    /// `timestamp` and up to so many days, but never the future.
    pub(super) fn soon_after(&mut self, timestamp: Timestamp, days: i64) -> Timestamp {
        let end = timestamp
            .plus_seconds(days * DAY)
            .unwrap_or(timestamp)
            .min(self.now);
        self.rng.between(timestamp, end)
    }

    /// A life that has come to `state`.
    pub(super) fn life(&mut self, state: State, created_at: Timestamp, trashed: bool) -> Life {
        let now = self.now;
        let mut life = Life {
            state,
            created_at,
            updated_at: self.rng.between(created_at, now),
            expires_at: None,
            deleted_at: None,
        };
        match state {
            // Far enough ahead not to come while somebody tries the demo.
            State::Expiring => {
                let first = now.plus_seconds(2 * DAY).unwrap_or(now);
                let last = now.plus_seconds(365 * DAY).unwrap_or(now);
                life.expires_at = Some(self.rng.between(first, last));
            }
            State::Expired => {
                let expired_at = self.rng.between(created_at, now);
                life.expires_at = Some(expired_at);
                life.updated_at = expired_at;
            }
            State::Staged | State::Active | State::Suspended | State::Deactivated => {}
        }
        if trashed {
            let deleted_at = self.rng.between(life.updated_at, now);
            life.deleted_at = Some(deleted_at);
            life.updated_at = deleted_at;
        }
        life
    }

    /// Writes an entry of the log: what somebody did, or time.
    pub(super) fn log(&mut self, by: Option<&str>, at: Timestamp, entry: &LogEntry<'_>) -> Result<()> {
        let fields = Fields::new()
            .set("id", self.id::<WorkspaceLogId>(at))
            .set("action", entry.action.to_string())
            .set("actor_id", by)
            .set("parent_id", entry.parent)
            .set("record_id", entry.record)
            .set("related_id", entry.related)
            .set("subject_id", entry.subject)
            .set("message", entry.message.as_str())
            .set("created_at", at);
        self.insert(rollcall::model::WorkspaceLog::TABLE, &fields)
    }

    /// Writes that the operator made a record, which belongs to `parent`.
    pub(super) fn log_created(
        &mut self,
        at: Timestamp,
        record: &str,
        parent: Option<&str>,
        what: &str,
    ) -> Result<()> {
        let operator = self.operator.clone();
        let entry = LogEntry {
            action: LogAction::Created,
            record,
            parent,
            related: None,
            subject: None,
            message: format!("{what} was created."),
        };
        self.log(Some(&operator), at, &entry)
    }
}

/// State and timestamps that agree (§3).
#[derive(Clone, Copy, Debug)]
pub(super) struct Life {
    pub(super) state: State,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    pub(super) expires_at: Option<Timestamp>,
    pub(super) deleted_at: Option<Timestamp>,
}

impl Life {
    /// As the columns that every table with states has.
    pub(super) fn fields(self) -> Fields {
        self.unstated_fields().set("state", self.state.to_string())
    }

    /// The same without the state.
    pub(super) fn unstated_fields(self) -> Fields {
        Fields::new()
            .set("created_at", self.created_at)
            .set("updated_at", self.updated_at)
            .set("expires_at", self.expires_at)
            .set("deleted_at", self.deleted_at)
    }

    /// Neither soft-deleted nor out of service.
    pub(super) fn is_in_service(self) -> bool {
        self.deleted_at.is_none() && matches!(self.state, State::Active | State::Expiring | State::Suspended)
    }
}
