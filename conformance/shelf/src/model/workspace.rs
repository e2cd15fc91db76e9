//! Workspace users, the identities people sign in with, and the integrations people come from.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::blank::blank;
use super::ids::{integration_id, user_id};
use super::row::Row;
use super::times::Span;

/// The most workspace users there are: enough for two pages and every state.
const MOST: usize = 60;

const STATES: [&str; 7] = [
    "active",
    "expiring",
    "active",
    "expired",
    "staged",
    "deactivated",
    "active",
];

fn account_id(index: usize) -> String {
    format!("wsusr_{:03x}w{index:04}", index * 1031 % 4093)
}

/// Whose workspace user this is.
fn person(index: usize) -> usize {
    index * 3
}

/// The integrations by their id.
pub(super) fn integrations() -> HashMap<String, Value> {
    let integrations = ["example.net", "example.org", "staff.example"]
        .into_iter()
        .enumerate();
    let integrations = integrations.map(|(index, domain)| {
        let mut record = blank("WorkspaceIntegrationSummary", &integration_id(index), index);
        record["is_primary"] = json!(index == 0);
        record["handle"] = json!(format!("source-{index}"));
        record["domain"] = json!(domain);
        (integration_id(index), record)
    });
    integrations.collect()
}

/// The rows of the workspace users of so many people.
pub(super) fn rows(people: usize) -> Vec<Row> {
    let count = people.div_ceil(3).min(MOST);
    (0..count).map(|index| row(index, count)).collect()
}

fn row(index: usize, count: usize) -> Row {
    let state = STATES[index % STATES.len()];
    let mut row = Row::of(blank("WorkspaceUser", &account_id(index), index));
    let record = &mut row.record;
    record["state"] = json!(state);
    record["provider"] = json!(["workforce_idp", "native_idp", "consumer_account_idp"][index % 3]);
    record["provider_id"] = json!((index % 3 != 1).then(|| format!("idp-{index:04}")));
    record["ui_mode"] = json!(index.is_multiple_of(2).then_some("dark"));
    record["ui_color"] = json!((index % 4 == 1).then_some("teal"));
    let times = &mut record["timestamp"];
    times["created_at"] = json!(Span::since("2018-01-01", 1500).timestamp(index * 7 % count, count));
    times["updated_at"] = json!(Span::since("2024-01-01", 300).timestamp(index * 11 % count, count));
    if index % 3 != 2 {
        times["last_authenticated_at"] = json!(Span::since("2025-06-01", 90).timestamp(index, count));
        times["last_activity_at"] = json!(Span::since("2025-10-01", 90).timestamp(index, count));
    }
    match state {
        "expiring" => {
            times["expires_at"] = json!(Span::ahead(40, 300).timestamp(index / 7, count.div_ceil(7)))
        }
        "expired" => {
            times["expires_at"] =
                json!(Span::since("2022-05-01", 300).timestamp(index / 7, count.div_ceil(7)))
        }
        _ => {}
    }
    if index % 5 == 2 {
        times["deleted_at"] = json!(Span::since("2025-03-01", 100).timestamp(index / 5, count.div_ceil(5)));
    }
    for (nth, member) in ["workspace_devices", "workspace_roles", "workspace_services"]
        .into_iter()
        .enumerate()
    {
        record["count"][member] = json!((index + nth) % 4);
    }
    row.hidden
        .insert("directory_user_id", vec![user_id(person(index))]);
    row.hidden.insert("workspace_item_id", Vec::new());
    row.hidden.insert("workspace_log_id", Vec::new());
    row
}

/// Relates people and their workspace users to each other.
pub(super) fn relate(users: &mut [Row], accounts: &mut [Row]) {
    for user in users.iter_mut() {
        user.hidden.insert("workspace_user_id", Vec::new());
        user.related.insert("workspace_user".to_owned(), Vec::new());
    }
    for (index, account) in accounts.iter_mut().enumerate() {
        let user = &mut users[person(index)];
        account.record["name"] = user.record["full_name"].clone();
        account.record["handle"] = user.record["username"].clone();
        account.record["email"] = user.record["email"].clone();
        user.hidden
            .insert("workspace_user_id", vec![account.id().to_owned()]);
        user.related
            .insert("workspace_user".to_owned(), vec![account.id().to_owned()]);
    }
}
