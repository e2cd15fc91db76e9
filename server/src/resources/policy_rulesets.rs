//! Policy rulesets (§2.1).

use rollcall::list::{CountSpec, Counts};
use rollcall::lists::PolicyRulesets;
use rollcall::lists::policy_rulesets::Field;
use rollcall::model::{
    LifecycleTimestamps, NoRelations, PolicyRuleset, PolicyRulesetCounts, PolicyRulesetLinks,
    PolicyRulesetSummary,
};

use super::directory_dimensions::ReadTimestamps;
use crate::store::Result;
use crate::store::column::{Column, Only, Through};
use crate::store::dialect::Cells;
use crate::store::resource::{Readable, Reading, Resource};

impl Resource for PolicyRulesets {
    fn column(field: Field) -> Column {
        let through = |table, theirs| Through::new(table, "ruleset_id", theirs);
        match field {
            Field::Id => Column::Plain("id"),
            Field::State => Column::State,
            Field::ResourceId => Column::Plain("resource_id"),
            Field::CreatedAt => Column::Plain("created_at"),
            Field::UpdatedAt => Column::Plain("updated_at"),
            Field::DirectoryUserId => Column::Through(through("policy_users", "directory_user_id")),
            Field::RuleId => Column::Through(through("policy_rules", "id")),
            Field::ConditionId => Column::Through(through("policy_conditions", "id")),
            Field::PolicyUserId => Column::Through(Through {
                only: Only::Standing,
                ..through("policy_users", "id")
            }),
        }
    }

    fn id(record: &PolicyRuleset) -> &str {
        record.id.as_str()
    }
}

impl Readable for PolicyRulesetSummary {
    const TABLE: &'static str = "policy_rulesets";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "state",
        "expires_at",
        "type",
        "resource_id",
        "is_authoritative",
        "expires_after_days",
    ];

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        Ok(Self {
            id: cells.word()?,
            state: cells.state(reading.now)?,
            type_: cells.word()?,
            resource_id: cells.word()?,
            is_authoritative: cells.flag()?,
            expires_after_days: cells.bounded()?,
        })
    }
}

impl Readable for PolicyRuleset {
    const TABLE: &'static str = PolicyRulesetSummary::TABLE;
    const SUMMARY: &'static [&'static str] = PolicyRulesetSummary::COLUMNS;
    const COLUMNS: &'static [&'static str] = &["created_at", "updated_at", "expires_at", "deleted_at"];
    const COUNTS: &'static [CountSpec] = PolicyRulesetCounts::SPECS;

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        let summary = PolicyRulesetSummary::read(cells, reading)?;
        Ok(Self {
            links: PolicyRulesetLinks::of(reading.base, summary.id.as_str()),
            id: summary.id,
            state: summary.state,
            type_: summary.type_,
            resource_id: summary.resource_id,
            is_authoritative: summary.is_authoritative,
            expires_after_days: summary.expires_after_days,
            timestamp: LifecycleTimestamps::read(cells)?,
            count: cells.counts()?,
            included: NoRelations {},
        })
    }
}
