//! What shows whether a record has changed: a request in whose answer it stands.
//!
//! Invariant: what changes by being looked at, or by itself, is no change.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rollcall_contract::Pointer;
use rollcall_oracle::corpus::moving::without;
use rollcall_oracle::corpus::records::id_at;
use rollcall_oracle::http::again::{TIMES, UNTIL_WRITTEN};
use rollcall_oracle::http::exchange::Exchange;
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;
use serde_json::Value;

use crate::engine::Engine;

/// A request that shows a record.
#[derive(Clone, Debug)]
pub(crate) struct RecordObserver {
    request: Request,
    id: String,
    /// So often what was waited for did not come.
    in_vain: Arc<AtomicUsize>,
}

/// What an observer shows.
#[derive(Clone, Debug)]
pub(crate) struct RecordSnapshot {
    /// The record without its counts, links and relations.
    pub(crate) record: Value,
    /// The exchange it was seen in.
    pub(crate) exchange: Exchange,
}

/// How long a record is watched for changes that nobody asked for.
const QUIET: Duration = Duration::from_millis(60);
/// So often a record is waited for to the end before the waits become short.
const MOST_IN_VAIN: usize = 2;
/// So many of the waits are left then.
const SHORT_WAITS: usize = 3;

impl RecordObserver {
    /// A request that may show the record.
    pub(super) fn new(request: Request, id: &str) -> Self {
        Self {
            request,
            id: id.to_owned(),
            in_vain: Arc::default(),
        }
    }

    /// How long to wait each time until the record shows what was written. An answer that has been out of date to the end of all
    /// waits twice is not waited for that long again: a cache would make a run take many minutes.
    pub(super) fn waits(&self) -> impl Iterator<Item = Duration> + use<> {
        let waits = match self.in_vain.load(Ordering::Relaxed) {
            ..MOST_IN_VAIN => UNTIL_WRITTEN.len(),
            MOST_IN_VAIN.. => SHORT_WAITS,
        };
        UNTIL_WRITTEN.into_iter().take(waits)
    }

    /// What was waited for did not come.
    pub(super) fn waited_in_vain(&self) {
        self.in_vain.fetch_add(1, Ordering::Relaxed);
    }

    /// The identifier of the record.
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// The record as it is.
    pub(super) async fn projection(&self, engine: &Engine) -> Result<Option<RecordSnapshot>, TargetError> {
        let exchange = engine.target.send(&self.request).await?;
        let body = exchange.json().filter(|_| exchange.is_success());
        let shown = body
            .as_ref()
            .and_then(|body| within(body, &engine.contract.identifier, &self.id));
        let derived = engine.contract.frame.derived().cloned().collect();
        let Some(record) = shown.map(|record| without(record, &derived)) else {
            return Ok(None);
        };
        Ok(Some(RecordSnapshot { record, exchange }))
    }

    /// The record as soon as it shows something, else as it is after a while.
    pub(super) async fn observe_until(
        &self,
        engine: &Engine,
        shows: impl Fn(&Value) -> bool + Send + Sync,
    ) -> Result<Option<RecordSnapshot>, TargetError> {
        for wait in self.waits() {
            match self.projection(engine).await? {
                Some(snapshot) if !shows(&snapshot.record) => tokio::time::sleep(wait).await,
                snapshot => return Ok(snapshot),
            }
        }
        let last = self.projection(engine).await?;
        if !last.as_ref().is_some_and(|snapshot| shows(&snapshot.record)) {
            self.waited_in_vain();
        }
        Ok(last)
    }

    /// Whether the record, which is quiet otherwise, changes again when a refused request is sent again.
    pub(super) async fn changes_again(
        &self,
        engine: &Engine,
        request: &Request,
    ) -> Result<bool, TargetError> {
        for _ in 0..TIMES {
            let watched = self.projection(engine).await?;
            tokio::time::sleep(QUIET).await;
            let before = self.projection(engine).await?;
            if differ(watched.as_ref(), before.as_ref()) {
                return Ok(false);
            }
            engine.target.send(request).await?;
            if differ(before.as_ref(), self.projection(engine).await?.as_ref()) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether two sights show different records.
pub(super) fn differ(one: Option<&RecordSnapshot>, other: Option<&RecordSnapshot>) -> bool {
    one.map(|snapshot| &snapshot.record) != other.map(|snapshot| &snapshot.record)
}

/// The record with this identifier, wherever it stands in an answer.
pub(super) fn within<'v>(value: &'v Value, identifier: &Pointer, id: &str) -> Option<&'v Value> {
    if id_at(identifier, value) == Some(id) {
        return Some(value);
    }
    match value {
        Value::Array(items) => items.iter().find_map(|item| within(item, identifier, id)),
        Value::Object(members) => members.values().find_map(|member| within(member, identifier, id)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_record_is_found_wherever_it_stands() {
        let answer = json!([{"id": "a", "included": {"user": {"id": "b", "state": "x"}}}]);
        let id = Pointer::of(["id"]);
        assert_eq!(within(&answer, &id, "b"), Some(&json!({"id": "b", "state": "x"})));
        assert_eq!(within(&answer, &id, "c"), None);
    }
}
