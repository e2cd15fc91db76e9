//! One file for each resource: its table, where its fields are, how a row becomes a record, what can be included.

mod directory_attributes;
mod directory_dimensions;
mod directory_identities;
mod directory_users;
mod policy_conditions;
mod policy_rules;
mod policy_rulesets;
mod policy_users;
mod workspace_integrations;
mod workspace_items;
mod workspace_logs;
mod workspace_users;

pub use workspace_items::kind;

use rollcall::list::{CountSpec, Form};
use rollcall::lists::{self, AnyField};
use rollcall::model;

use crate::ids::Prefixed;
use crate::store::column::Listed;
use crate::store::resource::{Readable, Resource};

/// The table whose records can be managers (§2.1).
pub const MANAGERS: &str = <model::DirectoryUser as Readable>::TABLE;

/// The rows a field of any list finds.
pub fn listed(field: AnyField) -> Listed {
    match field {
        AnyField::DirectoryUsers(field) => lists::DirectoryUsers::listed(field),
        AnyField::DirectoryAttributes(field) => lists::DirectoryAttributes::listed(field),
        AnyField::DirectoryDimensions(field) => lists::DirectoryDimensions::listed(field),
        AnyField::DirectoryIdentities(field) => lists::DirectoryIdentities::listed(field),
        AnyField::WorkspaceUsers(field) => lists::WorkspaceUsers::listed(field),
        AnyField::WorkspaceDevices(field) => lists::WorkspaceDevices::listed(field),
        AnyField::WorkspaceRoles(field) => lists::WorkspaceRoles::listed(field),
        AnyField::WorkspaceServices(field) => lists::WorkspaceServices::listed(field),
        AnyField::WorkspaceTokens(field) => lists::WorkspaceTokens::listed(field),
        AnyField::WorkspaceIntegrations(field) => lists::WorkspaceIntegrations::listed(field),
        AnyField::WorkspaceLogs(field) => lists::WorkspaceLogs::listed(field),
        AnyField::PolicyRulesets(field) => lists::PolicyRulesets::listed(field),
        AnyField::PolicyRules(field) => lists::PolicyRules::listed(field),
        AnyField::PolicyConditions(field) => lists::PolicyConditions::listed(field),
        AnyField::PolicyUsers(field) => lists::PolicyUsers::listed(field),
    }
}

/// The tables that keep counts.
pub fn counted_tables() -> [(&'static str, &'static [CountSpec]); 11] {
    fn of<R: Readable>() -> (&'static str, &'static [CountSpec]) {
        (R::TABLE, R::COUNTS)
    }
    [
        of::<model::DirectoryUser>(),
        of::<model::DirectoryAttribute>(),
        of::<model::DirectoryDimension>(),
        of::<model::DirectoryIdentity>(),
        of::<model::WorkspaceUser>(),
        of::<model::WorkspaceIntegration>(),
        of::<model::WorkspaceLog>(),
        of::<model::PolicyRuleset>(),
        of::<model::PolicyRule>(),
        of::<model::PolicyCondition>(),
        of::<model::PolicyUser>(),
    ]
}

/// The table a record with this id stands in, if its counts are kept.
pub fn table_of(id: &str) -> Option<&'static str> {
    fn of<R: Readable, I: Prefixed>(id: &str) -> Option<&'static str> {
        id.starts_with(I::PREFIX).then_some(R::TABLE)
    }
    of::<model::DirectoryUser, model::DirectoryUserId>(id)
        .or_else(|| of::<model::DirectoryAttribute, model::DirectoryAttributeId>(id))
        .or_else(|| of::<model::DirectoryDimension, model::DirectoryDimensionId>(id))
        .or_else(|| of::<model::DirectoryIdentity, model::DirectoryIdentityId>(id))
        .or_else(|| of::<model::WorkspaceUser, model::WorkspaceUserId>(id))
        .or_else(|| of::<model::WorkspaceIntegration, model::WorkspaceIntegrationId>(id))
        .or_else(|| of::<model::WorkspaceLog, model::WorkspaceLogId>(id))
        .or_else(|| of::<model::PolicyRuleset, model::PolicyRulesetId>(id))
        .or_else(|| of::<model::PolicyRule, model::PolicyRuleId>(id))
        .or_else(|| of::<model::PolicyCondition, model::PolicyConditionId>(id))
        .or_else(|| of::<model::PolicyUser, model::PolicyUserId>(id))
}

/// The tables with a search index, and its columns.
pub fn searched_tables() -> [(&'static str, &'static [&'static str]); 4] {
    fn of<R: Resource>() -> (&'static str, &'static [&'static str]) {
        (R::Record::TABLE, R::SEARCHED)
    }
    [
        of::<lists::DirectoryUsers>(),
        of::<lists::DirectoryAttributes>(),
        of::<lists::DirectoryDimensions>(),
        of::<lists::WorkspaceUsers>(),
    ]
}

/// `included` where it is an array of names (R7, R8): what was asked for, as its members would be called.
fn names<R: Resource>(include: &[(R::Relation, Form)]) -> Vec<String> {
    let name = |(relation, form): &(R::Relation, Form)| {
        let spec = R::RELATIONS.iter().find(|spec| spec.relation == *relation)?;
        Some([spec.member, &form.suffix().replace('-', "_")].concat())
    };
    include.iter().filter_map(name).collect()
}
