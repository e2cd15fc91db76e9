//! The dimensions and attributes an import speaks of: found in the store, or made when they come up first.

use std::collections::HashMap;

use rollcall::model::{
    AttributeType, DirectoryAttribute, DirectoryAttributeId, DirectoryDimension, DirectoryDimensionId,
    LifecycleState, LogAction,
};
use rollcall_store::Result;
use rollcall_store::change::fields::Fields;
use rollcall_store::change::log::LogEntry;
use rollcall_store::change::unit::Unit;
use rollcall_store::fold::{fold, letter_case};
use rollcall_store::people::name_resolution;
use rollcall_store::tables::table::Stored;

use super::Membership;

/// An attribute of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attribute {
    pub(super) id: String,
    pub(super) dimension: String,
    pub(super) name: String,
}

impl Attribute {
    /// Its dimension and name.
    pub(super) fn named(self) -> (String, String) {
        (self.dimension, self.name)
    }
}

/// Attributes by dimension and name.
pub(super) struct Dictionary {
    integration: String,
    /// Whether names that differ by case alone are one, as in LDIF.
    folded: bool,
    dimensions: HashMap<String, String>,
    attributes: HashMap<Membership, Attribute>,
    /// The last number given to a handle that was taken, so that a thousand names of one handle don't look a million times.
    numbers: HashMap<(String, String), u32>,
}

impl Dictionary {
    /// A dictionary whose new entries belong to an integration.
    pub(super) fn new(integration: &str, folded: bool) -> Self {
        let (dimensions, attributes, numbers) = Default::default();
        Self {
            integration: integration.to_owned(),
            folded,
            dimensions,
            attributes,
            numbers,
        }
    }

    /// The attribute a file means.
    pub(super) fn attribute(&mut self, unit: &mut Unit<'_>, membership: &Membership) -> Result<Attribute> {
        let name = if self.folded {
            letter_case(&membership.name)
        } else {
            membership.name.clone()
        };
        let key = Membership {
            dimension: membership.dimension.clone(),
            name,
        };
        if let Some(known) = self.attributes.get(&key) {
            return Ok(known.clone());
        }
        let dimension = self.dimension(unit, &membership.dimension)?;
        let found = name_resolution::attribute(unit.connection(), &dimension, &membership.name, self.folded)?;
        let (id, name) = match found {
            Some(found) => found,
            None => (
                self.create(unit, &dimension, &membership.name)?,
                membership.name.clone(),
            ),
        };
        let attribute = Attribute {
            id,
            dimension: membership.dimension.clone(),
            name,
        };
        self.attributes.insert(key, attribute.clone());
        Ok(attribute)
    }

    fn dimension(&mut self, unit: &mut Unit<'_>, handle: &str) -> Result<String> {
        if let Some(known) = self.dimensions.get(handle) {
            return Ok(known.clone());
        }
        let id = match name_resolution::dimension(unit.connection(), handle)? {
            Some(id) => id,
            None => self.create_dimension(unit, handle)?,
        };
        self.dimensions.insert(handle.to_owned(), id.clone());
        Ok(id)
    }

    fn create_dimension(&self, unit: &mut Unit<'_>, handle: &str) -> Result<String> {
        let now = unit.now();
        let id = unit.ids.id::<DirectoryDimensionId>(now);
        let fields = Fields::new()
            .set("id", id.as_str())
            .set("state", LifecycleState::Active.to_string())
            .text("name", &readable(handle))
            .text("handle", handle)
            .set("workspace_integration_id", self.integration.as_str())
            .set("created_at", now)
            .set("updated_at", now);
        unit.insert(DirectoryDimension::TABLE, &fields)?;
        log(unit, &id, None, "Dimension")?;
        Ok(id)
    }

    fn create(&mut self, unit: &mut Unit<'_>, dimension: &str, name: &str) -> Result<String> {
        let handle = self.free_handle(unit, dimension, name)?;
        let now = unit.now();
        let id = unit.ids.id::<DirectoryAttributeId>(now);
        let fields = Fields::new()
            .set("id", id.as_str())
            .set("state", LifecycleState::Active.to_string())
            .set("type", AttributeType::Integration.to_string())
            .text("name", name)
            .text("handle", &handle)
            .set("profile_value", name)
            .set("directory_dimension_id", dimension)
            .set("workspace_integration_id", self.integration.as_str())
            .set("activated_at", now)
            .set("created_at", now)
            .set("updated_at", now);
        unit.insert(DirectoryAttribute::TABLE, &fields)?;
        log(unit, &id, Some(dimension), "Attribute")?;
        Ok(id)
    }

    fn free_handle(&mut self, unit: &Unit<'_>, dimension: &str, name: &str) -> Result<String> {
        let handle = handle(name);
        let number = self
            .numbers
            .entry((dimension.to_owned(), handle.clone()))
            .or_default();
        loop {
            *number += 1;
            let candidate = if *number == 1 {
                handle.clone()
            } else {
                format!("{handle}_{number}")
            };
            if !name_resolution::has_handle(unit.connection(), dimension, &candidate)? {
                return Ok(candidate);
            }
        }
    }
}

fn log(unit: &mut Unit<'_>, record: &str, parent: Option<&str>, what: &str) -> Result<()> {
    let message = format!("{what} was created by an import.");
    unit.log(&LogEntry {
        action: LogAction::Created,
        record,
        parent,
        related: None,
        subject: None,
        message,
    })
}

/// `department_number` as `Department number`.
fn readable(handle: &str) -> String {
    let words = handle.replace(['_', '-', '.'], " ");
    let mut letters = words.trim().chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => handle.to_owned(),
    }
}

/// `Human Resources` as `human_resources`: letters and digits, folded, with `_` for what is between them.
fn handle(name: &str) -> String {
    let folded = fold(name);
    let words: Vec<&str> = folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() {
        "attribute".to_owned()
    } else {
        words.join("_")
    }
}

#[cfg(test)]
mod tests {
    use super::{handle, readable};

    #[test]
    fn names_and_handles_can_be_read() {
        assert_eq!(readable("department_number"), "Department number");
        assert_eq!(readable("_"), "_");
        assert_eq!(handle("Human Resources (R&D)"), "human_resources_r_d");
        assert_eq!(handle("Zürich"), "zürich");
        assert_eq!(handle("%_"), "attribute");
    }
}
