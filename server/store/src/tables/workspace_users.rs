//! Workspace users (§2.2).

use rollcall::lists::WorkspaceUsers;
use rollcall::lists::workspace_users::Hidden;
use rollcall::records::workspace_user::Member;

use crate::sql::Name::{self, Folded};
use crate::tables::column::Column::{self, Joined, Plain, State, Text};
use crate::tables::column::JoinPath;
use crate::tables::resource::Resource;
use crate::tables::table::Table;

impl Table for Member {
    const NAME: &'static str = "workspace_users";
    const SEARCHED: &'static [Name] = &[Folded("name"), Folded("email")];

    fn column(self) -> Column {
        match self {
            Self::Id => Plain("id"),
            Self::State => State,
            Self::Provider => Plain("provider"),
            Self::ProviderId => Plain("provider_id"),
            Self::Name => Text("name"),
            Self::Handle => Text("handle"),
            Self::Email => Text("email"),
            Self::UiMode => Plain("ui_mode"),
            Self::UiColor => Plain("ui_color"),
            Self::CreatedAt => Plain("created_at"),
            Self::UpdatedAt => Plain("updated_at"),
            Self::ExpiresAt => Plain("expires_at"),
            Self::LastAuthenticatedAt => Plain("last_authenticated_at"),
            Self::LastActivityAt => Plain("last_activity_at"),
            Self::DeletedAt => Plain("deleted_at"),
        }
    }
}

impl Resource for WorkspaceUsers {
    fn hidden(field: Hidden) -> Column {
        match field {
            Hidden::DirectoryUserId => Plain("directory_user_id"),
            Hidden::WorkspaceItemId => Joined(JoinPath::new("workspace_items", "workspace_user_id", "id")),
            Hidden::WorkspaceLogId => Joined(JoinPath::new("workspace_logs", "actor_id", "id")),
        }
    }
}
