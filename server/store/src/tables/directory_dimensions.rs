//! Directory dimensions (§4.4.7, R12).

use rollcall::lists::directory_dimensions::{Hidden, Relation};
use rollcall::lists::{DirectoryAttributes, DirectoryDimensions, directory_attributes};
use rollcall::model::DirectoryAttributeSummary;
use rollcall::records::directory_dimension::Member;

use crate::sql::Name::{self, Folded};
use crate::tables::column::Column::{self, Joined, Plain, State, Text};
use crate::tables::column::JoinPath;
use crate::tables::resource::{Related, Resource};
use crate::tables::table::Table;

impl Table for Member {
    const NAME: &'static str = "directory_dimensions";
    const SEARCHED: &'static [Name] = &[Folded("name")];

    fn column(self) -> Column {
        match self {
            Self::Id => Plain("id"),
            Self::State => State,
            Self::Name => Text("name"),
            Self::Handle => Text("handle"),
            Self::WorkspaceIntegrationId => Plain("workspace_integration_id"),
            Self::CreatedAt => Plain("created_at"),
            Self::UpdatedAt => Plain("updated_at"),
            Self::ExpiresAt => Plain("expires_at"),
            Self::DeletedAt => Plain("deleted_at"),
        }
    }
}

impl Resource for DirectoryDimensions {
    fn hidden(field: Hidden) -> Column {
        match field {
            Hidden::AttributeId => Joined(JoinPath::new(
                "directory_attributes",
                "directory_dimension_id",
                "id",
            )),
        }
    }

    fn relation(relation: Relation) -> Option<Related> {
        Some(match relation {
            Relation::Attributes => Related::many::<DirectoryAttributeSummary>(DirectoryAttributes::row_set(
                directory_attributes::Field::DirectoryDimensionId,
            )),
        })
    }
}
