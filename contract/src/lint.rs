//! Whether a contract agrees with itself and with the specification it is written from.
//!
//! A rule is data: an id, what it says, and a function that reports where it is broken. Each file below holds the rules
//! about one kind of element. `RULES` hold for every contract that the runner judges by. `HOUSE` hold for ours alone: they
//! are about its specification, its names, its documents and the code that is generated from it. The real `openapi.yaml`
//! passes them all, which is a test of this crate.

mod annotations;
mod clauses;
mod components;
mod filters;
mod frame;
mod lists;
mod operations;
mod origins;
mod records;
mod relations;
pub mod specification;
mod wording;

use std::fmt::{self, Display};

use serde_json::Value;

use crate::{Contract, Pointer};

/// Something every contract has to keep.
pub struct Rule {
    /// Its name.
    pub id: &'static str,
    /// What has to be so, in a sentence.
    pub says: &'static str,
    check: fn(&Contract, &mut Findings<'_>),
}

/// A place where a rule is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule's id.
    pub rule: &'static str,
    /// Where in the document.
    pub at: Pointer,
    /// What is wrong there.
    pub says: String,
}

/// Takes what a rule finds; the same thing found twice, in an element that several others refer to, counts once.
struct Findings<'f> {
    rule: &'static str,
    document: &'f Value,
    found: &'f mut Vec<Finding>,
}

/// The rules for every contract.
const SOUNDNESS: [&[Rule]; 8] = [
    annotations::RULES,
    origins::RULES,
    operations::RULES,
    lists::RULES,
    filters::RULES,
    frame::RULES,
    relations::RULES,
    records::RULES,
];

/// The rules for ours.
const HOUSE: [&[Rule]; 9] = [
    annotations::HOUSE,
    origins::HOUSE,
    clauses::HOUSE,
    operations::HOUSE,
    lists::HOUSE,
    filters::HOUSE,
    records::HOUSE,
    components::HOUSE,
    wording::HOUSE,
];

/// All rules.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    SOUNDNESS.into_iter().chain(HOUSE).flatten()
}

/// Holds our contract against every rule; a sound one gives nothing.
pub fn lint(contract: &Contract) -> Vec<Finding> {
    broken(contract, rules())
}

/// Holds any contract against the rules that the runner relies on.
pub fn soundness(contract: &Contract) -> Vec<Finding> {
    broken(contract, SOUNDNESS.into_iter().flatten())
}

fn broken(contract: &Contract, rules: impl Iterator<Item = &'static Rule>) -> Vec<Finding> {
    let mut found = Vec::new();
    for rule in rules {
        (rule.check)(
            contract,
            &mut Findings {
                rule: rule.id,
                document: contract.document().raw(),
                found: &mut found,
            },
        );
    }
    found
}

impl Findings<'_> {
    /// A place that the document lacks is named by its first missing member.
    fn add(&mut self, at: &Pointer, says: impl Into<String>) {
        let finding = Finding {
            rule: self.rule,
            at: at.first_missing(self.document),
            says: says.into(),
        };
        if !self.found.contains(&finding) {
            self.found.push(finding);
        }
    }

    fn unless(&mut self, holds: bool, at: &Pointer, says: impl Into<String>) {
        if !holds {
            self.add(at, says);
        }
    }
}

impl Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: at {}: {}", self.rule, self.at, self.says)
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.id, self.says)
    }
}
