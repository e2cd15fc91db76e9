//! Devices, roles, services and tokens of workspace users: one table, four lists that differ by kind.

use rollcall::lists::{WorkspaceDevices, WorkspaceRoles, WorkspaceServices, WorkspaceTokens};
use rollcall::model::{LifecycleTimestamps, WorkspaceItem, WorkspaceItemLinks};

use super::directory_dimensions::ReadTimestamps;
use crate::store::Result;
use crate::store::column::{Column, Only};
use crate::store::dialect::Cells;
use crate::store::resource::{Readable, Reading, Resource};

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

macro_rules! items {
    ($list:ident, $module:ident, $kind:expr) => {
        impl Resource for $list {
            const ONLY: Only = Only::Items($kind);

            fn column(field: rollcall::lists::$module::Field) -> Column {
                use rollcall::lists::$module::Field;
                match field {
                    Field::Id => Column::Plain("id"),
                    Field::State => Column::State,
                    Field::Name => Column::Text("name"),
                    Field::WorkspaceUserId => Column::Plain("workspace_user_id"),
                    Field::CreatedAt => Column::Plain("created_at"),
                    Field::UpdatedAt => Column::Plain("updated_at"),
                }
            }

            fn id(record: &WorkspaceItem) -> &str {
                record.id.as_str()
            }
        }
    };
}

items!(WorkspaceDevices, workspace_devices, kind::DEVICE);
items!(WorkspaceRoles, workspace_roles, kind::ROLE);
items!(WorkspaceServices, workspace_services, kind::SERVICE);
items!(WorkspaceTokens, workspace_tokens, kind::TOKEN);

impl Readable for WorkspaceItem {
    const TABLE: &'static str = "workspace_items";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "workspace_user_id",
        "name",
        "state",
        "expires_at",
        "created_at",
        "updated_at",
        "expires_at",
        "deleted_at",
    ];

    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self> {
        let id: rollcall::model::WorkspaceItemId = cells.word()?;
        Ok(Self {
            links: WorkspaceItemLinks::of(reading.base, id.as_str()),
            id,
            workspace_user_id: cells.word()?,
            name: cells.string()?,
            state: cells.state(reading.now)?,
            timestamp: LifecycleTimestamps::read(cells)?,
        })
    }
}
