//! Directory users (§2.1).

use rollcall::list::{CountSpec, Counts, Form};
use rollcall::lists::directory_users::{Field, Relation};
use rollcall::lists::{
    DirectoryIdentities, DirectoryUsers, PolicyConditions, PolicyRules, PolicyRulesets, PolicyUsers,
    WorkspaceIntegrations, WorkspaceUsers, directory_identities, policy_conditions, policy_rules,
    policy_rulesets, policy_users, workspace_integrations, workspace_users,
};
use rollcall::model::{
    DirectoryIdentitySummary, DirectoryUser, DirectoryUserCounts, DirectoryUserIncluded, DirectoryUserLinks,
    DirectoryUserTimestamps, PolicyConditionSummary, PolicyRuleSummary, PolicyRulesetSummary,
    PolicyUserSummary, UserSummary, WorkspaceIntegrationSummary, WorkspaceUserSummary,
};

use crate::store::Result;
use crate::store::column::{Column, Listed, Only, Through};
use crate::store::dialect::{Cells, Connection};
use crate::store::related::{Page, Related};
use crate::store::resource::{Readable, Reading, Resource};

impl Resource for DirectoryUsers {
    const SEARCHED: &'static [&'static str] = &[
        "id",
        "first_name_folded",
        "last_name_folded",
        "full_name_folded",
        "email_folded",
        "username_folded",
        "badge_id_folded",
        "employee_id_folded",
        "employee_alt_id_folded",
        "org_folded",
        "metadata_folded",
    ];

    fn column(field: Field) -> Column {
        match field {
            Field::Id => Column::Plain("id"),
            Field::State => Column::State,
            Field::IsManager => Column::Plain("is_manager"),
            Field::ManagerId => Column::Plain("manager_id"),
            Field::ParentId => Column::Plain("parent_id"),
            Field::WorkspaceIntegrationId => Column::Plain("workspace_integration_id"),
            Field::FirstName => Column::Text("first_name"),
            Field::LastName => Column::Text("last_name"),
            Field::FullName => Column::Text("full_name"),
            Field::Email => Column::Text("email"),
            Field::Username => Column::Text("username"),
            Field::BadgeId => Column::Text("badge_id"),
            Field::EmployeeId => Column::Text("employee_id"),
            Field::EmployeeAltId => Column::Text("employee_alt_id"),
            Field::Org => Column::Values("org"),
            Field::Metadata => Column::Values("metadata"),
            Field::CreatedAt => Column::Plain("created_at"),
            Field::UpdatedAt => Column::Plain("updated_at"),
            Field::ExpiresAt => Column::Plain("expires_at"),
            Field::DeletedAt => Column::Plain("deleted_at"),
            Field::ProvisionedAt => Column::Plain("provisioned_at"),
            Field::DeprovisionedAt => Column::Plain("deprovisioned_at"),
            Field::ExpiredAt => Column::ExpiredAt,
            Field::DeactivatedAt => Column::Plain("deactivated_at"),
            Field::WorkspaceUserId => through("workspace_users", "id", Only::All),
            Field::DirectoryIdentityId => through("directory_identities", "id", Only::All),
            Field::DirectoryAttributeId => through("user_attributes", "directory_attribute_id", Only::All),
            Field::PolicyUserId => through("policy_users", "id", Only::Standing),
            Field::ManifestAttributeId => through("policy_users", "attribute_id", Only::Manifest),
            Field::QualifiedAttributeId => through("policy_users", "attribute_id", Only::All),
            Field::StagedAttributeId => through("policy_users", "attribute_id", Only::Staged),
        }
    }

    fn id(record: &DirectoryUser) -> &str {
        record.id.as_str()
    }

    fn include(
        connection: &Connection,
        reading: &Reading<'_>,
        records: &mut [DirectoryUser],
        include: &[(Relation, Form)],
    ) -> Result<()> {
        let mut page = Page {
            connection,
            reading,
            records,
            id: Self::id,
        };
        for &asked in include {
            relate(&mut page, asked)?;
        }
        Ok(())
    }
}

/// Tables that say which user they belong to.
const fn through(table: &'static str, theirs: &'static str, only: Only) -> Column {
    Column::Through(Through {
        table,
        ours: "directory_user_id",
        theirs,
        key: "id",
        only,
    })
}

/// Users another user points to.
const fn pointed_to(pointer: &'static str) -> Listed {
    let through = Through::new(UserSummary::TABLE, pointer, "id");
    Listed {
        table: UserSummary::TABLE,
        only: Only::All,
        column: Column::Through(through),
    }
}

fn relate(page: &mut Page<'_, DirectoryUser>, asked: (Relation, Form)) -> Result<()> {
    type Included = DirectoryUserIncluded;
    fn of(user: &mut DirectoryUser) -> &mut Included {
        &mut user.included
    }
    fn one<S>(found: Vec<S>) -> rollcall::Presence<S> {
        found.into_iter().next().into()
    }
    let rules = |field| Related::many(PolicyRules::listed(field));
    match asked.0 {
        Relation::ManagerUser => page.include(
            asked,
            Related::one(pointed_to("manager_id")),
            of,
            |included, found| {
                included.manager_user = one::<UserSummary>(found);
            },
        ),
        Relation::ParentUser => page.include(
            asked,
            Related::one(pointed_to("parent_id")),
            of,
            |included, found| {
                included.parent_user = one::<UserSummary>(found);
            },
        ),
        Relation::WorkspaceUser => {
            let related = Related::one(WorkspaceUsers::listed(workspace_users::Field::DirectoryUserId));
            page.include(asked, related, of, |included, found| {
                included.workspace_user = one::<WorkspaceUserSummary>(found);
            })
        }
        // The oldest of them: ids are ordered by time (R10, R13).
        Relation::SecondaryUsers => page.include(
            asked,
            Related::first(DirectoryUsers::listed(Field::ParentId)),
            of,
            |included, found| {
                included.secondary_users = one::<UserSummary>(found);
            },
        ),
        Relation::DirectReportUsers => page.include(
            asked,
            Related::many(DirectoryUsers::listed(Field::ManagerId)),
            of,
            |included, found| {
                included.direct_report_users = Some(found);
            },
        ),
        Relation::WorkspaceIntegration => {
            let related = Related::one(WorkspaceIntegrations::listed(
                workspace_integrations::Field::DirectoryUserId,
            ));
            page.include(asked, related, of, |included, found| {
                included.workspace_integration = one::<WorkspaceIntegrationSummary>(found);
            })
        }
        Relation::DirectoryIdentities => {
            let related = Related::many(DirectoryIdentities::listed(
                directory_identities::Field::DirectoryUserId,
            ));
            page.include(
                asked,
                related,
                of,
                |included, found: Vec<DirectoryIdentitySummary>| {
                    included.directory_identities = Some(found);
                },
            )
        }
        Relation::PolicyConditions => {
            let related = Related::many(PolicyConditions::listed(
                policy_conditions::Field::DirectoryUserId,
            ));
            page.include(
                asked,
                related,
                of,
                |included, found: Vec<PolicyConditionSummary>| {
                    included.policy_conditions = Some(found);
                },
            )
        }
        Relation::PolicyUsers => {
            let related = Related::many(PolicyUsers::listed(policy_users::Field::DirectoryUserId));
            page.include(asked, related, of, |included, found: Vec<PolicyUserSummary>| {
                included.policy_users = Some(found);
            })
        }
        Relation::PolicyRulesManifest => page.include(
            asked,
            rules(policy_rules::Field::ManifestUserId),
            of,
            |included, found: Vec<PolicyRuleSummary>| {
                included.policy_rules_manifest = Some(found);
            },
        ),
        Relation::PolicyRulesQualified => page.include(
            asked,
            rules(policy_rules::Field::QualifiedUserId),
            of,
            |included, found: Vec<PolicyRuleSummary>| {
                included.policy_rules_qualified = Some(found);
            },
        ),
        Relation::PolicyRulesStaged => page.include(
            asked,
            rules(policy_rules::Field::StagedUserId),
            of,
            |included, found: Vec<PolicyRuleSummary>| {
                included.policy_rules_staged = Some(found);
            },
        ),
        Relation::PolicyRulesets => {
            let related = Related::many(PolicyRulesets::listed(policy_rulesets::Field::DirectoryUserId));
            page.include(
                asked,
                related,
                of,
                |included, found: Vec<PolicyRulesetSummary>| {
                    included.policy_rulesets = Some(found);
                },
            )
        }
    }
}

impl Readable for UserSummary {
    const TABLE: &'static str = "directory_users";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "state",
        "expires_at",
        "manager_id",
        "is_manager",
        "full_name",
        "email",
        "username",
        "org",
        "metadata",
    ];

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        Ok(Self {
            id: cells.word()?,
            state: cells.state(reading.now)?,
            manager_id: cells.word_or_null()?,
            is_manager: cells.flag()?,
            full_name: cells.string()?,
            email: cells.string()?,
            username: cells.string()?,
            org: cells.json()?,
            metadata: cells.json()?,
        })
    }
}

impl Readable for DirectoryUser {
    const TABLE: &'static str = UserSummary::TABLE;
    const SUMMARY: &'static [&'static str] = UserSummary::COLUMNS;
    const COLUMNS: &'static [&'static str] = &[
        "first_name",
        "last_name",
        "badge_id",
        "employee_id",
        "employee_alt_id",
        "created_at",
        "updated_at",
        "deleted_at",
        "expires_at",
        "provisioned_at",
        "deprovisioned_at",
    ];
    const COUNTS: &'static [CountSpec] = DirectoryUserCounts::SPECS;

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        let summary = UserSummary::read(cells, reading)?;
        Ok(Self {
            links: DirectoryUserLinks::of(reading.base, summary.id.as_str()),
            id: summary.id,
            state: summary.state,
            manager_id: summary.manager_id,
            is_manager: summary.is_manager,
            full_name: summary.full_name,
            email: summary.email,
            username: summary.username,
            org: summary.org,
            metadata: summary.metadata,
            first_name: cells.string()?,
            last_name: cells.string()?,
            badge_id: cells.string_or_null()?,
            employee_id: cells.string_or_null()?,
            employee_alt_id: cells.string_or_null()?,
            timestamp: DirectoryUserTimestamps {
                created_at: cells.moment()?,
                updated_at: cells.moment()?,
                deleted_at: cells.moment_or_null()?,
                expires_at: cells.moment_or_null()?,
                provisioned_at: cells.moment_or_null()?,
                deprovisioned_at: cells.moment_or_null()?,
            },
            count: cells.counts()?,
            included: DirectoryUserIncluded::default(),
        })
    }
}
