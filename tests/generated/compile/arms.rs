//! Matches over the fields and relations of a list, as a store has them; one case of `compile` leaves an arm out.

use rollcall::lists::directory_dimensions::{Field, Relation};

pub fn column(field: Field) -> &'static str {
    match field {
        Field::Id => "id",
        Field::State => "state",
        Field::Name => "name",
        Field::Handle => "handle",
        Field::CreatedAt => "created_at",
        Field::UpdatedAt => "updated_at",
        Field::WorkspaceIntegrationId => "workspace_integration_id",
        Field::AttributeId => "attribute_id",
    }
}

pub fn table(relation: Relation) -> &'static str {
    match relation {
        Relation::Attributes => "attributes",
    }
}
