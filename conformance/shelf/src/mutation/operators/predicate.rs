//! Whether a record matches a filter, evaluated apart from the model, for operators that join filters otherwise.

use rollcall_contract::{Filter, Match};
use serde_json::Value;

use crate::model::Row;

/// The texts of the members that a filter looks at.
pub(super) fn texts(row: &Row, filter: &Filter) -> Vec<String> {
    let mut texts = Vec::new();
    for field in &filter.fields {
        match (filter.shown, field.last().and_then(|name| row.hidden.get(name))) {
            (false, hidden) => texts.extend(hidden.into_iter().flatten().cloned()),
            (true, _) => collect(field.find(&row.record).unwrap_or(&Value::Null), &mut texts),
        }
    }
    texts
}

/// Whether a record matches a filter on texts; none for other filters.
pub(super) fn matches(row: &Row, filter: &Filter, value: &str) -> Option<bool> {
    let texts = texts(row, filter);
    match filter.matching {
        Match::Exact => Some(texts.iter().any(|text| text == value)),
        Match::Contains => {
            let folded = value.to_lowercase();
            Some(texts.iter().any(|text| text.to_lowercase().contains(&folded)))
        }
        _ => None,
    }
}

fn collect(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Bool(flag) => texts.push(flag.to_string()),
        Value::Number(number) => texts.push(number.to_string()),
        Value::Array(values) => values.iter().for_each(|value| collect(value, texts)),
        Value::Object(members) => members.values().for_each(|value| collect(value, texts)),
        Value::Null => {}
    }
}

/// The LIKE of SQL without an escape character.
pub(super) fn like(pattern: &str, text: &str) -> bool {
    crate::faults::like(pattern, text)
}

/// A text without accents, in lower case.
pub(super) fn plain(text: &str) -> String {
    let bare = |letter| match letter {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'ø' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ł' => 'l',
        'ñ' => 'n',
        'ç' => 'c',
        other => other,
    };
    let marks = |letter: &char| !('\u{300}'..='\u{36f}').contains(letter);
    text.to_lowercase().chars().filter(marks).map(bare).collect()
}
