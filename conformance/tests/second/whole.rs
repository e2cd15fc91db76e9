//! A run by another contract, as a whole.

use rollcall_conformance::RunConfig;
use rollcall_contract::{Contract, lint};

use crate::CONTRACT;
use crate::harness::tells_of_each_check;
use crate::judge;
use crate::model::{Library, Quirk};

fn contract() -> Contract {
    Contract::parse(CONTRACT).unwrap()
}

#[test]
fn the_contract_of_the_library_is_sound() {
    let findings = lint::soundness(&contract());
    let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert_eq!(findings, [""; 0]);
}

#[tokio::test]
async fn a_check_either_runs_or_is_told_not_to_apply() {
    let report = judge(Library::new(Quirk::None)).await;
    tells_of_each_check(&report);
}

#[tokio::test]
async fn what_the_library_has_is_judged() {
    let report = judge(Library::new(Quirk::None)).await;
    let passed = |section: &str| {
        let of_section = report.checks.iter().filter(|check| check.id.starts_with(section));
        of_section
            .filter(|check| check.outcome.word() == "passed")
            .count()
    };
    for section in ["A", "S", "E", "X", "B", "ST", "D", "T", "O", "G", "K", "H"] {
        assert!(passed(section) > 0, "{section}");
    }
}

#[test]
fn a_check_that_does_not_apply_is_not_selected() {
    let config = RunConfig {
        only: vec!["I1".to_owned(), "W1".to_owned(), "E1".to_owned()],
        ..RunConfig::new(contract())
    };
    let ids: Vec<_> = config.checks().iter().map(|check| check.id).collect();
    assert_eq!(ids, ["E1"]);
    let inapplicable: Vec<_> = config.inapplicable().into_values().flatten().collect();
    assert_eq!(inapplicable, ["I1", "W1"]);
}
