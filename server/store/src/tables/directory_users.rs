//! Directory users (§2.1).

use rollcall::lists::directory_users::{Field, Hidden, Relation};
use rollcall::lists::{
    DirectoryIdentities, DirectoryUsers, PolicyConditions, PolicyRules, PolicyRulesets, PolicyUsers,
    WorkspaceIntegrations, WorkspaceUsers, directory_identities, policy_conditions, policy_rules,
    policy_rulesets, policy_users, workspace_integrations, workspace_users,
};
use rollcall::model::{
    DirectoryIdentitySummary, PolicyConditionSummary, PolicyRuleSummary, PolicyRulesetSummary,
    PolicyUserSummary, UserSummary, WorkspaceIntegrationSummary, WorkspaceUserSummary,
};
use rollcall::records::directory_user::Member;

use crate::sql::Name::{self, Folded, Own};
use crate::tables::column::Column::{self, ExpiredAt, Joined, Json, Plain, State, Text};
use crate::tables::column::{JoinPath, RowScope, RowSet};
use crate::tables::resource::{Related, Resource};
use crate::tables::table::Table;

impl Table for Member {
    const NAME: &'static str = "directory_users";
    const SEARCHED: &'static [Name] = &[
        Own("id"),
        Folded("first_name"),
        Folded("last_name"),
        Folded("full_name"),
        Folded("email"),
        Folded("username"),
        Folded("badge_id"),
        Folded("employee_id"),
        Folded("employee_alt_id"),
        Folded("org"),
        Folded("metadata"),
    ];

    fn column(self) -> Column {
        match self {
            Self::Id => Plain("id"),
            Self::State => State,
            Self::ManagerId => Plain("manager_id"),
            Self::IsManager => Plain("is_manager"),
            Self::FullName => Text("full_name"),
            Self::Email => Text("email"),
            Self::Username => Text("username"),
            Self::Org => Json("org"),
            Self::Metadata => Json("metadata"),
            Self::FirstName => Text("first_name"),
            Self::LastName => Text("last_name"),
            Self::BadgeId => Text("badge_id"),
            Self::EmployeeId => Text("employee_id"),
            Self::EmployeeAltId => Text("employee_alt_id"),
            Self::CreatedAt => Plain("created_at"),
            Self::UpdatedAt => Plain("updated_at"),
            Self::DeletedAt => Plain("deleted_at"),
            Self::ExpiresAt => Plain("expires_at"),
            Self::ProvisionedAt => Plain("provisioned_at"),
            Self::DeprovisionedAt => Plain("deprovisioned_at"),
        }
    }
}

impl Resource for DirectoryUsers {
    fn hidden(field: Hidden) -> Column {
        match field {
            Hidden::WorkspaceIntegrationId => Plain("workspace_integration_id"),
            Hidden::ParentId => Plain("parent_id"),
            Hidden::ExpiredAt => ExpiredAt,
            Hidden::DeactivatedAt => Plain("deactivated_at"),
            Hidden::WorkspaceUserId => Joined(of_user("workspace_users", "id")),
            Hidden::DirectoryAttributeId => Joined(of_user("user_attributes", "directory_attribute_id")),
            Hidden::DirectoryIdentityId => Joined(of_user("directory_identities", "id")),
            Hidden::PolicyUserId => Joined(of_user("policy_users", "id").scope(RowScope::Standing)),
            Hidden::ManifestAttributeId => {
                Joined(of_user("policy_users", "attribute_id").scope(RowScope::Manifest))
            }
            Hidden::QualifiedAttributeId => Joined(of_user("policy_users", "attribute_id")),
            Hidden::StagedAttributeId => {
                Joined(of_user("policy_users", "attribute_id").scope(RowScope::Staged))
            }
        }
    }

    fn relation(relation: Relation) -> Option<Related> {
        let rules = |field| Related::many::<PolicyRuleSummary>(PolicyRules::row_set(field));
        Some(match relation {
            Relation::ManagerUser => Related::one::<UserSummary>(pointed_to("manager_id")),
            Relation::ParentUser => Related::one::<UserSummary>(pointed_to("parent_id")),
            Relation::WorkspaceUser => Related::one::<WorkspaceUserSummary>(WorkspaceUsers::row_set(
                workspace_users::Field::DirectoryUserId,
            )),
            // The oldest of them: ids are ordered by time (R10, R13).
            Relation::SecondaryUsers => {
                Related::first::<UserSummary>(DirectoryUsers::row_set(Field::ParentId))
            }
            Relation::DirectReportUsers => {
                Related::many::<UserSummary>(DirectoryUsers::row_set(Field::ManagerId))
            }
            Relation::WorkspaceIntegration => Related::one::<WorkspaceIntegrationSummary>(
                WorkspaceIntegrations::row_set(workspace_integrations::Field::DirectoryUserId),
            ),
            Relation::DirectoryIdentities => Related::many::<DirectoryIdentitySummary>(
                DirectoryIdentities::row_set(directory_identities::Field::DirectoryUserId),
            ),
            Relation::PolicyConditions => Related::many::<PolicyConditionSummary>(PolicyConditions::row_set(
                policy_conditions::Field::DirectoryUserId,
            )),
            Relation::PolicyUsers => {
                let users = PolicyUsers::row_set(policy_users::Field::DirectoryUserId);
                // Nobody could ask for what it includes here, and without that it says nothing (P3).
                Related::many::<PolicyUserSummary>(users).including::<PolicyUsers>()
            }
            Relation::PolicyRulesManifest => rules(policy_rules::Field::ManifestUserId),
            Relation::PolicyRulesQualified => rules(policy_rules::Field::QualifiedUserId),
            Relation::PolicyRulesStaged => rules(policy_rules::Field::StagedUserId),
            Relation::PolicyRulesets => Related::many::<PolicyRulesetSummary>(PolicyRulesets::row_set(
                policy_rulesets::Field::DirectoryUserId,
            )),
        })
    }
}

/// Tables that say which user their rows belong to.
const fn of_user(table: &'static str, theirs: &'static str) -> JoinPath {
    JoinPath::new(table, "directory_user_id", theirs)
}

/// Users that another user points to.
fn pointed_to(pointer: &'static str) -> RowSet {
    RowSet {
        table: Member::NAME,
        scope: RowScope::All,
        column: Joined(JoinPath::new(Member::NAME, pointer, "id")),
    }
}
