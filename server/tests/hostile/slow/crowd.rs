//! More connections than there may be: one that waits for its client makes room, one that is busy does not.

use rollcall_server::connection::ConnectionLimits;

use super::{LARGE_LIST, assert_serves};
use crate::client::{Client, STEP, get};
use crate::demo::{OPERATOR, READER};
use crate::hold::{self, Hold};
use crate::server::{Server, Setup, long_limits};

const LIVE: &str = "GET /health/live HTTP/1.1\r\nHost: rollcall\r\n\r\n";

fn limits(connections: usize) -> ConnectionLimits {
    ConnectionLimits {
        connections,
        ..long_limits()
    }
}

fn with_hold(connections: usize) -> (Server, Hold) {
    let (routes, hold) = Hold::new();
    let limits = limits(connections);
    (Server::with(Setup { limits, routes }), hold)
}

/// A client that is connected and was answered once.
fn idle(server: &Server) -> Client {
    let mut client = server.connect();
    assert_eq!(client.ask(LIVE).status, 200);
    client
}

/// Lets the server note what clients do, which it counts in milliseconds.
fn pause() {
    std::thread::sleep(10 * STEP);
}

fn are_open(clients: &[Client]) -> Vec<bool> {
    clients.iter().map(Client::is_open).collect()
}

#[test]
fn the_connection_that_has_waited_longest_makes_room() {
    let server = Server::limited(limits(4));
    let one_after_the_other = |_| {
        let client = idle(&server);
        pause();
        client
    };
    let mut clients: Vec<_> = (0..4).map(one_after_the_other).collect();
    assert_eq!(are_open(&clients), [true; 4]);
    // The first one waits for a shorter time now than the second one.
    pause();
    assert_eq!(clients[0].ask(LIVE).status, 200);
    clients.push(idle(&server));
    assert_eq!(are_open(&clients), [true, false, true, true, true]);
    clients.push(idle(&server));
    assert_eq!(are_open(&clients), [true, false, false, true, true, true]);
}

#[test]
fn silent_connections_and_half_heads_make_room_one_for_each_client() {
    for begin in ["", "GET /api/v1/dire"] {
        let server = Server::limited(limits(4));
        let mut clients: Vec<_> = (0..4).map(|_| server.connect()).collect();
        for client in &mut clients {
            client.send(begin);
        }
        pause();
        let _polite = idle(&server);
        let open = are_open(&clients);
        assert_eq!(open.iter().filter(|is_open| **is_open).count(), 3, "{open:?}");
    }
}

#[test]
fn every_client_of_many_is_served() {
    let server = Server::limited(limits(8));
    let clients: Vec<_> = (0..200).map(|_| idle(&server)).collect();
    let open = are_open(&clients);
    assert_eq!(open[..192], [false; 192]);
    assert_eq!(open[192..], [true; 8]);
}

/// Somebody at another address takes all places again and again; whoever is polite keeps its connection.
#[cfg(target_os = "linux")]
#[test]
fn who_opens_many_connections_closes_its_own() {
    let server = Server::limited(limits(8));
    let mut polite: Vec<_> = (0..3).map(|_| idle(&server)).collect();
    for _ in 0..5 {
        pause();
        let crowd: Vec<_> = (0..24).map(|_| server.connect_from([127, 0, 0, 2])).collect();
        for client in &mut polite {
            assert_eq!(client.ask(LIVE).status, 200);
        }
        drop(crowd);
    }
}

#[test]
fn a_busy_connection_is_not_closed() {
    let (server, hold) = with_hold(2);
    let mut busy = server.connect();
    busy.send(hold::REQUEST);
    hold.expect_request();
    let mut other = idle(&server);
    for _ in 0..5 {
        pause();
        let next = idle(&server);
        assert!(!other.is_open());
        other = next;
    }
    hold.release();
    Hold::assert_whole(&busy.read());
}

#[test]
fn a_client_that_waits_for_a_place_gets_it_when_a_busy_connection_becomes_idle() {
    let (server, hold) = with_hold(1);
    let mut busy = server.connect();
    busy.send(hold::REQUEST);
    hold.expect_request();
    let mut next = server.connect();
    next.send(LIVE);
    pause();
    hold.release();
    Hold::assert_whole(&busy.read());
    assert_eq!(next.read().status, 200);
}

#[test]
fn a_client_that_lets_its_body_wait_makes_room() {
    for lines in ["", "Expect: 100-continue\r\n"] {
        let server = Server::limited(limits(1));
        let request = patch_without_body(&server, lines);
        let mut stalled = server.connect();
        stalled.send(request);
        if !lines.is_empty() {
            assert_eq!(stalled.read().status, 100, "the server waits for the body");
        }
        pause();
        assert_serves(&server);
        stalled.trickle_until_reset(b' ');
    }
}

#[test]
fn a_client_that_lets_its_answer_wait_makes_room() {
    let server = Server::limited(limits(1));
    let mut stalled = server.connect_with_small_buffer();
    stalled.send(get(LARGE_LIST, READER).repeat(2));
    assert_eq!(stalled.peek(), b'H');
    pause();
    assert_serves(&server);
    stalled.trickle_until_reset(b' ');
}

fn patch_without_body(server: &Server, lines: &str) -> String {
    let list = "/api/v1/directory/attributes?filter[state]=active&page[size]=1";
    let records = server.connect().ask(get(list, OPERATOR)).json();
    let id = records[0]["id"].as_str().unwrap();
    format!(
        "PATCH /api/v1/directory/attributes/{id}/deprecate HTTP/1.1\r\nHost: rollcall\r\n\
         Authorization: Bearer {OPERATOR}\r\nContent-Type: application/json\r\nContent-Length: 30\r\n{lines}\r\n"
    )
}
