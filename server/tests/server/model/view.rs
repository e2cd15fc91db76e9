//! A directory as it must be shown at one timestamp: states by the clock, what is derived, counts, related records.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::policy::{org, shown_state, standings};
use super::relations::{COUNTS, RELATIONS, Shape};
use super::row::{Directory, Row, Tables, get, is_live, text};

/// A user and a rule.
pub(super) type Pair = (String, String);

/// What only the store can know: the ids and timestamps it gave to policy users, by user and rule.
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
        match COUNTS
            .iter()
            .find(|count| (count.of, count.member) == (list, member))
        {
            Some(count) => self
                .listed(count.list, &format!("filter[{}]", count.filter), id)
                .count(),
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
            .find(|known| (known.of, known.name) == (list, relation));
        let known = known.unwrap_or_else(|| panic!("{list} has no relation {relation}"));
        let filter = format!("filter[{}]", known.filter);
        let value = text(row, known.ours);
        let records = self.rows(known.list).iter();
        // What one id points to is shown though it be soft-deleted; sets leave those out (R15).
        let records = records.filter(|one| (is_live(one) || known.shape == Shape::One) && !value.is_empty());
        let mut records: Vec<_> = records
            .filter(|one| self.keeps(known.list, one, &filter, value))
            .collect();
        records.sort_by_key(|one| text(one, "id"));
        Related {
            list: known.list,
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

const ITEMS: [(&str, &str); 4] = [
    ("workspace_devices", "device"),
    ("workspace_roles", "role"),
    ("workspace_services", "service"),
    ("workspace_tokens", "token"),
];

/// A timestamp as records show it, or null.
pub(super) fn shown_timestamp(value: &Value) -> Value {
    value
        .as_i64()
        .map_or(Value::Null, |micros| json!(super::home::at(micros).to_string()))
}
