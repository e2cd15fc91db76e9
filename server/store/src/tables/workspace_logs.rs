//! Workspace logs: every change as an entry, the list of them as the feed of events (A7).

use rollcall::lists::WorkspaceLogs;
use rollcall::lists::workspace_logs::Hidden;
use rollcall::records::workspace_log::Member;

use crate::tables::column::Column::{self, Plain};
use crate::tables::resource::Resource;
use crate::tables::table::Table;

impl Table for Member {
    const NAME: &'static str = "workspace_logs";

    fn column(self) -> Column {
        match self {
            Self::Id => Plain("id"),
            Self::Action => Plain("action"),
            Self::ActorId => Plain("actor_id"),
            Self::ParentId => Plain("parent_id"),
            Self::RecordId => Plain("record_id"),
            Self::RelatedId => Plain("related_id"),
            Self::SubjectId => Plain("subject_id"),
            Self::Message => Plain("message"),
            Self::CreatedAt => Plain("created_at"),
        }
    }
}

impl Resource for WorkspaceLogs {
    fn hidden(field: Hidden) -> Column {
        match field {}
    }
}
