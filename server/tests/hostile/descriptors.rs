//! A process that may have few open files goes on serving, and its log says what is short.

use crate::client::{Client, get};
use crate::demo::READER;
use crate::process::Process;

/// Few open files: those of the database and a few connections.
const FILES: u32 = 96;

fn assert_serves(process: &Process) {
    let answer = process
        .connect()
        .ask(get("/api/v1/directory/users?page[size]=3", READER));
    assert_eq!(answer.status, 200);
}

fn assert_serves_besides(begin: &str) {
    let process = Process::start_with_open_files(FILES);
    let mut hostile: Vec<Client> = Vec::new();
    for number in 0..200 {
        let mut client = process.connect();
        // A connection that was closed for another takes nothing.
        _ = client.try_send(begin);
        hostile.push(client);
        if number % 20 == 0 {
            assert_serves(&process);
        }
    }
    assert_serves(&process);
    process.expect_log("all connections are taken");
    drop(hostile);
    assert_serves(&process);
}

#[test]
fn silent_connections_do_not_use_up_the_open_files() {
    assert_serves_besides("");
}

#[test]
fn half_heads_do_not_use_up_the_open_files() {
    assert_serves_besides("GET /api/v1/dire");
}

#[test]
fn answers_that_nobody_reads_do_not_use_up_the_open_files() {
    // More bytes than the sockets of both sides hold.
    let contract = get("/api/v1/openapi.yaml", READER).repeat(100);
    assert_serves_besides(&contract);
}
