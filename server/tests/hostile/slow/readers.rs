//! Clients that do not read their answers.

use super::{LARGE_LIST, assert_serves, with_timeout};
use crate::client::{Client, STEP, get};
use crate::demo::READER;
use crate::server::{SHORT, Server};

/// How much a slow reader takes at each of its steps: far less than it must.
const LITTLE: usize = 256;
/// How many answers a client asks for: together more than the sockets of both sides hold.
const ANSWERS: usize = 20;

/// The length of the body of one answer.
fn length(server: &Server) -> usize {
    let answer = server.connect().ask(get(LARGE_LIST, READER));
    assert_eq!(answer.status, 200);
    answer.body.len()
}

/// A client that has asked for a large list and has read its first byte only.
fn ask_for_list(server: &Server) -> Client {
    let mut client = server.connect_with_small_buffer();
    client.send(get(LARGE_LIST, READER).repeat(ANSWERS));
    assert_eq!(client.peek(), b'H');
    client
}

#[test]
fn a_client_that_never_reads_is_closed() {
    let server = Server::limited(with_timeout(|timeouts| timeouts.read = SHORT));
    let whole = ANSWERS * length(&server);
    let mut clients: Vec<_> = (0..20).map(|_| ask_for_list(&server)).collect();
    assert_serves(&server);
    for client in &mut clients {
        client.trickle_until_reset(b'\n');
        let received = client.read_raw(usize::MAX).len();
        assert!(received < whole, "{received} of {whole}");
    }
    assert_serves(&server);
}

#[test]
fn a_client_that_reads_a_few_bytes_at_a_time_is_closed() {
    let server = Server::limited(with_timeout(|timeouts| timeouts.read = SHORT));
    let whole = ANSWERS * length(&server);
    let mut client = ask_for_list(&server);
    let mut received = 0;
    loop {
        let bytes = client.read_raw(LITTLE).len();
        received += bytes;
        if bytes == 0 {
            break;
        }
        assert!(received < whole, "{received} of {whole}");
        std::thread::sleep(10 * STEP);
    }
    assert_serves(&server);
}

#[test]
fn a_client_that_takes_its_time_within_the_timeout_gets_everything() {
    let server = Server::start();
    let mut client = ask_for_list(&server);
    assert_serves(&server);
    client.end_requests();
    let (answers, length) = (client.read_to_end(), length(&server));
    assert_eq!(answers.len(), ANSWERS);
    for answer in answers {
        assert_eq!((answer.status, answer.body.len()), (200, length));
    }
}
