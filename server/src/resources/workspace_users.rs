//! Workspace users (§2.2).

use rollcall::list::{CountSpec, Counts, Form};
use rollcall::lists::WorkspaceUsers;
use rollcall::lists::workspace_users::{Field, Relation};
use rollcall::model::{
    WorkspaceUser, WorkspaceUserCounts, WorkspaceUserIncluded, WorkspaceUserLinks, WorkspaceUserSummary,
    WorkspaceUserTimestamps,
};

use crate::resources::names;
use crate::store::Result;
use crate::store::column::{Column, Through};
use crate::store::dialect::{Cells, Connection};
use crate::store::resource::{Readable, Reading, Resource};

impl Resource for WorkspaceUsers {
    const SEARCHED: &'static [&'static str] = &["name_folded", "email_folded"];

    fn column(field: Field) -> Column {
        match field {
            Field::Id => Column::Plain("id"),
            Field::State => Column::State,
            Field::Provider => Column::Plain("provider"),
            Field::ProviderId => Column::Plain("provider_id"),
            Field::Name => Column::Text("name"),
            Field::Handle => Column::Text("handle"),
            Field::Email => Column::Text("email"),
            Field::DirectoryUserId => Column::Plain("directory_user_id"),
            Field::CreatedAt => Column::Plain("created_at"),
            Field::UpdatedAt => Column::Plain("updated_at"),
            Field::ExpiresAt => Column::Plain("expires_at"),
            Field::DeletedAt => Column::Plain("deleted_at"),
            Field::LastAuthenticatedAt => Column::Plain("last_authenticated_at"),
            Field::LastActivityAt => Column::Plain("last_activity_at"),
            Field::WorkspaceItemId => {
                Column::Through(Through::new("workspace_items", "workspace_user_id", "id"))
            }
            Field::WorkspaceLogId => Column::Through(Through::new("workspace_logs", "actor_id", "id")),
        }
    }

    fn id(record: &WorkspaceUser) -> &str {
        record.id.as_str()
    }

    fn include(
        _connection: &Connection,
        _reading: &Reading<'_>,
        records: &mut [WorkspaceUser],
        include: &[(Relation, Form)],
    ) -> Result<()> {
        let names = names::<Self>(include);
        records
            .iter_mut()
            .for_each(|record| record.included = WorkspaceUserIncluded(names.clone()));
        Ok(())
    }
}

impl Readable for WorkspaceUserSummary {
    const TABLE: &'static str = "workspace_users";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "state",
        "expires_at",
        "provider",
        "provider_id",
        "name",
        "handle",
        "email",
    ];

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        Ok(Self {
            id: cells.word()?,
            state: cells.state(reading.now)?,
            provider: cells.word()?,
            provider_id: cells.string_or_null()?,
            name: cells.string()?,
            handle: cells.string()?,
            email: cells.string()?,
        })
    }
}

impl Readable for WorkspaceUser {
    const TABLE: &'static str = WorkspaceUserSummary::TABLE;
    const SUMMARY: &'static [&'static str] = WorkspaceUserSummary::COLUMNS;
    const COLUMNS: &'static [&'static str] = &[
        "ui_mode",
        "ui_color",
        "created_at",
        "updated_at",
        "expires_at",
        "last_authenticated_at",
        "last_activity_at",
        "deleted_at",
    ];
    const COUNTS: &'static [CountSpec] = WorkspaceUserCounts::SPECS;

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        let summary = WorkspaceUserSummary::read(cells, reading)?;
        Ok(Self {
            links: WorkspaceUserLinks::of(reading.base, summary.id.as_str()),
            id: summary.id,
            state: summary.state,
            provider: summary.provider,
            provider_id: summary.provider_id,
            name: summary.name,
            handle: summary.handle,
            email: summary.email,
            ui_mode: cells.string_or_null()?,
            ui_color: cells.string_or_null()?,
            timestamp: WorkspaceUserTimestamps {
                created_at: cells.moment()?,
                updated_at: cells.moment()?,
                expires_at: cells.moment_or_null()?,
                last_authenticated_at: cells.moment_or_null()?,
                last_activity_at: cells.moment_or_null()?,
                deleted_at: cells.moment_or_null()?,
            },
            count: cells.counts()?,
            included: WorkspaceUserIncluded(Vec::new()),
        })
    }
}
