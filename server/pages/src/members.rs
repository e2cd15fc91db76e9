//! The members of a component schema with those of the objects within it, as the rows of a table.

use std::collections::HashMap;

use rollcall_contract::{Contract, Origin, Pointer};
use serde_json::Value;

/// A member of an object.
pub(super) struct Member<'c> {
    /// Its place in the object, such as `/count/vcs_groups`.
    pub(super) path: Pointer,
    /// Its schema, as written.
    pub(super) schema: &'c Value,
    /// Whether the object around it always has it.
    pub(super) required: bool,
    /// The origin that it states itself.
    pub(super) stated: Origin,
    /// Where it comes from: as it states, and as follows from the schemas around it and under it.
    pub(super) origin: Origin,
}

/// Every element of the contract that says where it comes from, by its place.
pub(super) struct Origins<'c> {
    contract: &'c Contract,
    by_place: HashMap<&'c Pointer, &'c Origin>,
}

/// An object within an object within a record: the contract goes no deeper.
const DEEPEST: usize = 3;

impl<'c> Origins<'c> {
    /// Those of a contract.
    pub(super) fn of(contract: &'c Contract) -> Self {
        let marks = contract.marks.iter();
        Self {
            contract,
            by_place: marks.map(|mark| (&mark.at, &mark.origin)).collect(),
        }
    }

    /// The origin of a component schema.
    pub(super) fn schema(&self, name: &str) -> Option<&'c Origin> {
        self.by_place.get(&component(name)).copied()
    }

    /// The members of a component schema, those of `allOf` first.
    pub(super) fn members(&self, name: &str) -> Vec<Member<'c>> {
        let mut members = Vec::new();
        self.collect(component(name), &Pointer::root(), &mut members);
        members
    }

    fn collect(&self, at: Pointer, inside: &Pointer, members: &mut Vec<Member<'c>>) {
        let document = self.contract.document();
        let Some(schema) = at.find(document.raw()) else {
            return;
        };
        if let Some(target) = reference(schema) {
            return self.collect(target, inside, members);
        }
        if document.or_null(schema).is_some() {
            return self.collect(at.child("anyOf").child("0"), inside, members);
        }
        for part in 0..schema["allOf"].as_array().map_or(0, Vec::len) {
            self.collect(at.child("allOf").child(&part.to_string()), inside, members);
        }
        let required = schema["required"].as_array();
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            let (path, at) = (inside.child(name), at.child("properties").child(name));
            // A record may say more about a member of its summary.
            let before = members.iter().position(|one| one.path == path);
            let one = Member {
                required: required.is_some_and(|names| names.contains(&Value::from(name.as_str())))
                    || before.is_some_and(|before| members[before].required),
                origin: self.origin(&at, member),
                stated: self.stated(&at),
                schema: member,
                path: path.clone(),
            };
            match before {
                Some(before) => members[before] = one,
                None => members.push(one),
            }
            if self.is_part(member) && path.segments().len() < DEEPEST {
                self.collect(at, &path, members);
            }
        }
    }

    /// Whether a schema is an object with members that belongs to the record around it, and is no record itself.
    fn is_part(&self, schema: &Value) -> bool {
        let document = self.contract.document();
        let is_record = document
            .schema_name(schema)
            .is_some_and(|name| is_record(self.contract, name));
        !is_record && document.underlying(schema).get("properties").is_some()
    }

    fn stated(&self, at: &Pointer) -> Origin {
        self.by_place.get(at).copied().cloned().unwrap_or_default()
    }

    /// What a member states itself; the clause of the schema around it where it states none; and the rulings on the schema
    /// that it refers to.
    fn origin(&self, at: &Pointer, schema: &Value) -> Origin {
        let mut origin = self.stated(at);
        if !origin.is_stated() {
            let segments: Vec<_> = at.segments().iter().map(String::as_str).collect();
            let around = (0..segments.len()).rev();
            let around = around.filter_map(|end| {
                let place = Pointer::of(segments[..end].iter().copied());
                self.by_place.get(&place).filter(|origin| origin.is_stated())
            });
            if let Some(around) = around.into_iter().next() {
                origin.source.clone_from(&around.source);
                origin.extension = around.extension;
            }
        }
        let referred = self.contract.document().schema_name(schema);
        let rulings = referred.and_then(|name| self.schema(name));
        for point in rulings.into_iter().flat_map(|origin| &origin.open_points) {
            if !origin.open_points.contains(point) {
                origin.open_points.push(point.clone());
            }
        }
        origin
    }
}

/// Whether a component schema has the member that identifies a record.
pub(super) fn is_record(contract: &Contract, name: &str) -> bool {
    contract.member_schema(name, &contract.identifier).is_some()
}

fn component(name: &str) -> Pointer {
    Pointer::of(["components", "schemas", name])
}

/// Where a `$ref` leads.
fn reference(schema: &Value) -> Option<Pointer> {
    schema.get("$ref")?.as_str()?.strip_prefix('#')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::model;

    #[test]
    fn a_record_has_the_members_that_the_model_names_and_those_of_its_objects() {
        let contract = model().expect("a contract");
        let origins = Origins::of(contract);
        for (name, _) in contract.document().schemas() {
            let members = origins.members(name);
            let at = |path: &Pointer| contract.member_schema(name, path).is_some();
            assert!(members.iter().all(|member| at(&member.path)), "{name}");
            let top: Vec<_> = members
                .iter()
                .filter(|member| member.path.segments().len() == 1)
                .filter_map(|member| member.path.last())
                .collect();
            assert_eq!(top, contract.member_names(name, &Pointer::root()), "{name}");
        }
        let user = origins.members("DirectoryUser");
        let member = |path: &str| {
            user.iter()
                .find(|member| member.path.to_string() == path)
                .expect(path)
        };
        for (path, required, source, point) in [
            ("/full_name", true, "§2.1", None),
            ("/count/vcs_groups", true, "§2.1", Some("L18")),
            ("/included/secondary_users", false, "§2.1", Some("R10")),
            ("/timestamp/created_at", true, "§2.1", Some("R1")),
        ] {
            let Member {
                required: is, origin, ..
            } = member(path);
            assert_eq!(
                (*is, origin.source.as_slice()),
                (required, [source.to_owned()].as_slice()),
                "{path}"
            );
            assert_eq!(origin.open_points.first().map(String::as_str), point, "{path}");
        }
    }
}
