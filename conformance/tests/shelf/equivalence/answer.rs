//! What a target answers to a question, as far as the specification fixes the form.

use serde_json::Value;

use super::question::{Look, Question};
use crate::shelf::Model;
use crate::shelf::reply::Reply;

/// The most pages of a list that are read.
const MOST_PAGES: usize = 40;

/// An answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
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

/// Asks a target. Pages are read until one is empty or refused.
pub(crate) fn answer(target: &Model, question: &Question) -> Answer {
    for request in &question.before {
        _ = target.ask(request.clone());
    }
    match question.look {
        Look::Page(page) => list(one(target, question, Some(page))),
        Look::Status => list(one(target, question, None)),
        Look::Walk => walk(target, question),
    }
}

fn list(read: Result<Vec<Value>, Answer>) -> Answer {
    match read {
        Ok(records) => Answer::List {
            pages: vec![records.len()],
            records,
        },
        Err(answer) => answer,
    }
}

fn walk(target: &Model, question: &Question) -> Answer {
    let (mut records, mut pages) = (Vec::new(), Vec::new());
    for page in 1..=MOST_PAGES {
        let named = (page > 1 || question.names_first_page).then_some(page);
        match one(target, question, named) {
            Ok(read) if read.is_empty() => break,
            Ok(read) => {
                pages.push(read.len());
                records.extend(read);
            }
            // What is answered to a page past the end is open (L2).
            Err(Answer::Refused) if page > 1 => break,
            Err(answer) => return answer,
        }
    }
    Answer::List { records, pages }
}

/// One page, as its records.
fn one(target: &Model, question: &Question, page: Option<usize>) -> Result<Vec<Value>, Answer> {
    let mut request = question.request.clone();
    if let Some(page) = page {
        request.set("page", page.to_string());
        request.sent.clone_from(&request.query);
    }
    records(&mut target.ask(request))
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
/// without a record may be left out (R9), and related records have no order.
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
    if let Some(included) = record.get_mut("included").and_then(Value::as_object_mut) {
        included.retain(|_, value| !value.is_null() && value.as_array().is_none_or(|all| !all.is_empty()));
        for related in included.values_mut().filter_map(Value::as_array_mut) {
            related.sort_by_key(|one| one["id"].to_string());
        }
    }
    record
}
