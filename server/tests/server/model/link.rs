//! From random rows to a directory: ids, pointers that lead somewhere, and what no directory can hold taken out.

use serde_json::{Value, json};

use super::row::{Directory, Row, Tables, get, text, timestamp};
use super::values::{DAY, NOW};

/// The tables in an order in which they can be written, with what their ids begin with.
pub(super) const PREFIXES: [(&str, &str); 13] = [
    ("workspace_integrations", "wsitg_"),
    ("directory_dimensions", "drdim_"),
    ("directory_attributes", "dratr_"),
    ("directory_users", "drusr_"),
    ("user_attributes", ""),
    ("external_resources", ""),
    ("directory_identities", "dridn_"),
    ("workspace_users", "wsusr_"),
    ("workspace_items", "wsitm"),
    ("policy_rulesets", "plset_"),
    ("policy_rules", "plrul_"),
    ("policy_conditions", "plcnd_"),
    ("workspace_logs", "wslog_"),
];

/// Gives rows ids, pointers their targets, and takes out what no directory can hold.
pub(super) fn made(mut tables: Tables) -> Directory {
    for (table, prefix) in PREFIXES {
        let mut rows = tables.remove(table).unwrap_or_default();
        for (place, row) in rows.iter_mut().enumerate() {
            identify(table, prefix, place, row);
            settle_life(row);
        }
        tables.insert(table, rows);
    }
    for (table, _) in PREFIXES {
        let mut rows = tables.remove(table).unwrap_or_default();
        tables.insert(table, rows.clone());
        rows.retain_mut(|row| link(&tables, table, row));
        let mut seen = Vec::new();
        rows.retain(|row| {
            let unique = unique(table, row);
            let fresh = unique.is_none() || !seen.contains(&unique);
            seen.push(unique);
            fresh
        });
        tables.insert(table, rows);
    }
    Directory { tables }
}

/// Ids in another order than that of the rows, and texts that must differ made different.
fn identify(table: &str, prefix: &str, place: usize, row: &mut Row) {
    if prefix.is_empty() {
        row.extend((table == "external_resources").then(|| ("name", json!(format!("n{place}")))));
        return;
    }
    let prefix = match (table, text(row, "kind")) {
        ("workspace_items", "device") => "wsdev_",
        ("workspace_items", "role") => "wsrol_",
        ("workspace_items", "service") => "wssvc_",
        ("workspace_items", _) => "wstok_",
        _ => prefix,
    };
    row.insert("id", json!(format!("{prefix}{:02x}", (place * 37 + 11) % 256)));
    if table == "workspace_integrations" || table == "directory_dimensions" || table == "directory_attributes"
    {
        let handle = format!("{}{place}", text(row, "handle"));
        row.insert("handle", json!(handle));
    }
    if table == "directory_identities" {
        let vendor_id = format!("{}{place}", text(row, "vendor_id"));
        row.extend([("vendor_id", json!(vendor_id)), ("org", json!({"ann": "b"}))]);
    }
    if table == "directory_users" {
        let full_name = format!("{} {}", text(row, "first_name"), text(row, "last_name"));
        row.insert("full_name", json!(full_name));
    }
    if table == "workspace_items" && text(row, "kind") != "role" {
        row.insert("is_attached", json!(true));
    }
}

/// What a state says of the timestamps beside it (§3).
fn settle_life(row: &mut Row) {
    let expires_at = timestamp(row, "expires_at");
    let expires_at = match text(row, "state") {
        "staged" | "active" | "unmanaged" => None,
        "expiring" => expires_at.or(Some(NOW + DAY)),
        "expired" => expires_at
            .filter(|timestamp| *timestamp <= NOW)
            .or(Some(NOW - DAY)),
        _ => expires_at,
    };
    if row.contains_key("expires_at") {
        row.insert("expires_at", json!(expires_at));
    }
    if row.contains_key("deactivated_at") {
        let state = text(row, "state").to_owned();
        row.extend((state == "expired").then(|| ("expired_at", json!(expires_at))));
        row.extend((state != "deactivated").then_some(("deactivated_at", Value::Null)));
    }
}

/// Pointers: table, member, target, and whether a row can do without.
const POINTERS: [(&str, &str, &str, bool); 23] = [
    (
        "directory_dimensions",
        "workspace_integration_id",
        "workspace_integrations",
        false,
    ),
    (
        "directory_attributes",
        "directory_dimension_id",
        "directory_dimensions",
        true,
    ),
    (
        "directory_attributes",
        "workspace_integration_id",
        "workspace_integrations",
        false,
    ),
    (
        "directory_attributes",
        "successor_id",
        "directory_attributes",
        false,
    ),
    (
        "directory_users",
        "workspace_integration_id",
        "workspace_integrations",
        true,
    ),
    ("directory_users", "manager_id", "directory_users", false),
    ("directory_users", "parent_id", "directory_users", false),
    ("user_attributes", "directory_user_id", "directory_users", true),
    (
        "user_attributes",
        "directory_attribute_id",
        "directory_attributes",
        true,
    ),
    ("external_resources", "directory_user_id", "directory_users", true),
    (
        "directory_identities",
        "workspace_integration_id",
        "workspace_integrations",
        true,
    ),
    (
        "directory_identities",
        "directory_user_id",
        "directory_users",
        true,
    ),
    ("workspace_users", "directory_user_id", "directory_users", false),
    ("workspace_items", "workspace_user_id", "workspace_users", true),
    ("policy_rulesets", "resource_id", "directory_attributes", true),
    ("policy_rules", "ruleset_id", "policy_rulesets", true),
    ("policy_conditions", "rule_id", "policy_rules", true),
    ("policy_conditions", "resource_id", "directory_attributes", true),
    ("workspace_logs", "record_id", "directory_users", true),
    ("workspace_logs", "parent_id", "directory_attributes", false),
    ("workspace_logs", "related_id", "workspace_users", false),
    ("workspace_logs", "subject_id", "directory_users", false),
    ("workspace_logs", "actor_id", "workspace_users", false),
];

/// Turns the numbers of a row's pointers into ids; false where one leads nowhere and must not.
fn link(tables: &Tables, table: &str, row: &mut Row) -> bool {
    for (_, member, target, required) in POINTERS.into_iter().filter(|pointer| pointer.0 == table) {
        let Some(number) = get(row, member).as_u64() else {
            continue;
        };
        let targets = tables.get(target).map_or(&[][..], Vec::as_slice);
        // Attributes without a dimension are gone by the time others point to attributes, and so on.
        let id = usize::try_from(number)
            .ok()
            .and_then(|number| targets.get(number % targets.len().max(1)));
        let id = id
            .map(|target| text(target, "id").to_owned())
            .filter(|id| id != text(row, "id"));
        if required && id.is_none() {
            return false;
        }
        row.insert(member, json!(id));
    }
    if table == "policy_conditions" {
        let rule = tables["policy_rules"]
            .iter()
            .find(|rule| text(rule, "id") == text(row, "rule_id"));
        row.insert(
            "ruleset_id",
            rule.map_or(Value::Null, |rule| get(rule, "ruleset_id").clone()),
        );
    }
    true
}

/// What no two rows of a table may share.
fn unique(table: &str, row: &Row) -> Option<Vec<String>> {
    let members: &[&str] = match table {
        "user_attributes" => &["directory_user_id", "directory_attribute_id"],
        "workspace_users" if !get(row, "directory_user_id").is_null() => &["directory_user_id"],
        "policy_rulesets" => &["resource_id"],
        _ => return None,
    };
    Some(
        members
            .iter()
            .map(|member| text(row, member).to_owned())
            .collect(),
    )
}
