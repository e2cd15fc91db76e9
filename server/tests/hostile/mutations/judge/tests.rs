//! What the judge must not let pass.

use super::{Expectation, SentRequest, judge};

fn request(expected: Expectation) -> SentRequest {
    let bytes = b"PATCH /x HTTP/1.1\r\nHost: rollcall\r\n\r\n".to_vec();
    SentRequest {
        may_change: false,
        ..SentRequest::new(bytes, expected)
    }
}

fn answer(status: u16, lines: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status} Some reason\r\n{lines}content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn problem(status: u16, code: &str, path: &str) -> String {
    let lines = "content-type: application/problem+json\r\nx-request-id: r-1\r\n";
    let body = format!(
        r#"{{"type":"urn:rollcall:problem:{code}","title":"T","status":{status},"detail":"D","instance":"{path}",
            "code":"{code}","request_id":"r-1","errors":[]}}"#
    );
    answer(status, lines, &body)
}

fn is_right(expected: Expectation, received: &str) -> bool {
    judge(&[request(expected), SentRequest::marker(1)], received.as_bytes()).is_ok()
}

#[test]
fn answers_in_step_are_right() {
    let marker = problem(404, "not_found", "/marker/1");
    let conflict = problem(409, "illegal_transition", "/x");
    assert!(is_right(
        Expectation::Answer,
        &[conflict.as_str(), &marker].concat()
    ));
    let refusal = problem(400, "malformed_request", "/");
    assert!(is_right(Expectation::Refusal, &refusal));
    assert!(is_right(Expectation::AnswerOrRefusal, &refusal));
    assert!(is_right(Expectation::LastAnswer, &conflict));
    assert!(is_right(Expectation::Anything, ""));
}

#[test]
fn answers_out_of_step_are_wrong() {
    let marker = problem(404, "not_found", "/marker/1");
    let conflict = problem(409, "illegal_transition", "/x");
    let refusal = problem(400, "malformed_request", "/");
    for (expected, received) in [
        (Expectation::Answer, String::new()),
        (Expectation::Answer, conflict.clone()),
        (Expectation::Answer, [conflict.as_str(), &conflict].concat()),
        (
            Expectation::Answer,
            [conflict.as_str(), &marker, &marker].concat(),
        ),
        (
            Expectation::Answer,
            [conflict.as_str(), &problem(404, "not_found", "/marker/2")].concat(),
        ),
        (Expectation::Answer, [refusal.as_str(), &marker].concat()),
        (Expectation::AnswerOrRefusal, [refusal.as_str(), &marker].concat()),
        (Expectation::Refusal, [refusal.as_str(), &marker].concat()),
        (Expectation::Refusal, conflict.clone()),
        (Expectation::Refusal, String::new()),
        (Expectation::LastAnswer, [conflict.as_str(), &marker].concat()),
        (Expectation::LastAnswer, String::new()),
    ] {
        assert!(!is_right(expected, &received), "{expected:?}: {received}");
    }
}

#[test]
fn answers_that_are_not_sound_are_wrong_whatever_is_expected() {
    let conflict = problem(409, "illegal_transition", "/x");
    for received in [
        conflict[..conflict.len() - 1].to_owned(),
        "garbage".to_owned(),
        problem(500, "internal", "/x"),
        problem(503, "unavailable", "/x"),
        problem(409, "no_such_code", "/x"),
        problem(409, "illegal_transition", "/x").replace("r-1\",", "r-2\","),
        problem(409, "illegal_transition", "/x").replace("\"status\":409", "\"status\":404"),
        problem(409, "illegal_transition", "/x").replace("problem+json", "json"),
        answer(404, "", ""),
        answer(404, "content-type: text/plain\r\n", "thread panicked at"),
        answer(204, "", ""),
        answer(302, "location: /y\r\n", ""),
        answer(200, "", "{\"token\": \"rollcall_test-operator\"}"),
        // A change that must not be made.
        answer(200, "", "{}"),
    ] {
        assert!(!is_right(Expectation::Anything, &received), "{received}");
    }
}
