//! Directory identities: people as one integration knows them (§2.1).

use rollcall::list::{CountSpec, Counts};
use rollcall::lists::DirectoryIdentities;
use rollcall::lists::directory_identities::Field;
use rollcall::model::{
    DirectoryIdentity, DirectoryIdentityLinks, DirectoryIdentitySummary, LifecycleTimestamps, LoggedCounts,
    NoRelations,
};

use super::directory_dimensions::ReadTimestamps;
use crate::store::Result;
use crate::store::column::Column;
use crate::store::dialect::Cells;
use crate::store::resource::{Readable, Reading, Resource};

impl Resource for DirectoryIdentities {
    fn column(field: Field) -> Column {
        match field {
            Field::Id => Column::Plain("id"),
            Field::State => Column::State,
            Field::FullName => Column::Text("full_name"),
            Field::Email => Column::Text("email"),
            Field::VendorId => Column::Plain("vendor_id"),
            Field::DirectoryUserId => Column::Plain("directory_user_id"),
            Field::WorkspaceIntegrationId => Column::Plain("workspace_integration_id"),
            Field::CreatedAt => Column::Plain("created_at"),
            Field::UpdatedAt => Column::Plain("updated_at"),
        }
    }

    fn id(record: &DirectoryIdentity) -> &str {
        record.id.as_str()
    }
}

impl Readable for DirectoryIdentitySummary {
    const TABLE: &'static str = "directory_identities";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "workspace_integration_id",
        "directory_user_id",
        "integration_vendor",
        "integration_handle",
        "vendor_id",
        "full_name",
        "email",
        "org",
        "state",
        "expires_at",
    ];

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        Ok(Self {
            id: cells.word()?,
            workspace_integration_id: cells.word()?,
            directory_user_id: cells.word()?,
            integration_vendor: cells.word()?,
            integration_handle: cells.string()?,
            vendor_id: cells.string()?,
            full_name: cells.string()?,
            email: cells.string()?,
            org: cells.json()?,
            state: cells.state(reading.now)?,
        })
    }
}

impl Readable for DirectoryIdentity {
    const TABLE: &'static str = DirectoryIdentitySummary::TABLE;
    const SUMMARY: &'static [&'static str] = DirectoryIdentitySummary::COLUMNS;
    const COLUMNS: &'static [&'static str] = &["created_at", "updated_at", "expires_at", "deleted_at"];
    const COUNTS: &'static [CountSpec] = LoggedCounts::SPECS;

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        let summary = DirectoryIdentitySummary::read(cells, reading)?;
        Ok(Self {
            links: DirectoryIdentityLinks::of(reading.base, summary.id.as_str()),
            id: summary.id,
            workspace_integration_id: summary.workspace_integration_id,
            directory_user_id: summary.directory_user_id,
            integration_vendor: summary.integration_vendor,
            integration_handle: summary.integration_handle,
            vendor_id: summary.vendor_id,
            full_name: summary.full_name,
            email: summary.email,
            org: summary.org,
            state: summary.state,
            timestamp: LifecycleTimestamps::read(cells)?,
            count: cells.counts()?,
            included: NoRelations {},
        })
    }
}
