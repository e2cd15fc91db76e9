//! The fields of an order, from the words that its parameter takes or its description names.

use serde_json::{Map, Value, json};

use super::members::{Member, Members};
use super::name::words;
use super::question::{Question, Reading};
use super::words::{DIRECTION, SORT};

pub(super) fn read(question: &Question<'_, '_>) -> Option<Reading> {
    if !question.is_called(SORT) {
        return None;
    }
    let words = question.words();
    let is_direction =
        |word: &&str| ["asc", "desc", "ascending", "descending"].contains(&word.to_lowercase().as_str());
    if words.as_ref().is_some_and(|words| words.iter().all(is_direction)) {
        return Reading::unclear(
            "it is the direction of an order, which the runner writes as a - before the field",
        );
    }
    let is_other = |name: &str| DIRECTION.has(name) && name != question.name.joined();
    if question.list.has_parameter(is_other) {
        return Reading::unclear(
            "the direction is a parameter of its own, and the runner writes it as a - before the field",
        );
    }
    let (fields, why) = match words {
        Some(words) => match of_words(&words, question.members()) {
            Ok(fields) => (
                fields,
                "its words are members, and - before a word makes it descending",
            ),
            Err(why) => return Reading::unclear(why),
        },
        None => match of_description(question) {
            fields if fields.is_empty() => {
                return Reading::unclear(
                    "it does not say by which members: an enum of `field` and `-field` would",
                );
            }
            fields => (fields, "its description names these members, and a - before one"),
        },
    };
    let mut sort = Map::new();
    let default = default(question.schema.value(), &fields);
    if !default.is_empty() {
        sort.insert("default".to_owned(), json!(default));
    }
    sort.insert("fields".to_owned(), Value::Object(fields));
    let list = Map::from_iter([("sort".to_owned(), Value::Object(sort))]);
    Some(Reading::Role {
        role: "sort",
        list,
        why: why.to_owned(),
    })
}

/// The fields of an enum that has each ascending and descending.
fn of_words(words: &[&str], members: &Members<'_>) -> Result<Map<String, Value>, String> {
    let mut fields = Map::new();
    for word in words.iter().filter(|word| !word.starts_with('-')) {
        let member =
            member(word, members).ok_or_else(|| format!("its word `{word}` is no member of the record"))?;
        fields.insert((*word).to_owned(), json!(member.at));
    }
    let descending = |field: &String| words.contains(&format!("-{field}").as_str());
    match fields.keys().find(|field| !descending(field)) {
        Some(field) => Err(format!(
            "it has no word `-{field}`, by which the runner makes a field descending"
        )),
        None if fields.is_empty() => Err("it has no words in ascending order".to_owned()),
        None => Ok(fields),
    }
}

fn member<'m, 'd>(word: &str, members: &'m Members<'d>) -> Option<&'m Member<'d>> {
    let name = words(word);
    let found = members.named(&name).ok().filter(|member| member.is_scalar());
    found.or_else(|| members.timed(&name).ok())
}

/// The members that a description and its examples name, if they have a - before one.
fn of_description(question: &Question<'_, '_>) -> Map<String, Value> {
    let named: Vec<&str> = question.described_words().collect();
    let bare: Vec<&str> = named.iter().map(|word| word.trim_start_matches('-')).collect();
    let mut fields = Map::new();
    let mut has_descending = question.says("`-`") || question.says("hyphen") || question.says("minus");
    for member in question.members().top().filter(|member| member.is_scalar()) {
        let Some(name) = member.at.last() else { continue };
        let lower = name.to_lowercase();
        has_descending |= named.contains(&format!("-{lower}").as_str());
        if bare.contains(&lower.as_str()) {
            fields.insert(name.to_owned(), json!(member.at));
        }
    }
    if has_descending { fields } else { Map::new() }
}

/// The order that holds without the parameter, as far as its schema says.
fn default(schema: &Value, fields: &Map<String, Value>) -> Vec<String> {
    let words = match schema.get("default") {
        Some(Value::String(text)) => text.split(',').map(str::to_owned).collect(),
        Some(Value::Array(words)) => words
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    };
    let is_known = |word: &String| fields.contains_key(word.strip_prefix('-').unwrap_or(word));
    if words.iter().all(is_known) {
        words
    } else {
        Vec::new()
    }
}
