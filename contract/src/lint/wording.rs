//! Descriptions are in plain English: without the phrases at which strangers stumbled, and with names as code.

use std::convert::Infallible;

use super::{Findings, Rule};
use crate::Contract;
use crate::place::Place;

pub(super) const HOUSE: &[Rule] = &[Rule {
    id: "wording-plain",
    says: "A description uses nouns for `one that`, `those that` and `what is`; a name with an underscore or a bracket is in backticks.",
    check: plain,
}];

/// Phrases that stand for a noun, at which strangers stumbled.
const PHRASES: [&str; 8] = [
    "one that",
    "ones that",
    "those that",
    "those who",
    "is what",
    "in words",
    "whoever",
    "whatever",
];

/// Members of the document that people read.
const TEXTS: [&str; 3] = ["description", "summary", "says"];

fn plain(contract: &Contract, findings: &mut Findings<'_>) {
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
    let lowercase = text.to_lowercase();
    let words: Vec<_> = lowercase.split_whitespace().collect();
    let spaced = format!(" {} ", words.join(" "));
    for phrase in PHRASES
        .iter()
        .filter(|phrase| spaced.contains(&format!(" {phrase} ")))
    {
        findings.add(place.at(), format!("say the noun instead of `{phrase}`"));
    }
    // Between backticks is code.
    let outside = text.split('`').step_by(2).flat_map(str::split_whitespace);
    for name in outside.filter(|word| word.contains(['_', '['])) {
        findings.add(place.at(), format!("write {name} in backticks"));
    }
}
