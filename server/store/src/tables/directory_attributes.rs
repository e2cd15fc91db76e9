//! Directory attributes (§2.3).

use rollcall::lists::DirectoryAttributes;
use rollcall::lists::directory_attributes::Hidden;
use rollcall::records::directory_attribute::Member;

use crate::sql::Name::{self, Folded};
use crate::tables::column::Column::{self, Joined, Plain, State, Text};
use crate::tables::column::JoinPath;
use crate::tables::resource::Resource;
use crate::tables::table::Table;

impl Table for Member {
    const NAME: &'static str = "directory_attributes";
    const SEARCHED: &'static [Name] = &[Folded("name")];

    fn column(self) -> Column {
        match self {
            Self::Id => Plain("id"),
            Self::State => State,
            Self::Type => Plain("type"),
            Self::Name => Text("name"),
            Self::Handle => Text("handle"),
            Self::BlueprintSignature => Plain("blueprint_signature"),
            Self::ProfileValue => Plain("profile_value"),
            Self::CreatedAt => Plain("created_at"),
            Self::UpdatedAt => Plain("updated_at"),
            Self::ActivatedAt => Plain("activated_at"),
            Self::ExpiresAt => Plain("expires_at"),
            Self::DeletedAt => Plain("deleted_at"),
        }
    }
}

impl Resource for DirectoryAttributes {
    fn hidden(field: Hidden) -> Column {
        match field {
            Hidden::DirectoryDimensionId => Plain("directory_dimension_id"),
            Hidden::WorkspaceIntegrationId => Plain("workspace_integration_id"),
            Hidden::SuccessorId => Plain("successor_id"),
            Hidden::DirectoryUserId => Joined(JoinPath::new(
                "user_attributes",
                "directory_attribute_id",
                "directory_user_id",
            )),
            Hidden::PolicyRulesetId => Joined(JoinPath::new("policy_rulesets", "resource_id", "id")),
            Hidden::ConditionId => Joined(JoinPath::new("policy_conditions", "resource_id", "id")),
        }
    }
}
