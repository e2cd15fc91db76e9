//! §2.1, §4.4.4: faults of the relations of soft-deleted people.

use serde_json::{Value, json};

use super::included;
use crate::Variant;

/// The faults of soft-deleted people's relations.
pub(super) fn faults() -> Vec<Variant> {
    vec![
        included(
            "a rule has another priority beside soft-deleted people",
            "I4",
            |_, row, included| {
                let rules = included
                    .get_mut("policy_rules_manifest")
                    .and_then(Value::as_array_mut);
                let is_deleted = !row.record["timestamp"]["deleted_at"].is_null();
                for rule in rules.into_iter().flatten().filter(|_| is_deleted) {
                    rule["priority"] = json!(999);
                }
            },
        ),
        included(
            "a soft-deleted person has a truth value for a count",
            "I10",
            |_, row, included| {
                if let Some(count) = included
                    .get_mut("policy_conditions_count")
                    .filter(|_| row.is_trashed())
                {
                    *count = json!(*count != json!(0));
                }
            },
        ),
        included(
            "a soft-deleted person has no integration, and is found by it",
            "K6",
            |_, row, included| {
                let nothing = [
                    ("workspace_integration", Value::Null),
                    ("workspace_integration_count", json!(0)),
                    ("workspace_integration_exists", json!(false)),
                ];
                for (member, nothing) in nothing {
                    if let Some(shown) = included.get_mut(member).filter(|_| row.is_trashed()) {
                        *shown = nothing;
                    }
                }
            },
        ),
    ]
}
