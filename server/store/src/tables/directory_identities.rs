//! Directory identities: people as one integration knows them (§2.1).

use rollcall::lists::DirectoryIdentities;
use rollcall::lists::directory_identities::Hidden;
use rollcall::records::directory_identity::Member;

use crate::tables::column::Column::{self, Plain, State, Text};
use crate::tables::resource::Resource;
use crate::tables::table::Table;

impl Table for Member {
    const NAME: &'static str = "directory_identities";

    fn column(self) -> Column {
        match self {
            Self::Id => Plain("id"),
            Self::WorkspaceIntegrationId => Plain("workspace_integration_id"),
            Self::DirectoryUserId => Plain("directory_user_id"),
            Self::IntegrationVendor => Plain("integration_vendor"),
            Self::IntegrationHandle => Plain("integration_handle"),
            Self::VendorId => Plain("vendor_id"),
            Self::FullName => Text("full_name"),
            Self::Email => Text("email"),
            Self::Org => Plain("org"),
            Self::State => State,
            Self::CreatedAt => Plain("created_at"),
            Self::UpdatedAt => Plain("updated_at"),
            Self::ExpiresAt => Plain("expires_at"),
            Self::DeletedAt => Plain("deleted_at"),
        }
    }
}

impl Resource for DirectoryIdentities {
    fn hidden(field: Hidden) -> Column {
        match field {}
    }
}
