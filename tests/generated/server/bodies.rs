//! What is wrong with a body is told with its place.

use http::StatusCode;
use rollcall::http::MAX_BODY;

use super::{Answer, DEPRECATE, RESTORE, patch, send};

/// The body is understood as JSON and refused for faults at these places.
fn refused(address: &str, body: &str, faults: &[(&str, &str)]) -> Answer {
    let answer = patch(address, body.to_owned());
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    let expected: Vec<_> = faults
        .iter()
        .map(|(place, code)| ((*place).to_owned(), (*code).to_owned()))
        .collect();
    assert_eq!(answer.faults(), expected, "{body}");
    answer
}

#[test]
fn a_body_of_another_media_type_is_refused() {
    for (kind, status) in [
        ("application/json", 200),
        ("Application/JSON;charset=utf-8", 200),
        ("", 415),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("application/jsonp", 415),
        ("application/merge-patch+json", 415),
    ] {
        assert_eq!(
            send("PATCH", RESTORE, &[("content-type", kind)], "{\"roles\":true}").status,
            status,
            "{kind}"
        );
    }
}

#[test]
fn a_body_may_have_64_kibibytes_and_no_more() {
    let padded = |length: usize| format!("{{\"roles\":true{}}}", " ".repeat(length - 14));
    assert_eq!(patch(RESTORE, padded(MAX_BODY)).status, StatusCode::OK);
    let answer = patch(RESTORE, padded(MAX_BODY + 1));
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(answer.json()["detail"], "65536");
}

#[test]
fn a_body_that_is_no_json_is_malformed() {
    let deep = "[".repeat(10_000);
    let deep_object = "{\"roles\":".repeat(5_000);
    for body in [
        "",
        " ",
        "{",
        "{\"roles\":}",
        "{\"roles\":true}x",
        "{'roles':true}",
        "{\"roles\":tru",
        "NaN",
        &deep,
        &deep_object,
    ] {
        let answer = patch(RESTORE, body.to_owned());
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{:.40}", body);
        assert!(!answer.json()["detail"].as_str().unwrap().is_empty());
    }
    assert_eq!(
        patch(RESTORE, b"{\"roles\":\"\xFF\"}".to_vec()).status,
        StatusCode::BAD_REQUEST
    );
    assert_eq!(
        patch(RESTORE, "\u{feff}{\"roles\":true}").status,
        StatusCode::BAD_REQUEST
    );
}

#[test]
fn a_body_that_is_no_object_is_refused() {
    for body in ["[]", "[true]", "null", "true", "1", "\"roles\""] {
        refused(RESTORE, body, &[("", "invalid_member")]);
    }
}

#[test]
fn an_unknown_member_is_named_with_the_nearest_known_one() {
    let answer = refused(
        DEPRECATE,
        "{\"expires_after_day\":3}",
        &[("/expires_after_day", "unknown_member")],
    );
    let error = &answer.json()["errors"][0];
    assert!(
        error["detail"]
            .as_str()
            .unwrap()
            .ends_with("did you mean expires_after_days?"),
        "{error}"
    );
    assert_eq!(
        error["allowed"],
        serde_json::json!(["expires_at", "expires_after_days"])
    );
    refused(DEPRECATE, "{\"a/b~c\":null}", &[("/a~1b~0c", "unknown_member")]);
}

#[test]
fn a_missing_member_and_every_unknown_one_are_named_together() {
    refused(RESTORE, "{}", &[("/roles", "missing_member")]);
    refused(
        RESTORE,
        "{\"role\":true,\"x\":1}",
        &[
            ("/roles", "missing_member"),
            ("/role", "unknown_member"),
            ("/x", "unknown_member"),
        ],
    );
    let many: Vec<String> = (0..5000).map(|number| format!("\"m{number}\":0")).collect();
    let answer = patch(DEPRECATE, format!("{{{}}}", many.join(",")));
    assert_eq!(
        (answer.status, answer.faults().len()),
        (StatusCode::UNPROCESSABLE_ENTITY, 20)
    );
}

#[test]
fn a_fault_quotes_a_long_value_in_part_and_says_what_was_expected() {
    for text in ["x".repeat(60_000), "é at line 1 ".repeat(4_000)] {
        let answer = patch(RESTORE, serde_json::json!({ "roles": text }).to_string());
        let detail = answer.json()["errors"][0]["detail"].as_str().unwrap().to_owned();
        assert!(detail.starts_with("invalid type: string "), "{detail}");
        assert!(detail.ends_with(", expected a boolean"), "{detail}");
        assert!(detail.len() < 1_000, "{detail}");
    }
}

#[test]
fn a_member_of_the_wrong_kind_is_named_by_its_pointer() {
    for (address, body, place, detail) in [
        (
            RESTORE,
            "{\"roles\":null}",
            "/roles",
            "invalid type: null, expected a boolean",
        ),
        (
            RESTORE,
            "{\"roles\":\"true\"}",
            "/roles",
            "invalid type: string \"true\", expected a boolean",
        ),
        (
            RESTORE,
            "{\"roles\":1}",
            "/roles",
            "invalid type: integer `1`, expected a boolean",
        ),
        (
            DEPRECATE,
            "{\"expires_after_days\":1096}",
            "/expires_after_days",
            "1096 is not from 0 to 1095",
        ),
        (
            DEPRECATE,
            "{\"expires_after_days\":-1}",
            "/expires_after_days",
            "-1 is not from 0 to 1095",
        ),
        (
            DEPRECATE,
            "{\"expires_after_days\":1.5}",
            "/expires_after_days",
            "an integer from 0 to 1095",
        ),
        (
            DEPRECATE,
            "{\"expires_after_days\":1e300}",
            "/expires_after_days",
            "an integer from 0 to 1095",
        ),
        (
            DEPRECATE,
            "{\"expires_after_days\":18446744073709551615}",
            "/expires_after_days",
            "an integer from 0 to 1095",
        ),
        (
            DEPRECATE,
            "{\"expires_at\":\"2026-02-30T00:00:00Z\"}",
            "/expires_at",
            "not an RFC 3339 date-time",
        ),
        (
            DEPRECATE,
            "{\"expires_at\":0}",
            "/expires_at",
            "expected a string",
        ),
        (
            DEPRECATE,
            "{\"expires_at\":[]}",
            "/expires_at",
            "expected a string",
        ),
    ] {
        let answer = refused(address, body, &[(place, "invalid_member")]);
        let said = answer.json()["errors"][0]["detail"].as_str().unwrap().to_owned();
        assert!(said.contains(detail) && !said.contains("line"), "{body}: {said}");
    }
}

#[test]
fn a_member_given_twice_is_refused() {
    let answer = patch(RESTORE, "{\"roles\":true,\"roles\":false}");
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[test]
fn null_and_absent_options_and_whole_floats_are_understood() {
    for body in [
        "{}",
        "{\"expires_at\":null}",
        "{\"expires_after_days\":30.0}",
        "{\"expires_after_days\":1e3,\"expires_at\":null}",
    ] {
        assert_eq!(patch(DEPRECATE, body).status, StatusCode::OK, "{body}");
    }
    let answer = patch(DEPRECATE, "{\"expires_at\":\"2027-01-31T01:00:00+01:00\"}");
    assert_eq!(
        answer.json()["timestamp"]["expires_at"],
        "2027-01-31T00:00:00.000000Z"
    );
}
