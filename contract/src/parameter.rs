//! A parameter of an operation, and what it is for.

use serde::Deserialize;
use serde_json::Value;

use crate::place::Place;
use crate::{Clauses, Document, Error, Filter, Origin, Pointer};

/// One parameter of an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name as it is sent, such as `filter[email]`.
    pub name: String,
    /// Which part of the request carries it.
    pub position: Position,
    /// Whether a request without it is refused.
    pub required: bool,
    /// What it means, for a reader. It ends with the origin that the parameter has in this operation.
    pub description: Option<String>,
    /// Its schema, as written.
    pub schema: Value,
    /// The component schema it refers to, if it does.
    pub schema_name: Option<String>,
    /// Whether its values are sent in one text, separated by commas: `style: form, explode: false`.
    pub is_comma_separated: bool,
    /// What it filters by, if it is a filter.
    pub filter: Option<Filter>,
    /// What else it is for, if it belongs to a list and is no filter.
    pub role: Option<Role>,
    /// Where it comes from in this operation. The parameter itself may have more clauses, which are about others.
    pub origin: Origin,
    /// Where it stands in the document: in the operation, or in the components that operations share.
    pub at: Pointer,
}

/// Which part of a request carries a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Position {
    /// The path.
    Path,
    /// The query.
    Query,
    /// A header.
    Header,
}

/// What a parameter of a list that is no filter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The relations to include.
    Include,
    /// The order.
    Sort,
    /// Which page, by its number.
    Page,
    /// Which page, by the cursor that the page before shows at `next` of `x-list`.
    Cursor,
    /// How many records make a page.
    PageSize,
    /// Whether to say how many records there are in all.
    PageTotal,
}

impl Parameter {
    /// Reads the parameter at `place`, through a reference, as the operation has it.
    pub(crate) fn read(
        document: &Document,
        place: &Place<'_>,
        operation: &str,
        clauses: &Clauses,
    ) -> Result<Self, Error> {
        let place = place.target();
        let name = place.need("name")?.text()?;
        let schema = place.need("schema")?.value();
        let position = place.typed("in")?.ok_or_else(|| place.error("`in` is missing"))?;
        Ok(Self {
            name: name.to_owned(),
            position,
            required: place.typed("required")?.unwrap_or_default(),
            description: place.optional_text("description")?.map(str::to_owned),
            schema: schema.clone(),
            schema_name: document.schema_name(schema).map(str::to_owned),
            is_comma_separated: place.typed("explode")? == Some(false)
                && place.optional_text("style")?.is_none_or(|style| style == "form"),
            filter: Filter::read(document, &place, schema)?,
            role: place.typed("x-role")?,
            origin: clauses.origin_of_use(Origin::read(&place)?, operation, name),
            at: place.at().clone(),
        })
    }

    /// Whether operations share it: it is a component.
    pub fn is_shared(&self) -> bool {
        self.at
            .segments()
            .first()
            .is_some_and(|first| first == "components")
    }
}
