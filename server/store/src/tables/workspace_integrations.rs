//! Workspace integrations: the systems people come from (§2.1).

use rollcall::lists::WorkspaceIntegrations;
use rollcall::lists::workspace_integrations::Hidden;
use rollcall::records::workspace_integration::Member;

use crate::tables::column::Column::{self, Joined, Plain, State, Text};
use crate::tables::column::JoinPath;
use crate::tables::resource::Resource;
use crate::tables::table::Table;

impl Table for Member {
    const NAME: &'static str = "workspace_integrations";

    fn column(self) -> Column {
        match self {
            Self::Id => Plain("id"),
            Self::IsPrimary => Plain("is_primary"),
            Self::Vendor => Plain("vendor"),
            Self::Handle => Text("handle"),
            Self::Domain => Text("domain"),
            Self::State => State,
            Self::CreatedAt => Plain("created_at"),
            Self::UpdatedAt => Plain("updated_at"),
            Self::ExpiresAt => Plain("expires_at"),
            Self::DeletedAt => Plain("deleted_at"),
        }
    }
}

impl Resource for WorkspaceIntegrations {
    fn hidden(field: Hidden) -> Column {
        match field {
            Hidden::DirectoryUserId => from_integration("directory_users"),
            Hidden::AttributeId => from_integration("directory_attributes"),
            Hidden::DirectoryDimensionId => from_integration("directory_dimensions"),
            Hidden::DirectoryIdentityId => from_integration("directory_identities"),
        }
    }
}

/// Tables that say which integration their rows come from.
const fn from_integration(table: &'static str) -> Column {
    Joined(JoinPath::new(table, "workspace_integration_id", "id"))
}
