//! Bodies that never end.

use super::{assert_serves, with_timeout};
use crate::client::{Client, get};
use crate::demo::OPERATOR;
use crate::server::{SHORT, Server};

/// Sends a request whose body has not come; the server is waiting for it.
fn begin(server: &Server, length: &str) -> Client {
    let list = "/api/v1/directory/attributes?filter[state]=active&page[size]=1";
    let records = server.connect().ask(get(list, OPERATOR)).json();
    let id = records[0]["id"].as_str().unwrap();
    let mut client = server.connect();
    client.send(format!(
        "PATCH /api/v1/directory/attributes/{id}/deprecate HTTP/1.1\r\nHost: rollcall\r\n\
         Authorization: Bearer {OPERATOR}\r\nContent-Type: application/json\r\n{length}\r\n\r\n"
    ));
    client
}

fn assert_given_up(mut client: Client) {
    client.read().assert_problem(400, "malformed_request");
    client.expect_close();
}

#[test]
fn a_body_that_does_not_come_is_given_up() {
    let server = Server::limited(with_timeout(|timeouts| timeouts.body = SHORT));
    let (whole, chunked) = ("Content-Length: 25", "Transfer-Encoding: chunked");
    let clients = [
        (whole, ""),
        (whole, "{\"expires"),
        (chunked, ""),
        (chunked, "19\r\n{"),
        (chunked, "2\r\n{}\r\n"),
        (chunked, "2\r\n{}\r\n0\r\nX-Trailer: "),
    ]
    .map(|(length, part)| {
        let mut client = begin(&server, length);
        client.send(part);
        client
    });
    assert_serves(&server);
    for client in clients {
        assert_given_up(client);
    }
}

#[test]
fn a_body_that_comes_byte_by_byte_is_given_up() {
    let server = Server::limited(with_timeout(|timeouts| timeouts.body = SHORT));
    for (length, part) in [
        ("Content-Length: 60000", ""),
        ("Transfer-Encoding: chunked", "8000\r\n"),
    ] {
        let mut client = begin(&server, length);
        client.send(part);
        client.trickle_until_answered_or_closed(b' ');
        assert_given_up(client);
    }
    assert_serves(&server);
}

#[test]
fn a_body_that_nobody_asked_for_does_not_keep_a_connection_open() {
    let server = Server::limited(with_timeout(|timeouts| timeouts.body = SHORT));
    let mut client = server.connect();
    client.send("GET /health/live HTTP/1.1\r\nHost: rollcall\r\nContent-Length: 60000\r\n\r\n");
    assert_eq!(client.read().status, 200);
    client.expect_close();
}
