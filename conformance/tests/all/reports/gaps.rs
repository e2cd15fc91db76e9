//! What was not tested, and how the verdict says so.

use rollcall_conformance::engine::outcome::Outcome;
use rollcall_conformance::report::console::{self, Style};
use rollcall_conformance::report::{Checked, Format};
use rollcall_conformance::{Report, Verdict, checks};
use serde_json::Value;

use super::made::{everything, hostile, passed, report, written};

fn lacks(need: &str) -> Outcome {
    Outcome::NotExercised {
        needs: vec![need.to_owned()],
    }
}

/// A run of all checks that reads and has all data, but for these.
fn run_without(lacking: &[(&str, &str)]) -> Report {
    let mut run = report(Verdict::Conforms, Vec::new());
    let checked = |check: &'static checks::Check| {
        let need = lacking.iter().find(|(id, _)| *id == check.id);
        Checked::new(check, need.map_or_else(|| passed(1), |(_, need)| lacks(need)))
    };
    run.checks = checks::all().map(checked).collect();
    run
}

fn shown(report: &Report) -> String {
    let mut text = Vec::new();
    console::write(report, Style::PLAIN, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn the_verdict_tells_what_was_not_tested() {
    let writes = [("W1", "--allow-writes"), ("W2", "--allow-writes")];
    let run = run_without(&writes);
    assert_eq!(run.headline(), "conforms for reading");
    assert_eq!(
        run.limits(),
        ["Writing was not tested: 2 checks need --allow-writes."]
    );
    let run = run_without(&[("X9", "a search of id")]);
    assert_eq!(run.headline(), "conforms in all that its data shows");
    assert_eq!(
        run.limits(),
        ["1 check needs data or settings that this run did not have."]
    );
    let mut run = run_without(&[]);
    run.checks[0].outcome = Outcome::Inconclusive {
        why: vec!["an answer looked wrong once".to_owned()],
    };
    assert_eq!(run.headline(), "conforms in all that was confirmed");
    assert_eq!(
        run.limits(),
        ["1 check saw a wrong answer that could not be confirmed."]
    );
    let run = run_without(&[]);
    assert_eq!((run.headline(), run.limits()), ("conforms", Vec::new()));
}

#[test]
fn a_run_of_some_checks_says_that_there_are_more() {
    let limits = report(Verdict::Conforms, vec![("E3", passed(1))]).limits();
    assert!(
        limits[0].starts_with("Only 1 of ") && limits[0].ends_with(" checks were selected."),
        "{limits:?}"
    );
}

#[test]
fn checks_that_lack_the_same_stand_together() {
    let run = run_without(&[
        ("W1", "--allow-writes"),
        ("X9", "a search of id"),
        ("W2", "--allow-writes"),
    ]);
    let gaps = run.gaps("not exercised");
    let mut ids: Vec<_> = gaps.iter().map(|gap| gap.ids()).collect();
    ids.sort();
    assert_eq!(ids, ["W1, W2", "X9"]);
    assert!(
        shown(&run).contains("2 checks      --allow-writes (W1, W2)"),
        "{}",
        shown(&run)
    );
    let markdown = written(&run, Format::Markdown);
    assert!(markdown.contains("| W1, W2 | --allow-writes |"), "{markdown}");
    assert_eq!(markdown.matches("--allow-writes |").count(), 1);
    assert_eq!(
        written(&run, Format::Html)
            .matches("<td>--allow-writes</td>")
            .count(),
        1
    );
}

#[test]
fn a_badge_has_the_verdict_and_its_colour() {
    let badge = |run: &Report| -> Value { serde_json::from_str(&written(run, Format::Badge)).unwrap() };
    let good = badge(&run_without(&[("W1", "--allow-writes")]));
    assert_eq!(good["schemaVersion"], 1);
    assert_eq!(
        (&good["message"], &good["color"]),
        (&"conforms for reading".into(), &"brightgreen".into())
    );
    let bad = badge(&everything());
    assert_eq!(
        (&bad["message"], &bad["color"]),
        (&"3 checks fail".into(), &"red".into())
    );
    let none = badge(&report(
        Verdict::Unreachable {
            why: "refused".to_owned(),
        },
        Vec::new(),
    ));
    assert_eq!(
        (&none["color"], &none["isError"]),
        (&"lightgrey".into(), &true.into())
    );
}

#[test]
fn every_line_for_github_is_one_command() {
    for run in [everything(), hostile(), run_without(&[])] {
        let text = written(&run, Format::Github);
        for line in text.lines() {
            let command = line.strip_prefix("::").unwrap_or_else(|| panic!("{line}"));
            let (head, _) = command.split_once("::").unwrap();
            assert!(
                ["error ", "warning ", "notice "]
                    .iter()
                    .any(|level| head.starts_with(level)),
                "{line}"
            );
        }
        let failed = run.failed().count();
        assert!(text.lines().filter(|line| line.starts_with("::error")).count() >= failed);
    }
}

#[test]
fn the_report_names_what_to_fix_first_where_there_is_a_choice() {
    assert_eq!(
        written(&everything(), Format::Html).matches("Fix first").count(),
        1
    );
    assert_eq!(
        written(&run_without(&[]), Format::Html)
            .matches("Fix first")
            .count(),
        0
    );
}
