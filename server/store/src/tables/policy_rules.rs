//! Policy rules (§2.1).

use rollcall::lists::PolicyRules;
use rollcall::lists::policy_rules::Hidden;
use rollcall::records::policy_rule::Member;

use crate::tables::column::Column::{self, Joined, Plain, State, Text};
use crate::tables::column::{JoinPath, RowScope};
use crate::tables::resource::Resource;
use crate::tables::table::Table;

impl Table for Member {
    const NAME: &'static str = "policy_rules";

    fn column(self) -> Column {
        match self {
            Self::Id => Plain("id"),
            Self::State => State,
            Self::RoleName => Text("role_name"),
            Self::RoleHandle => Plain("role_handle"),
            Self::IsImported => Plain("is_imported"),
            Self::Description => Plain("description"),
            Self::ExpiresAfterDays => Plain("expires_after_days"),
            Self::ExpiresAfterDaysInherited => Plain("expires_after_days_inherited"),
            Self::Priority => Plain("priority"),
            Self::RulesetId => Plain("ruleset_id"),
            Self::CreatedAt => Plain("created_at"),
            Self::UpdatedAt => Plain("updated_at"),
            Self::ExpiresAt => Plain("expires_at"),
            Self::DeletedAt => Plain("deleted_at"),
        }
    }
}

impl Resource for PolicyRules {
    fn hidden(field: Hidden) -> Column {
        match field {
            Hidden::AttributeId => {
                Joined(JoinPath::new("policy_rulesets", "id", "resource_id").key("ruleset_id"))
            }
            Hidden::ManifestUserId => Joined(of_rule("directory_user_id", RowScope::Manifest)),
            Hidden::QualifiedUserId => Joined(of_rule("directory_user_id", RowScope::All)),
            Hidden::StagedUserId => Joined(of_rule("directory_user_id", RowScope::Staged)),
            Hidden::ConditionId => Joined(JoinPath::new("policy_conditions", "rule_id", "id")),
            Hidden::PolicyUserId => Joined(of_rule("id", RowScope::Standing)),
        }
    }
}

/// Policy users of a rule.
const fn of_rule(theirs: &'static str, scope: RowScope) -> JoinPath {
    JoinPath::new("policy_users", "rule_id", theirs).scope(scope)
}
