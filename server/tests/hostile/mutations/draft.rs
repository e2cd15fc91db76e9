//! A request before it is bytes.

use rand::RngExt as _;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rollcall_contract::{Method, Operation};
use rollcall_server::connection::MAX_HEAD;

use super::judge::{Expectation, SentRequest};
use super::pool::Pool;
use super::{bodies, corrupt, headers, lengths, methods, targets};
use crate::problem::contract;

/// The most header lines of a head.
const MAX_LINES: usize = 100;

/// What is changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Method,
    Target,
    Headers,
    Body,
    Length,
}

/// How often each part is changed.
const PARTS: [Part; 10] = [
    Part::Method,
    Part::Target,
    Part::Target,
    Part::Target,
    Part::Headers,
    Part::Headers,
    Part::Headers,
    Part::Body,
    Part::Body,
    Part::Length,
];

/// A request in parts.
pub(super) struct Draft {
    pub(super) operation: &'static Operation,
    pub(super) method: Vec<u8>,
    pub(super) target: Vec<u8>,
    pub(super) version: Vec<u8>,
    /// Header lines without their ends.
    pub(super) lines: Vec<Vec<u8>>,
    pub(super) body: Vec<u8>,
    /// Whether the header lines say already how long the body is.
    pub(super) has_length: bool,
    pub(super) expected: Expectation,
    pub(super) may_change: bool,
}

impl Draft {
    /// A request as a client would send it that behaves well.
    fn polite(rng: &mut StdRng, pool: &Pool) -> Self {
        let operation = pool.operation(rng);
        let method = operation.method.to_string().into_bytes();
        let mut lines = vec![
            b"Host: rollcall".to_vec(),
            format!("Authorization: Bearer {}", pool.token).into_bytes(),
        ];
        let mut body = Vec::new();
        if operation.method == Method::Patch {
            lines.push(b"Content-Type: application/json".to_vec());
            body = bodies::polite(rng, operation);
        }
        Self {
            operation,
            method,
            target: targets::polite(rng, pool, operation),
            version: b"HTTP/1.1".to_vec(),
            lines,
            body,
            has_length: false,
            expected: Expectation::Answer,
            may_change: true,
        }
    }

    /// A request with one to three changes.
    pub(super) fn generate(rng: &mut StdRng, pool: &Pool) -> Self {
        let mut draft = Self::polite(rng, pool);
        let changes = *[1, 1, 1, 2, 3].choose(rng).unwrap();
        let mut parts: Vec<Part> = (0..changes).map(|_| *PARTS.choose(rng).unwrap()).collect();
        // Each part is changed once: a second change could undo what the first one must get. The length comes last.
        parts.sort_unstable();
        parts.dedup();
        for part in parts {
            let expected = match part {
                Part::Method => methods::mutate(rng, &mut draft),
                Part::Target => targets::mutate(rng, pool, &mut draft),
                Part::Headers => headers::mutate(rng, pool, &mut draft),
                Part::Body => bodies::mutate(rng, &mut draft),
                Part::Length => lengths::mutate(rng, &mut draft),
            };
            draft.expected = draft.expected.max(expected);
        }
        draft
    }

    /// Adds a header line.
    pub(super) fn add(&mut self, line: impl AsRef<[u8]>) {
        self.lines.push(line.as_ref().to_vec());
    }

    /// Removes the lines of a header.
    pub(super) fn remove(&mut self, name: &str) {
        let begin = format!("{name}:").into_bytes();
        self.lines.retain(|line| !line.starts_with(&begin));
    }

    /// Replaces a header by one line.
    pub(super) fn set(&mut self, name: &str, value: impl AsRef<[u8]>) {
        self.remove(name);
        self.add([name.as_bytes(), b": ", value.as_ref()].concat());
    }

    /// The request as bytes, some of which may still be changed.
    pub(super) fn finish(mut self, rng: &mut StdRng) -> SentRequest {
        if !self.has_length && !self.body.is_empty() {
            self.add(format!("Content-Length: {}", self.body.len()));
        }
        let mut bytes = [&self.method[..], b" ", &self.target, b" ", &self.version, b"\r\n"].concat();
        for line in &self.lines {
            bytes.extend_from_slice(line);
            bytes.extend_from_slice(b"\r\n");
        }
        bytes.extend_from_slice(b"\r\n");
        let is_too_long = bytes.len() > MAX_HEAD || self.lines.len() > MAX_LINES;
        bytes.extend_from_slice(&self.body);
        let mut sent = SentRequest::new(bytes, self.expected);
        if is_too_long {
            sent.expected = sent.expected.max(Expectation::Refusal);
        }
        sent.is_head = self.method == b"HEAD";
        let is_upgrade = |line: &Vec<u8>| line.starts_with(b"Upgrade:");
        sent.may_end =
            self.version != b"HTTP/1.1" || self.method == b"CONNECT" || self.lines.iter().any(is_upgrade);
        sent.may_change = self.may_change;
        sent.path = self.clear_path();
        sent.operation = sent.path.as_deref().and_then(|path| self.requested(path));
        if rng.random_bool(0.08) && !sent.is_head {
            corrupt::mutate(rng, &mut sent.bytes);
            sent.expected = Expectation::Anything;
            sent.may_change = true;
            sent.operation = None;
        }
        sent
    }

    /// The operation that the method and the path name. The contract has no GET with a body.
    fn requested(&self, path: &str) -> Option<&'static Operation> {
        let method = match &self.method[..] {
            b"GET" | b"HEAD" if self.body.is_empty() => Method::Get,
            b"PATCH" => Method::Patch,
            _ => return None,
        };
        let segments: Vec<_> = path.strip_prefix("/api/v1")?.split('/').collect();
        contract().operations.iter().find(|operation| {
            let own: Vec<_> = operation.path.split('/').collect();
            let is_same = |(own, one): (&&str, &&str)| own == one || own.starts_with('{') && !one.is_empty();
            operation.method == method
                && own.len() == segments.len()
                && own.iter().zip(&segments).all(is_same)
        })
    }

    /// The path, if every reader reads it in the same way.
    fn clear_path(&self) -> Option<String> {
        let target = std::str::from_utf8(&self.target).ok()?;
        let is_clear = target.starts_with('/') && target.bytes().all(|byte| byte.is_ascii_graphic());
        is_clear.then(|| target.split('?').next().unwrap_or_default().to_owned())
    }
}
