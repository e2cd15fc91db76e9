//! What an answer carries beside its record: ETag, links, total.

use http::{HeaderMap, HeaderValue, StatusCode};
use rollcall::http::{Codings, ETag, ETags, Json};

use super::{get, send, stub};

#[test]
fn a_record_has_an_etag_and_is_not_sent_twice() {
    let first = get("/directory/users/drusr_1");
    assert_eq!(
        (first.status, first.header("content-type")),
        (StatusCode::OK, Some("application/json"))
    );
    assert_eq!(first.json(), serde_json::to_value(&stub().users[0]).unwrap());
    let tag = first.header("etag").unwrap().to_owned();
    assert_eq!(
        Some(tag.as_str()),
        Json::of(&stub().users[0])
            .etag()
            .header()
            .as_ref()
            .and_then(|value| value.to_str().ok())
    );
    for known in [
        tag.clone(),
        format!("W/{tag}"),
        format!("\"x\", {tag}"),
        "*".to_owned(),
    ] {
        let again = send(
            "GET",
            "/directory/users/drusr_1",
            &[("if-none-match", &known)],
            "",
        );
        assert_eq!(
            (again.status, again.body.len()),
            (StatusCode::NOT_MODIFIED, 0),
            "{known}"
        );
        assert_eq!(again.header("etag"), Some(tag.as_str()));
    }
    let changed = send("GET", "/directory/users/drusr_2", &[("if-none-match", &tag)], "");
    assert_eq!(changed.status, StatusCode::OK);
    assert_ne!(changed.header("etag"), Some(tag.as_str()));
}

/// The entity tags that the lines of a header name.
fn tags(lines: &[&[u8]]) -> ETags {
    let lines: Vec<_> = lines
        .iter()
        .map(|line| HeaderValue::from_bytes(line).unwrap())
        .collect();
    ETags::read(&lines).unwrap()
}

#[test]
fn every_line_of_etags_counts_and_what_cannot_be_read_matches_nothing() {
    let tag = ETag::of(b"record");
    let any = Codings::of(&HeaderMap::new());
    let quoted = tag.header().unwrap();
    let own = quoted.to_str().unwrap();
    for (lines, changes, holds) in [
        (vec![own], true, true),
        (vec!["*"], true, true),
        (vec!["\"x\"", own], true, true),
        (vec![&*format!("\"x\",{own} ")], true, true),
        (vec![&*format!("\"a,b\" , {own}")], true, true),
        (vec![&*format!("W/{own}")], false, true),
        (vec!["\"x\""], false, false),
        (vec![""], false, false),
        (vec![own.trim_matches('"')], false, false),
        (vec![own, "*"], false, false),
        (vec!["*", own], false, false),
        (vec![own, "junk"], false, false),
        (vec![&*format!("{own}, junk")], false, false),
        (vec![&*format!("{own},")], false, false),
        (vec![&*format!("{own}{own}")], false, false),
        (vec![&*format!("w/{own}")], false, false),
        (vec![&*format!("\"{}", own)], false, false),
    ] {
        let bytes: Vec<_> = lines.iter().map(|line| line.as_bytes()).collect();
        let read = tags(&bytes);
        assert_eq!(
            (read.allow_change(&tag), read.held(&tag, any).is_some()),
            (changes, holds),
            "{lines:?}"
        );
    }
    let odd = tags(&[own.as_bytes(), b"\"\xe9\""]);
    assert!(!odd.allow_change(&tag) && odd.held(&tag, any).is_none());
    assert_eq!(ETags::read(&[]), None);
}

#[test]
fn a_header_of_etags_may_have_so_many_bytes() {
    let long = format!("\"{}\"", "x".repeat(1_024));
    let change = ("PATCH", super::RESTORE);
    let record = ("GET", "/directory/users/drusr_1");
    for ((method, path), name, has_limit) in [
        (change, "if-match", true),
        (record, "if-none-match", true),
        // The contract does not have these headers there.
        (change, "if-none-match", false),
        (record, "if-match", false),
    ] {
        let headers = [("content-type", "application/json"), (name, &*long)];
        let answer = send(method, path, &headers, "{\"roles\":true}");
        if has_limit {
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{method} {name}");
            assert_eq!(answer.faults(), [(name.to_owned(), "value_too_long".to_owned())]);
        } else {
            assert_eq!(answer.status, StatusCode::OK, "{method} {name}");
        }
    }
}

#[test]
fn a_change_is_answered_whatever_the_sender_holds() {
    let headers = [("content-type", "application/json"), ("if-none-match", "*")];
    let answer = send("PATCH", super::RESTORE, &headers, "{\"roles\":true}");
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.header("etag").is_some());
}

#[test]
fn a_page_is_an_array_with_its_neighbours_and_on_request_the_total() {
    let page = get("/directory/users?page[size]=2&page[total]=true");
    assert_eq!(page.json().as_array().unwrap().len(), 2);
    assert_eq!(
        page.header("link"),
        Some("</directory/users?page=2>; rel=\"next\"")
    );
    assert_eq!(page.header("x-total-count"), Some("3"));
    let last = get("/directory/users?page=2&page[size]=2");
    assert_eq!(last.json().as_array().unwrap().len(), 1);
    assert_eq!((last.header("link"), last.header("x-total-count")), (None, None));
    assert_eq!(
        get("/directory/users?page=999999999999").json(),
        serde_json::json!([])
    );
}

#[test]
fn a_query_with_faults_is_refused_with_all_of_them() {
    let answer = get("/directory/users?filter%5Bemial%5D=x&page=0");
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    let expected = [("filter[emial]", "unknown_parameter"), ("page", "invalid_page")];
    assert_eq!(
        answer.faults(),
        expected.map(|(place, code)| (place.to_owned(), code.to_owned()))
    );
}

#[test]
fn a_head_request_is_answered_without_a_body() {
    let answer = send(
        "HEAD",
        "/directory/users/drusr_1",
        &[("authorization", "Bearer directory:read")],
        "",
    );
    assert_eq!((answer.status, answer.body.len()), (StatusCode::OK, 0));
    assert!(answer.header("etag").is_some());
}
