//! Annotations as text: YAML in the block or the flow style, or JSON.

use serde_json::Value;

/// The language of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Yaml,
    Json,
}

/// A line of the block style has at most so many columns, if it can be broken.
const WIDTH: usize = 120;

/// Words that a reader of YAML may take for something else than text.
const NO_TEXT: [&str; 11] = [
    "true", "false", "null", "yes", "no", "on", "off", "y", "n", "~", "",
];

/// A member in the flow style.
pub(super) fn member(key: &str, value: &Value, form: Form) -> String {
    format!("{}: {}", text(key, form), flow(value, form))
}

fn flow(value: &Value, form: Form) -> String {
    match value {
        Value::String(string) => text(string, form),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| flow(item, form)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) => {
            let members: Vec<_> = members
                .iter()
                .map(|(key, value)| member(key, value, form))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
        other => other.to_string(),
    }
}

/// A member on lines of its own, in the block style: each object that is too long for a line has one for each member.
pub(super) fn lines(key: &str, value: &Value, column: usize) -> Vec<String> {
    let indent = " ".repeat(column);
    let line = format!("{indent}{}", member(key, value, Form::Yaml));
    match value {
        Value::Object(members) if line.len() > WIDTH => {
            let inner = members
                .iter()
                .flat_map(|(key, value)| lines(key, value, column + 2));
            [format!("{indent}{}:", text(key, Form::Yaml))]
                .into_iter()
                .chain(inner)
                .collect()
        }
        _ => vec![line],
    }
}

fn text(text: &str, form: Form) -> String {
    let is_simple = |letter: char| letter.is_ascii_alphanumeric() || "/_- .".contains(letter);
    let begins = text.starts_with(|first: char| first.is_ascii_alphabetic() || "/_".contains(first))
        || text
            .strip_prefix('-')
            .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_alphabetic()));
    let is_plain = begins
        && text.chars().all(is_simple)
        && !text.ends_with(' ')
        && !NO_TEXT.contains(&text.to_lowercase().as_str());
    match form {
        Form::Yaml if is_plain => text.to_owned(),
        Form::Yaml if !text.contains(char::is_control) => format!("'{}'", text.replace('\'', "''")),
        // A text in JSON is one in YAML as well.
        _ => Value::from(text).to_string(),
    }
}
