//! What writes come to where that is left open (W12).

use rollcall_contract::Contract;
use rollcall_oracle::corpus::records::unwrapped;

use crate::checks::CheckFuture;
use crate::checks::writing::attempt::{Attempt, Extension, Open, WriteIntent};
use crate::checks::writing::sequence::Sequence;
use crate::checks::writing::written;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;

pub(super) fn observed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        if let Some(session) = written(engine, result).await? {
            for sequence in &session.sequences {
                for attempt in &sequence.attempts {
                    attempted(&engine.contract, sequence, attempt, result);
                }
                for (extension, status) in &sequence.extensions {
                    let (point, what) = match extension {
                        Extension::Activate => ("O2", "activating what was written to by"),
                        Extension::End => ("O9", "deprecating what is brought back by"),
                    };
                    let question = format!("{what} {}", sequence.operation.path);
                    result.observe(point, question, status.to_string());
                }
            }
        }
        Ok(())
    })
}

fn attempted(contract: &Contract, sequence: &Sequence, attempt: &Attempt, result: &mut CheckResult) {
    let outcome_of = |attempt| outcome_of(attempt, contract);
    let path = &sequence.operation.path;
    let mut tell =
        |point, what: &str, choice: String| result.observe(point, format!("{what}, {path}"), choice);
    let status = attempt.exchange.status.to_string();
    match attempt.intent {
        WriteIntent::UnknownId(_) => tell("A4", "the status for an unknown id", status),
        WriteIntent::Malformed => tell("A4", "the status for a body that is no JSON", status),
        WriteIntent::Wrong(_) => {
            // Where nothing can be written, the record decides and not the body.
            if attempt.certain {
                tell(
                    "A4",
                    &format!("the status for a wrong body ({})", attempt.what),
                    status,
                );
            }
        }
        WriteIntent::Converted(kind, _) => {
            let choice = match attempt.exchange.status {
                200..=299 => "taken for the value that is meant",
                400 | 415 | 422 => "refused",
                _ => return,
            };
            tell(
                "O12",
                &format!("{} of another type or form", kind.describe()),
                choice.to_owned(),
            );
        }
        WriteIntent::Days(0) => tell("O6", "no days", outcome_of(attempt)),
        WriteIntent::Days(days) => tell("O3", &format!("{days} days"), outcome_of(attempt)),
        WriteIntent::Timestamp(_)
        | WriteIntent::MayEndAt(_)
        | WriteIntent::Null
        | WriteIntent::Unauthorized(_)
        | WriteIntent::Open(Open::NoObject | Open::Again) => {}
        WriteIntent::BringBack(_) if !attempt.certain => {
            tell("O7", "a record that is not soft-deleted", outcome_of(attempt))
        }
        WriteIntent::BringBack(value) => {
            tell("O7", &format!("brought back with {value}"), outcome_of(attempt));
            tell("O10", "the status of success", status);
        }
        WriteIntent::Open(Open::Both) => tell("O4", "both options", outcome_of(attempt)),
        WriteIntent::Open(Open::Neither) => tell("O5", "neither option", outcome_of(attempt)),
        WriteIntent::Open(Open::Past) => tell("O6", "a timestamp that has passed", outcome_of(attempt)),
        WriteIntent::Open(Open::Unknown) => tell("A5", "an unknown member", outcome_of(attempt)),
    }
    if let (WriteIntent::Days(_), true) = (attempt.intent, attempt.exchange.is_success()) {
        tell(
            "O10",
            "the status of success",
            attempt.exchange.status.to_string(),
        );
    }
}

/// The status of a refusal; of success, the state that it leads to.
fn outcome_of(attempt: &Attempt, contract: &Contract) -> String {
    let exchange = &attempt.exchange;
    let record = unwrapped(exchange, &contract.identifier).filter(|_| exchange.is_success());
    match record.as_ref().and_then(|record| contract.frame.state_of(record)) {
        Some(state) => state.to_owned(),
        None => exchange.status.to_string(),
    }
}
