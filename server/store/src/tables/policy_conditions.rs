//! Policy conditions (§2.1).

use rollcall::lists::PolicyConditions;
use rollcall::lists::policy_conditions::Hidden;
use rollcall::records::policy_condition::Member;

use crate::tables::column::Column::{self, Joined, Plain, Text};
use crate::tables::column::JoinPath;
use crate::tables::resource::Resource;
use crate::tables::table::Table;

impl Table for Member {
    const NAME: &'static str = "policy_conditions";

    fn column(self) -> Column {
        match self {
            Self::Id => Plain("id"),
            Self::IsImported => Plain("is_imported"),
            Self::Type => Plain("type"),
            Self::RulesetId => Plain("ruleset_id"),
            Self::RuleId => Plain("rule_id"),
            Self::ResourceId => Plain("resource_id"),
            Self::ProfileKey => Text("profile_key"),
            Self::ProfileOperator => Plain("profile_operator"),
            Self::ProfileValue => Text("profile_value"),
            Self::Description => Plain("description"),
            Self::CreatedAt => Plain("created_at"),
            Self::UpdatedAt => Plain("updated_at"),
            Self::ExpiresAt => Plain("expires_at"),
            Self::DeletedAt => Plain("deleted_at"),
        }
    }
}

impl Resource for PolicyConditions {
    fn hidden(field: Hidden) -> Column {
        match field {
            // A user meets the conditions that ask for an attribute the user has (P1).
            Hidden::DirectoryUserId => Joined(
                JoinPath::new("user_attributes", "directory_attribute_id", "directory_user_id")
                    .key("resource_id"),
            ),
        }
    }
}
