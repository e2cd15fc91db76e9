//! The workspace log (A7): what an entry says, and whom it is about.

use rollcall::model::{
    DirectoryAttributeId, DirectoryUserId, LogAction, PolicyRuleId, WorkspaceLogId, WorkspaceUserId,
};

use crate::change::fields::Fields;
use crate::change::unit::Unit;
use crate::dialect::Connection;
use crate::error::Result;
use crate::ids::Prefixed;
use crate::sql::Sql;

/// An entry of the log.
#[derive(Clone, Debug)]
pub struct LogEntry<'e> {
    /// What was done.
    pub action: LogAction,
    /// To which record.
    pub record: &'e str,
    /// What the record belongs to.
    pub parent: Option<&'e str>,
    /// Another record it is about.
    pub related: Option<&'e str>,
    /// The person it is about.
    pub subject: Option<&'e str>,
    /// In a sentence.
    pub message: String,
}

impl Unit<'_> {
    /// Writes an entry of the log. Its id is greater than those of all entries before, whatever the clock says: who reads the
    /// log in the order of ids, as it grows, misses none (A7).
    pub fn log(&mut self, entry: &LogEntry<'_>) -> Result<()> {
        let now = self.now();
        let last = Sql::new("SELECT id FROM workspace_logs ORDER BY id DESC LIMIT 1");
        let last = self.connection().first(&last, |cells| cells.string())?;
        let id = self.ids.id_after::<WorkspaceLogId>(now, last.as_deref());
        let fields = Fields::new()
            .set("id", id.as_str())
            .set("action", entry.action.to_string())
            .set("actor_id", self.actor().map(str::to_owned))
            .set("parent_id", entry.parent.map(str::to_owned))
            .set("record_id", entry.record)
            .set("related_id", entry.related.map(str::to_owned))
            .set("subject_id", entry.subject.map(str::to_owned))
            .set("message", entry.message.as_str())
            .set("created_at", now);
        self.insert("workspace_logs", &fields)
    }

    /// Writes an entry about a change of state, by a caller or by the server: its parent and its subject follow from the
    /// record.
    pub fn log_transition(&mut self, action: LogAction, record: &str, message: String) -> Result<()> {
        let About { parent, subject } = About::of(self.connection(), record)?;
        self.log(&LogEntry {
            action,
            record,
            parent: parent.as_deref(),
            related: None,
            subject: subject.as_deref(),
            message,
        })
    }
}

/// What a record belongs to, and the person it is about.
#[derive(Debug, Default)]
struct About {
    parent: Option<String>,
    subject: Option<String>,
}

impl About {
    fn of(connection: &Connection, record: &str) -> Result<Self> {
        let one = |column: &'static str, table: &'static str| -> Result<Option<String>> {
            let mut sql = Sql::new(["SELECT ", column, " FROM ", table, " WHERE id = "]);
            sql.bind(record);
            let found = connection.first(&sql, |cells| cells.string_or_null())?;
            Ok(found.flatten())
        };
        let mut about = Self::default();
        if record.starts_with(DirectoryUserId::PREFIX) {
            about.subject = Some(record.to_owned());
        } else if record.starts_with(WorkspaceUserId::PREFIX) {
            about.subject = one("directory_user_id", "workspace_users")?;
        } else if record.starts_with(DirectoryAttributeId::PREFIX) {
            about.parent = one("directory_dimension_id", "directory_attributes")?;
        } else if record.starts_with(PolicyRuleId::PREFIX) {
            about.parent = one("ruleset_id", "policy_rules")?;
        }
        Ok(about)
    }
}
