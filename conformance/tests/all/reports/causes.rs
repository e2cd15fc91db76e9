//! Failures by what they are about.

use rollcall_conformance::Verdict;
use rollcall_conformance::engine::finding::Finding;
use rollcall_conformance::engine::outcome::{Blocked, Outcome};
use rollcall_conformance::engine::suspect::{ParameterKind, Suspect};
use rollcall_conformance::report::{Causes, Format};
use rollcall_contract::Pointer;
use serde_json::{Value, json};

use super::made::{everything, failed, finding, passed, report, written};

#[test]
fn what_one_operation_does_wrong_is_one_cause() {
    let of = |about: &str, path: &str| suspecting(about, [Suspect::Operation(path.to_owned())]);
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
        ("/deprecate, 1096 days, a date", 2),
        ("/restore, a text, /records", 1),
    ];
    assert_eq!(
        told,
        expected.map(|(title, failures)| (title.to_owned(), failures))
    );
}

/// A finding with suspects.
fn suspecting<const N: usize>(about: &str, suspects: [Suspect; N]) -> Finding {
    Finding {
        suspects: suspects.into(),
        ..finding(about, "", "")
    }
}

/// The titles of the causes of some checks, each with its findings.
fn titles(checks: &[(&'static str, Vec<Finding>)]) -> Vec<String> {
    let checks = checks
        .iter()
        .map(|(id, findings)| (*id, failed(9, findings.clone())));
    let report = report(Verdict::Violates, checks.collect());
    let causes = Causes::of(&report);
    causes.causes.iter().map(|cause| cause.title(9)).collect()
}

#[test]
fn a_wrong_member_is_the_cause_of_what_reads_it() {
    let member = |name| Suspect::Member(Pointer::of([name]));
    let reads = |about: &str, kind, name| suspecting(about, [member(name), Suspect::Parameters(kind)]);
    let causes = titles(&[
        ("S2", vec![suspecting("/state", [member("state")])]),
        ("ST1", vec![reads("filter[state]", ParameterKind::Exact, "state")]),
        ("O2", vec![reads("sort=state", ParameterKind::Sort, "state")]),
        ("O3", vec![reads("sort=email", ParameterKind::Sort, "email")]),
    ]);
    assert_eq!(causes, ["/state, filter[state], sort=state", "sort=email"]);
}

#[test]
fn parameters_of_one_kind_are_one_cause() {
    let bound = |about: &str, name| {
        let member = Suspect::Member(Pointer::of([name]));
        suspecting(about, [member, Suspect::Parameters(ParameterKind::Bound)])
    };
    let causes = titles(&[
        ("D1", vec![bound("filter[created_before]", "created_at")]),
        ("D2", vec![bound("filter[deleted_after]", "deleted_at")]),
        (
            "O2",
            vec![suspecting(
                "sort=email",
                [Suspect::Parameters(ParameterKind::Sort)],
            )],
        ),
    ]);
    assert_eq!(
        causes,
        ["filter[created_before], filter[deleted_after]", "sort=email"]
    );
}

#[test]
fn two_causes_stay_two_although_something_shows_both() {
    let [bound, sort] = [ParameterKind::Bound, ParameterKind::Sort].map(Suspect::Parameters);
    let causes = titles(&[
        ("D1", vec![suspecting("filter[created_before]", [bound.clone()])]),
        (
            "K7",
            vec![suspecting(
                "filter[created_before] and sort=email",
                [bound, sort.clone()],
            )],
        ),
        ("O2", vec![suspecting("sort=email", [sort])]),
    ]);
    assert_eq!(causes.len(), 2, "{causes:?}");
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
                    because: vec![Blocked::by("filter[x]", "S4")],
                },
            ),
        ],
    );
    let causes = Causes::of(&report);
    assert_eq!(causes.causes.len(), 1, "a failure without a finding");
    assert_eq!(causes.loose.len(), 1);
}

#[test]
fn json_tells_the_causes() {
    let told: Value = serde_json::from_str(&written(&everything(), Format::Json)).unwrap();
    let causes = told["causes"].as_array().unwrap();
    assert_eq!(causes.len(), 3, "what is waived is no cause");
    let rests = |name: &str| {
        let is_about = |cause: &&Value| cause["about"].to_string().contains(name);
        causes.iter().find(is_about).map(|cause| &cause["not_judged"])
    };
    assert_eq!(rests("filter[email]"), Some(&json!(["E3"])));
}

#[test]
fn known_failures_stand_apart() {
    let report = everything();
    let causes = Causes::of(&report);
    assert_eq!(causes.failed().count(), 3);
    assert_eq!(causes.waived().count(), 1);
}
