//! Heads that are refused, and what is hidden behind them is not served.

use super::{SMUGGLED, assert_refused, statuses};
use crate::client::get;
use crate::demo::OPERATOR;
use crate::server::Server;

#[test]
fn a_host_must_be_named_exactly_once() {
    let server = Server::start();
    for lines in [
        "",
        "Host: a\r\nHost: b\r\n",
        "Host: a\r\nHost: a\r\n",
        "Host: a\r\nhost: a\r\n",
        "Host: a b\r\n",
        "Host: a/b\r\n",
        "Host: somebody@a\r\n",
        "Host: a, b\r\n",
    ] {
        let head = format!("GET /health/live HTTP/1.1\r\n{lines}\r\n");
        assert_refused(&server, head.as_bytes());
    }
    assert_refused(
        &server,
        b"GET /health/live HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
    );
    assert_refused(&server, b"GET /health/live HTTP/1.1\r\nHost: \xe9\r\n\r\n");
}

#[test]
fn the_length_of_a_body_must_be_clear() {
    let server = Server::start();
    for lines in [
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n",
        "Content-Length: 5\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: 5\r\ncontent-length: 0\r\n",
        "Content-Length: 5, 5\r\n",
        "Content-Length: +5\r\n",
        "Content-Length: -5\r\n",
        "Content-Length: 0x5\r\n",
        "Content-Length: 5;\r\n",
        "Content-Length: 5 5\r\n",
        "Content-Length: five\r\n",
        "Content-Length:\r\n",
        "Content-Length: 9223372036854775808\r\n",
        "Content-Length: 18446744073709551613\r\n",
        "Content-Length: 18446744073709551615\r\n",
        "Content-Length: 18446744073709551616\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding: identity\r\n",
        "Transfer-Encoding: gzip\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: chunked;q=1\r\n",
        "Transfer-Encoding: \"chunked\"\r\n",
        "Transfer-Encoding:\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding : chunked\r\n",
        "Transfer-Encoding:\r\n chunked\r\n",
    ] {
        let head = format!("PATCH /health/live HTTP/1.1\r\nHost: rollcall\r\n{lines}\r\n");
        assert_refused(&server, head.as_bytes());
    }
    assert_refused(
        &server,
        b"PATCH /health/live HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
}

#[test]
fn what_is_no_head_of_http_1_is_refused() {
    let server = Server::start();
    for head in [
        b"GET /health/live\r\n\r\n".as_slice(),
        b"GET /health/live HTTP/0.9\r\n\r\n",
        b"GET /health/live HTTP/1.2\r\nHost: rollcall\r\n\r\n",
        b"GET /health/live http/1.1\r\nHost: rollcall\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\n",
        b" GET /health/live HTTP/1.1\r\nHost: rollcall\r\n\r\n",
        b"G\x00T /health/live HTTP/1.1\r\nHost: rollcall\r\n\r\n",
        b"G\xc9T /health/live HTTP/1.1\r\nHost: rollcall\r\n\r\n",
        b"GET /health live HTTP/1.1\r\nHost: rollcall\r\n\r\n",
        b"GET /health\x00live HTTP/1.1\r\nHost: rollcall\r\n\r\n",
        b"GET /health\tlive HTTP/1.1\r\nHost: rollcall\r\n\r\n",
        b"GET /health/live HTTP/1.1\r\nHost: rollcall\r\nX-Folded: a\r\n b\r\n\r\n",
        b"GET /health/live HTTP/1.1\r\nHost: rollcall\r\n X-Folded: a\r\n\r\n",
        b"GET /health/live HTTP/1.1\r\nHost: rollcall\r\nX-Nothing\r\n\r\n",
        b"GET /health/live HTTP/1.1\r\nHost: rollcall\r\n: nameless\r\n\r\n",
        b"GET /health/live HTTP/1.1\r\nHost: rollcall\r\nX-Bare: a\rb\r\n\r\n",
        b"GET /health/live HTTP/1.1\r\nHost: rollcall\r\nX-Nul: a\x00b\r\n\r\n",
        b"GET /health/live HTTP/1.1\r\nHost: rollcall\r\nX Space: a\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n",
        b"{\"not\": \"http\"}\r\n\r\n",
    ] {
        assert_refused(&server, head);
    }
}

#[test]
fn a_raw_fragment_is_refused_and_filters_behind_it_are_not_dropped() {
    let server = Server::start();
    for target in [
        "/api/v1/directory/users?page[size]=5#&filter[email]=nobody@example.net",
        "/api/v1/directory/users#",
        "/api/v1/directory#/users",
        "#",
        "http://rollcall/api/v1/directory/users#x",
    ] {
        assert_refused(&server, get(target, OPERATOR).as_bytes());
    }
    let encoded = get("/api/v1/directory/users?filter[email]=%23", OPERATOR);
    let answer = server.connect().ask(encoded);
    assert_eq!((answer.status, answer.text()), (200, "[]"));
}

#[test]
fn a_refused_head_ends_the_answers_but_not_those_before_it() {
    let server = Server::start();
    let sound = "GET /health/live HTTP/1.1\r\nHost: rollcall\r\n\r\n";
    let requests = [sound, sound, "GET /health/live HTTP/1.1\r\n\r\n", SMUGGLED, sound].concat();
    let answers = server.connect().ask_all(requests);
    assert_eq!(statuses(&answers), [200, 200, 400]);
    answers[2].assert_problem(400, "malformed_request");
}

#[test]
fn a_body_with_bad_chunks_ends_the_answers() {
    let server = Server::start();
    for chunks in [
        "G\r\n",
        "-1\r\n",
        " 2\r\n{}\r\n0\r\n\r\n",
        "0x2\r\n{}\r\n0\r\n\r\n",
        "2\n{}\n0\n\n",
        "2\r\n{}0\r\n\r\n",
        "2\r\n{}x0\r\n\r\n",
        "1000000000000000000\r\n{}\r\n",
        "2 \r\n{}\r\n0\r\n\r\n",
        "2\r\n{}\r\n\r\n",
    ] {
        let head = get("/api/v1/directory/users", OPERATOR);
        let head = head.replace("\r\n\r\n", "\r\nTransfer-Encoding: chunked\r\n\r\n");
        let answers = server.connect().ask_all([&head, chunks, SMUGGLED].concat());
        assert_eq!(answers.len(), 1, "{chunks:?}: {:?}", statuses(&answers));
        answers[0].assert_problem(400, "malformed_request");
    }
}

#[test]
fn the_refusal_of_head_has_no_body() {
    let server = Server::start();
    let mut client = server.connect();
    client.send("HEAD /health/live HTTP/1.1\r\n\r\n");
    let answer = client.read_raw(usize::MAX);
    assert!(answer.starts_with(b"HTTP/1.1 400 "), "{}", answer.escape_ascii());
    assert!(answer.ends_with(b"\r\n\r\n"), "{}", answer.escape_ascii());
}
