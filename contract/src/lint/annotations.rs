//! Annotations are words of the vocabulary and stand where they have a meaning.

use super::{Findings, Rule};
use crate::Contract;
use crate::place::Place;

pub(super) const RULES: &[Rule] = &[Rule {
    id: "annotation-known",
    says: "An annotation is one of docs/annotations.md and stands on an element it is for.",
    check: known,
}];

fn known(contract: &Contract, findings: &mut Findings<'_>) {
    let visited: Result<(), std::convert::Infallible> = contract.document().root().walk(&mut |place| {
        for (key, annotation) in place.members() {
            if key.starts_with("x-") && !fits(key, place) {
                findings.add(
                    annotation.at(),
                    format!("`{key}` is no annotation for this element"),
                );
            }
        }
        Ok(())
    });
    match visited {
        Ok(()) => {}
    }
}

/// Whether the annotation may stand on the element at `place`.
fn fits(key: &str, place: &Place<'_>) -> bool {
    let segments: Vec<_> = place.at().segments().iter().map(String::as_str).collect();
    let schema = segments.starts_with(&["components", "schemas"]);
    match key {
        "x-source" | "x-extension" | "x-open-point" => !segments.is_empty(),
        "x-rules" => true,
        "x-clauses" | "x-open-points" | "x-identifier" | "x-frame" => segments.is_empty(),
        "x-list" | "x-scope" => matches!(segments[..], ["paths", _, method] if method != "parameters"),
        "x-filter" | "x-role" => place.value().get("in").is_some() && !schema,
        "x-count" | "x-link" | "x-accepts" | "x-made-of" => schema,
        "x-optional-members" => schema && place.value().get("required").is_some(),
        "x-extensible" | "x-state-time" | "x-enum-varnames" => schema && place.value().get("enum").is_some(),
        _ => false,
    }
}
