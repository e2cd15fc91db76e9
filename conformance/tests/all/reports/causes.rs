//! Failures by what they are about.

use rollcall_conformance::Verdict;
use rollcall_conformance::engine::finding::Finding;
use rollcall_conformance::engine::outcome::Outcome;
use rollcall_conformance::report::Causes;

use super::made::{everything, failed, finding, passed, report};

#[test]
fn what_one_operation_does_wrong_is_one_cause() {
    let of = |about: &str, subject: &str| Finding {
        subject: Some(subject.to_owned()),
        ..finding(about, "", "")
    };
    let report = report(
        Verdict::Violates,
        vec![
            ("W1", failed(2, vec![of("/deprecate, 1096 days", "/deprecate")])),
            ("W4", failed(2, vec![of("/deprecate, a date", "/deprecate")])),
            (
                "W8",
                failed(
                    2,
                    vec![of("/restore, a text", "/restore"), finding("/records", "", "")],
                ),
            ),
        ],
    );
    let causes = Causes::of(&report);
    let told: Vec<_> = causes
        .causes
        .iter()
        .map(|cause| (cause.title(9), cause.failures.len()))
        .collect();
    let expected = [
        ("/deprecate, 1096 days, /deprecate, a date", 2),
        ("/restore, a text, /records", 1),
    ];
    assert_eq!(
        told,
        expected.map(|(title, failures)| (title.to_owned(), failures))
    );
}

#[test]
fn what_fails_the_same_checks_is_one_cause() {
    let about = |names: &[&str]| {
        names
            .iter()
            .map(|name| finding(name, "a", "b"))
            .collect::<Vec<_>>()
    };
    let report = report(
        Verdict::Violates,
        vec![
            ("E1", failed(5, about(&["filter[a]", "filter[b]", "filter[c]"]))),
            ("E2", failed(5, about(&["filter[a]", "filter[c]"]))),
            ("E3", passed(2)),
        ],
    );
    let causes = Causes::of(&report);
    let told: Vec<_> = causes
        .causes
        .iter()
        .map(|cause| {
            let checks: Vec<_> = cause.failures.iter().map(|failure| failure.check.id).collect();
            (cause.title(9), checks)
        })
        .collect();
    assert_eq!(
        told,
        [
            ("filter[a], filter[c]".to_owned(), vec!["E1", "E2"]),
            ("filter[b]".to_owned(), vec!["E1"])
        ]
    );
    assert_eq!(causes.causes[0].title(1), "filter[a] and 1 more");
    let shown: usize = causes
        .causes
        .iter()
        .flat_map(|cause| &cause.failures)
        .map(|failure| failure.findings.len())
        .sum();
    assert_eq!(shown, 5, "every finding is shown once");
}

#[test]
fn what_was_not_judged_stands_under_the_failure_it_names() {
    let report = everything();
    let causes = Causes::of(&report);
    let under = |about: &str| {
        let cause = causes
            .causes
            .iter()
            .find(|cause| cause.title(1).contains(about))
            .unwrap();
        cause.rests.iter().map(|rest| rest.check.id).collect::<Vec<_>>()
    };
    assert_eq!(under("filter[email]"), ["E3"]);
    assert_eq!(under("filter[username]"), ["E10"]);
    assert!(causes.loose.is_empty());
}

#[test]
fn nothing_is_lost_where_no_failure_is_named() {
    let report = report(
        Verdict::Violates,
        vec![
            ("E1", failed(1, Vec::new())),
            (
                "E3",
                Outcome::NotJudged {
                    because: vec!["filter[x] failed S4".to_owned()],
                },
            ),
        ],
    );
    let causes = Causes::of(&report);
    assert_eq!(causes.causes.len(), 1, "a failure without a finding");
    assert_eq!(causes.loose.len(), 1);
}

#[test]
fn known_failures_stand_apart() {
    let report = everything();
    let causes = Causes::of(&report);
    assert_eq!(causes.failed().count(), 3);
    assert_eq!(causes.waived().count(), 1);
}
