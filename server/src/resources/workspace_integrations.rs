//! Workspace integrations: the systems people come from (§2.1).

use rollcall::list::{CountSpec, Counts};
use rollcall::lists::WorkspaceIntegrations;
use rollcall::lists::workspace_integrations::Field;
use rollcall::model::{
    LifecycleTimestamps, NoRelations, WorkspaceIntegration, WorkspaceIntegrationCounts,
    WorkspaceIntegrationLinks, WorkspaceIntegrationSummary,
};

use super::directory_dimensions::ReadTimestamps;
use crate::store::Result;
use crate::store::column::{Column, Through};
use crate::store::dialect::Cells;
use crate::store::resource::{Readable, Reading, Resource};

impl Resource for WorkspaceIntegrations {
    fn column(field: Field) -> Column {
        match field {
            Field::Id => Column::Plain("id"),
            Field::State => Column::State,
            Field::Vendor => Column::Plain("vendor"),
            Field::IsPrimary => Column::Plain("is_primary"),
            Field::Handle => Column::Text("handle"),
            Field::Domain => Column::Text("domain"),
            Field::CreatedAt => Column::Plain("created_at"),
            Field::UpdatedAt => Column::Plain("updated_at"),
            Field::DirectoryUserId => through("directory_users"),
            Field::AttributeId => through("directory_attributes"),
            Field::DirectoryDimensionId => through("directory_dimensions"),
            Field::DirectoryIdentityId => through("directory_identities"),
        }
    }

    fn id(record: &WorkspaceIntegration) -> &str {
        record.id.as_str()
    }
}

/// Tables that say which integration their rows come from.
const fn through(table: &'static str) -> Column {
    Column::Through(Through::new(table, "workspace_integration_id", "id"))
}

impl Readable for WorkspaceIntegrationSummary {
    const TABLE: &'static str = "workspace_integrations";
    const COLUMNS: &'static [&'static str] = &["id", "is_primary", "vendor", "handle", "domain"];

    fn read(cells: &mut Cells<'_, '_>, _reading: &Reading<'_>) -> Result<Self> {
        Ok(Self {
            id: cells.word()?,
            is_primary: cells.flag()?,
            vendor: cells.word()?,
            handle: cells.string()?,
            domain: cells.string()?,
        })
    }
}

impl Readable for WorkspaceIntegration {
    const TABLE: &'static str = WorkspaceIntegrationSummary::TABLE;
    const SUMMARY: &'static [&'static str] = WorkspaceIntegrationSummary::COLUMNS;
    const COLUMNS: &'static [&'static str] = &[
        "state",
        "expires_at",
        "created_at",
        "updated_at",
        "expires_at",
        "deleted_at",
    ];
    const COUNTS: &'static [CountSpec] = WorkspaceIntegrationCounts::SPECS;

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        let summary = WorkspaceIntegrationSummary::read(cells, reading)?;
        Ok(Self {
            links: WorkspaceIntegrationLinks::of(reading.base, summary.id.as_str()),
            id: summary.id,
            is_primary: summary.is_primary,
            vendor: summary.vendor,
            handle: summary.handle,
            domain: summary.domain,
            state: cells.state(reading.now)?,
            timestamp: LifecycleTimestamps::read(cells)?,
            count: cells.counts()?,
            included: NoRelations {},
        })
    }
}
