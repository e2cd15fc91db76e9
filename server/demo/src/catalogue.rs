//! What people are described by: integrations, dimensions and attributes.

use rollcall::model::{
    AttributeType, DirectoryAttribute, DirectoryAttributeId, DirectoryDimension, DirectoryDimensionId,
    DirectoryUserState as State, IntegrationVendor, LogAction, WorkspaceIntegration, WorkspaceIntegrationId,
};
use rollcall_store::Result;
use rollcall_store::change::fields::Fields;
use rollcall_store::change::log::LogEntry;
use rollcall_store::tables::table::Stored;

use super::author::Author;
use super::dimensions::{ACCESS, COST_CENTER, DIMENSIONS, Dimension};
use super::names::plain;

/// An integration people come from.
#[derive(Clone, Debug)]
pub(super) struct Integration {
    pub(super) id: String,
    pub(super) vendor: IntegrationVendor,
    pub(super) handle: &'static str,
}

/// An attribute people can have.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub(super) id: String,
    pub(super) dimension: &'static str,
    pub(super) name: &'static str,
    /// Active, and people have it.
    usual: bool,
}

impl Attribute {
    pub(super) fn is_of(&self, dimension: &str) -> bool {
        self.dimension == dimension
    }
}

/// What was written.
pub(super) struct Catalogue {
    primary: Integration,
    second: Integration,
    attributes: Vec<Attribute>,
    /// The catch-all of each imported dimension.
    catches: Vec<Attribute>,
}

impl Catalogue {
    /// Where the person with this number comes from, one in twenty from the second integration; and the other one.
    pub(super) fn origins(&self, number: u64) -> (&Integration, &Integration) {
        if number % 20 == 13 {
            (&self.second, &self.primary)
        } else {
            (&self.primary, &self.second)
        }
    }

    /// The attributes of a dimension that many people have.
    pub(super) fn usual(&self, dimension: &str) -> Vec<&Attribute> {
        let all = self.attributes.iter();
        all.filter(|attribute| attribute.usual && attribute.dimension == dimension)
            .collect()
    }

    /// The others of a dimension: on their way in or out, or soft-deleted.
    pub(super) fn unusual(&self, dimension: &str) -> Vec<&Attribute> {
        let all = self.attributes.iter();
        all.filter(|attribute| !attribute.usual && attribute.dimension == dimension)
            .collect()
    }

    /// The attribute for those who have no other in a dimension.
    pub(super) fn catch(&self, dimension: &str) -> Option<&Attribute> {
        self.catches
            .iter()
            .find(|attribute| attribute.dimension == dimension)
    }

    /// An attribute by its name.
    pub(super) fn find(&self, dimension: &str, name: &str) -> Option<&Attribute> {
        self.attributes
            .iter()
            .find(|attribute| attribute.dimension == dimension && attribute.name == name)
    }

    /// An active attribute that decides about access: the first made for that.
    pub(super) fn sample(&self) -> String {
        self.usual(ACCESS)
            .first()
            .map(|attribute| attribute.id.clone())
            .unwrap_or_default()
    }
}

/// Writes them all, spread over the past.
pub(super) fn write(author: &mut Author<'_, '_>) -> Result<Catalogue> {
    let primary = integration(author, (0, true), IntegrationVendor::Demo, "demo", "example.com")?;
    let second = integration(
        author,
        (1, false),
        IntegrationVendor::Import,
        "payroll",
        "example.org",
    )?;
    let mut catalogue = Catalogue {
        primary,
        second,
        attributes: Vec::new(),
        catches: Vec::new(),
    };
    let mut part = 2;
    for dimension in &DIMENSIONS {
        write_dimension(author, &mut catalogue, dimension, &mut part)?;
    }
    Ok(catalogue)
}

/// Timestamps of the past; the catalogue grew in the first seventy.
const PARTS: u64 = 240;

fn integration(
    author: &mut Author<'_, '_>,
    (part, is_primary): (u64, bool),
    vendor: IntegrationVendor,
    handle: &'static str,
    domain: &str,
) -> Result<Integration> {
    let at = author.timestamp(part, PARTS);
    let id = author.id::<WorkspaceIntegrationId>(at);
    let fields = author
        .life(State::Active, at, false)
        .fields()
        .set("id", id.as_str())
        .set("is_primary", is_primary)
        .set("vendor", vendor.to_string())
        .text("handle", handle)
        .text("domain", domain);
    author.insert(WorkspaceIntegration::TABLE, &fields)?;
    author.log_created(at, &id, None, "Integration")?;
    Ok(Integration { id, vendor, handle })
}

fn write_dimension(
    author: &mut Author<'_, '_>,
    catalogue: &mut Catalogue,
    dimension: &Dimension,
    part: &mut u64,
) -> Result<()> {
    let at = author.timestamp(*part, PARTS);
    let id = author.id::<DirectoryDimensionId>(at);
    let origin = (!dimension.made).then(|| catalogue.primary.id.clone());
    let fields = author
        .life(dimension.state, at, dimension.trashed)
        .fields()
        .set("id", id.as_str())
        .text("name", dimension.name)
        .text("handle", dimension.handle)
        .set("workspace_integration_id", origin.clone());
    author.insert(DirectoryDimension::TABLE, &fields)?;
    author.log_created(at, &id, origin.as_deref(), "Dimension")?;
    let mut first = None;
    let live = dimension.values.iter().map(|name| (*name, State::Active, false));
    let unusual = dimension
        .unusual
        .iter()
        .map(|(name, state)| (*name, *state, false));
    let dropped = dimension.dropped.iter().map(|name| (*name, State::Active, true));
    for (name, state, trashed) in live.chain(unusual).chain(dropped) {
        let value = Value {
            dimension: (dimension.handle, &id),
            origin: origin.as_deref(),
            name,
            state,
            trashed,
            type_: if dimension.made {
                AttributeType::Ruleset
            } else {
                AttributeType::Integration
            },
            first: first.as_deref(),
        };
        *part += 1;
        let attribute = write_attribute(author, &value, *part)?;
        first.get_or_insert_with(|| attribute.id.clone());
        catalogue.attributes.push(attribute);
    }
    if !dimension.made && !dimension.values.is_empty() {
        *part += 1;
        let value = Value {
            dimension: (dimension.handle, &id),
            origin: origin.as_deref(),
            name: "Unknown",
            state: State::Active,
            trashed: false,
            type_: AttributeType::Catch,
            first: None,
        };
        catalogue.catches.push(write_attribute(author, &value, *part)?);
    }
    Ok(())
}

struct Value<'v> {
    /// Handle and id.
    dimension: (&'static str, &'v str),
    origin: Option<&'v str>,
    name: &'static str,
    state: State,
    trashed: bool,
    type_: AttributeType,
    /// The first attribute of the dimension.
    first: Option<&'v str>,
}

fn write_attribute(author: &mut Author<'_, '_>, value: &Value<'_>, part: u64) -> Result<Attribute> {
    let at = author.timestamp(part, PARTS);
    let id = author.id::<DirectoryAttributeId>(at);
    let life = author.life(value.state, at, value.trashed);
    let (handle, dimension) = value.dimension;
    let imported = value.type_ == AttributeType::Integration;
    // One dimension was generated from a blueprint: end of its id, dimension, attribute and reference (§2.3).
    let signature = (handle == COST_CENTER && imported).then(|| format!("k7x2-{dimension}-{id}-{part}"));
    // What goes out of use is replaced.
    let leaves = matches!(value.state, State::Expiring | State::Expired | State::Deactivated);
    let successor = value.first.filter(|_| leaves);
    let fields = life
        .fields()
        .set("id", id.as_str())
        .set("type", value.type_.to_string())
        .text("name", value.name)
        .text("handle", &slug(value.name, part))
        .set("blueprint_signature", signature)
        .set("profile_value", imported.then(|| value.name.to_uppercase()))
        .set("directory_dimension_id", dimension)
        .set("workspace_integration_id", value.origin)
        .set("successor_id", successor)
        .set("activated_at", (value.state != State::Staged).then_some(at));
    author.insert(DirectoryAttribute::TABLE, &fields)?;
    author.log_created(at, &id, Some(dimension), "Attribute")?;
    if let Some(successor) = successor {
        let entry = LogEntry {
            action: LogAction::Deprecated,
            record: &id,
            parent: Some(dimension),
            related: Some(successor),
            subject: None,
            message: "Attribute was deprecated; another takes its place.".to_owned(),
        };
        let operator = author.operator.clone();
        author.log(Some(&operator), life.updated_at, &entry)?;
    }
    Ok(Attribute {
        id,
        dimension: handle,
        name: value.name,
        usual: value.state == State::Active && !value.trashed,
    })
}

/// The handle of an attribute: its name without what handles do not have, or a number where that leaves nothing.
fn slug(name: &str, part: u64) -> String {
    let slug = plain(name, "-");
    if slug.is_empty() {
        format!("value-{part}")
    } else {
        slug
    }
}

/// What an identity knows of its person: the department.
pub(super) fn vendor_org(department: &Attribute) -> serde_json::Value {
    serde_json::json!({ department.dimension: department.name })
}

/// Fields of a user's attribute.
pub(super) fn membership(user: &str, attribute: &Attribute) -> Fields {
    Fields::new()
        .set("directory_user_id", user)
        .set("directory_attribute_id", attribute.id.as_str())
}
