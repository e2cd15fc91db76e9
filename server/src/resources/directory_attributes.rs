//! Directory attributes (§2.3).

use rollcall::list::{CountSpec, Counts, Form};
use rollcall::lists::DirectoryAttributes;
use rollcall::lists::directory_attributes::{Field, Relation};
use rollcall::model::{
    DirectoryAttribute, DirectoryAttributeCounts, DirectoryAttributeIncluded, DirectoryAttributeLinks,
    DirectoryAttributeSummary, DirectoryAttributeTimestamps,
};

use crate::resources::names;
use crate::store::Result;
use crate::store::column::{Column, Through};
use crate::store::dialect::{Cells, Connection};
use crate::store::resource::{Readable, Reading, Resource};

impl Resource for DirectoryAttributes {
    const SEARCHED: &'static [&'static str] = &["name_folded"];

    fn column(field: Field) -> Column {
        match field {
            Field::Id => Column::Plain("id"),
            Field::State => Column::State,
            Field::Type => Column::Plain("type"),
            Field::Name => Column::Text("name"),
            Field::Handle => Column::Text("handle"),
            Field::ProfileValue => Column::Plain("profile_value"),
            Field::DirectoryDimensionId => Column::Plain("directory_dimension_id"),
            Field::WorkspaceIntegrationId => Column::Plain("workspace_integration_id"),
            Field::SuccessorId => Column::Plain("successor_id"),
            Field::CreatedAt => Column::Plain("created_at"),
            Field::UpdatedAt => Column::Plain("updated_at"),
            Field::ActivatedAt => Column::Plain("activated_at"),
            Field::ExpiresAt => Column::Plain("expires_at"),
            Field::DeletedAt => Column::Plain("deleted_at"),
            Field::DirectoryUserId => Column::Through(Through::new(
                "user_attributes",
                "directory_attribute_id",
                "directory_user_id",
            )),
            Field::PolicyRulesetId => Column::Through(Through::new("policy_rulesets", "resource_id", "id")),
            Field::ConditionId => Column::Through(Through::new("policy_conditions", "resource_id", "id")),
        }
    }

    fn id(record: &DirectoryAttribute) -> &str {
        record.id.as_str()
    }

    fn include(
        _connection: &Connection,
        _reading: &Reading<'_>,
        records: &mut [DirectoryAttribute],
        include: &[(Relation, Form)],
    ) -> Result<()> {
        let names = names::<Self>(include);
        records
            .iter_mut()
            .for_each(|record| record.included = DirectoryAttributeIncluded(names.clone()));
        Ok(())
    }
}

impl Readable for DirectoryAttributeSummary {
    const TABLE: &'static str = "directory_attributes";
    const COLUMNS: &'static [&'static str] = &["id", "state", "expires_at", "type", "name", "handle"];

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        Ok(Self {
            id: cells.word()?,
            state: cells.state(reading.now)?,
            type_: cells.word()?,
            name: cells.string()?,
            handle: cells.string()?,
        })
    }
}

impl Readable for DirectoryAttribute {
    const TABLE: &'static str = DirectoryAttributeSummary::TABLE;
    const SUMMARY: &'static [&'static str] = DirectoryAttributeSummary::COLUMNS;
    const COLUMNS: &'static [&'static str] = &[
        "blueprint_signature",
        "profile_value",
        "created_at",
        "updated_at",
        "activated_at",
        "expires_at",
        "deleted_at",
    ];
    const COUNTS: &'static [CountSpec] = DirectoryAttributeCounts::SPECS;

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        let summary = DirectoryAttributeSummary::read(cells, reading)?;
        Ok(Self {
            links: DirectoryAttributeLinks::of(reading.base, summary.id.as_str()),
            id: summary.id,
            state: summary.state,
            type_: summary.type_,
            name: summary.name,
            handle: summary.handle,
            blueprint_signature: cells.string_or_null()?,
            profile_value: cells.string_or_null()?,
            timestamp: DirectoryAttributeTimestamps {
                created_at: cells.moment()?,
                updated_at: cells.moment()?,
                activated_at: cells.moment_or_null()?,
                expires_at: cells.moment_or_null()?,
                deleted_at: cells.moment_or_null()?,
            },
            count: cells.counts()?,
            included: DirectoryAttributeIncluded(Vec::new()),
        })
    }
}
