//! What has to be carried out (W2, W3).

use super::attempt::{Attempt, Open, Ruling, WriteIntent};
use super::sequence::Sequence;
use crate::engine::Engine;

pub(super) fn days(_: &Engine, sequence: &Sequence, attempt: &Attempt) -> Vec<Ruling> {
    match attempt.intent {
        WriteIntent::Days(_) => vec![is_granted(sequence, attempt)],
        _ => Vec::new(),
    }
}

pub(super) fn nulls(_: &Engine, sequence: &Sequence, attempt: &Attempt) -> Vec<Ruling> {
    match attempt.intent {
        WriteIntent::Null => vec![is_granted(sequence, attempt)],
        // What comes of it is open, but not that something does.
        WriteIntent::Open(Open::Both | Open::Neither | Open::Past | Open::NoObject | Open::Again) => {
            vec![match attempt.exchange.status {
                200..=499 => Ruling::Holds,
                status => Ruling::violated("success or a refusal", format!("status {status}")),
            }]
        }
        _ => Vec::new(),
    }
}

/// Whether a write that the specification allows was granted.
pub(super) fn is_granted(sequence: &Sequence, attempt: &Attempt) -> Ruling {
    let path = &sequence.operation.path;
    match attempt.exchange.status {
        200..=299 => Ruling::Holds,
        status @ (401 | 403) => Ruling::Missing(format!("a token that may write: {path} answers {status}")),
        // Which states allow a write is open (O1).
        409 => Ruling::Missing(format!("{path}: a record in a state that allows it")),
        404 if attempt.target.named => {
            Ruling::Missing(format!("a fixture that exists: {}", attempt.target.id))
        }
        status => Ruling::violated("2xx with the record", format!("status {status}")),
    }
}
