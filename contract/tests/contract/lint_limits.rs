//! What the rules of the lint leave alone, and what they say of each fault: changes of the small contract that are close to
//! the edge of a rule, on either side.

use std::collections::BTreeMap;

use rollcall_contract::{Contract, Document, lint};
use serde::Deserialize;
use serde_json::Value;

use crate::lints::{put, whole};

/// One change: `to` is put at `at`; null takes away what stands there.
#[derive(Deserialize)]
struct Change {
    at: String,
    to: Value,
}

/// Changes that are made together.
#[derive(Deserialize)]
struct Case {
    changes: Vec<Change>,
    /// Where a finding has to be; the contract is sound by the rule if there is none.
    found: Option<String>,
    /// What a finding has to say.
    says: Option<String>,
}

/// The cases of each rule.
fn cases() -> BTreeMap<String, Vec<Case>> {
    yaml_serde::from_str(include_str!("../fixtures/limits.yaml")).unwrap()
}

/// What the lint says of the whole small contract after some changes.
fn findings(changes: &[Change]) -> Vec<lint::Finding> {
    let mut raw = whole();
    for Change { at, to } in changes {
        put(&mut raw, at, to);
    }
    lint::lint(&Contract::of(Document::of(raw).unwrap()).unwrap())
}

#[test]
fn a_rule_finds_what_is_beyond_it_at_its_place_and_nothing_else() {
    for (rule, cases) in cases() {
        assert!(lint::rules().any(|one| one.id == rule), "there is no rule {rule}");
        for Case { changes, found, says } in cases {
            let places: Vec<_> = changes.iter().map(|one| one.at.as_str()).collect();
            let findings = findings(&changes);
            let own: Vec<_> = findings.iter().filter(|one| one.rule == rule).collect();
            let Some(found) = found else {
                assert!(own.is_empty(), "{rule} finds {places:?}: {own:#?}");
                continue;
            };
            let says = says.unwrap_or_default();
            let is_told = own
                .iter()
                .any(|one| one.at.to_string() == found && one.says.contains(&says));
            assert!(is_told, "{rule} overlooks {places:?} at {found}: {own:#?}");
        }
    }
}
