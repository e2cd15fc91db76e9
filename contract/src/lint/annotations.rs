//! Annotations are words of the vocabulary and stand where they have a meaning.

use super::{Findings, Rule};
use crate::Contract;
use crate::place::Place;

pub(super) const RULES: &[Rule] = &[Rule {
    id: "annotation-place",
    says: "An annotation of docs/annotations.md is on an element it is for.",
    check: misplaced,
}];

pub(super) const HOUSE: &[Rule] = &[Rule {
    id: "annotation-known",
    says: "Every `x-` extension is an annotation of docs/annotations.md; documents of others may have more.",
    check: known,
}];

fn misplaced(contract: &Contract, findings: &mut Findings<'_>) {
    each(contract, |key, annotation, place| {
        let says = format!("`{key}` is no annotation for this element");
        findings.unless(fits(key, place) != Some(false), annotation.at(), says);
    });
}

fn known(contract: &Contract, findings: &mut Findings<'_>) {
    each(contract, |key, annotation, place| {
        findings.unless(
            fits(key, place).is_some(),
            annotation.at(),
            format!("`{key}` is no annotation"),
        );
    });
}

/// Every extension with its name and the element that has it.
fn each(contract: &Contract, mut check: impl FnMut(&str, &Place<'_>, &Place<'_>)) {
    let visited: Result<(), std::convert::Infallible> = contract.document().root().walk(&mut |place| {
        for (key, annotation) in place.members() {
            if key.starts_with("x-") {
                check(key, &annotation, place);
            }
        }
        Ok(())
    });
    match visited {
        Ok(()) => {}
    }
}

/// Whether the annotation may stand on the element at `place`; none if there is no such annotation.
fn fits(key: &str, place: &Place<'_>) -> Option<bool> {
    let segments: Vec<_> = place.at().segments().iter().map(String::as_str).collect();
    let schema = segments.starts_with(&["components", "schemas"]);
    Some(match key {
        "x-source" | "x-extension" | "x-open-point" => !segments.is_empty(),
        "x-rules" | "x-suggested" => true,
        "x-clauses" | "x-open-points" | "x-identifier" | "x-frame" => segments.is_empty(),
        "x-list" | "x-scope" => matches!(segments[..], ["paths", _, method] if method != "parameters"),
        "x-filter" | "x-role" => place.value().get("in").is_some() && !schema,
        "x-count" | "x-link" | "x-accepts" | "x-made-of" => schema,
        "x-optional-members" => schema && place.value().get("required").is_some(),
        "x-extensible" | "x-state-time" | "x-enum-varnames" => schema && place.value().get("enum").is_some(),
        _ => return None,
    })
}
