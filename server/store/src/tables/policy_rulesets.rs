//! Policy rulesets (§2.1).

use rollcall::lists::PolicyRulesets;
use rollcall::lists::policy_rulesets::Hidden;
use rollcall::records::policy_ruleset::Member;

use crate::tables::column::Column::{self, Joined, Plain, State};
use crate::tables::column::{JoinPath, RowScope};
use crate::tables::resource::Resource;
use crate::tables::table::Table;

impl Table for Member {
    const NAME: &'static str = "policy_rulesets";

    fn column(self) -> Column {
        match self {
            Self::Id => Plain("id"),
            Self::State => State,
            Self::Type => Plain("type"),
            Self::ResourceId => Plain("resource_id"),
            Self::IsAuthoritative => Plain("is_authoritative"),
            Self::ExpiresAfterDays => Plain("expires_after_days"),
            Self::CreatedAt => Plain("created_at"),
            Self::UpdatedAt => Plain("updated_at"),
            Self::ExpiresAt => Plain("expires_at"),
            Self::DeletedAt => Plain("deleted_at"),
        }
    }
}

impl Resource for PolicyRulesets {
    fn hidden(field: Hidden) -> Column {
        match field {
            Hidden::DirectoryUserId => Joined(of_ruleset("policy_users", "directory_user_id")),
            Hidden::RuleId => Joined(of_ruleset("policy_rules", "id")),
            Hidden::ConditionId => Joined(of_ruleset("policy_conditions", "id")),
            Hidden::PolicyUserId => Joined(of_ruleset("policy_users", "id").scope(RowScope::Standing)),
        }
    }
}

/// Tables that say which ruleset their rows belong to.
const fn of_ruleset(table: &'static str, theirs: &'static str) -> JoinPath {
    JoinPath::new(table, "ruleset_id", theirs)
}
