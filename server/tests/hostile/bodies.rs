//! Bodies that are too large, clients that have closed their side, and clients that wait before they send a body.

use std::net::Shutdown;

use crate::client::{Client, get, patch};
use crate::demo::OPERATOR;
use crate::server::{SHORT, Server, long_limits};

const LARGE: usize = 8 * 1024 * 1024;

/// The path of a change that takes a body.
fn deprecate(server: &Server) -> String {
    let list = "/api/v1/directory/attributes?filter[state]=active&page[size]=1";
    let records = server.connect().ask(get(list, OPERATOR)).json();
    let id = records[0]["id"].as_str().unwrap();
    format!("/api/v1/directory/attributes/{id}/deprecate")
}

fn head(path: &str, lines: &str) -> String {
    format!(
        "PATCH {path} HTTP/1.1\r\nHost: rollcall\r\nAuthorization: Bearer {OPERATOR}\r\n\
         Content-Type: application/json\r\n{lines}\r\n\r\n"
    )
}

fn assert_413_is_read(mut client: Client) {
    client.read().assert_problem(413, "payload_too_large");
    client.expect_close();
}

#[test]
fn a_client_that_sends_8_mib_before_it_reads_gets_its_413() {
    let server = Server::start();
    let path = deprecate(&server);
    let mut client = server.connect();
    client.send(head(&path, &format!("Content-Length: {LARGE}")));
    client.send(vec![b' '; LARGE]);
    assert_413_is_read(client);
}

#[test]
fn a_client_that_sends_8_mib_in_chunks_before_it_reads_gets_its_413() {
    let server = Server::start();
    let path = deprecate(&server);
    let mut client = server.connect();
    client.send(head(&path, "Transfer-Encoding: chunked"));
    let chunk = [b"10000\r\n".as_slice(), &[b' '; 0x10000], b"\r\n"].concat();
    for _ in 0..LARGE / 0x10000 {
        client.send(&chunk);
    }
    client.send("0\r\n\r\n");
    assert_413_is_read(client);
}

#[test]
fn a_large_body_that_nobody_asked_for_does_not_hide_the_answer() {
    let server = Server::start();
    for (path, token, status) in [
        (deprecate(&server), "nobodys-token", 401),
        ("/nothing".to_owned(), OPERATOR, 404),
        ("/api/v1/directory/users".to_owned(), OPERATOR, 405),
    ] {
        let mut client = server.connect();
        client.send(patch(&path, token, b"", &" ".repeat(LARGE)));
        assert_eq!(client.read().status, status);
        client.expect_close();
    }
}

#[test]
fn a_client_that_closes_its_side_after_the_request_gets_its_answer() {
    let server = Server::start();
    let path = deprecate(&server);
    for request in [
        get("/api/v1/directory/users?page[size]=200", OPERATOR).into_bytes(),
        patch(&path, OPERATOR, b"", r#"{"expires_after_days": 3}"#),
    ] {
        let answers = server.connect().ask_all(&request);
        assert_eq!(answers.len(), 1);
        assert_eq!(answers[0].status, 200);
    }
}

#[test]
fn a_client_that_closes_its_side_within_a_body_is_told_and_nothing_changes() {
    let server = Server::start();
    let path = deprecate(&server);
    let record = path.strip_suffix("/deprecate").unwrap();
    let before = server.connect().ask(get(record, OPERATOR));
    let (whole, chunked) = ("Content-Length: 30", "Transfer-Encoding: chunked");
    for (lines, begin) in [
        (whole, "{}"),
        (whole, ""),
        (chunked, "2\r\n{}\r\n"),
        (chunked, "3\r\n{}"),
    ] {
        let answers = server.connect().ask_all([&head(&path, lines), begin].concat());
        assert_eq!(answers.len(), 1, "{lines} {begin:?}");
        answers[0].assert_problem(400, "malformed_request");
    }
    assert_eq!(server.connect().ask(get(record, OPERATOR)).body, before.body);
}

#[test]
fn a_client_that_waits_for_100_continue_is_told_to_go_on() {
    let server = Server::start();
    let path = deprecate(&server);
    let body = r#"{"expires_after_days": 3}"#;
    let lines = format!("Expect: 100-continue\r\nContent-Length: {}", body.len());
    let mut client = server.connect();
    assert_eq!(client.ask(head(&path, &lines)).status, 100);
    assert_eq!(client.ask(body).status, 200);
    assert_eq!(client.ask(get("/health/live", OPERATOR)).status, 200);
}

#[test]
fn a_client_that_waits_and_may_not_go_on_is_refused_at_once() {
    let server = Server::start();
    let path = deprecate(&server);
    let lines = "Expect: 100-continue\r\nContent-Length: 25";
    let refused = head(&path, lines).replace(OPERATOR, "nobodys-token");
    let mut client = server.connect();
    client.ask(refused).assert_problem(401, "unauthorized");
}

#[test]
fn a_client_that_goes_away_before_its_answer_disturbs_nobody() {
    let server = Server::start();
    for _ in 0..50 {
        let mut client = server.connect();
        client.send(get("/api/v1/directory/users?page[size]=200", OPERATOR));
    }
    for _ in 0..50 {
        let stream = std::net::TcpStream::connect(server.address()).unwrap();
        stream.shutdown(Shutdown::Both).unwrap();
    }
    assert_eq!(server.connect().ask(get("/health/live", OPERATOR)).status, 200);
}

#[test]
fn a_client_that_closes_its_side_and_reads_slowly_gets_a_whole_answer() {
    let server = Server::start();
    let path = "/api/v1/directory/users?page[size]=200&include=manager-user,direct-report-users";
    let whole = server.connect().ask(get(path, OPERATOR));
    for lines in ["", "Connection: close\r\n", "Content-Length: 0\r\n"] {
        let mut client = server.connect_with_small_buffer();
        client.send(get(path, OPERATOR).replace("Host", &format!("{lines}Host")));
        client.end_requests();
        assert_eq!(client.peek(), b'H');
        assert_eq!(client.read().body, whole.body, "{lines:?}");
    }
}

#[test]
fn an_answer_that_leaves_its_body_unread_says_that_the_connection_ends() {
    let server = Server::start();
    let path = format!("/{}", "a".repeat(60_000));
    let next = get("/api/v1/directory/users?page[size]=1", OPERATOR);
    for (lines, body) in [
        ("Transfer-Encoding: chunked", "2\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked", "0\r\n\r\n"),
        ("Content-Length: 2", "{}"),
        ("Content-Length: 0", ""),
    ] {
        for _ in 0..10 {
            let requests = format!("{}{body}{next}", head(&path, lines));
            let answers = server.connect().ask_all(requests);
            let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
            match answers[0].announces_close() {
                true => assert_eq!(statuses, [404], "{lines}"),
                false => assert_eq!(statuses, [404, 200], "{lines}"),
            }
        }
    }
}

#[test]
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

#[test]
fn a_connection_whose_body_nobody_read_goes_on() {
    let mut limits = long_limits();
    limits.timeouts.idle = SHORT;
    let server = Server::limited(limits);
    let head = "GET /api/v1/openapi.yaml HTTP/1.1\r\nHost: rollcall\r\nTransfer-Encoding: chunked\r\n\r\n";
    let mut client = server.connect_with_small_buffer();
    client.send([head, "2\r\n{}\r\n0\r\n\r\n", head, "0\r\n\r\n"].concat());
    assert_eq!(client.peek(), b'H');
    assert_eq!(client.read().status, 200);
    assert_eq!(client.read().status, 200);
    client.expect_close();
}
