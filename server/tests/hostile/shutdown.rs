//! A server that is told to stop ends within its grace, whatever clients do, and finishes what runs.

use std::net::TcpStream;

use rollcall_server::connection::ConnectionLimits;

use crate::client::{Client, get};
use crate::demo::{OPERATOR, READER};
use crate::hold::{self, Hold};
use crate::server::{SHORT, Server, Setup, long_limits};

const LIST: &str = "/api/v1/directory/users?page[size]=200&include=manager-user,direct-report-users";
const LIVE: &str = "GET /health/live HTTP/1.1\r\nHost: rollcall\r\n\r\n";

fn short_grace() -> ConnectionLimits {
    ConnectionLimits {
        grace: SHORT,
        ..long_limits()
    }
}

/// Connections of clients for which nothing is under way.
fn waiting_clients(server: &Server) -> Vec<Client> {
    let begins = ["", "G", "GET /api/v1/dire", "GET / HTTP/1.1\r\nHost: a\r\n"];
    let mut clients = Vec::new();
    for begin in begins.repeat(5) {
        let mut client = server.connect();
        client.send(begin);
        let mut answered = server.connect();
        assert_eq!(answered.ask([LIVE, begin].concat()).status, 200);
        clients.extend([client, answered]);
    }
    clients
}

fn half_body(server: &Server) -> Client {
    let mut client = server.connect();
    client.send(format!(
        "PATCH /api/v1/directory/attributes/drattr_1/deprecate HTTP/1.1\r\nHost: rollcall\r\n\
         Authorization: Bearer {OPERATOR}\r\nContent-Type: application/json\r\n\
         Expect: 100-continue\r\nContent-Length: 30\r\n\r\n"
    ));
    assert_eq!(client.read().status, 100, "the server waits for the body");
    client.send("{");
    client
}

fn slow_reader(server: &Server) -> Client {
    let mut client = server.connect_with_small_buffer();
    client.send(get(LIST, READER));
    assert_eq!(client.peek(), b'H');
    client
}

#[test]
fn connections_that_wait_for_their_clients_do_not_delay_the_end() {
    // The grace is long: nothing is left to be waited for.
    let mut server = Server::start();
    let mut clients = waiting_clients(&server);
    server.stop();
    assert!(server.has_ended());
    for client in &mut clients {
        client.expect_close();
    }
}

#[test]
fn half_bodies_are_cut_off_after_the_grace() {
    let mut server = Server::limited(short_grace());
    let clients: Vec<_> = (0..5).map(|_| half_body(&server)).collect();
    server.stop();
    assert!(server.has_ended());
    drop(clients);
}

#[test]
fn clients_that_do_not_read_are_cut_off_after_the_grace() {
    let mut server = Server::limited(short_grace());
    let clients: Vec<_> = (0..5).map(|_| slow_reader(&server)).collect();
    server.stop();
    assert!(server.has_ended());
    drop(clients);
}

#[test]
fn a_request_that_runs_longer_than_the_grace_is_cut_off() {
    let (routes, hold) = Hold::new();
    let limits = short_grace();
    let mut server = Server::with(Setup { limits, routes });
    let mut client = server.connect();
    client.send(hold::REQUEST);
    hold.expect_request();
    server.stop();
    assert!(server.has_ended());
    client.expect_close();
}

#[test]
fn a_request_under_way_gets_its_whole_answer() {
    let (routes, hold) = Hold::new();
    let limits = long_limits();
    let mut server = Server::with(Setup { limits, routes });
    let address = server.address();
    let _waiting = waiting_clients(&server);
    let mut client = server.connect();
    client.send(hold::REQUEST);
    hold.expect_request();
    server.stop();
    hold.release();
    Hold::assert_whole(&client.read());
    client.expect_close();
    drop(client);
    assert!(server.has_ended());
    assert!(
        TcpStream::connect(address).is_err(),
        "nothing is accepted any more"
    );
}

#[test]
fn an_answer_that_is_being_read_is_sent_to_its_end() {
    let mut server = Server::start();
    let whole = server.connect().ask(get(LIST, READER));
    let mut client = slow_reader(&server);
    server.stop();
    assert_eq!(client.read().body, whole.body);
    client.expect_close();
    drop(client);
    assert!(server.has_ended());
}

#[cfg(unix)]
#[test]
fn sigterm_ends_the_process_whatever_clients_do() {
    let mut process = crate::process::Process::start(&["--grace", "1"]);
    let mut clients = Vec::new();
    for begin in ["", "GET /api/v1/dire", LIVE].repeat(10) {
        let mut client = process.connect();
        client.send(begin);
        clients.push(client);
    }
    let mut half_body = process.connect();
    half_body.send(format!(
        "PATCH /api/v1/directory/attributes/drattr_1/deprecate HTTP/1.1\r\nHost: rollcall\r\n\
         Authorization: Bearer {OPERATOR}\r\nContent-Type: application/json\r\n\
         Expect: 100-continue\r\nContent-Length: 30\r\n\r\n"
    ));
    assert_eq!(half_body.read().status, 100, "the token is known");
    process.terminate();
    assert!(process.ends_in_success());
}

#[cfg(unix)]
#[test]
fn a_server_that_says_that_it_serves_can_be_told_to_stop() {
    for _ in 0..10 {
        let mut process = crate::process::Process::start(&[]);
        process.terminate();
        assert!(process.ends_in_success());
    }
}
