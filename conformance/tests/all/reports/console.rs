//! The report as a person reads it.

use std::ffi::OsStr;

use rollcall_conformance::report::console::{self, Style};
use rollcall_conformance::{Report, Verdict};

use super::made::{everything, hostile, passed, report};

fn shown(report: &Report, style: Style) -> String {
    let mut text = Vec::new();
    console::write(report, style, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

const VERBOSE: Style = Style {
    verbose: true,
    ..Style::PLAIN
};

#[test]
fn the_verdict_is_the_first_and_the_last_line() {
    let text = shown(&everything(), Style::PLAIN);
    let verdict = "✗ https://directory.example/api/v1 violates the specification";
    assert_eq!(text.lines().next(), Some(verdict), "{text}");
    assert_eq!(text.lines().last(), Some(verdict), "{text}");
}

#[test]
fn a_failure_tells_what_was_expected_what_came_and_how_to_see_it() {
    let text = shown(&everything(), Style::PLAIN);
    for part in [
        "✗ /directory/users filter[email]\n",
        "expected  only records whose email is ada@example.test",
        "curl -isS -H \"Authorization: Bearer $TOKEN\"",
        "advice    Compare the whole value by equality.",
        "not judged because of it: E3",
        "a record that is in two answers",
        "old ids are kept until the migration",
        "E4 was waived until 2026-01-01",
        "4 requests (3 GET, 1 PATCH) in 3.2 s, seed 7",
        "wrote to 1 record",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn a_summary_is_short_and_everything_is_told_on_demand() {
    let (short, long) = (shown(&everything(), Style::PLAIN), shown(&everything(), VERBOSE));
    assert!(
        short.lines().count() <= 60,
        "{} lines\n{short}",
        short.lines().count()
    );
    assert!(
        short.contains("Left open by the specification: 4 answers on 4 of"),
        "{short}"
    );
    assert!(!short.contains("no envelope"));
    for part in [
        "the envelope of /directory/users: no envelope (S10)",
        "not observed",
        "bob@example.test",
        "two badge ids",
    ] {
        assert!(long.contains(part), "{part} is not in\n{long}");
    }
}

#[test]
fn lines_are_broken_except_commands() {
    for line in shown(&everything(), VERBOSE).lines() {
        let told = !line.contains("curl") && !line.contains("\"id\"");
        assert!(!told || line.chars().count() <= 101, "{line}");
    }
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let colourful = Style::of(true, None, false);
    assert!(shown(&everything(), colourful).contains('\u{1b}'));
    for style in [
        Style::of(false, None, false),
        Style::of(true, Some(OsStr::new("1")), false),
    ] {
        assert!(!shown(&everything(), style).contains('\u{1b}'));
    }
    assert!(
        Style::of(true, Some(OsStr::new("")), false).colour,
        "an empty NO_COLOR says nothing"
    );
}

#[test]
fn a_target_cannot_write_to_the_terminal() {
    for style in [Style::PLAIN, VERBOSE] {
        assert!(!shown(&hostile(), style).contains('\u{1b}'));
    }
}

#[test]
fn a_run_that_came_to_nothing_says_why() {
    let why = || "connection refused".to_owned();
    for verdict in [
        Verdict::TooLittle { why: why() },
        Verdict::CouldNotRun { why: why() },
        Verdict::Unreachable { why: why() },
    ] {
        let text = shown(&report(verdict.clone(), Vec::new()), Style::PLAIN);
        assert!(
            text.contains(&why()) && text.contains(verdict.sentence()),
            "{text}"
        );
    }
    let text = shown(&report(Verdict::Conforms, vec![("A1", passed(3))]), Style::PLAIN);
    assert!(text.starts_with("✓ ") && text.contains("1 passed"), "{text}");
}
