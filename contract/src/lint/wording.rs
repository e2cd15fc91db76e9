//! Names in descriptions are written as code.

use std::convert::Infallible;

use super::{Findings, Rule};
use crate::Contract;
use crate::place::Place;

pub(super) const HOUSE: &[Rule] = &[Rule {
    id: "wording-code",
    says: "In a description a name with an underscore or a bracket is in backticks.",
    check: code,
}];

/// Members of the document that people read.
const TEXTS: [&str; 3] = ["description", "summary", "says"];

fn code(contract: &Contract, findings: &mut Findings<'_>) {
    let visited: Result<(), Infallible> = contract.document().root().walk(&mut |place| {
        for text in TEXTS.iter().filter_map(|key| place.child(key)) {
            check(&text, findings);
        }
        if let Some(accepts) = place.child("accepts") {
            accepts
                .members()
                .iter()
                .for_each(|(_, text)| check(text, findings));
        }
        Ok(())
    });
    match visited {
        Ok(()) => {}
    }
}

fn check(place: &Place<'_>, findings: &mut Findings<'_>) {
    let Some(text) = place.value().as_str() else {
        return;
    };
    // Between backticks is code.
    let outside = text.split('`').step_by(2).flat_map(str::split_whitespace);
    for name in outside.filter(|word| word.contains(['_', '['])) {
        findings.add(place.at(), format!("write {name} in backticks"));
    }
}
