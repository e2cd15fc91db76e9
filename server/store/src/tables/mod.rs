//! One file for each table: where the members of its records are stored, and what its lists show.

pub mod column;
pub mod count;
mod directory_attributes;
mod directory_dimensions;
mod directory_identities;
mod directory_users;
mod policy_conditions;
mod policy_rules;
mod policy_rulesets;
mod policy_users;
pub mod resource;
pub mod state;
pub mod table;
mod workspace_integrations;
mod workspace_items;
mod workspace_logs;
mod workspace_users;

pub use workspace_items::kind;

use std::sync::LazyLock;

use rollcall::list::CountSpec;
use rollcall::lists::{self, AnyField};
use rollcall::model;
use rollcall::record::Part;

use crate::ids::Prefixed;
use crate::sql::Name;
use crate::tables::column::RowSet;
use crate::tables::resource::Resource;
use crate::tables::table::{Stored, Table};

/// The table whose records can be managers (§2.1).
pub const MANAGERS: &str = <model::DirectoryUser as Stored>::TABLE;

/// A table whose records keep counts.
#[derive(Debug)]
pub struct TableSpec {
    /// Its name.
    pub name: &'static str,
    /// How the ids of its records begin.
    pub id_prefix: &'static str,
    /// The columns that its search index covers; empty without one.
    pub searched: &'static [Name],
    /// The counts of its records.
    pub counts: Vec<&'static CountSpec>,
}

impl TableSpec {
    fn of<R: Stored, I: Prefixed>() -> Self {
        let counts = R::PARTS.iter().filter_map(|part| match part {
            Part::Count(spec) => Some(spec),
            _ => None,
        });
        Self {
            name: R::TABLE,
            id_prefix: I::PREFIX,
            searched: R::Member::SEARCHED,
            counts: counts.collect(),
        }
    }
}

/// Every table whose records keep counts.
pub static TABLES: LazyLock<[TableSpec; 11]> = LazyLock::new(|| {
    [
        TableSpec::of::<model::DirectoryUser, model::DirectoryUserId>(),
        TableSpec::of::<model::DirectoryAttribute, model::DirectoryAttributeId>(),
        TableSpec::of::<model::DirectoryDimension, model::DirectoryDimensionId>(),
        TableSpec::of::<model::DirectoryIdentity, model::DirectoryIdentityId>(),
        TableSpec::of::<model::WorkspaceUser, model::WorkspaceUserId>(),
        TableSpec::of::<model::WorkspaceIntegration, model::WorkspaceIntegrationId>(),
        TableSpec::of::<model::WorkspaceLog, model::WorkspaceLogId>(),
        TableSpec::of::<model::PolicyRuleset, model::PolicyRulesetId>(),
        TableSpec::of::<model::PolicyRule, model::PolicyRuleId>(),
        TableSpec::of::<model::PolicyCondition, model::PolicyConditionId>(),
        TableSpec::of::<model::PolicyUser, model::PolicyUserId>(),
    ]
});

/// The table of the record with this id, if its counts are kept.
pub fn table_of(id: &str) -> Option<&'static str> {
    let table = TABLES.iter().find(|table| id.starts_with(table.id_prefix))?;
    Some(table.name)
}

/// The tables with a search index.
pub fn searched() -> impl Iterator<Item = &'static TableSpec> {
    TABLES.iter().filter(|table| !table.searched.is_empty())
}

/// The rows a field of any list finds.
pub fn row_set(field: AnyField) -> RowSet {
    match field {
        AnyField::DirectoryUsers(field) => lists::DirectoryUsers::row_set(field),
        AnyField::DirectoryAttributes(field) => lists::DirectoryAttributes::row_set(field),
        AnyField::DirectoryDimensions(field) => lists::DirectoryDimensions::row_set(field),
        AnyField::DirectoryIdentities(field) => lists::DirectoryIdentities::row_set(field),
        AnyField::WorkspaceUsers(field) => lists::WorkspaceUsers::row_set(field),
        AnyField::WorkspaceDevices(field) => lists::WorkspaceDevices::row_set(field),
        AnyField::WorkspaceRoles(field) => lists::WorkspaceRoles::row_set(field),
        AnyField::WorkspaceServices(field) => lists::WorkspaceServices::row_set(field),
        AnyField::WorkspaceTokens(field) => lists::WorkspaceTokens::row_set(field),
        AnyField::WorkspaceIntegrations(field) => lists::WorkspaceIntegrations::row_set(field),
        AnyField::WorkspaceLogs(field) => lists::WorkspaceLogs::row_set(field),
        AnyField::PolicyRulesets(field) => lists::PolicyRulesets::row_set(field),
        AnyField::PolicyRules(field) => lists::PolicyRules::row_set(field),
        AnyField::PolicyConditions(field) => lists::PolicyConditions::row_set(field),
        AnyField::PolicyUsers(field) => lists::PolicyUsers::row_set(field),
    }
}
