//! Devices, roles, services and tokens of workspace users: one table, four lists that differ by kind.

use rollcall::lists::{
    WorkspaceDevices, WorkspaceRoles, WorkspaceServices, WorkspaceTokens, workspace_devices, workspace_roles,
    workspace_services, workspace_tokens,
};
use rollcall::records::workspace_item::Member;

use crate::tables::column::Column::{self, Plain, State, Text};
use crate::tables::column::RowScope;
use crate::tables::resource::Resource;
use crate::tables::table::Table;

/// The word by which the table tells the four kinds apart.
pub mod kind {
    /// What people sign in on.
    pub const DEVICE: &str = "device";
    /// What people may do.
    pub const ROLE: &str = "role";
    /// What people may use.
    pub const SERVICE: &str = "service";
    /// What programs sign in with.
    pub const TOKEN: &str = "token";
}

impl Table for Member {
    const NAME: &'static str = "workspace_items";

    fn column(self) -> Column {
        match self {
            Self::Id => Plain("id"),
            Self::WorkspaceUserId => Plain("workspace_user_id"),
            Self::Name => Text("name"),
            Self::State => State,
            Self::CreatedAt => Plain("created_at"),
            Self::UpdatedAt => Plain("updated_at"),
            Self::ExpiresAt => Plain("expires_at"),
            Self::DeletedAt => Plain("deleted_at"),
        }
    }
}

macro_rules! items {
    ($list:ident, $module:ident, $kind:expr) => {
        impl Resource for $list {
            const SCOPE: RowScope = RowScope::Items($kind);

            fn hidden(field: $module::Hidden) -> Column {
                match field {}
            }
        }
    };
}

items!(WorkspaceDevices, workspace_devices, kind::DEVICE);
items!(WorkspaceRoles, workspace_roles, kind::ROLE);
items!(WorkspaceServices, workspace_services, kind::SERVICE);
items!(WorkspaceTokens, workspace_tokens, kind::TOKEN);
