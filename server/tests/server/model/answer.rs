//! What a list must find, and in which order: filters (§4.4.1–§4.4.4, L8–L20) and sort (§4.4.5, L5, L19) on a view.

use std::cmp::Ordering;

use rollcall::Timestamp;
use serde_json::Value;

use super::row::{Row, get, is_live, text};
use super::view::View;

/// Text with case taken out: every letter through its upper to its lower case (L10, L19).
pub(super) fn fold(text: &str) -> String {
    let upper = text.chars().flat_map(char::to_uppercase);
    upper.flat_map(char::to_lowercase).collect()
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

/// Filters that look at another table: a row is kept if that table has one whose `theirs` is the value and whose `ours` is
/// our `key`.
struct Way {
    list: &'static str,
    filter: &'static str,
    table: &'static str,
    theirs: &'static str,
    ours: &'static str,
    key: &'static str,
}

const fn way(
    (list, filter): (&'static str, &'static str),
    (table, theirs, ours): (&'static str, &'static str, &'static str),
    key: &'static str,
) -> Way {
    Way {
        list,
        filter,
        table,
        theirs,
        ours,
        key,
    }
}

const WAYS: [Way; 28] = [
    way(
        ("directory_users", "workspace_user_id"),
        ("workspace_users", "id", "directory_user_id"),
        "id",
    ),
    way(
        ("directory_users", "directory_attribute_id"),
        ("user_attributes", "directory_attribute_id", "directory_user_id"),
        "id",
    ),
    way(
        ("directory_users", "directory_identity_id"),
        ("directory_identities", "id", "directory_user_id"),
        "id",
    ),
    way(
        ("directory_users", "policy_user_id"),
        ("policy_users", "id", "directory_user_id"),
        "id",
    ),
    way(
        ("directory_users", "manifest_attribute_id"),
        ("manifest", "attribute_id", "directory_user_id"),
        "id",
    ),
    way(
        ("directory_users", "qualified_attribute_id"),
        ("standings", "attribute_id", "directory_user_id"),
        "id",
    ),
    way(
        ("directory_users", "staged_attribute_id"),
        ("staged", "attribute_id", "directory_user_id"),
        "id",
    ),
    way(
        ("directory_attributes", "directory_user_id"),
        ("user_attributes", "directory_user_id", "directory_attribute_id"),
        "id",
    ),
    way(
        ("directory_attributes", "policy_ruleset_id"),
        ("policy_rulesets", "id", "resource_id"),
        "id",
    ),
    way(
        ("directory_attributes", "condition_id"),
        ("policy_conditions", "id", "resource_id"),
        "id",
    ),
    way(
        ("directory_dimensions", "attribute_id"),
        ("directory_attributes", "id", "directory_dimension_id"),
        "id",
    ),
    way(
        ("workspace_users", "workspace_item_id"),
        ("workspace_items", "id", "workspace_user_id"),
        "id",
    ),
    way(
        ("workspace_users", "workspace_log_id"),
        ("workspace_logs", "id", "actor_id"),
        "id",
    ),
    way(
        ("workspace_integrations", "directory_user_id"),
        ("directory_users", "id", "workspace_integration_id"),
        "id",
    ),
    way(
        ("workspace_integrations", "attribute_id"),
        ("directory_attributes", "id", "workspace_integration_id"),
        "id",
    ),
    way(
        ("workspace_integrations", "directory_dimension_id"),
        ("directory_dimensions", "id", "workspace_integration_id"),
        "id",
    ),
    way(
        ("workspace_integrations", "directory_identity_id"),
        ("directory_identities", "id", "workspace_integration_id"),
        "id",
    ),
    way(
        ("policy_rulesets", "directory_user_id"),
        ("standings", "directory_user_id", "ruleset_id"),
        "id",
    ),
    way(
        ("policy_rulesets", "rule_id"),
        ("policy_rules", "id", "ruleset_id"),
        "id",
    ),
    way(
        ("policy_rulesets", "condition_id"),
        ("policy_conditions", "id", "ruleset_id"),
        "id",
    ),
    way(
        ("policy_rulesets", "policy_user_id"),
        ("policy_users", "id", "ruleset_id"),
        "id",
    ),
    way(
        ("policy_rules", "attribute_id"),
        ("policy_rulesets", "resource_id", "id"),
        "ruleset_id",
    ),
    way(
        ("policy_rules", "manifest_user_id"),
        ("manifest", "directory_user_id", "rule_id"),
        "id",
    ),
    way(
        ("policy_rules", "qualified_user_id"),
        ("standings", "directory_user_id", "rule_id"),
        "id",
    ),
    way(
        ("policy_rules", "staged_user_id"),
        ("staged", "directory_user_id", "rule_id"),
        "id",
    ),
    way(
        ("policy_rules", "condition_id"),
        ("policy_conditions", "id", "rule_id"),
        "id",
    ),
    way(
        ("policy_rules", "policy_user_id"),
        ("policy_users", "id", "rule_id"),
        "id",
    ),
    way(
        ("policy_conditions", "directory_user_id"),
        ("user_attributes", "directory_user_id", "directory_attribute_id"),
        "resource_id",
    ),
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
        let sort: Vec<&str> = given("sort")
            .unwrap_or_default()
            .split(',')
            .filter(|word| !word.is_empty())
            .collect();
        found.sort_by(|one, other| compare(one, other, &sort));
        found
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
        let bound = || Timestamp::read_any(value).expect("a moment").micros();
        let stamp = |name: &str| get(row, &format!("{name}_at")).as_i64();
        if let Some(name) = name.strip_suffix("_before") {
            return stamp(name).is_some_and(|moment| moment < bound());
        }
        if let Some(name) = name.strip_suffix("_after") {
            return stamp(name).is_some_and(|moment| moment > bound());
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
