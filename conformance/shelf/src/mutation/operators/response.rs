//! Answers that are right in their records and wrong as answers.

use serde_json::{Value, json};

use super::{Operator, Scope, When};
use crate::Hooks;
use crate::model::USERS;
use crate::mutation::Draw;
use crate::reply::Reply;

/// A change of an answer that succeeded.
type Change = fn(&mut Reply);

const CHANGES: &[(&str, Change)] = &[
    ("has the status 500", |reply| *reply = Reply::problem(500)),
    ("has the status 404", |reply| *reply = Reply::problem(404)),
    ("has the status 400", |reply| *reply = Reply::problem(400)),
    ("has the status 204 and no body", |reply| {
        reply.status = 204;
        reply.say("");
    }),
    ("has the status 404 where it is empty", |reply| {
        if is_empty(reply) {
            *reply = Reply::problem(404);
        }
    }),
    ("is null where it is empty", |reply| {
        if is_empty(reply) {
            reply.say("null");
        }
    }),
    ("is an object where it is empty", |reply| {
        if is_empty(reply) {
            reply.say("{}");
        }
    }),
    ("is a record where it is the only one", |reply| {
        if let Some([one]) = reply.records().map(Vec::as_mut_slice) {
            let one = one.take();
            *reply.body() = one;
        }
    }),
    ("is wrapped in a list", |reply| {
        *reply.body() = json!([reply.body().take()])
    }),
    ("is wrapped in an object", |reply| {
        *reply.body() = json!({"items": reply.body().take()})
    }),
    ("is JSON in a text", |reply| {
        let text = reply.body().to_string();
        *reply.body() = json!(text);
    }),
    ("is cut off", |reply| {
        let mut text = reply.body().to_string();
        text.truncate(
            text.char_indices()
                .nth(text.chars().count() / 2)
                .map_or(0, |(at, _)| at),
        );
        reply.say(text);
    }),
    ("is called HTML", |reply| reply.set("content-type", "text/html")),
    ("has an object by ids in place of a list", |reply| {
        let records = reply.records().map(std::mem::take).unwrap_or_default();
        let named = records
            .into_iter()
            .map(|one| (one["id"].as_str().unwrap_or_default().to_owned(), one));
        *reply.body() = named.collect::<serde_json::Map<_, _>>().into();
    }),
    ("has a null among its records", |reply| {
        if let Some(records) = reply.records().filter(|records| !records.is_empty()) {
            records.push(Value::Null);
        }
    }),
];

/// Draws a wrong answer.
pub(super) fn draw(draw: &mut Draw) -> Operator {
    let (says, change) = draw.pick_copy(CHANGES);
    let path = if draw.percent(85) {
        USERS
    } else {
        "/directory/dimensions"
    };
    Operator::new(
        "response",
        Scope::Query,
        format!("an answer of {path} {says}"),
        move |hooks: &mut Hooks, when: &When| {
            let when = when.clone();
            hooks.on_answer(move |asked, reply| {
                if asked.on(path) && reply.is_success() && when.asked(asked) {
                    change(reply);
                }
            });
        },
    )
}

fn is_empty(reply: &mut Reply) -> bool {
    reply.records().is_some_and(|records| records.is_empty())
}
