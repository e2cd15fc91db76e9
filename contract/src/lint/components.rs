//! Schemas that code is generated from have names.

use std::convert::Infallible;

use super::{Findings, Rule};
use crate::Contract;
use crate::place::Place;
use crate::reference::is_null;

pub(super) const HOUSE: &[Rule] = &[
    Rule {
        id: "schema-named",
        says: "Every enum, every string with a pattern and every object with properties is a component schema.",
        check: named,
    },
    Rule {
        id: "property-example",
        says: "Every property with a text, a number or a truth value has an example, or its schema has one.",
        check: exemplified,
    },
];

fn exemplified(contract: &Contract, findings: &mut Findings<'_>) {
    let visited: Result<(), Infallible> = contract.document().root().walk(&mut |place| {
        for (_, property) in place
            .child("properties")
            .map(|all| all.members())
            .unwrap_or_default()
        {
            let schema = property.underlying();
            let is_scalar = ["string", "integer", "number", "boolean"]
                .iter()
                .any(|kind| schema.value().get("type").is_some_and(|written| written == kind));
            let given = [&property, &schema]
                .iter()
                .any(|place| place.child("example").is_some());
            findings.unless(given || !is_scalar, property.at(), "this property has no example");
        }
        Ok(())
    });
    match visited {
        Ok(()) => {}
    }
}

fn named(contract: &Contract, findings: &mut Findings<'_>) {
    let document = contract.document();
    for (_, component) in document.component_places("schemas") {
        inside(&component, findings);
    }
    let visited: Result<(), Infallible> = document.root().walk(&mut |place| {
        let of_a_schema = place
            .at()
            .segments()
            .starts_with(&["components".to_owned(), "schemas".to_owned()]);
        if let Some(schema) = place.child("schema").filter(|_| !of_a_schema) {
            inline(&schema, findings);
        }
        Ok(())
    });
    match visited {
        Ok(()) => {}
    }
}

/// What a component is written with; a part of its `allOf` belongs to it and needs no name of its own.
fn inside(component: &Place<'_>, findings: &mut Findings<'_>) {
    let parts = component
        .child("allOf")
        .map(|parts| parts.elements())
        .unwrap_or_default();
    for schema in component.subschemas() {
        match parts.iter().any(|part| part.at() == schema.at()) {
            true => inside(&schema, findings),
            false => inline(&schema, findings),
        }
    }
}

fn inline(schema: &Place<'_>, findings: &mut Findings<'_>) {
    // Null beside another schema: generators write no sound code for a component that holds nothing else.
    if is_null(schema.value()) {
        return;
    }
    for key in ["enum", "pattern", "properties"] {
        let says = format!("a schema with `{key}` has to be a component");
        findings.unless(schema.child(key).is_none(), schema.at(), says);
    }
    schema.subschemas().iter().for_each(|part| inline(part, findings));
}
