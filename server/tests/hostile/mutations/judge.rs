//! Compares the answers on one connection with what its requests must get.

use std::fmt::{self, Display};

use rollcall_contract::Operation;

use crate::answer::Answer;

mod tests;

/// What a request must get, and whether the requests behind it are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Expectation {
    /// One answer.
    Answer,
    /// One answer, or a refusal after which nothing is answered.
    AnswerOrRefusal,
    /// One answer, after which nothing is answered.
    LastAnswer,
    /// 400 `malformed_request`, after which nothing is answered.
    Refusal,
    /// Any number of sound answers, or none.
    Anything,
}

/// A request as it was sent.
pub(super) struct SentRequest {
    pub(super) bytes: Vec<u8>,
    pub(super) expected: Expectation,
    pub(super) is_head: bool,
    /// Whether the server may close the connection after the answer without saying so in it.
    pub(super) may_end: bool,
    /// Whether a change under it may be accepted.
    pub(super) may_change: bool,
    /// The path that a problem must name, if every reader reads it in the same way.
    pub(super) path: Option<String>,
    /// The operation of the contract that it calls, if any.
    pub(super) operation: Option<&'static Operation>,
    is_marker: bool,
}

/// What the answers on one connection were.
#[derive(Default)]
pub(super) struct Report {
    pub(super) statuses: Vec<u16>,
    /// Whether a change was accepted.
    pub(super) is_changed: bool,
}

/// The code of a refused head.
const MALFORMED: &str = "malformed_request";

/// No answer contains these: parts of tokens, and parts of what a panic prints.
const SECRETS: [&str; 4] = ["rollcall_test-", "panicked at", "RUST_BACKTRACE", "src/store"];

impl SentRequest {
    pub(super) fn new(bytes: Vec<u8>, expected: Expectation) -> Self {
        Self {
            bytes,
            expected,
            is_head: false,
            may_end: false,
            may_change: true,
            path: None,
            operation: None,
            is_marker: false,
        }
    }

    /// A sound request for a path that does not exist. The answer names the path, so it cannot be mistaken for another.
    pub(super) fn marker(number: usize) -> Self {
        let path = format!("/marker/{number}");
        let bytes = format!("GET {path} HTTP/1.1\r\nHost: rollcall\r\n\r\n");
        Self {
            path: Some(path),
            is_marker: true,
            ..Self::new(bytes.into_bytes(), Expectation::Answer)
        }
    }
}

impl Display for SentRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = &self.bytes[..self.bytes.len().min(80)];
        write!(f, "{:?}: {}", self.expected, shown.escape_ascii())
    }
}

/// Judges all bytes that were received in answer to these requests.
pub(super) fn judge(requests: &[SentRequest], received: &[u8]) -> Result<Report, String> {
    let (mut stream, mut report) = (received, Report::default());
    let mut may_end = false;
    for sent in requests {
        let Some(answer) = next(&mut stream, sent.is_head)? else {
            return match may_end || sent.expected == Expectation::Anything {
                true => Ok(report),
                false => Err(format!("no answer to {sent}")),
            };
        };
        let code = report.add(&answer, sent)?;
        if sent.expected == Expectation::Anything {
            while let Some(answer) = next(&mut stream, false)? {
                report.add(&answer, sent)?;
            }
            return Ok(report);
        }
        check_answer(sent, &answer, code.as_deref())?;
        let is_last = match sent.expected {
            Expectation::LastAnswer | Expectation::Refusal => true,
            _ => code.as_deref() == Some(MALFORMED) || answer.announces_close(),
        };
        if is_last && !stream.is_empty() {
            return Err(format!("more is answered after {} to {sent}", answer.status));
        }
        may_end = is_last || sent.may_end;
    }
    match stream.is_empty() {
        true => Ok(report),
        false => Err("more answers than requests".to_owned()),
    }
}

/// The next answer that is not `100 Continue`.
fn next(stream: &mut &[u8], is_head: bool) -> Result<Option<Answer>, String> {
    loop {
        let answer = Answer::read(stream, is_head).map_err(|broken| broken.to_string())?;
        if answer.as_ref().is_none_or(|answer| answer.status != 100) {
            return Ok(answer);
        }
    }
}

impl Report {
    /// Checks what holds for every answer; the code of its problem, if it is one.
    fn add(&mut self, answer: &Answer, sent: &SentRequest) -> Result<Option<String>, String> {
        self.statuses.push(answer.status);
        if let Some(secret) = SECRETS.iter().find(|secret| answer.contains(secret)) {
            return Err(format!("an answer contains {secret:?}"));
        }
        match answer.status {
            200 => {
                let is_change = sent.bytes.windows(6).any(|window| window == b"PATCH ");
                if is_change && !sent.may_change {
                    return Err(format!("accepted, and must not be: {sent}"));
                }
                self.is_changed |= is_change;
                Ok(None)
            }
            304 => Ok(None),
            204 if sent.bytes.windows(8).any(|window| window == b"OPTIONS ") => Ok(None),
            // The answer to HEAD has no body to look at.
            400..=499 if sent.is_head => Ok(None),
            400..=499 => answer.problem_code().map(Some),
            status => Err(format!("{status} is answered to {sent}")),
        }
    }
}

/// Checks what holds for the one answer to a request.
fn check_answer(sent: &SentRequest, answer: &Answer, code: Option<&str>) -> Result<(), String> {
    let is_malformed = answer.status == 400 && (code == Some(MALFORMED) || sent.is_head);
    match sent.expected {
        Expectation::Refusal if !is_malformed => {
            return Err(format!("{} {code:?} to {sent}", answer.status));
        }
        Expectation::Answer if code == Some(MALFORMED) => return Err(format!("refused: {sent}")),
        _ => {}
    }
    if sent.is_marker && (answer.status, code) != (404, Some("not_found")) {
        return Err(format!("{} {code:?} to {sent}", answer.status));
    }
    if let Some(operation) = sent.operation
        && !is_malformed
        && !operation.statuses.contains(&answer.status)
    {
        let id = &operation.id;
        return Err(format!("{} is not documented for {id}: {sent}", answer.status));
    }
    if let (Some(path), Some(_)) = (&sent.path, code)
        && !is_malformed
        && answer.json()["instance"] != path.as_str()
    {
        return Err(format!("the answer is for {}: {sent}", answer.json()["instance"]));
    }
    Ok(())
}
