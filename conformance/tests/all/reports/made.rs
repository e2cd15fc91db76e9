//! Reports that never happened.

use std::sync::OnceLock;
use std::time::Duration;

use rollcall_conformance::checks;
use rollcall_conformance::engine::finding::Finding;
use rollcall_conformance::engine::outcome::{Blocked, Observation, Outcome};
use rollcall_conformance::report::{Checked, Format, WaiverKind, WaiverNote};
use rollcall_conformance::{Report, Verdict, our_contract};
use rollcall_contract::Contract;
use rollcall_oracle::corpus::clause::Clause;
use rollcall_oracle::http::credentials::Credentials;
use rollcall_oracle::http::exchange::Evidence;
use rollcall_oracle::http::journal::{Asked, Entry, ResponseClass};
use rollcall_oracle::http::request::Request;

/// What a hostile target would like to see in a page.
pub(super) const HOSTILE: &str =
    "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>]]>\"'&\u{1b}[31m";

pub(super) fn contract() -> &'static Contract {
    static CONTRACT: OnceLock<Contract> = OnceLock::new();
    CONTRACT.get_or_init(|| our_contract().unwrap())
}

/// A report of some outcomes, by the numbers of their checks.
pub(super) fn report(verdict: Verdict, outcomes: Vec<(&str, Outcome)>) -> Report {
    let base = "https://directory.example/api/v1".parse().unwrap();
    let mut report = Report::begin(&base, 7, contract());
    let checked = |(id, outcome)| Checked::new(checks::find(id).unwrap(), outcome);
    report.checks = outcomes.into_iter().map(checked).collect();
    for (number, request) in requests().into_iter().enumerate() {
        let text = format!("[{{\"id\": \"dirusr_{number}\"}}]");
        report.journal.push(Entry {
            asked: Asked::of(&request, &base),
            after: Duration::from_millis(20 * number as u64),
            took: Duration::from_micros(12_345),
            came: ResponseClass::Answer {
                status: 200,
                content_type: Some("application/json".to_owned()),
                bytes: text.len(),
                text,
            },
        });
    }
    report.end(verdict, contract());
    report.started_at = "2026-03-01T09:30:00Z".to_owned();
    report.seconds = 3.2;
    report
}

fn requests() -> Vec<Request> {
    let users = "/directory/users";
    vec![
        Request::get(users),
        Request::get(users).with("filter[email]", "ada@example.test"),
        Request::get(users).showing(Credentials::Nothing),
        Request::patch(
            format!("{users}/x"),
            serde_json::json!({"roles": true}),
            Credentials::Token,
        ),
    ]
}

/// A report in which there is one of everything.
pub(super) fn everything() -> Report {
    let email = "/directory/users filter[email]";
    let mut report = report(
        Verdict::Violates,
        vec![
            ("N1", passed(12)),
            ("A1", passed(5)),
            (
                "A2",
                Outcome::Error {
                    why: "GET /directory/users was answered 503 again and again".to_owned(),
                },
            ),
            (
                "S1",
                failed(
                    120,
                    vec![finding(
                        "/directory/users /timestamp/created_at",
                        "a date-time",
                        "null",
                    )],
                ),
            ),
            ("S2", passed(80)),
            (
                "S3",
                Outcome::Waived {
                    reason: "old ids are kept until the migration".to_owned(),
                    cases: 9,
                    findings: vec![finding(
                        "/workspace/users /id",
                        "an id that begins with wsusr_",
                        "the id 4711",
                    )],
                },
            ),
            ("S5", passed(64)),
            (
                "S8",
                Outcome::Inconclusive {
                    why: vec!["dirusr_9 stood twice in /directory/users, but not every time".to_owned()],
                },
            ),
            (
                "S9",
                Outcome::NotExercised {
                    needs: vec!["a record that is in two answers".to_owned()],
                },
            ),
            (
                "S10",
                Outcome::Observed {
                    observations: vec![
                        seen("R1", "nulls in /directory/users", "/timestamp/deleted_at (58)"),
                        seen("L1", "the envelope of /directory/users", "no envelope"),
                        seen("L3", "the pages of /directory/users", "3 of 25"),
                    ],
                },
            ),
            (
                "E1",
                failed(
                    31,
                    vec![
                        finding(
                            email,
                            "only records whose email is ada@example.test",
                            "only records whose email is ada@example.test and dirusr_17 whose email is bob@example.test",
                        ),
                        finding(
                            "/directory/users filter[username]",
                            "only records whose username is ada",
                            "60 records",
                        ),
                    ],
                ),
            ),
            (
                "E2",
                failed(
                    31,
                    vec![finding(
                        email,
                        "dirusr_1, whose email is ada@example.test",
                        "no records",
                    )],
                ),
            ),
            (
                "E3",
                Outcome::NotJudged {
                    because: vec![Blocked::by("filter[email]", "E1")],
                },
            ),
            (
                "E10",
                Outcome::Passed {
                    cases: 9,
                    gaps: vec![
                        "not judged: filter[username] failed E1".to_owned(),
                        "two badge ids".to_owned(),
                    ],
                    unjudged: vec![Blocked::by("filter[username]", "E1")],
                },
            ),
            (
                "E9",
                Outcome::NotOffered {
                    what: vec!["/directory/attributes".to_owned()],
                },
            ),
            (
                "E12",
                Outcome::Observed {
                    observations: vec![seen("L9", "filter[email] in capitals", "200 with 1 record")],
                },
            ),
        ],
    );
    report.waivers = vec![WaiverNote {
        kind: WaiverKind::Expired,
        note: "E4 was waived until 2026-01-01".to_owned(),
    }];
    report.writes = vec!["diratt_3".to_owned()];
    report
}

/// As [`everything`], by a target that writes markup wherever it can.
pub(super) fn hostile() -> Report {
    let mut report = report(
        Verdict::TooLittle {
            why: HOSTILE.to_owned(),
        },
        vec![
            (
                "S1",
                failed(3, vec![finding(HOSTILE, HOSTILE, &format!("other {HOSTILE}"))]),
            ),
            (
                "S3",
                Outcome::Waived {
                    reason: HOSTILE.to_owned(),
                    cases: 1,
                    findings: vec![finding(HOSTILE, "a", HOSTILE)],
                },
            ),
            (
                "S8",
                Outcome::Inconclusive {
                    why: vec![HOSTILE.to_owned()],
                },
            ),
            (
                "S10",
                Outcome::Observed {
                    observations: vec![seen("L1", HOSTILE, HOSTILE)],
                },
            ),
            (
                "E1",
                Outcome::Error {
                    why: HOSTILE.to_owned(),
                },
            ),
            (
                "E3",
                Outcome::NotJudged {
                    because: vec![Blocked::by(HOSTILE, "S1")],
                },
            ),
        ],
    );
    report.writes = vec![HOSTILE.to_owned()];
    report.target = format!("http://h/{HOSTILE}");
    report
}

pub(super) fn passed(cases: usize) -> Outcome {
    Outcome::Passed {
        cases,
        gaps: Vec::new(),
        unjudged: Vec::new(),
    }
}

pub(super) fn failed(cases: usize, findings: Vec<Finding>) -> Outcome {
    Outcome::Failed { cases, findings }
}

pub(super) fn seen(point: &'static str, question: &str, choice: &str) -> Observation {
    Observation {
        point,
        question: question.to_owned(),
        choice: choice.to_owned(),
    }
}

pub(super) fn finding(about: &str, expected: &str, actual: &str) -> Finding {
    let request = Request::get("/directory/users").with("filter[email]", about);
    let base = "https://directory.example/api/v1".parse().unwrap();
    Finding::new(
        about,
        Clause::of_check(checks::find("E1").unwrap().clause),
        (expected, actual),
        vec![Evidence {
            request: request.line(),
            method: "GET".to_owned(),
            path: request.path.clone(),
            query: request.query.clone(),
            curl: request.curl(&base),
            status: Some(200),
            content_type: Some("application/json".to_owned()),
            body: format!(
                "[{{\"id\": \"dirusr_17\", \"email\": \"bob@example.test\", \"note\": \"{actual}\"}}]"
            ),
        }],
    )
}

/// The report in one of its forms.
pub(super) fn written(report: &Report, format: Format) -> String {
    let mut text = Vec::new();
    report.write(format, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}
