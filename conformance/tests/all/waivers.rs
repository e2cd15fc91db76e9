//! Waivers: a violation that is known does not make the verdict, and is not forgotten either.

use rollcall_shelf::Hooks;

use crate::command_line::{hooks, judged, text};
use crate::folder::Folder;

fn waiver(check: &str, expires: &str) -> String {
    format!("[[waiver]]\ncheck = '{check}'\nreason = 'ticket 12'\nexpires = '{expires}'\n")
}

async fn with(test: &str, waivers: &str, hooks: Hooks) -> (Option<i32>, String) {
    let folder = Folder::new(test);
    let file = folder.write("waivers.toml", waivers);
    let output = judged(hooks, &["--only", "S5,S6", "--waivers", &file]).await;
    (output.status.code(), text(&output))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_waived_violation_is_told_and_does_not_count() {
    let (exit, told) = with(
        "waived",
        &waiver("S5", "2999-12-31"),
        hooks("a count is negative"),
    )
    .await;
    assert_eq!(exit, Some(0), "{told}");
    assert!(
        told.contains("Waived\n  S5") && told.contains("ticket 12"),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_waiver_does_not_apply() {
    let (exit, told) = with(
        "expired",
        &waiver("S5", "2020-12-31"),
        hooks("a count is negative"),
    )
    .await;
    assert_eq!(exit, Some(1), "{told}");
    assert!(told.contains("its last day was 2020-12-31"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_waiver_that_is_not_needed_is_told() {
    let both = [waiver("S5", "2999-12-31"), waiver("E3", "2999-12-31")].concat();
    let (exit, told) = with("stale", &both, Hooks::default()).await;
    assert_eq!(exit, Some(0), "{told}");
    assert!(
        told.contains("the waiver of S5 (ticket 12) excuses nothing"),
        "{told}"
    );
    assert!(
        told.contains("the waiver of E3 (ticket 12) was not needed"),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_waiver_of_no_check_is_a_mistake_in_the_configuration() {
    let (exit, told) = with("nocheck", &waiver("Z9", "2999-12-31"), Hooks::default()).await;
    assert_eq!(exit, Some(2), "{told}");
    assert!(
        told.contains("waivers.toml, line 2: check: there is no check Z9"),
        "{told}"
    );
}

#[test]
fn the_example_can_be_read() {
    let example = include_str!("../../../docs/waivers.example.toml");
    assert_eq!(rollcall_conformance::run::waiver::read(example).unwrap().len(), 2);
}
