//! A run by this contract, as a whole.

use rollcall_contract::{Contract, lint};

use crate::harness::{printed, tells_of_each_check};
use crate::model::{Board, Quirk};
use crate::{CONTRACT, judge};

#[test]
fn the_contract_of_the_board_is_sound() {
    let findings = lint::soundness(&Contract::parse(CONTRACT).unwrap());
    let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert_eq!(findings, [""; 0]);
}

#[tokio::test]
async fn a_check_either_runs_or_is_told_not_to_apply() {
    let report = judge(Board::new(Quirk::None)).await;
    tells_of_each_check(&report);
}

#[tokio::test]
async fn what_the_frame_has_a_place_for_is_judged() {
    let report = judge(Board::new(Quirk::None)).await;
    let passed: Vec<&str> = report
        .checks
        .iter()
        .filter(|check| check.outcome.word() == "passed")
        .map(|check| check.id)
        .collect();
    // Relations, related records of the list itself, counts, links, the state and the members under `attributes`.
    for check in [
        "I15", "I3", "I1", "I5", "I6", "I4", "C1", "C3", "S5", "S6", "F1", "F2", "F4", "F5", "S2", "S4",
    ] {
        assert!(
            passed.contains(&check),
            "{check} is not among {passed:?}\n{}",
            printed(&report)
        );
    }
}
