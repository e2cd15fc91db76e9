//! Clients that take their time, and more of them than there may be. Each timeout is tested alone: all others are long.

mod bodies;
mod crowd;
mod heads;
mod readers;

use rollcall_server::connection::{ConnectionLimits, Timeouts};

use crate::client::get;
use crate::demo::READER;
use crate::server::{Server, long_limits};

/// A large list: more bytes than the sockets of both sides hold.
const LARGE_LIST: &str = "/api/v1/directory/users?page[size]=200&include=manager-user,direct-report-users";

/// Limits under which one timeout passes soon.
fn with_timeout(shorten: impl FnOnce(&mut Timeouts)) -> ConnectionLimits {
    let mut limits = long_limits();
    shorten(&mut limits.timeouts);
    limits
}

/// Fails unless a client that behaves well is answered.
fn assert_serves(server: &Server) {
    let answer = server
        .connect()
        .ask(get("/api/v1/directory/users?page[size]=3", READER));
    assert_eq!(answer.status, 200);
}
