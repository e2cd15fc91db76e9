//! Reports side by side, from reports that are made by hand.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use rollcall_conformance::engine::outcome::Outcome;
use rollcall_conformance::report::compare::{Comparison, WrittenRun, table};
use rollcall_conformance::report::console::Style;
use rollcall_conformance::report::{FORMAT, Format, write_comparison};
use rollcall_conformance::{Report, Verdict};
use serde_json::{Value, json};

use super::made::{everything, failed, finding, hostile, passed, report, seen, written};
use crate::command_line::{runner, text};
use crate::folder::Folder;
use crate::properties;

/// The report as it is read from its file.
fn read(report: &Report) -> WrittenRun {
    WrittenRun::read(&written(report, Format::Json)).unwrap()
}

fn compare(reports: &[(&str, &Report)]) -> Comparison {
    let reports = reports
        .iter()
        .map(|(name, report)| ((*name).to_owned(), read(report)));
    Comparison::of(reports)
}

fn page(comparison: &Comparison) -> String {
    let mut page = Vec::new();
    write_comparison(comparison, &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

fn lines(comparison: &Comparison) -> String {
    let mut lines = Vec::new();
    table::write(comparison, Style::PLAIN, &mut lines).unwrap();
    String::from_utf8(lines).unwrap()
}

/// A report of a day, in which some checks have failed and others passed.
fn on(day: &str, failures: &[&str], passes: &[&str]) -> Report {
    let bad = failures
        .iter()
        .map(|id| (*id, failed(1, vec![finding("x", "a", "b")])));
    let good = passes.iter().map(|id| (*id, passed(1)));
    let verdict = if failures.is_empty() {
        Verdict::Conforms
    } else {
        Verdict::Violates
    };
    let mut report = report(verdict, bad.chain(good).collect());
    report.started_at = format!("{day}T00:00:00.000Z");
    report
}

#[test]
fn a_report_is_read_with_the_outcomes_and_choices_that_were_written() {
    for report in [everything(), hostile()] {
        let run = read(&report);
        assert_eq!(run.target, report.target);
        assert_eq!(run.verdict, report.verdict);
        for check in &report.checks {
            assert_eq!(run.outcome(check.id), Some(check.outcome.word()));
        }
        let choices = |points: usize, observed: usize| (points, observed);
        assert_eq!(
            choices(
                run.points.len(),
                run.points.iter().map(|point| point.observed.len()).sum()
            ),
            choices(
                report.points.len(),
                report.points.iter().map(|point| point.observed.len()).sum()
            ),
        );
    }
}

#[test]
fn what_is_no_report_is_refused_with_the_place() {
    let of = |change: fn(&mut Value)| {
        let mut report: Value = serde_json::from_str(&written(&everything(), Format::Json)).unwrap();
        change(&mut report);
        WrittenRun::read(&report.to_string()).unwrap_err()
    };
    let older = FORMAT - 1;
    let cases = [
        (
            of(|report| report["format"] = json!(FORMAT - 1)),
            format!("form {older}, and this runner reads form {FORMAT}"),
        ),
        (of(|report| report["format"] = json!("3")), "format: ".to_owned()),
        (
            of(|report| report["checks"][4]["outcome"] = json!("fine")),
            "checks[4].outcome: \"fine\" is no outcome".to_owned(),
        ),
        (
            of(|report| report["checks"][2]["id"] = json!(7)),
            "checks[2].id: ".to_owned(),
        ),
        (
            of(|report| report["points"][0]["observed"] = json!({})),
            "points[0].observed: ".to_owned(),
        ),
        (
            of(|report| report["started_at"] = json!("yesterday")),
            "started_at: ".to_owned(),
        ),
        (
            of(|report| report["verdict"] = json!("perhaps")),
            "unknown variant `perhaps`".to_owned(),
        ),
        (
            of(|report| *report = json!("a text")),
            "no report of the form json: ".to_owned(),
        ),
    ];
    for (error, place) in cases {
        assert!(error.contains(&place), "{error:?} does not contain {place:?}");
    }
}

#[test]
fn runs_of_one_name_are_its_history_by_date() {
    let (march, may) = (
        on("2026-03-01", &["E1"], &["S1"]),
        on("2026-05-01", &[], &["E1", "S1"]),
    );
    for reports in [[("a", &march), ("a", &may)], [("a", &may), ("a", &march)]] {
        let comparison = compare(&reports);
        let [one] = comparison.implementations.as_slice() else {
            panic!("{comparison:?}");
        };
        let history = one.history().unwrap();
        let changed = history.different_checks();
        let changed: Vec<_> = changed
            .iter()
            .map(|row| (row.check.id.as_str(), row.outcomes.clone()))
            .collect();
        assert_eq!(changed, [("E1", vec![Some("failed"), Some("passed")])]);
        assert_eq!(comparison.last_runs().runs()[0].verdict, Verdict::Conforms);
    }
}

#[test]
fn a_failure_that_the_run_before_did_not_have_is_new() {
    let days = ["2026-03-01", "2026-03-02", "2026-03-03"];
    // The failures of each run, then whether the last is worse than the one before.
    let cases: [(&[&[&str]], bool); 6] = [
        (&[&["E1"]], false),
        (&[&[], &["E1"]], true),
        (&[&["E1"], &["E1"]], false),
        (&[&["E1"], &["S1"]], true),
        (&[&["E1"], &[], &["E1"]], true),
        (&[&[], &["E1"], &["E1"]], false),
    ];
    for (runs, is_worse) in cases {
        let runs: Vec<_> = runs
            .iter()
            .zip(days)
            .map(|(failures, day)| on(day, failures, &["S2"]))
            .collect();
        let named: Vec<_> = runs.iter().map(|run| ("a", run)).collect();
        assert_eq!(compare(&named).is_worse(), is_worse, "{runs:?}");
        let apart: Vec<_> = ["a", "b", "c"].into_iter().zip(&runs).collect();
        assert!(
            !compare(&apart).is_worse(),
            "other implementations are no history"
        );
    }
}

#[test]
fn questions_with_the_same_answers_stand_together() {
    let choosing = |answers: [&str; 4]| {
        let questions = ["a", "b", "c", "d"].into_iter().zip(answers);
        let told = questions.filter(|(_, answer)| !answer.is_empty());
        let observations = told
            .map(|(question, answer)| seen("L2", question, answer))
            .collect();
        report(
            Verdict::Conforms,
            vec![("S10", Outcome::Observed { observations })],
        )
    };
    let (one, other) = (
        choosing(["400", "400", "same", "only here"]),
        choosing(["422", "422", "same", ""]),
    );
    let comparison = compare(&[("one", &one), ("other", &other)]);
    let columns = comparison.last_runs();
    let points = columns.different_points();
    assert_eq!(points.len(), 1);
    assert_eq!(points[0].point.id, "L2");
    let [choice] = points[0].choices.as_slice() else {
        panic!("{points:?}");
    };
    assert_eq!(choice.questions, ["a", "b"]);
    assert_eq!(choice.choices, [Some("400".to_owned()), Some("422".to_owned())]);
    let told = lines(&comparison);
    assert!(told.contains("1: 400\n") && told.contains("2: 422\n"), "{told}");
    assert!(!told.contains("only here"), "{told}");
}

#[test]
fn a_target_writes_nothing_but_text() {
    let comparison = compare(&[
        ("one", &hostile()),
        ("other", &everything()),
        ("one", &everything()),
    ]);
    let page = page(&comparison);
    assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
    let told = lines(&comparison);
    assert!(!told.contains('\u{1b}'), "{told}");
}

#[test]
fn the_command_names_the_file_and_tells_by_its_exit_code() {
    let folder = Folder::new("compare");
    let write = |name: &str, report: &Report| folder.write(name, &written(report, Format::Json));
    let good = write("good.json", &on("2026-03-01", &[], &["E1", "S1"]));
    let bad = write("bad.json", &on("2026-03-02", &["E1"], &["S1"]));
    let mut other = on("2026-03-01", &[], &["E1"]);
    other.contract.title = "Lending library".to_owned();
    let other = write("other.json", &other);
    let broken = folder.write("broken.json", "{\"format\": ");
    let matrix = folder.path("matrix.html");
    let compare = |arguments: &[&str]| {
        let output = runner(&[&["compare"], arguments].concat()).output().unwrap();
        (output.status.code(), text(&output))
    };
    let as_a = |file: &str| format!("a={file}");
    assert_eq!(compare(&[&as_a(&good), &format!("b={bad}")]).0, Some(0));
    let (code, told) = compare(&[&as_a(&good), &as_a(&bad)]);
    assert!(
        code == Some(1) && told.contains("New failures in the last run: E1"),
        "{told}"
    );
    let (code, told) = compare(&[&good, &good, "--html", &matrix]);
    assert_eq!((code, told.as_str()), (Some(0), ""));
    assert!(folder.read("matrix.html").starts_with("<!DOCTYPE html>"));
    for (arguments, said) in [
        (vec![good.as_str(), "missing.json"], "missing.json: No such file"),
        (
            vec![good.as_str(), broken.as_str()],
            "broken.json: no report of the form json",
        ),
        (vec![good.as_str(), other.as_str()], "about different APIs"),
        (vec![], "required"),
    ] {
        let (code, told) = compare(&arguments);
        assert!(
            code == Some(2) && told.contains(said),
            "{arguments:?}: {code:?} {told}"
        );
    }
}

proptest! {
    #![proptest_config(properties(64))]

    #[test]
    fn columns_differ_where_two_of_them_tell_different_things(
        columns in vec(vec(select(vec![None, Some("failed"), Some("passed")]), 3), 1..4)
    ) {
        let ids = ["E1", "S1", "X1"];
        let reports: Vec<_> = columns
            .iter()
            .map(|cells| {
                let with = |outcome: Option<&str>| {
                    let cells = ids.into_iter().zip(cells).filter(|(_, cell)| **cell == outcome);
                    cells.map(|(id, _)| id).collect::<Vec<_>>()
                };
                on("2026-03-01", &with(Some("failed")), &with(Some("passed")))
            })
            .collect();
        let names: Vec<_> = (0..reports.len()).map(|number| number.to_string()).collect();
        let named: Vec<_> = names.iter().map(String::as_str).zip(&reports).collect();
        let comparison = compare(&named);
        let columns_of = comparison.last_runs();
        let rows = columns_of.different_checks();
        let different: Vec<_> = rows.iter().map(|row| row.check.id.as_str()).collect();
        for (row, id) in ids.into_iter().enumerate() {
            let told: Vec<_> = columns.iter().filter_map(|cells| cells[row]).collect();
            let expected = told.iter().any(|one| *one != told[0]);
            prop_assert_eq!(different.contains(&id), expected, "{} {:?}", id, &columns);
        }
    }

    #[test]
    fn a_report_that_breaks_off_is_refused(at in 0.0..1.0_f64) {
        let whole = written(&everything(), Format::Json);
        let whole = whole.trim_end();
        let mut end = (whole.len() as f64 * at) as usize;
        while !whole.is_char_boundary(end) { end -= 1; }
        prop_assert!(WrittenRun::read(&whole[..end]).is_err());
    }
}
