//! Methods that do not exist, methods that an operation does not take, and versions of HTTP.

use rand::RngExt as _;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;

use super::draft::Draft;
use super::judge::Expectation;

const TOKENS: [&str; 16] = [
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "get",
    "Patch",
    "PRI",
    "BREW",
    "M-SEARCH",
    "!#$%&'*+-.^_`|~",
    "0",
];

const NO_TOKENS: [&[u8]; 8] = [
    b"", b" GET", b"G\0T", b"G\x01T", b"G\x7fT", b"G\xc9T", b"GET(", b"\"GET\"",
];

/// Changes the method, or the version beside it.
pub(super) fn mutate(rng: &mut StdRng, draft: &mut Draft) -> Expectation {
    match rng.random_range(0..6) {
        0..=2 => draft.method = TOKENS.choose(rng).unwrap().as_bytes().to_vec(),
        3 => {
            let length = *[100, 8_000, 60_000, 70_000].choose(rng).unwrap();
            draft.method = format!("M{:06}", rng.random_range(0..1_000_000)).into_bytes();
            draft.method.resize(length, b'X');
        }
        4 => {
            draft.method = NO_TOKENS.choose(rng).unwrap().to_vec();
            return Expectation::Refusal;
        }
        _ => {
            let versions = [
                "HTTP/1.0",
                "HTTP/2.0",
                "HTTP/0.9",
                "HTTP/1.2",
                "http/1.1",
                "HTTP/1.10",
                "HTTP/1,1",
                "HTP/1.1",
                "",
            ];
            draft.version = versions.choose(rng).unwrap().as_bytes().to_vec();
            if draft.version != b"HTTP/1.0" {
                return Expectation::Refusal;
            }
            // HTTP/1.0 has no chunks, which another change may send.
            return Expectation::AnswerOrRefusal;
        }
    }
    Expectation::Answer
}
