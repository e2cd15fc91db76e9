//! Connections on which no request begins, and heads that never end.

use super::{assert_serves, with_timeout};
use crate::server::{SHORT, Server};

const LIVE: &str = "GET /health/live HTTP/1.1\r\nHost: rollcall\r\n\r\n";

#[test]
fn a_silent_connection_is_closed() {
    let server = Server::limited(with_timeout(|timeouts| timeouts.head = SHORT));
    let mut silent: Vec<_> = (0..50).map(|_| server.connect()).collect();
    assert_serves(&server);
    for client in &mut silent {
        client.expect_close();
    }
    assert_serves(&server);
}

#[test]
fn a_connection_is_closed_when_no_further_request_comes() {
    let server = Server::limited(with_timeout(|timeouts| timeouts.idle = SHORT));
    let mut client = server.connect();
    assert_eq!(client.ask(LIVE).status, 200);
    client.expect_close();
}

#[test]
fn half_a_head_is_closed() {
    let server = Server::limited(with_timeout(|timeouts| timeouts.head = SHORT));
    let halves = [
        "G",
        "GET /api/v1/dire",
        "GET / HTTP/1.1\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n",
        "\r\n",
    ];
    let mut clients = halves.map(|half| {
        let mut client = server.connect();
        client.send(half);
        client
    });
    assert_serves(&server);
    for client in &mut clients {
        client.expect_close();
    }
}

#[test]
fn a_head_that_comes_byte_by_byte_is_closed() {
    let server = Server::limited(with_timeout(|timeouts| timeouts.head = SHORT));
    let mut client = server.connect();
    client.send("GET / HTTP/1.1\r\nX-Slow: ");
    client.trickle_until_answered_or_closed(b'x');
    client.expect_close();
    assert_serves(&server);
}

#[test]
fn a_head_that_comes_byte_by_byte_behind_an_answered_request_is_closed() {
    let server = Server::limited(with_timeout(|timeouts| timeouts.head = SHORT));
    let mut client = server.connect();
    assert_eq!(client.ask(LIVE).status, 200);
    client.trickle_until_answered_or_closed(b'G');
    client.expect_close();
}

#[test]
fn half_a_head_that_was_sent_with_the_request_before_it_is_closed() {
    let server = Server::limited(with_timeout(|timeouts| timeouts.head = SHORT));
    let mut client = server.connect();
    assert_eq!(client.ask([LIVE, "GET /api/v1/dire"].concat()).status, 200);
    client.expect_close();
}

#[test]
fn empty_lines_do_not_keep_a_connection_open() {
    let server = Server::limited(with_timeout(|timeouts| timeouts.head = SHORT));
    let mut client = server.connect();
    client.trickle_until_answered_or_closed(b'\n');
    // An endless row of empty lines may be called malformed, but it ends.
    client.read_to_end();
    assert_serves(&server);
}
