//! Directory dimensions (§4.4.7, R12).

use rollcall::list::{CountSpec, Counts, Form};
use rollcall::lists::directory_dimensions::{Field, Relation};
use rollcall::lists::{DirectoryAttributes, DirectoryDimensions, directory_attributes};
use rollcall::model::{
    DirectoryDimension, DirectoryDimensionCounts, DirectoryDimensionIncluded, DirectoryDimensionLinks,
    LifecycleTimestamps,
};

use crate::store::Result;
use crate::store::column::{Column, Through};
use crate::store::dialect::{Cells, Connection};
use crate::store::related::{Page, Related};
use crate::store::resource::{Readable, Reading, Resource};

impl Resource for DirectoryDimensions {
    const SEARCHED: &'static [&'static str] = &["name_folded"];

    fn column(field: Field) -> Column {
        match field {
            Field::Id => Column::Plain("id"),
            Field::State => Column::State,
            Field::Name => Column::Text("name"),
            Field::Handle => Column::Text("handle"),
            Field::WorkspaceIntegrationId => Column::Plain("workspace_integration_id"),
            Field::CreatedAt => Column::Plain("created_at"),
            Field::UpdatedAt => Column::Plain("updated_at"),
            Field::AttributeId => Column::Through(Through::new(
                "directory_attributes",
                "directory_dimension_id",
                "id",
            )),
        }
    }

    fn id(record: &DirectoryDimension) -> &str {
        record.id.as_str()
    }

    fn include(
        connection: &Connection,
        reading: &Reading<'_>,
        records: &mut [DirectoryDimension],
        include: &[(Relation, Form)],
    ) -> Result<()> {
        fn of(dimension: &mut DirectoryDimension) -> &mut DirectoryDimensionIncluded {
            &mut dimension.included
        }
        let mut page = Page {
            connection,
            reading,
            records,
            id: Self::id,
        };
        for &asked in include {
            match asked.0 {
                Relation::Attributes => {
                    let field = directory_attributes::Field::DirectoryDimensionId;
                    page.include(
                        asked,
                        Related::many(DirectoryAttributes::listed(field)),
                        of,
                        |included, found| {
                            included.attributes = Some(found);
                        },
                    )?;
                }
            }
        }
        Ok(())
    }
}

impl Readable for DirectoryDimension {
    const TABLE: &'static str = "directory_dimensions";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "state",
        "expires_at",
        "name",
        "handle",
        "workspace_integration_id",
        "created_at",
        "updated_at",
        "expires_at",
        "deleted_at",
    ];
    const COUNTS: &'static [CountSpec] = DirectoryDimensionCounts::SPECS;

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        let id: rollcall::model::DirectoryDimensionId = cells.word()?;
        Ok(Self {
            links: DirectoryDimensionLinks::of(reading.base, id.as_str()),
            id,
            state: cells.state(reading.now)?,
            name: cells.string()?,
            handle: cells.string()?,
            workspace_integration_id: cells.word_or_null()?,
            timestamp: LifecycleTimestamps::read(cells)?,
            count: cells.counts()?,
            included: DirectoryDimensionIncluded::default(),
        })
    }
}

/// The four timestamps of the resources the specification does not detail.
pub(super) trait ReadTimestamps: Sized {
    /// Reads `created_at`, `updated_at`, `expires_at`, `deleted_at`.
    fn read(cells: &mut Cells<'_, '_>) -> Result<Self>;
}

impl ReadTimestamps for LifecycleTimestamps {
    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        Ok(Self {
            created_at: cells.moment()?,
            updated_at: cells.moment()?,
            expires_at: cells.moment_or_null()?,
            deleted_at: cells.moment_or_null()?,
        })
    }
}
