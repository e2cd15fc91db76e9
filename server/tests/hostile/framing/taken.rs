//! Unusual heads that can be read in one way only: they are answered, and so is the request after them.

use super::{SMUGGLED, statuses};
use crate::client::get;
use crate::demo::OPERATOR;
use crate::server::Server;

#[test]
fn unusual_heads_that_are_clear_are_answered() {
    let server = Server::start();
    for head in [
        "GET /health/live HTTP/1.1\r\nHost:\r\n\r\n",
        "GET /health/live HTTP/1.1\r\nhOST: [::1]:8080\r\n\r\n",
        "GET http://rollcall/health/live HTTP/1.1\r\nHost: rollcall\r\n\r\n",
        "\r\nGET /health/live HTTP/1.1\r\nHost: rollcall\r\n\r\n",
        "GET /health/live HTTP/1.1\r\nHost: rollcall\r\nContent-Length: 0\r\n\r\n",
        "GET /health/live HTTP/1.1\r\nHost: rollcall\r\nContent-Length: 0003\r\n\r\nabc",
        "GET /health/live HTTP/1.1\r\nHost: rollcall\r\nTransfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n",
        "GET /health/live HTTP/1.1\r\nHost: rollcall\r\nTransfer-Encoding: chunked\r\n\r\n3;a=\"b\"\r\nabc\r\n000\r\nX-After: 1\r\n\r\n",
    ] {
        let answers = server.connect().ask_all([head, SMUGGLED].concat());
        assert_eq!(statuses(&answers), [200, 404], "{head:?}");
    }
}

#[test]
fn a_request_within_a_body_is_body() {
    let server = Server::start();
    let length = SMUGGLED.len();
    let get = get("/api/v1/directory/users?page[size]=1", OPERATOR);
    let with = |line: &str| get.replace("\r\n\r\n", &format!("\r\n{line}\r\n\r\n"));
    let whole = with(&format!("Content-Length: {length}"));
    let chunked = with("Transfer-Encoding: chunked");
    for request in [
        format!("{whole}{SMUGGLED}"),
        format!("{chunked}{length:x}\r\n{SMUGGLED}\r\n0\r\n\r\n"),
    ] {
        let requests = [&request, "GET /last HTTP/1.1\r\nHost: a\r\n\r\n"].concat();
        let answers = server.connect().ask_all(requests);
        assert_eq!(statuses(&answers), [200, 404], "{request:?}");
        assert_eq!(answers[1].json()["instance"], "/last");
    }
}

#[test]
fn http_1_0_needs_no_host_and_gets_one_answer() {
    let server = Server::start();
    let request = "GET /health/live HTTP/1.0\r\n\r\n";
    let mut client = server.connect();
    client.send([request, SMUGGLED].concat());
    let answers = client.read_to_end();
    assert_eq!(statuses(&answers), [200]);
}
