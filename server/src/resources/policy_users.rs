//! Policy users: who is in a manifest or staged for one (§2.1, P3).

use rollcall::list::{CountSpec, Counts, Form};
use rollcall::lists::policy_users::{Field, Relation};
use rollcall::lists::{
    DirectoryUsers, PolicyRules, PolicyRulesets, PolicyUsers, directory_users, policy_rules, policy_rulesets,
};
use rollcall::model::{
    LoggedCounts, PolicyRuleSummary, PolicyRulesetSummary, PolicyUser, PolicyUserIncluded, PolicyUserLinks,
    PolicyUserSummary, PolicyUserTimestamps, UserSummary,
};

use crate::store::Result;
use crate::store::column::{Column, Only};
use crate::store::dialect::{Cells, Connection};
use crate::store::related::{Page, Related};
use crate::store::resource::{Readable, Reading, Resource};

impl Resource for PolicyUsers {
    const ONLY: Only = Only::Standing;

    fn column(field: Field) -> Column {
        match field {
            Field::Id => Column::Plain("id"),
            Field::State => Column::State,
            Field::DirectoryUserId => Column::Plain("directory_user_id"),
            Field::RuleId => Column::Plain("rule_id"),
            Field::RulesetId => Column::Plain("ruleset_id"),
            Field::CreatedAt => Column::Plain("created_at"),
            Field::UpdatedAt => Column::Plain("updated_at"),
            Field::ActivatedAt => Column::Plain("activated_at"),
            Field::ExpiresAt => Column::Plain("expires_at"),
        }
    }

    fn id(record: &PolicyUser) -> &str {
        record.id.as_str()
    }

    fn include(
        connection: &Connection,
        reading: &Reading<'_>,
        records: &mut [PolicyUser],
        include: &[(Relation, Form)],
    ) -> Result<()> {
        let mut page = Page {
            connection,
            reading,
            records,
            id: Self::id,
        };
        let relate = |&asked| relate(&mut page, asked, |user| &mut user.included);
        include.iter().try_for_each(relate)
    }
}

/// Loads one relation of policy users, wherever they stand in `R`.
fn relate<R>(
    page: &mut Page<'_, R>,
    asked: (Relation, Form),
    of: fn(&mut R) -> &mut PolicyUserIncluded,
) -> Result<()> {
    match asked.0 {
        Relation::DirectoryUser => {
            let related = Related::one(DirectoryUsers::listed(directory_users::Field::PolicyUserId));
            page.include(asked, related, of, |included, found: Vec<UserSummary>| {
                included.directory_user = found.into_iter().next().into();
            })
        }
        Relation::PolicyRuleset => {
            let related = Related::one(PolicyRulesets::listed(policy_rulesets::Field::PolicyUserId));
            page.include(
                asked,
                related,
                of,
                |included, found: Vec<PolicyRulesetSummary>| {
                    included.policy_ruleset = found.into_iter().next().into();
                },
            )
        }
        Relation::PolicyRule => {
            let related = Related::one(PolicyRules::listed(policy_rules::Field::PolicyUserId));
            page.include(asked, related, of, |included, found: Vec<PolicyRuleSummary>| {
                included.policy_rule = found.into_iter().next().into();
            })
        }
    }
}

impl Readable for PolicyUserSummary {
    const TABLE: &'static str = "policy_users";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "state",
        "expires_at",
        "created_at",
        "updated_at",
        "activated_at",
        "expires_at",
        "deleted_at",
    ];

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        Ok(Self {
            id: cells.word()?,
            state: cells.state(reading.now)?,
            timestamp: PolicyUserTimestamps {
                created_at: cells.moment()?,
                updated_at: cells.moment()?,
                activated_at: cells.moment_or_null()?,
                expires_at: cells.moment_or_null()?,
                deleted_at: cells.moment_or_null()?,
            },
            included: PolicyUserIncluded::default(),
        })
    }

    /// Its user, ruleset and rule: nobody could ask for them here, and without them it says nothing (P3).
    fn include_always(
        connection: &Connection,
        reading: &Reading<'_>,
        records: &mut [(String, Self)],
    ) -> Result<()> {
        if records.is_empty() {
            return Ok(());
        }
        let mut page = Page {
            connection,
            reading,
            records,
            id: |(_, summary)| summary.id.as_str(),
        };
        let relations = [
            Relation::DirectoryUser,
            Relation::PolicyRuleset,
            Relation::PolicyRule,
        ];
        let relate = |relation| {
            relate(&mut page, (relation, Form::Records), |(_, summary)| {
                &mut summary.included
            })
        };
        relations.into_iter().try_for_each(relate)
    }
}

impl Readable for PolicyUser {
    const TABLE: &'static str = PolicyUserSummary::TABLE;
    const SUMMARY: &'static [&'static str] = PolicyUserSummary::COLUMNS;
    const COLUMNS: &'static [&'static str] = &["directory_user_id", "ruleset_id", "rule_id"];
    const COUNTS: &'static [CountSpec] = LoggedCounts::SPECS;

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        let summary = PolicyUserSummary::read(cells, reading)?;
        Ok(Self {
            links: PolicyUserLinks::of(reading.base, summary.id.as_str()),
            id: summary.id,
            state: summary.state,
            timestamp: summary.timestamp,
            included: summary.included,
            directory_user_id: cells.word()?,
            ruleset_id: cells.word()?,
            rule_id: cells.word()?,
            count: cells.counts()?,
        })
    }
}
