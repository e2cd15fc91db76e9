//! What a target answers to a question, as far as the specification fixes the form.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::Value;

use super::question::{Look, Question};
use crate::Model;
use crate::reply::Reply;

/// The most pages of a list that are read.
const MOST_PAGES: usize = 40;

/// An answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A list: the records in their order, and how many stood on each page.
    List {
        /// The records.
        records: Vec<Value>,
        /// The number of records on each page that was read.
        pages: Vec<usize>,
    },
    /// It was refused.
    Refused,
    /// It is no answer that a client can use.
    Broken(String),
}

/// Asks a target and keeps the pages as they came. A walk ends at a page that is empty, or no list.
pub(super) fn ask(target: &Model, question: &Question) -> Vec<Reply> {
    for request in &question.before {
        _ = target.ask(request.clone());
    }
    let pages: Vec<Option<usize>> = match question.look {
        Look::Page(page) => vec![Some(page)],
        Look::Status => vec![None],
        Look::Walk if question.names_first_page => (1..=MOST_PAGES).map(Some).collect(),
        Look::Walk => std::iter::once(None).chain((2..=MOST_PAGES).map(Some)).collect(),
    };
    let mut replies = Vec::new();
    for page in pages {
        let mut request = question.request.clone();
        if let Some(page) = page {
            request.set("page", page.to_string());
            request.sent.clone_from(&request.query);
        }
        let reply = target.ask(request);
        let is_last = !reply.is_success() || reply.length() < 4;
        replies.push(reply);
        if is_last {
            break;
        }
    }
    replies
}

/// What replies come to.
pub(super) fn read(replies: Vec<Reply>) -> Answer {
    let (mut all, mut pages) = (Vec::new(), Vec::new());
    for (page, mut reply) in replies.into_iter().enumerate() {
        match records(&mut reply) {
            // What stands past the end is open (L2): nothing, or the last page once more.
            Ok(records) if page > 0 && (records.is_empty() || all.ends_with(&records)) => break,
            Ok(records) => {
                pages.push(records.len());
                all.extend(records);
            }
            // What is answered to a page past the end is open (L2).
            Err(Answer::Refused) if page > 0 => break,
            Err(answer) => return answer,
        }
    }
    Answer::List { records: all, pages }
}

/// Asks a target and reads what it answers.
pub(super) fn answer(target: &Model, question: &Question) -> Answer {
    read(ask(target, question))
}

/// Replies as a number: equal replies have equal numbers.
pub(super) fn digest(replies: &[Reply]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for reply in replies {
        reply.status.hash(&mut hasher);
        reply.headers.hash(&mut hasher);
        reply.text().hash(&mut hasher);
    }
    hasher.finish()
}

/// The records of an answer, or what it is instead.
fn records(reply: &mut Reply) -> Result<Vec<Value>, Answer> {
    if (400..500).contains(&reply.status) {
        return Err(Answer::Refused);
    }
    if !reply.is_success() {
        return Err(Answer::Broken(format!("status {}", reply.status)));
    }
    let is_json = |(name, value): &(String, String)| name == "content-type" && value.contains("json");
    if !reply.headers.iter().any(is_json) {
        return Err(Answer::Broken("it is not called JSON".to_owned()));
    }
    match reply.body() {
        Value::Array(records) if records.iter().all(Value::is_object) => Ok(std::mem::take(records)),
        other => Err(Answer::Broken(format!(
            "no list of records: {:.60}",
            other.to_string()
        ))),
    }
}

/// A record as far as its content is fixed: links are strings of any form (R2), timestamps may be left out (R1), relations
/// without a record may be left out (R9), names of relations are of any kind (R7, R8), and related records have no order.
pub(super) fn canonical(record: &Value) -> Value {
    let mut record = record.clone();
    if let Some(links) = record.get_mut("links").and_then(Value::as_object_mut) {
        links
            .values_mut()
            .filter(|link| link.is_string())
            .for_each(|link| *link = Value::from("link"));
    }
    if let Some(times) = record.get_mut("timestamp").and_then(Value::as_object_mut) {
        times.retain(|_, time| !time.is_null());
    }
    let is_attribute = record["id"].as_str().is_some_and(|id| id.starts_with("dratr_"));
    if let Some(included) = record
        .get_mut("included")
        .filter(|one| one.is_array() || is_attribute && one.is_object())
    {
        *included = Value::from("names");
    }
    if let Some(included) = record.get_mut("included").and_then(Value::as_object_mut) {
        included.retain(|_, value| !value.is_null() && value.as_array().is_none_or(|all| !all.is_empty()));
        for related in included.values_mut().filter_map(Value::as_array_mut) {
            related.sort_by_key(|one| one["id"].to_string());
        }
    }
    record
}
