//! How long a head may be.

use rollcall_server::connection::MAX_HEAD;

use super::{SMUGGLED, assert_refused, statuses};
use crate::server::Server;

/// A head of exactly so many bytes, in one long header line.
fn head(length: usize) -> String {
    let (begin, end) = (
        "GET /health/live HTTP/1.1\r\nHost: rollcall\r\nX-Long: ",
        "\r\n\r\n",
    );
    let rest = length - begin.len() - end.len();
    [begin, &"x".repeat(rest), end].concat()
}

fn head_with_lines(lines: usize) -> String {
    let lines = "X-One: 1\r\n".repeat(lines - 1);
    format!("GET /health/live HTTP/1.1\r\nHost: rollcall\r\n{lines}\r\n")
}

#[test]
fn a_head_may_have_64_kib() {
    let server = Server::start();
    let answers = server.connect().ask_all([&head(MAX_HEAD), SMUGGLED].concat());
    assert_eq!(statuses(&answers), [200, 404]);
    for longer in [1, 2, 1_000, 1_000_000] {
        assert_refused(&server, head(MAX_HEAD + longer).as_bytes());
    }
}

#[test]
fn a_head_without_an_end_is_refused_when_it_is_too_long() {
    let server = Server::start();
    let begin = "GET /health/live HTTP/1.1\r\nHost: rollcall\r\nX-Long: ";
    for endless in [
        [begin, &"x".repeat(MAX_HEAD)].concat(),
        "G".repeat(MAX_HEAD + 1),
        ["GET /", &"x".repeat(MAX_HEAD)].concat(),
    ] {
        let mut client = server.connect();
        client.send(endless);
        client.read().assert_problem(400, "malformed_request");
        client.expect_close();
    }
}

#[test]
fn a_head_may_have_100_lines() {
    let server = Server::start();
    let answers = server
        .connect()
        .ask_all([&head_with_lines(100), SMUGGLED].concat());
    assert_eq!(statuses(&answers), [200, 404]);
    for lines in [101, 200, 3_000] {
        assert_refused(&server, head_with_lines(lines).as_bytes());
    }
}
