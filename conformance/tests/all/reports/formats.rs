//! Every form is well-formed, whatever the report is.

use proptest::collection::vec;
use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::Event;
use rollcall_conformance::engine::finding::Finding;
use rollcall_conformance::engine::outcome::{Blocked, Outcome};
use rollcall_conformance::report::Format;
use rollcall_conformance::report::console::{self, Style};
use rollcall_conformance::{Report, Verdict, checks};
use serde_json::Value;

use super::made::{everything, finding, hostile, passed, report, seen, written};

#[test]
fn forms_are_known_by_their_names_and_by_how_files_end() {
    for format in Format::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
        let file = format!("a/report.{}", format.extension());
        let by_file = match format {
            Format::SarifViolations => Format::Sarif,
            format => format,
        };
        assert_eq!(Format::of_file(file.as_ref()), Some(by_file));
    }
    let error = "pdf".parse::<Format>().unwrap_err().to_string();
    assert!(error.contains("sarif"), "{error}");
    assert_eq!(Format::of_file("report".as_ref()), None);
}

#[test]
fn the_same_report_is_written_the_same() {
    let report = everything();
    for format in Format::ALL {
        assert_eq!(written(&report, format), written(&report, format), "{format}");
    }
}

#[test]
fn junit_tells_failures_errors_and_what_was_skipped_apart() {
    let xml = written(&everything(), Format::Junit);
    assert_eq!(elements(&xml, "testcase"), 16);
    assert_eq!(elements(&xml, "failure"), 3);
    assert_eq!(elements(&xml, "error"), 1);
    assert_eq!(elements(&xml, "skipped"), 5);
    assert!(
        xml.contains("tests=\"16\" failures=\"3\" errors=\"1\" skipped=\"5\""),
        "{xml}"
    );
    assert!(
        xml.contains("message=\"waived: old ids are kept until the migration\""),
        "{xml}"
    );
}

#[test]
fn tap_tells_what_was_skipped_and_what_is_known() {
    let tap = written(&everything(), Format::Tap);
    assert!(tap.starts_with("TAP version 14\n1..16\n"), "{tap}");
    for part in [
        "\nok 1 - N1 ",
        "\nnot ok 4 - S1 ",
        "# TODO waived: old ids",
        "# SKIP not exercised: a record",
        "# SKIP not judged: ",
    ] {
        assert!(tap.contains(part), "{part} is not in\n{tap}");
    }
    let could_not_run = report(
        Verdict::Unreachable {
            why: "refused\nok 1".to_owned(),
        },
        Vec::new(),
    );
    assert!(written(&could_not_run, Format::Tap).ends_with("Bail out! refused ok 1\n"));
}

#[test]
fn sarif_has_a_rule_for_each_check_and_suppresses_what_is_known() {
    let log: Value = serde_json::from_str(&written(&everything(), Format::Sarif)).unwrap();
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), 16);
    assert!(
        rules
            .iter()
            .all(|rule| rule["help"]["text"].as_str().unwrap().contains('§'))
    );
    let results = run["results"].as_array().unwrap();
    let errors = results.iter().filter(|result| result["level"] == "error");
    assert_eq!(errors.clone().count(), 5);
    let suppressed: Vec<_> = errors
        .filter(|result| !result["suppressions"].is_null())
        .collect();
    assert_eq!(suppressed.len(), 1);
    assert_eq!(suppressed[0]["ruleId"], "S3");
}

#[test]
fn sarif_can_hold_the_violations_alone() {
    let log: Value = serde_json::from_str(&written(&everything(), Format::SarifViolations)).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 5);
    assert!(results.iter().all(|result| result["level"] == "error"));
    assert_eq!("sarif-violations".parse(), Ok(Format::SarifViolations));
    assert_eq!("sarif".parse(), Ok(Format::Sarif));
}

#[test]
fn every_test_case_of_junit_has_a_time() {
    let xml = written(&everything(), Format::Junit);
    let mut cases = xml.lines().filter(|line| line.contains("<testcase "));
    assert!(cases.all(|line| line.contains(" time=\"") || line.contains("classname=\"run\"")));
}

#[test]
fn har_shows_requests_with_the_name_of_the_token() {
    let text = written(&everything(), Format::Har);
    let log: Value = serde_json::from_str(&text).unwrap();
    let entries = log["log"]["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 4);
    assert_eq!(entries[1]["request"]["queryString"][0]["name"], "filter[email]");
    assert_eq!(entries[0]["request"]["headers"][0]["value"], "Bearer $TOKEN");
    // Without a token a request still says what it accepts.
    let accept = serde_json::json!([{"name": "accept", "value": "application/json"}]);
    assert_eq!(entries[2]["request"]["headers"], accept);
    assert_eq!(entries[3]["request"]["postData"]["text"], "{\"roles\":true}");
}

#[test]
fn a_check_that_fails_has_advice_in_every_form_that_explains_it() {
    let advice = checks::find("S1").unwrap().advice;
    let conforms = report(Verdict::Conforms, vec![("S1", passed(1))]);
    for format in [Format::Json, Format::Html, Format::Markdown, Format::Github] {
        assert!(written(&everything(), format).contains(advice), "{format}");
        assert!(!written(&conforms, format).contains(advice), "{format}");
    }
    assert!(written(&everything(), Format::Sarif).contains(advice));
}

#[test]
fn markdown_has_no_markup_of_the_target() {
    let md = written(&hostile(), Format::Markdown);
    let fenced = md.lines().filter(|line| !line.trim_start().starts_with("curl"));
    for line in fenced {
        assert!(!line.contains("<script") && !line.contains("<img"), "{line}");
    }
    let md = written(&everything(), Format::Markdown);
    for part in [
        "violates",
        "### /directory/users filter\\[email\\]",
        "Not judged because of it: E3.",
        "not observed",
    ] {
        assert!(md.contains(part), "{part} is not in\n{md}");
    }
}

fn elements(xml: &str, name: &str) -> usize {
    let mut reader = Reader::from_str(xml);
    let mut count = 0;
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) | Event::Empty(tag) => {
                for attribute in tag.attributes() {
                    attribute.unwrap().unescape_value().unwrap();
                }
                count += usize::from(tag.name().as_ref() == name.as_bytes());
            }
            Event::Text(text) => drop(text.xml_content().unwrap()),
            Event::Eof => return count,
            _ => {}
        }
    }
}

/// What can stand in an XML document at all.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

fn well_formed(report: &Report) {
    let junit = written(report, Format::Junit);
    assert!(junit.chars().all(is_xml), "{junit}");
    elements(&junit, "testcase");
    for format in [Format::Json, Format::Sarif, Format::Har] {
        serde_json::from_str::<Value>(&written(report, format)).unwrap();
    }
    let sarif: Value = serde_json::from_str(&written(report, Format::Sarif)).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    for result in sarif["runs"][0]["results"].as_array().unwrap() {
        assert!(result["message"]["text"].is_string());
        let rule = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(
            sarif["runs"][0]["tool"]["driver"]["rules"][rule]["id"],
            result["ruleId"]
        );
    }
    let har: Value = serde_json::from_str(&written(report, Format::Har)).unwrap();
    for entry in har["log"]["entries"].as_array().unwrap() {
        for member in [
            "startedDateTime",
            "time",
            "request",
            "response",
            "cache",
            "timings",
        ] {
            assert!(!entry[member].is_null(), "{member}");
        }
        for member in [
            "method",
            "url",
            "httpVersion",
            "cookies",
            "headers",
            "queryString",
            "headersSize",
            "bodySize",
        ] {
            assert!(!entry["request"][member].is_null(), "{member}");
        }
        for member in [
            "status",
            "statusText",
            "httpVersion",
            "cookies",
            "headers",
            "content",
            "redirectURL",
        ] {
            assert!(!entry["response"][member].is_null(), "{member}");
        }
    }
    let tap = written(report, Format::Tap);
    let points = tap
        .lines()
        .filter(|line| line.starts_with("ok ") || line.starts_with("not ok "));
    assert_eq!(points.count(), report.checks.len(), "{tap}");
    let html = written(report, Format::Html);
    // Style and script are ours, and the only ones; what is text stands escaped.
    for tag in [
        "<script", "</script", "<style", "</style", "<html", "</html", "<img",
    ] {
        assert_eq!(html.matches(tag).count(), usize::from(tag != "<img"), "{tag}");
    }
    written(report, Format::Markdown);
    for verbose in [false, true] {
        let style = Style {
            verbose,
            ..Style::PLAIN
        };
        console::write(report, style, std::io::sink()).unwrap();
        console::write(
            report,
            Style {
                colour: true,
                width: 0,
                ..style
            },
            std::io::sink(),
        )
        .unwrap();
    }
}

#[test]
fn a_report_with_everything_in_it_is_well_formed() {
    well_formed(&everything());
    well_formed(&hostile());
    well_formed(&report(Verdict::Conforms, Vec::new()));
}

/// Any text, and often what means something in one of the forms.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[<>&\"'#\\\\`|\\]\\[{}\n\r\t\u{0}-\u{1f} a-z§]{0,24}",
        Just("]]>".to_owned()),
        Just("{{style}}".to_owned()),
        Just("filter[email] failed E1".to_owned()),
        Just("not judged: filter[email] failed E1".to_owned()),
    ]
}

fn findings() -> impl Strategy<Value = Vec<Finding>> {
    let one = (text(), text(), text());
    vec(
        one.prop_map(|(about, expected, actual)| finding(&about, &expected, &actual)),
        0..7,
    )
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let texts = || vec(text(), 0..4);
    prop_oneof![
        (any::<usize>(), texts()).prop_map(|(cases, gaps)| Outcome::Passed {
            cases,
            gaps,
            unjudged: Vec::new(),
        }),
        (any::<usize>(), findings()).prop_map(|(cases, findings)| Outcome::Failed { cases, findings }),
        texts().prop_map(|needs| Outcome::NotExercised { needs }),
        texts().prop_map(|why| Outcome::Inconclusive { why }),
        texts().prop_map(|what| Outcome::NotOffered { what }),
        texts().prop_map(|parts| Outcome::NotJudged {
            because: parts.into_iter().map(|part| Blocked::by(part, "E1")).collect(),
        }),
        vec((text(), text()), 0..4).prop_map(|seen_| Outcome::Observed {
            observations: seen_
                .iter()
                .map(|(question, choice)| seen("L9", question, choice))
                .collect(),
        }),
        (text(), any::<usize>(), findings()).prop_map(|(reason, cases, findings)| Outcome::Waived {
            reason,
            cases,
            findings
        }),
        text().prop_map(|why| Outcome::Error { why }),
    ]
}

fn verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![
        Just(Verdict::Conforms),
        Just(Verdict::Violates),
        text().prop_map(|why| Verdict::TooLittle { why }),
        text().prop_map(|why| Verdict::CouldNotRun { why }),
        text().prop_map(|why| Verdict::Unreachable { why }),
    ]
}

fn outcomes() -> impl Strategy<Value = Vec<(&'static str, Outcome)>> {
    let ids: Vec<_> = checks::all().map(|check| check.id).collect();
    let some = proptest::sample::subsequence(ids, 0..12);
    some.prop_flat_map(|ids| {
        let count = ids.len();
        (Just(ids), vec(outcome(), count)).prop_map(|(ids, outcomes)| ids.into_iter().zip(outcomes).collect())
    })
}

proptest! {
    #![proptest_config(crate::properties(48))]

    #[test]
    fn any_report_is_well_formed_in_every_form(verdict in verdict(), outcomes in outcomes(), target in text()) {
        let mut report = report(verdict, outcomes);
        report.writes.push(target.clone());
        report.target = target;
        well_formed(&report);
    }
}
