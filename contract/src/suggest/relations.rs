//! The relations of a list, from the words of `include` and the members under `/included`.

use serde_json::{Map, Value, json};

use super::members::kind;
use super::question::{Question, Reading};
use super::words::INCLUDE;
use crate::Pointer;
use crate::place::Place;

pub(super) fn read(question: &Question<'_, '_>) -> Option<Reading> {
    if !question.is_called(INCLUDE) {
        return None;
    }
    let unknown = "the runner knows related records that are requested as `R`, `R-count` and `R-exists` and are shown under /included";
    let words = question.words().unwrap_or_default();
    let names: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| is_relation(word, &words))
        .collect();
    if names.is_empty() || names.len() * 3 != words.len() {
        return Reading::unclear(unknown);
    }
    let record = question.list.document.schema_place(question.list.record)?;
    let Some(included) = record.property("included") else {
        return Reading::unclear(unknown);
    };
    let mut list = Map::new();
    let is_array = kind(included.underlying().value()) == Some("array");
    if is_array {
        list.insert("included".to_owned(), json!("names"));
    }
    let relations = names.iter().map(|name| {
        let relation = match is_array {
            true => named(name, &record),
            false => shown(question, name, &record, &included),
        };
        ((*name).to_owned(), relation)
    });
    list.insert("relations".to_owned(), Value::Object(relations.collect()));
    let why = "its words are relations, each with its count and whether there is any".to_owned();
    Some(Reading::Role {
        role: "include",
        list,
        why,
    })
}

fn is_relation(word: &str, words: &[&str]) -> bool {
    ["count", "exists"]
        .iter()
        .all(|form| words.contains(&format!("{word}-{form}").as_str()))
}

/// A relation of which only the name is shown: it is of many if its name is in the plural.
fn named(name: &str, record: &Place<'_>) -> Value {
    let mut relation = Map::from_iter([("many".to_owned(), json!(name.ends_with('s')))]);
    relation.extend(count(name, record));
    Value::Object(relation)
}

/// A relation whose records are shown: their schema says how many and which.
fn shown(question: &Question<'_, '_>, name: &str, record: &Place<'_>, included: &Place<'_>) -> Value {
    let member = included.property(&name.replace('-', "_"));
    let items = member
        .as_ref()
        .and_then(|member| member.underlying().child("items"));
    let mut relation = Map::from_iter([("many".to_owned(), json!(items.is_some()))]);
    let one = items.or(member).map(|place| place.value());
    if let Some(schema) = one.and_then(|one| question.list.document.schema_name(one)) {
        relation.insert("record".to_owned(), json!(schema));
        let related = question.list.document.schema_place(schema);
        relation.extend(related.and_then(|related| join(question, name, record, &related)));
    }
    relation.extend(count(name, record));
    Value::Object(relation)
}

/// The count of the same name.
fn count(name: &str, record: &Place<'_>) -> Option<(String, Value)> {
    let member = name.replace('-', "_");
    record.member(&Pointer::of(["count", &member]))?;
    Some(("count".to_owned(), json!(member)))
}

/// The member of one record that is the identifier of the other: that which is called as the relation, or as the list.
fn join(
    question: &Question<'_, '_>,
    name: &str,
    record: &Place<'_>,
    related: &Place<'_>,
) -> Option<(String, Value)> {
    let snake = name.replace('-', "_");
    let first = snake.split('_').next().unwrap_or_default();
    let ours = [format!("{snake}_id"), format!("{first}_id")]
        .into_iter()
        .find(|member| record.property(member).is_some());
    let joined = |ours: &str, theirs: &str| {
        (
            "join".to_owned(),
            json!({"ours": format!("/{ours}"), "theirs": format!("/{theirs}")}),
        )
    };
    if let Some(ours) = ours {
        return Some(joined(&ours, "id"));
    }
    let resource: String = super::name::words(question.list.record).join("_");
    let theirs = format!("{resource}_id");
    related.property(&theirs).map(|_| joined("id", &theirs))
}
