//! Directory users: people with values that filters, orders and windows can be told apart by, from twenty people on.
//!
//! Everything about a person follows from the person's number, and from today where a state speaks of the future.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::super::settings::Settings;
use super::blank::blank;
use super::ids::{integration_id, user_id};
use super::names::name;
use super::places;
use super::row::Row;
use super::times::{Span, shuffled};

const STATES: [&str; 10] = [
    "active",
    "staged",
    "active",
    "expiring",
    "active",
    "expired",
    "suspended",
    "active",
    "deactivated",
    "active",
];

/// The rows of so many people, without relations.
pub(super) fn rows(people: usize, settings: &Settings) -> Vec<Row> {
    (0..people).map(|index| row(index, people, settings)).collect()
}

fn is_trashed(index: usize) -> bool {
    index % 9 == 7
}

/// Whom a person reports to. Somebody has reports that are all soft-deleted.
fn manager(index: usize, settings: &Settings) -> Option<usize> {
    match index {
        0 => None,
        _ if settings.one_manager => Some(0),
        _ if index % 18 == 16 => Some(index - 1),
        _ if index % 10 == 3 => None,
        _ => Some(index / 6),
    }
}

/// Whose secondary user a person is.
fn parent(index: usize) -> Option<usize> {
    matches!(index % 18, 4 | 8 | 13 | 16 | 17).then_some(index / 9 % 2 * 2 + index / 18 * 3)
}

fn integration(index: usize) -> Option<String> {
    (index % 6 != 5).then(|| integration_id(index % 3))
}

fn badge(index: usize) -> Option<String> {
    match index {
        _ if index.is_multiple_of(3) => None,
        _ if index % 17 == 8 => Some("B_TEMP%".to_owned()),
        _ => Some(format!("B-{}", 1000 + index)),
    }
}

/// Some of these differ by leading zeros alone, some are a part of another.
fn employee(index: usize) -> Option<String> {
    match index % 10 {
        0 => None,
        1 => Some(format!("{index:04}")),
        2 => Some(format!("{}", index - 1)),
        _ => Some(format!("{}", 100_000 + index)),
    }
}

fn alternative(index: usize) -> Option<String> {
    match index % 5 {
        1 => Some(format!("EXT-{}", index % 4)),
        3 => Some(format!("ALT'{index}")),
        _ => None,
    }
}

/// Values here are keys elsewhere, and the other way round.
fn metadata(index: usize) -> Value {
    match index % 4 {
        0 => json!({"desk": format!("4-{}", 100 + index)}),
        1 => json!({}),
        2 => json!({"team": "Desk lamps", "note": format!("wing_{}", index % 3)}),
        _ => json!({"team": "Blue", "badge_color": "50% grey"}),
    }
}

fn row(index: usize, people: usize, settings: &Settings) -> Row {
    let name = name(index);
    let state = STATES[index % STATES.len()];
    let mut row = Row::of(blank("DirectoryUser", &user_id(index), index));
    let record = &mut row.record;
    record["state"] = json!(state);
    record["manager_id"] = json!(manager(index, settings).map(user_id));
    record["first_name"] = json!(name.first);
    record["last_name"] = json!(name.last);
    record["full_name"] = json!(format!("{} {}", name.first, name.last));
    record["email"] = json!(name.email);
    record["username"] = match index % 13 {
        6 => json!(format!("agent_{index}")),
        _ => json!(name.handle),
    };
    record["badge_id"] = json!(badge(index));
    record["employee_id"] = json!(employee(index));
    record["employee_alt_id"] = json!(alternative(index));
    record["org"] = places::org(index);
    record["metadata"] = metadata(index);
    times(index, people, state, &mut row);
    let mut hide = |name: &'static str, value: Option<String>| {
        row.hidden.insert(name, value.into_iter().collect());
    };
    hide("parent_id", parent(index).map(user_id));
    hide("workspace_integration_id", integration(index));
    row.hidden
        .insert("directory_attribute_id", places::attributes_of(index));
    row
}

fn times(index: usize, people: usize, state: &str, row: &mut Row) {
    let times = &mut row.record["timestamp"];
    let mut set = |name: &str, timestamp: String| times[name] = json!(timestamp);
    let order = |by| shuffled(index, people, by);
    set(
        "created_at",
        Span::since("2014-01-01", 3285).timestamp(order(0), people),
    );
    set(
        "updated_at",
        Span::since("2023-06-01", 560).timestamp(order(1), people),
    );
    if integration(index).is_some() {
        set(
            "provisioned_at",
            Span::since("2015-03-01", 3000).timestamp(order(2), people),
        );
    }
    // A state comes back after ten people, a soft deletion after nine.
    let (tenth, ninth) = (people.div_ceil(10), people.div_ceil(9));
    let past = Span::since("2019-01-01", 1600).timestamp(index / 10, tenth);
    match state {
        "expiring" => set("expires_at", Span::ahead(30, 700).timestamp(index / 10, tenth)),
        "expired" => {
            set("expires_at", past.clone());
            row.hidden.insert("expired_at", vec![past]);
        }
        "deactivated" => {
            set(
                "deprovisioned_at",
                Span::since("2021-02-01", 900).timestamp(index / 10, tenth),
            );
            row.hidden.insert(
                "deactivated_at",
                vec![Span::since("2021-03-01", 900).timestamp(index / 10, tenth)],
            );
        }
        "active" if matches!(index % 20, 4 | 10) => {
            set(
                "deprovisioned_at",
                Span::since("2024-02-01", 500).timestamp(index / 10, tenth),
            );
        }
        "suspended" if index % 20 == 6 => {
            set(
                "deprovisioned_at",
                Span::since("2018-02-01", 500).timestamp(index / 20, tenth),
            );
        }
        _ => {}
    }
    if is_trashed(index) {
        set(
            "deleted_at",
            Span::since("2025-01-01", 400).timestamp(index / 9, ninth),
        );
    }
}

/// Relates people to each other and to where they come from.
pub(super) fn relate(rows: &mut [Row], settings: &Settings, others: &mut HashMap<String, Value>) {
    let mut related: HashMap<(&str, String), Vec<String>> = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        let counts = settings.relates_trashed || !row.is_trashed();
        let mut relate = |member, of: Option<usize>| {
            if let Some(of) = of.filter(|_| counts) {
                related
                    .entry((member, user_id(of)))
                    .or_default()
                    .push(row.id().to_owned());
            }
        };
        relate("direct_report_users", manager(index, settings));
        relate("secondary_users", parent(index));
    }
    for (index, row) in rows.iter_mut().enumerate() {
        let id = row.id().to_owned();
        for member in ["direct_report_users", "secondary_users"] {
            let ids = related.remove(&(member, id.clone())).unwrap_or_default();
            row.related.insert(member.to_owned(), ids);
        }
        let one = |index: Option<usize>| index.map(user_id).into_iter().collect();
        row.related
            .insert("manager_user".to_owned(), one(manager(index, settings)));
        row.related.insert("parent_user".to_owned(), one(parent(index)));
        let integration = row.hidden["workspace_integration_id"].clone();
        row.related
            .insert("workspace_integration".to_owned(), integration);
        row.record["is_manager"] = json!(!row.related["direct_report_users"].is_empty());
        identities(index, row, others);
    }
}

/// How integrations know a person: the own one, and sometimes another.
fn identities(index: usize, row: &mut Row, others: &mut HashMap<String, Value>) {
    let own = integration(index).map(|_| index % 3);
    let further = (index % 7 == 2).then_some((index + 1) % 3);
    let mut ids = Vec::new();
    for (nth, which) in own.into_iter().chain(further).enumerate() {
        let id = format!("dridn_{index:05}n{nth}");
        let mut identity = blank("DirectoryIdentitySummary", &id, index);
        let integration = &others[&integration_id(which)];
        identity["integration_vendor"] = integration["vendor"].clone();
        identity["integration_handle"] = integration["handle"].clone();
        identity["workspace_integration_id"] = json!(integration_id(which));
        identity["directory_user_id"] = json!(row.id());
        identity["vendor_id"] = json!(format!("u-{which}{index:05}"));
        for member in ["full_name", "email", "org"] {
            identity[member] = row.record[member].clone();
        }
        others.insert(id.clone(), identity);
        ids.push(id);
    }
    row.hidden.insert("directory_identity_id", ids.clone());
    row.related.insert("directory_identities".to_owned(), ids);
}
