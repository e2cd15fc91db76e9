//! Workspace logs: every change as an entry, the list of them as the feed of events (A7).

use rollcall::list::{CountSpec, Counts};
use rollcall::lists::WorkspaceLogs;
use rollcall::lists::workspace_logs::Field;
use rollcall::model::{LoggedCounts, NoRelations, WorkspaceLog, WorkspaceLogLinks, WorkspaceLogTimestamps};

use crate::store::Result;
use crate::store::column::Column;
use crate::store::dialect::Cells;
use crate::store::resource::{Readable, Reading, Resource};

impl Resource for WorkspaceLogs {
    fn column(field: Field) -> Column {
        match field {
            Field::Id => Column::Plain("id"),
            Field::Action => Column::Plain("action"),
            Field::ActorId => Column::Plain("actor_id"),
            Field::ParentId => Column::Plain("parent_id"),
            Field::RecordId => Column::Plain("record_id"),
            Field::RelatedId => Column::Plain("related_id"),
            Field::SubjectId => Column::Plain("subject_id"),
            Field::CreatedAt => Column::Plain("created_at"),
        }
    }

    fn id(record: &WorkspaceLog) -> &str {
        record.id.as_str()
    }
}

impl Readable for WorkspaceLog {
    const TABLE: &'static str = "workspace_logs";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "action",
        "actor_id",
        "parent_id",
        "record_id",
        "related_id",
        "subject_id",
        "message",
        "created_at",
    ];
    const COUNTS: &'static [CountSpec] = LoggedCounts::SPECS;

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        let id: rollcall::model::WorkspaceLogId = cells.word()?;
        Ok(Self {
            links: WorkspaceLogLinks::of(reading.base, id.as_str()),
            id,
            action: cells.word()?,
            actor_id: cells.word_or_null()?,
            parent_id: cells.string_or_null()?,
            record_id: cells.string()?,
            related_id: cells.string_or_null()?,
            subject_id: cells.string_or_null()?,
            message: cells.string()?,
            timestamp: WorkspaceLogTimestamps {
                created_at: cells.moment()?,
            },
            count: cells.counts()?,
            included: NoRelations {},
        })
    }
}
