//! Folding of letters: the same on every store, because it is done here (L10, L19).

/// `text` with case taken out, also of letters beyond ASCII. Works letter by letter, so that a part of a text folds to a
/// part of the folded text: what contains-filters rely on.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Through upper case first: ß and ẞ, σ and ς have one upper case but several lower ones.
    text.chars()
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .collect()
}

/// Stands between the values of `org` and `metadata` where they are searched: no value contains it, so no needle matches
/// across two of them (L11).
pub const SEPARATOR: char = '\u{1f}';

/// All texts within a JSON value, folded, for searching: values only, never keys.
pub fn searchable(value: &serde_json::Value) -> String {
    fn collect(value: &serde_json::Value, into: &mut String) {
        match value {
            serde_json::Value::Null => {}
            serde_json::Value::String(text) => push(&fold(text), into),
            serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
            serde_json::Value::Object(members) => members.values().for_each(|member| collect(member, into)),
            other => push(&other.to_string(), into),
        }
    }
    fn push(text: &str, into: &mut String) {
        into.push(SEPARATOR);
        into.push_str(text);
    }
    let mut text = String::new();
    collect(value, &mut text);
    text
}
