//! A directory as it must be shown at a moment: states by the clock, what is derived, counts, related records.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::policy::{org, shown_state, standings};
use super::row::{Directory, Row, Tables, get, is_live, text};

/// A user and a rule.
pub(super) type Pair = (String, String);

/// What only the store can know: the ids and moments it gave to policy users, by user and rule.
pub(super) type Given = BTreeMap<Pair, Row>;

/// What is shown. Its tables are the lists by name, and the tables that filters lead through.
pub(super) struct View {
    pub(super) tables: Tables,
}

/// The user and the rule of a standing.
pub(super) fn pair(row: &Row) -> Pair {
    (
        text(row, "directory_user_id").to_owned(),
        text(row, "rule_id").to_owned(),
    )
}

impl View {
    pub(super) fn of(directory: &Directory, given: &Given, now: i64) -> Self {
        let mut tables = directory.tables.clone();
        let standings = standings(directory, now);
        let stand = |words: &[&str]| {
            let rows = standings
                .iter()
                .filter(|row| words.contains(&text(row, "standing")));
            rows.map(|row| {
                row.clone()
                    .into_iter()
                    .chain(given.get(&pair(row)).cloned().unwrap_or_default())
                    .collect()
            })
            .collect()
        };
        tables.insert("manifest", stand(&["manifest"]));
        tables.insert("staged", stand(&["staged"]));
        tables.insert("policy_users", stand(&["manifest", "staged"]));
        tables.insert("standings", standings);
        for row in tables
            .values_mut()
            .flatten()
            .filter(|row| row.contains_key("state"))
        {
            let state = shown_state(row, now).to_owned();
            if state == "expired" && text(row, "state") == "expiring" {
                row.insert("expired_at", get(row, "expires_at").clone());
            }
            row.insert("state", json!(state));
        }
        for user in tables.get_mut("directory_users").into_iter().flatten() {
            user.insert("org", org(directory, text(user, "id")));
            let reports = directory.rows("directory_users").iter();
            let is_manager = reports
                .clone()
                .any(|one| is_live(one) && get(one, "manager_id") == get(user, "id"));
            user.insert("is_manager", json!(is_manager));
        }
        let items = tables.remove("workspace_items").unwrap_or_default();
        for (list, kind) in ITEMS {
            let shown = items
                .iter()
                .filter(|item| text(item, "kind") == kind && item["is_attached"] == true);
            tables.insert(list, shown.cloned().collect());
        }
        tables.insert("workspace_items", items);
        Self { tables }
    }

    pub(super) fn rows(&self, table: &str) -> &[Row] {
        self.tables.get(table).map_or(&[], Vec::as_slice)
    }

    /// A member of `count`: as many as the list shows (L18), or the rows of that kind (P4).
    pub(super) fn count(&self, list: &str, row: &Row, member: &str) -> usize {
        let id = text(row, "id");
        if let Some(filter) = member.strip_prefix("workspace_logs_") {
            return self
                .listed("workspace_logs", &format!("filter[{filter}_id]"), id)
                .count();
        }
        match COUNTS.iter().find(|count| (count.0, count.1) == (list, member)) {
            Some((_, _, listed, filter)) => self.listed(listed, &format!("filter[{filter}]"), id).count(),
            None => {
                let rows = self.rows("external_resources").iter();
                rows.filter(|one| text(one, "directory_user_id") == id && text(one, "kind") == member)
                    .count()
            }
        }
    }

    /// The live records that a list shows under one filter.
    fn listed(&self, list: &str, filter: &str, value: &str) -> impl Iterator<Item = &Row> {
        self.rows(list)
            .iter()
            .filter(move |row| is_live(row) && self.keeps(list, row, filter, value))
    }

    /// The records of a relation, by id.
    pub(super) fn related(&self, list: &str, row: &Row, relation: &str) -> Related<'_> {
        let known = RELATIONS
            .iter()
            .find(|known| (known.list, known.relation) == (list, relation));
        let known = known.unwrap_or_else(|| panic!("{list} has no relation {relation}"));
        let filter = format!("filter[{}]", known.filter);
        let value = text(row, known.ours);
        let records = self.rows(known.target).iter();
        // What one id points to is shown though it be soft-deleted; sets leave those out (R15).
        let records = records.filter(|one| (is_live(one) || known.shape == Shape::One) && !value.is_empty());
        let mut records: Vec<_> = records
            .filter(|one| self.keeps(known.target, one, &filter, value))
            .collect();
        records.sort_by_key(|one| text(one, "id"));
        Related {
            list: known.target,
            shape: known.shape,
            records,
        }
    }
}

/// Related records, and the list whose records they are.
pub(super) struct Related<'v> {
    pub(super) list: &'static str,
    pub(super) shape: Shape,
    pub(super) records: Vec<&'v Row>,
}

/// How a relation is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// The one record, or null.
    One,
    /// The oldest of several, or null (R10).
    First,
    /// All of them.
    Many,
}

const ITEMS: [(&str, &str); 4] = [
    ("workspace_devices", "device"),
    ("workspace_roles", "role"),
    ("workspace_services", "service"),
    ("workspace_tokens", "token"),
];

/// Which list a count is the length of: of which record, the member, the list, its filter.
const COUNTS: [(&str, &str, &str, &str); 28] = [
    (
        "directory_users",
        "secondary_users",
        "directory_users",
        "parent_id",
    ),
    (
        "directory_users",
        "direct_report_users",
        "directory_users",
        "manager_id",
    ),
    (
        "directory_users",
        "directory_identities",
        "directory_identities",
        "directory_user_id",
    ),
    (
        "directory_users",
        "policy_conditions",
        "policy_conditions",
        "directory_user_id",
    ),
    (
        "directory_users",
        "policy_users",
        "policy_users",
        "directory_user_id",
    ),
    (
        "directory_users",
        "policy_rulesets",
        "policy_rulesets",
        "directory_user_id",
    ),
    (
        "directory_users",
        "manifest_rules",
        "policy_rules",
        "manifest_user_id",
    ),
    (
        "directory_users",
        "qualified_rules",
        "policy_rules",
        "qualified_user_id",
    ),
    (
        "directory_users",
        "staged_rules",
        "policy_rules",
        "staged_user_id",
    ),
    (
        "directory_users",
        "directory_attributes",
        "directory_attributes",
        "directory_user_id",
    ),
    (
        "directory_attributes",
        "attribute_conditions",
        "policy_conditions",
        "resource_id",
    ),
    (
        "directory_attributes",
        "attribute_predecessors",
        "directory_attributes",
        "successor_id",
    ),
    (
        "directory_attributes",
        "policy_rules",
        "policy_rules",
        "attribute_id",
    ),
    (
        "directory_attributes",
        "manifest_users",
        "directory_users",
        "manifest_attribute_id",
    ),
    (
        "directory_attributes",
        "qualified_users",
        "directory_users",
        "qualified_attribute_id",
    ),
    (
        "directory_attributes",
        "staged_users",
        "directory_users",
        "staged_attribute_id",
    ),
    (
        "directory_dimensions",
        "attributes",
        "directory_attributes",
        "directory_dimension_id",
    ),
    (
        "workspace_users",
        "workspace_devices",
        "workspace_devices",
        "workspace_user_id",
    ),
    (
        "workspace_users",
        "workspace_roles",
        "workspace_roles",
        "workspace_user_id",
    ),
    (
        "workspace_users",
        "workspace_services",
        "workspace_services",
        "workspace_user_id",
    ),
    (
        "workspace_integrations",
        "directory_users",
        "directory_users",
        "workspace_integration_id",
    ),
    (
        "workspace_integrations",
        "directory_identities",
        "directory_identities",
        "workspace_integration_id",
    ),
    (
        "workspace_integrations",
        "directory_dimensions",
        "directory_dimensions",
        "workspace_integration_id",
    ),
    ("policy_rulesets", "policy_rules", "policy_rules", "ruleset_id"),
    (
        "policy_rulesets",
        "policy_conditions",
        "policy_conditions",
        "ruleset_id",
    ),
    ("policy_rulesets", "policy_users", "policy_users", "ruleset_id"),
    (
        "policy_rules",
        "policy_conditions",
        "policy_conditions",
        "rule_id",
    ),
    ("policy_rules", "policy_users", "policy_users", "rule_id"),
];

struct Relation {
    list: &'static str,
    relation: &'static str,
    shape: Shape,
    target: &'static str,
    filter: &'static str,
    ours: &'static str,
}

const fn relation(
    list: &'static str,
    relation: &'static str,
    shape: Shape,
    (target, filter): (&'static str, &'static str),
    ours: &'static str,
) -> Relation {
    Relation {
        list,
        relation,
        shape,
        target,
        filter,
        ours,
    }
}

const RELATIONS: [Relation; 17] = [
    relation(
        "directory_users",
        "manager-user",
        Shape::One,
        ("directory_users", "id"),
        "manager_id",
    ),
    relation(
        "directory_users",
        "workspace-user",
        Shape::One,
        ("workspace_users", "directory_user_id"),
        "id",
    ),
    relation(
        "directory_users",
        "parent-user",
        Shape::One,
        ("directory_users", "id"),
        "parent_id",
    ),
    relation(
        "directory_users",
        "secondary-users",
        Shape::First,
        ("directory_users", "parent_id"),
        "id",
    ),
    relation(
        "directory_users",
        "direct-report-users",
        Shape::Many,
        ("directory_users", "manager_id"),
        "id",
    ),
    relation(
        "directory_users",
        "workspace-integration",
        Shape::One,
        ("workspace_integrations", "id"),
        "workspace_integration_id",
    ),
    relation(
        "directory_users",
        "directory-identities",
        Shape::Many,
        ("directory_identities", "directory_user_id"),
        "id",
    ),
    relation(
        "directory_users",
        "policy-conditions",
        Shape::Many,
        ("policy_conditions", "directory_user_id"),
        "id",
    ),
    relation(
        "directory_users",
        "policy-users",
        Shape::Many,
        ("policy_users", "directory_user_id"),
        "id",
    ),
    relation(
        "directory_users",
        "policy-rules-manifest",
        Shape::Many,
        ("policy_rules", "manifest_user_id"),
        "id",
    ),
    relation(
        "directory_users",
        "policy-rules-qualified",
        Shape::Many,
        ("policy_rules", "qualified_user_id"),
        "id",
    ),
    relation(
        "directory_users",
        "policy-rules-staged",
        Shape::Many,
        ("policy_rules", "staged_user_id"),
        "id",
    ),
    relation(
        "directory_users",
        "policy-rulesets",
        Shape::Many,
        ("policy_rulesets", "directory_user_id"),
        "id",
    ),
    relation(
        "directory_dimensions",
        "attributes",
        Shape::Many,
        ("directory_attributes", "directory_dimension_id"),
        "id",
    ),
    relation(
        "policy_users",
        "directory-user",
        Shape::One,
        ("directory_users", "id"),
        "directory_user_id",
    ),
    relation(
        "policy_users",
        "policy-ruleset",
        Shape::One,
        ("policy_rulesets", "id"),
        "ruleset_id",
    ),
    relation(
        "policy_users",
        "policy-rule",
        Shape::One,
        ("policy_rules", "id"),
        "rule_id",
    ),
];

/// A moment as records show it, or null.
pub(super) fn shown_moment(value: &Value) -> Value {
    value
        .as_i64()
        .map_or(Value::Null, |micros| json!(super::home::at(micros).to_string()))
}
