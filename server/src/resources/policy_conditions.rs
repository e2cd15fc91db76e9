//! Policy conditions (§2.1).

use rollcall::list::{CountSpec, Counts};
use rollcall::lists::PolicyConditions;
use rollcall::lists::policy_conditions::Field;
use rollcall::model::{
    LifecycleTimestamps, LoggedCounts, NoRelations, PolicyCondition, PolicyConditionLinks,
    PolicyConditionSummary,
};

use super::directory_dimensions::ReadTimestamps;
use crate::store::Result;
use crate::store::column::{Column, Through};
use crate::store::dialect::Cells;
use crate::store::resource::{Readable, Reading, Resource};

impl Resource for PolicyConditions {
    fn column(field: Field) -> Column {
        match field {
            Field::Id => Column::Plain("id"),
            Field::ProfileKey => Column::Text("profile_key"),
            Field::ProfileValue => Column::Text("profile_value"),
            Field::RuleId => Column::Plain("rule_id"),
            Field::RulesetId => Column::Plain("ruleset_id"),
            Field::ResourceId => Column::Plain("resource_id"),
            Field::CreatedAt => Column::Plain("created_at"),
            Field::UpdatedAt => Column::Plain("updated_at"),
            // A user meets the conditions that ask for an attribute the user has (P1).
            Field::DirectoryUserId => Column::Through(Through {
                key: "resource_id",
                ..Through::new("user_attributes", "directory_attribute_id", "directory_user_id")
            }),
        }
    }

    fn id(record: &PolicyCondition) -> &str {
        record.id.as_str()
    }
}

impl Readable for PolicyConditionSummary {
    const TABLE: &'static str = "policy_conditions";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "is_imported",
        "type",
        "ruleset_id",
        "rule_id",
        "resource_id",
        "profile_key",
        "profile_operator",
        "profile_value",
        "description",
    ];

    fn read(cells: &mut Cells<'_, '_>, _reading: &Reading<'_>) -> Result<Self> {
        Ok(Self {
            id: cells.word()?,
            is_imported: cells.flag()?,
            type_: cells.word()?,
            ruleset_id: cells.word()?,
            rule_id: cells.word()?,
            resource_id: cells.word()?,
            profile_key: cells.string()?,
            profile_operator: cells.word()?,
            profile_value: cells.string()?,
            description: cells.string()?,
        })
    }
}

impl Readable for PolicyCondition {
    const TABLE: &'static str = PolicyConditionSummary::TABLE;
    const SUMMARY: &'static [&'static str] = PolicyConditionSummary::COLUMNS;
    const COLUMNS: &'static [&'static str] = &["created_at", "updated_at", "expires_at", "deleted_at"];
    const COUNTS: &'static [CountSpec] = LoggedCounts::SPECS;

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        let summary = PolicyConditionSummary::read(cells, reading)?;
        Ok(Self {
            links: PolicyConditionLinks::of(reading.base, summary.id.as_str()),
            id: summary.id,
            is_imported: summary.is_imported,
            type_: summary.type_,
            ruleset_id: summary.ruleset_id,
            rule_id: summary.rule_id,
            resource_id: summary.resource_id,
            profile_key: summary.profile_key,
            profile_operator: summary.profile_operator,
            profile_value: summary.profile_value,
            description: summary.description,
            timestamp: LifecycleTimestamps::read(cells)?,
            count: cells.counts()?,
            included: NoRelations {},
        })
    }
}
