//! Policy users: who is in a manifest or staged for one (§2.1, P3).

use rollcall::lists::policy_users::{Hidden, Relation};
use rollcall::lists::{
    DirectoryUsers, PolicyRules, PolicyRulesets, PolicyUsers, directory_users, policy_rules, policy_rulesets,
};
use rollcall::model::{PolicyRuleSummary, PolicyRulesetSummary, UserSummary};
use rollcall::records::policy_user::Member;

use crate::tables::column::Column::{self, Plain, State};
use crate::tables::column::RowScope;
use crate::tables::resource::{Related, Resource};
use crate::tables::table::Table;

impl Table for Member {
    const NAME: &'static str = "policy_users";

    fn column(self) -> Column {
        match self {
            Self::Id => Plain("id"),
            Self::State => State,
            Self::CreatedAt => Plain("created_at"),
            Self::UpdatedAt => Plain("updated_at"),
            Self::ActivatedAt => Plain("activated_at"),
            Self::ExpiresAt => Plain("expires_at"),
            Self::DeletedAt => Plain("deleted_at"),
            Self::DirectoryUserId => Plain("directory_user_id"),
            Self::RulesetId => Plain("ruleset_id"),
            Self::RuleId => Plain("rule_id"),
        }
    }
}

impl Resource for PolicyUsers {
    const SCOPE: RowScope = RowScope::Standing;

    fn hidden(field: Hidden) -> Column {
        match field {}
    }

    fn relation(relation: Relation) -> Option<Related> {
        Some(match relation {
            Relation::DirectoryUser => {
                Related::one::<UserSummary>(DirectoryUsers::row_set(directory_users::Field::PolicyUserId))
            }
            Relation::PolicyRuleset => Related::one::<PolicyRulesetSummary>(PolicyRulesets::row_set(
                policy_rulesets::Field::PolicyUserId,
            )),
            Relation::PolicyRule => {
                Related::one::<PolicyRuleSummary>(PolicyRules::row_set(policy_rules::Field::PolicyUserId))
            }
        })
    }
}
