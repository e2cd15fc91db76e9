//! Faults of the server: tests that fail.

use rollcall_server::connection::ConnectionLimits;

use crate::client::{STEP, get};
use crate::demo::OPERATOR;
use crate::hold::{self, Hold};
use crate::server::{SHORT, Server, Setup, patient};

const LIVE: &str = "GET /health/live HTTP/1.1\r\nHost: rollcall\r\n\r\n";

fn limits(connections: usize) -> ConnectionLimits {
    ConnectionLimits {
        connections,
        ..patient()
    }
}

// 1, slow/crowd.rs
#[test]
#[ignore = "temporary"]
fn a_new_client_is_served_when_a_busy_connection_becomes_idle() {
    let (routes, hold) = Hold::new();
    let limits = limits(1);
    let server = Server::with(Setup { limits, routes });
    let mut busy = server.connect();
    busy.send(hold::REQUEST);
    hold.expect_request();
    let mut next = server.connect();
    next.send(LIVE);
    std::thread::sleep(10 * STEP);
    hold.release();
    Hold::assert_whole(&busy.read());
    assert_eq!(next.read().status, 200);
}

// 2, slow/crowd.rs
#[test]
#[ignore = "temporary"]
fn a_client_that_was_told_to_go_on_and_sends_nothing_makes_room() {
    let server = Server::limited(limits(1));
    let list = "/api/v1/directory/attributes?filter[state]=active&page[size]=1";
    let records = server.connect().ask(get(list, OPERATOR)).json();
    let id = records[0]["id"].as_str().unwrap();
    let mut stalled = server.connect();
    let head = format!(
        "PATCH /api/v1/directory/attributes/{id}/deprecate HTTP/1.1\r\nHost: rollcall\r\n\
         Authorization: Bearer {OPERATOR}\r\nContent-Type: application/json\r\n\
         Expect: 100-continue\r\nContent-Length: 30\r\n\r\n"
    );
    assert_eq!(stalled.ask(head).status, 100);
    std::thread::sleep(10 * STEP);
    assert_eq!(server.connect().ask(LIVE).status, 200);
    // It was closed for the other, not answered because its time was over.
    stalled.expect_close();
}

// 3, bodies.rs
#[test]
#[ignore = "temporary"]
fn a_large_answer_is_whole_although_nobody_reads_the_body() {
    let server = Server::start();
    let whole = server.connect().ask(get("/api/v1/openapi.yaml", OPERATOR));
    for body in ["", "123"] {
        let mut client = server.connect_with_small_buffer();
        let head = "GET /api/v1/openapi.yaml HTTP/1.1\r\nHost: rollcall\r\nContent-Length: 9\r\n\r\n";
        client.send([head, body].concat());
        assert_eq!(client.peek(), b'H');
        assert_eq!(client.read().body, whole.body);
        client.expect_close();
    }
}

// 4, bodies.rs
#[test]
#[ignore = "temporary"]
fn a_chunked_body_that_nobody_reads_does_not_stop_its_connection() {
    let server = Server::start();
    let head = "GET /api/v1/openapi.yaml HTTP/1.1\r\nHost: rollcall\r\nTransfer-Encoding: chunked\r\n\r\n";
    let mut client = server.connect_with_small_buffer();
    client.send([head, "2\r\n{}\r\n0\r\n\r\n", LIVE].concat());
    client.end_requests();
    assert_eq!(client.peek(), b'H');
    let statuses: Vec<_> = client.read_to_end().iter().map(|answer| answer.status).collect();
    assert!(statuses == [200] || statuses == [200, 200], "{statuses:?}");
}

// 4b, slow/heads.rs
#[test]
#[ignore = "temporary"]
fn a_connection_whose_body_nobody_read_is_closed_when_no_further_request_comes() {
    let mut limits = patient();
    limits.timeouts.idle = SHORT;
    let server = Server::limited(limits);
    let head = "GET /api/v1/openapi.yaml HTTP/1.1\r\nHost: rollcall\r\nTransfer-Encoding: chunked\r\n\r\n";
    let mut client = server.connect_with_small_buffer();
    client.send([head, "2\r\n{}\r\n0\r\n\r\n"].concat());
    assert_eq!(client.peek(), b'H');
    assert_eq!(client.read().status, 200);
    client.expect_close();
}

// 5, framing/refused.rs
#[test]
#[ignore = "temporary"]
fn lengths_that_are_too_large_are_refused_as_problems() {
    let server = Server::start();
    for length in ["18446744073709551615", "18446744073709551614"] {
        let head = format!("PATCH /x HTTP/1.1\r\nHost: rollcall\r\nContent-Length: {length}\r\n\r\n");
        let answers = server.connect().ask_all(head);
        assert_eq!(answers.len(), 1);
        answers[0].assert_problem(400, "malformed_request");
    }
}

// 6, framing/refused.rs
#[test]
#[ignore = "temporary"]
fn the_answer_to_head_has_no_body_even_if_it_is_refused() {
    let server = Server::start();
    let mut client = server.connect();
    client.send("HEAD /health/live HTTP/1.1\r\n\r\n");
    let answer = client.read_raw(10_000);
    assert!(answer.ends_with(b"\r\n\r\n"), "{}", answer.escape_ascii());
}
