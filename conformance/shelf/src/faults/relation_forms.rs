//! §4.4.6: faults of relations as a number and as an existence.

use serde_json::{Value, json};

use super::included;
use crate::Variant;
use crate::model::Row;

/// A fault of one member that people's records include, where it is.
pub(super) fn member(
    name: &str,
    check: &'static str,
    member: &'static str,
    change: impl Fn(&Row, &mut Value) + Clone + Send + Sync + 'static,
) -> Variant {
    included(name, check, move |_, row, included| {
        if let Some(value) = included.get_mut(member).filter(|value| !value.is_null()) {
            change(row, value);
        }
    })
}

/// The faults of this table.
pub(super) fn faults() -> Vec<Variant> {
    let plus_one = |_: &Row, value: &mut Value| *value = json!(value.as_u64().unwrap_or_default() + 1);
    vec![
        member(
            "the count of reports is off by one",
            "I10",
            "direct_report_users_count",
            plus_one,
        ),
        member(
            "the count of rules is off by one",
            "I10",
            "policy_rules_manifest_count",
            plus_one,
        ),
        member(
            "identities are counted twice",
            "I10",
            "directory_identities_count",
            |_, value| {
                *value = json!(value.as_u64().unwrap_or_default() * 2);
            },
        ),
        member(
            "secondary users are counted as one at most",
            "I10",
            "secondary_users_count",
            |_, value| *value = json!(value.as_u64().unwrap_or_default().min(1)),
        ),
        left_out("numbers are left out beside three relations", "I10", "_count"),
        left_out("existence is left out beside three relations", "I11", "_exists"),
        member(
            "reports always exist",
            "I11",
            "direct_report_users_exists",
            |_, value| *value = json!(true),
        ),
        member(
            "identities exist the other way round",
            "I11",
            "directory_identities_exists",
            |_, value| {
                *value = json!(*value == false);
            },
        ),
        included(
            "rules exist the other way round beside another relation",
            "I11",
            |asked, _, included| {
                if let Some(exist) = included.get_mut("policy_rules_qualified_exists")
                    && asked.words("include").len() > 1
                {
                    *exist = json!(*exist == false);
                }
            },
        ),
        member(
            "existence is a number",
            "I11",
            "policy_users_exists",
            |_, value| {
                *value = json!(u8::from(*value == true));
            },
        ),
    ]
}

/// A fault of the members with an ending, which are not shown where three relations are asked for.
fn left_out(name: &str, check: &'static str, ending: &'static str) -> Variant {
    included(name, check, move |asked, _, included| {
        if let (3.., Some(shown)) = (asked.words("include").len(), included.as_object_mut()) {
            shown.retain(|name, _| !name.ends_with(ending));
        }
    })
}
