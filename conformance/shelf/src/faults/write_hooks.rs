//! What the faults of writes change: a body, a stored record, an answer.

use serde_json::{Value, json};

use crate::Hooks;
use crate::model::Row;

/// Rewrites the body of a write that is JSON.
pub(super) fn members(hooks: &mut Hooks, rewrite: impl Fn(&mut Value) + Send + Sync + 'static) {
    hooks.on_body(move |_, body| {
        if let Some(body) = body
            .as_mut()
            .filter(|body| body.as_object().is_some_and(|body| !body.is_empty()))
        {
            rewrite(body);
            // Looking at a member that is not there has made it null.
            body.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        }
    });
}

/// Takes some days for others.
pub(super) fn days(hooks: &mut Hooks, take: impl Fn(&Value) -> Option<Value> + Send + Sync + 'static) {
    hooks.on_body(move |_, body| {
        if let Some(days) = body.as_mut().and_then(|body| body.get_mut("expires_after_days"))
            && let Some(others) = take(days)
        {
            *days = others;
        }
    });
}

/// Refuses some days.
pub(super) fn no_days(hooks: &mut Hooks, days: i64) {
    hooks.on_write(move |_, write| {
        if write.body.get("expires_after_days") == Some(&json!(days)) {
            write.refused = Some(422);
        }
    });
}

/// Changes what a write stores.
pub(super) fn stored(hooks: &mut Hooks, change: impl Fn(&mut Row, &Value) + Send + Sync + 'static) {
    hooks.on_write(move |_, write| {
        let body = Value::Object(write.body.clone());
        if let Some(after) = &mut write.after {
            change(after, &body);
        }
    });
}

/// Changes the timestamp that a write stores, if it was given one.
pub(super) fn timestamps(hooks: &mut Hooks, change: impl Fn(&str) -> Value + Send + Sync + 'static) {
    stored(hooks, move |row, body| {
        let timestamp = body["expires_at"].as_str();
        if let Some(timestamp) = timestamp.filter(|text| text.parse::<jiff::Timestamp>().is_ok()) {
            row.record["timestamp"]["expires_at"] = change(timestamp);
        }
    });
}

/// Changes what a write answers.
pub(super) fn answer(
    hooks: &mut Hooks,
    verb: &'static str,
    change: impl Fn(&mut Value) + Send + Sync + 'static,
) {
    hooks.on_answer(move |asked, reply| {
        if asked.path.ends_with(verb) && reply.is_success() {
            change(reply.body());
        }
    });
}
