//! What a list must find, and in which order: filters (§4.4.1–§4.4.4, L8–L20) and sort (§4.4.5, L5, L19) on a view.

use std::cmp::Ordering;

use rollcall::Timestamp;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization as _;

use super::relations::WAYS;
use super::row::{Row, get, is_live, text};
use super::view::View;

/// Text with case taken out: every letter through its upper to its lower case, in the composed form (L10, L19).
pub(super) fn fold(text: &str) -> String {
    let upper = text.nfc().flat_map(char::to_uppercase);
    let lower: String = upper.flat_map(char::to_lowercase).nfc().collect();
    lower.replace("i\u{307}", "i")
}

/// What the bare `filter` looks at (L12).
pub(super) const ANY: [&str; 9] = [
    "id",
    "first_name",
    "last_name",
    "full_name",
    "email",
    "username",
    "badge_id",
    "employee_id",
    "employee_alt_id",
];

impl View {
    /// The rows a query finds, in its order; pages are not looked at.
    pub(super) fn answer(&self, list: &str, pairs: &[(String, String)]) -> Vec<&Row> {
        let given = |name: &str| {
            pairs
                .iter()
                .find(|(given, _)| given == name)
                .map(|(_, value)| value.as_str())
        };
        let trashed = given("filter[trashed]");
        let filters = pairs
            .iter()
            .filter(|(name, _)| name.starts_with("filter") && name != "filter[trashed]");
        let shown = self.rows(list).iter().filter(|row| match trashed {
            Some("with") => true,
            Some("only") => !is_live(row),
            _ => is_live(row),
        });
        let found = shown.filter(|row| {
            filters
                .clone()
                .all(|(name, value)| self.keeps(list, row, name, value))
        });
        let mut found: Vec<_> = found.collect();
        let sort = sort(pairs);
        found.sort_by(|one, other| compare(one, other, &sort));
        found
    }

    /// The rows a query finds behind a place, which a row had when the place was noted.
    pub(super) fn behind(&self, list: &str, pairs: &[(String, String)], place: &Row) -> Vec<&Row> {
        let sort = sort(pairs);
        let found = self.answer(list, pairs).into_iter();
        found.filter(|row| compare(place, row, &sort).is_lt()).collect()
    }

    /// Whether a filter keeps a row.
    pub(super) fn keeps(&self, list: &str, row: &Row, name: &str, value: &str) -> bool {
        let Some(name) = name
            .strip_prefix("filter[")
            .and_then(|name| name.strip_suffix(']'))
        else {
            return ANY.iter().any(|member| contains(get(row, member), &fold(value)));
        };
        if let Some(member) = name.strip_suffix("_search") {
            return contains(get(row, member), &fold(value));
        }
        let bound = || Timestamp::read_any(value).expect("a timestamp").micros();
        let stamp = |name: &str| get(row, &format!("{name}_at")).as_i64();
        if let Some(name) = name.strip_suffix("_before") {
            return stamp(name).is_some_and(|timestamp| timestamp < bound());
        }
        if let Some(name) = name.strip_suffix("_after") {
            return stamp(name).is_some_and(|timestamp| timestamp > bound());
        }
        if let Some(way) = WAYS.iter().find(|way| (way.list, way.filter) == (list, name)) {
            let leads =
                |other: &Row| text(other, way.theirs) == value && get(other, way.ours) == get(row, way.key);
            return self.rows(way.table).iter().any(leads);
        }
        match name {
            "manager" => get(row, "is_manager") == (value == "true"),
            "primary" => get(row, "is_primary") == (value == "true"),
            "deprovisioned_pending_deactivation" => {
                let pending = text(row, "state") == "active" && !get(row, "deprovisioned_at").is_null();
                pending == (value == "true")
            }
            member => get(row, member) == value,
        }
    }
}

/// Whether a text, or one of the texts within, contains the folded needle (L10, L11).
fn contains(value: &Value, needle: &str) -> bool {
    match value {
        Value::Null => false,
        Value::Array(items) => items.iter().any(|item| contains(item, needle)),
        Value::Object(members) => members.values().any(|item| contains(item, needle)),
        Value::String(text) => fold(text).contains(needle),
        Value::Bool(_) | Value::Number(_) => value.to_string().contains(needle),
    }
}

fn sort(pairs: &[(String, String)]) -> Vec<&str> {
    let sort = pairs
        .iter()
        .find(|(name, _)| name == "sort")
        .map_or("", |(_, words)| words);
    sort.split(',').filter(|word| !word.is_empty()).collect()
}

/// Which of two rows comes first.
fn compare(one: &Row, other: &Row, sort: &[&str]) -> Ordering {
    let mut last = false;
    for word in sort {
        let (member, descending) = word
            .strip_prefix('-')
            .map_or((*word, false), |member| (member, true));
        last = descending;
        let order = match (get(one, member), get(other, member)) {
            (Value::Null, Value::Null) => Ordering::Equal,
            (Value::Null, _) => Ordering::Greater,
            (_, Value::Null) => Ordering::Less,
            (a, b) if descending => compare_values(b, a),
            (a, b) => compare_values(a, b),
        };
        if order.is_ne() {
            return order;
        }
    }
    let ids = text(one, "id").cmp(text(other, "id"));
    if last { ids.reverse() } else { ids }
}

fn compare_values(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::String(a), Value::String(b)) => fold(a).cmp(&fold(b)).then_with(|| a.cmp(b)),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        _ => a.as_i64().cmp(&b.as_i64()),
    }
}
