//! Policy rules (§2.1).

use rollcall::list::{CountSpec, Counts};
use rollcall::lists::PolicyRules;
use rollcall::lists::policy_rules::Field;
use rollcall::model::{
    LifecycleTimestamps, NoRelations, PolicyRule, PolicyRuleCounts, PolicyRuleLinks, PolicyRuleSummary,
};

use super::directory_dimensions::ReadTimestamps;
use crate::store::Result;
use crate::store::column::{Column, Only, Through};
use crate::store::dialect::Cells;
use crate::store::resource::{Readable, Reading, Resource};

impl Resource for PolicyRules {
    fn column(field: Field) -> Column {
        let standing = |theirs, only| Through {
            only,
            ..Through::new("policy_users", "rule_id", theirs)
        };
        match field {
            Field::Id => Column::Plain("id"),
            Field::State => Column::State,
            Field::RoleName => Column::Text("role_name"),
            Field::RoleHandle => Column::Plain("role_handle"),
            Field::Priority => Column::Plain("priority"),
            Field::RulesetId => Column::Plain("ruleset_id"),
            Field::CreatedAt => Column::Plain("created_at"),
            Field::UpdatedAt => Column::Plain("updated_at"),
            Field::AttributeId => Column::Through(Through {
                key: "ruleset_id",
                ..Through::new("policy_rulesets", "id", "resource_id")
            }),
            Field::ManifestUserId => Column::Through(standing("directory_user_id", Only::Manifest)),
            Field::QualifiedUserId => Column::Through(standing("directory_user_id", Only::All)),
            Field::StagedUserId => Column::Through(standing("directory_user_id", Only::Staged)),
            Field::ConditionId => Column::Through(Through::new("policy_conditions", "rule_id", "id")),
            Field::PolicyUserId => Column::Through(standing("id", Only::Standing)),
        }
    }

    fn id(record: &PolicyRule) -> &str {
        record.id.as_str()
    }
}

impl Readable for PolicyRuleSummary {
    const TABLE: &'static str = "policy_rules";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "state",
        "expires_at",
        "role_name",
        "role_handle",
        "is_imported",
        "description",
        "expires_after_days",
        "expires_after_days_inherited",
        "priority",
    ];

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        Ok(Self {
            id: cells.word()?,
            state: cells.state(reading.now)?,
            role_name: cells.string()?,
            role_handle: cells.string()?,
            is_imported: cells.flag()?,
            description: cells.string()?,
            expires_after_days: cells.bounded()?,
            expires_after_days_inherited: cells.flag()?,
            priority: cells.bounded()?,
        })
    }
}

impl Readable for PolicyRule {
    const TABLE: &'static str = PolicyRuleSummary::TABLE;
    const SUMMARY: &'static [&'static str] = PolicyRuleSummary::COLUMNS;
    const COLUMNS: &'static [&'static str] = &[
        "ruleset_id",
        "created_at",
        "updated_at",
        "expires_at",
        "deleted_at",
    ];
    const COUNTS: &'static [CountSpec] = PolicyRuleCounts::SPECS;

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        let summary = PolicyRuleSummary::read(cells, reading)?;
        Ok(Self {
            links: PolicyRuleLinks::of(reading.base, summary.id.as_str()),
            id: summary.id,
            state: summary.state,
            role_name: summary.role_name,
            role_handle: summary.role_handle,
            is_imported: summary.is_imported,
            description: summary.description,
            expires_after_days: summary.expires_after_days,
            expires_after_days_inherited: summary.expires_after_days_inherited,
            priority: summary.priority,
            ruleset_id: cells.word()?,
            timestamp: LifecycleTimestamps::read(cells)?,
            count: cells.counts()?,
            included: NoRelations {},
        })
    }
}
