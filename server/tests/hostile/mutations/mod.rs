//! Generated requests: requests that the contract allows, changed in method, target, headers, framing, body or any byte, and
//! several of them on one connection.
//!
//! `pool` has identifiers and cursors of the server, `draft` is a request before it is bytes, the modules named after parts of
//! a request change a draft and say what it must get, `judge` compares the answers with that.

mod bodies;
mod corrupt;
mod draft;
mod headers;
mod judge;
mod lengths;
mod methods;
mod pool;
mod run;
mod targets;

use run::{Run, requests, seeds};

/// What the token of the requests may do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rights {
    Read,
    ReadAndWrite,
}

#[test]
fn requests_without_write_scope_get_sound_answers_and_change_nothing() {
    for seed in seeds() {
        Run::new(seed, Rights::Read).send(requests());
    }
}

#[test]
fn requests_with_write_scope_get_sound_answers() {
    for seed in seeds() {
        Run::new(seed, Rights::ReadAndWrite).send(requests());
    }
}
