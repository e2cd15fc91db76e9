//! The model's records: what the schemas of the contract require, and people on top of it that filters can trip over.

use rollcall_contract::{Contract, Pointer};
use serde_json::{Map, Value, json};

use super::Switch;

/// A record, and what it does not show.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) record: Value,
    /// Values of members that only filters know, by the name of the member.
    pub(crate) hidden: Vec<(&'static str, Option<String>)>,
    /// Related records, by the member of `included`.
    pub(crate) related: Vec<(&'static str, Value)>,
    pub(crate) trashed: bool,
}

const FIRST: [&str; 9] = [
    "Ann",
    "Zoë",
    "José",
    "D'Arcy",
    "Bob",
    "Mary Jane",
    "Łukasz",
    "Li",
    "Robert",
];
const LAST: [&str; 12] = [
    "O'Neill",
    "Miller",
    "Müller",
    "Under_score",
    "Back\\slash",
    "Smith, Jr",
    "Smith",
    "100%",
    "van der Berg",
    "Smithson",
    "Goldsmith",
    "Ng",
];
const STATES: [&str; 9] = [
    "active",
    "staged",
    "active",
    "expiring",
    "active",
    "expired",
    "suspended",
    "active",
    "deactivated",
];
const MOMENT: &str = "2026-03-01T09:30:00.123456Z";

/// The rows of every list that the model offers, by the list's path.
pub(crate) fn rows(contract: &Contract, people: usize, switch: Switch) -> Vec<(String, Vec<Row>)> {
    let few = people.min(8);
    let plain = |schema: &str, prefix: &str, count: usize| -> Vec<Row> {
        (0..count)
            .map(|index| row(instance(contract, schema, &format!("{prefix}{index:06}x"))))
            .collect()
    };
    let mut workspace = plain("WorkspaceUser", "wsusr_", few);
    let mut dimensions = plain("DirectoryDimension", "drdim_", few);
    for (index, row) in dimensions.iter_mut().enumerate() {
        row.record["state"] = json!(["active", "staged"][index % 2]);
        if switch == Switch::DimensionsWithoutMembers {
            row.record = json!({"key": format!("dimension {index}")});
        }
    }
    if switch == Switch::BadProvider && few > 0 {
        workspace[0].record["provider"] = json!("carrier_pigeon");
    }
    if switch == Switch::Milliseconds && few > 0 {
        workspace[0].record["timestamp"]["created_at"] = json!("2026-03-01T09:30:00.123Z");
    }
    vec![
        ("/directory/users".to_owned(), users(contract, people, switch)),
        (
            "/directory/attributes".to_owned(),
            plain("DirectoryAttribute", "dratr_", few),
        ),
        ("/directory/dimensions".to_owned(), dimensions),
        ("/workspace/users".to_owned(), workspace),
    ]
}

fn row(record: Value) -> Row {
    Row {
        record,
        hidden: Vec::new(),
        related: Vec::new(),
        trashed: false,
    }
}

fn user_id(index: usize) -> String {
    format!("drusr_k{:05x}q{index:05}", index * 7919 % 65_521)
}

fn users(contract: &Contract, people: usize, switch: Switch) -> Vec<Row> {
    let manager = |index: usize| (index > 0 && index % 10 != 3).then_some(index / 6);
    let mut rows: Vec<Row> = (0..people)
        .map(|index| {
            let (first, last) = (FIRST[index % FIRST.len()], LAST[index * 5 % LAST.len()]);
            let mut record = instance(contract, "DirectoryUser", &user_id(index));
            let handle = format!(
                "p{index:04}.{}",
                (b'a' + u8::try_from(index % 26).unwrap()) as char
            );
            let mut set = |name: &str, value: Value| record[name] = value;
            set("first_name", json!(first));
            set("last_name", json!(last));
            set("full_name", json!(format!("{first} {last}")));
            set("email", json!(format!("{handle}@example.net")));
            set("username", json!(handle));
            set("state", json!(STATES[index % STATES.len()]));
            set("manager_id", json!(manager(index).map(user_id)));
            set(
                "is_manager",
                json!((0..people).any(|other| manager(other) == Some(index))),
            );
            set(
                "badge_id",
                if index % 3 == 0 {
                    Value::Null
                } else {
                    json!(format!("B-{}", 1000 + index))
                },
            );
            set("employee_id", json!(format!("{}", 100_000 + index)));
            set(
                "employee_alt_id",
                if index % 5 == 1 {
                    json!(format!("EXT-{}", index % 4))
                } else {
                    Value::Null
                },
            );
            set(
                "org",
                if index % 4 == 0 {
                    json!({})
                } else {
                    json!({"department": "Research"})
                },
            );
            set(
                "metadata",
                if index % 4 == 1 {
                    json!({})
                } else {
                    json!({"desk": index})
                },
            );
            let trashed = index % 12 == 7;
            if trashed {
                record["timestamp"]["deleted_at"] = json!(MOMENT);
            }
            let integration = (index % 6 != 5).then(|| format!("wsitg_{:06}", index % 3));
            let parent = (index % 9 == 4).then(|| user_id(index % 5));
            Row {
                related: vec![
                    (
                        "workspace_integration",
                        json!(integration.as_ref().map(|id| json!({"id": id}))),
                    ),
                    ("parent_user", json!(parent.as_ref().map(|id| json!({"id": id})))),
                    ("workspace_user", json!({"id": "wsusr_000001x"})),
                    (
                        "policy_conditions",
                        json!([{"id": "c", "resource_id": "dratr_000001x"}]),
                    ),
                ],
                hidden: vec![("workspace_integration_id", integration), ("parent_id", parent)],
                record,
                trashed,
            }
        })
        .collect();
    if let Some(row) = rows.get_mut(4) {
        spoil(&mut row.record, switch);
    }
    rows
}

/// Breaks one record, or makes it different.
fn spoil(record: &mut Value, switch: Switch) {
    let remove = |record: &mut Value, at: &str, name: &str| {
        record
            .pointer_mut(at)
            .and_then(Value::as_object_mut)
            .map(|members| members.remove(name));
    };
    match switch {
        Switch::MissingMember => remove(record, "", "username"),
        Switch::NullEmail => record["email"] = Value::Null,
        Switch::NumberForString => record["first_name"] = json!(7),
        Switch::BadState => record["state"] = json!("retired"),
        Switch::WrongPrefix => record["id"] = json!("user_000004"),
        Switch::CapitalId => record["id"] = json!("drusr_ABC000004"),
        Switch::LocalTime => record["timestamp"]["created_at"] = json!("2026-03-01T10:30:00.123456+01:00"),
        Switch::NoZone => record["timestamp"]["updated_at"] = json!("2026-03-01 10:30:00"),
        Switch::DateOnly => record["timestamp"]["expires_at"] = json!("2027-03-01"),
        Switch::MissingTimestamp => remove(record, "/timestamp", "deprovisioned_at"),
        Switch::ImpossibleMoment => record["timestamp"]["created_at"] = json!("2026-02-31T10:30:00.000000Z"),
        Switch::CountMissing => remove(record, "/count", "chat_groups"),
        Switch::CountNegative => record["count"]["secondary_users"] = json!(-1),
        Switch::CountQuoted => record["count"]["drive_docs"] = json!("3"),
        Switch::LinkMissing => remove(record, "/links", "directory_identities"),
        Switch::LinkNull => record["links"]["workspace_user"] = Value::Null,
        Switch::OrgAsArray => record["org"] = json!([]),
        Switch::MetadataNull => record["metadata"] = Value::Null,
        Switch::ExtraMembers => {
            record["nickname"] = json!("Zo");
            record["count"]["stars"] = json!("many");
            record["links"]["photo"] = Value::Null;
            record["timestamp"]["seen_at"] = json!("yesterday");
        }
        Switch::NullTimestamps => {
            for name in ["created_at", "updated_at"] {
                record["timestamp"][name] = Value::Null;
            }
        }
        Switch::OffsetSpelled => {
            record["timestamp"]["created_at"] = json!("2026-03-01T09:30:00+00:00");
            record["timestamp"]["expires_at"] = json!("2026-03-01 09:30Z");
        }
        _ => {}
    }
}

/// A value of a component schema, with what it requires and no more.
fn instance(contract: &Contract, schema: &str, id: &str) -> Value {
    let mut record = value(contract, contract.document().schema(schema).unwrap());
    record["id"] = json!(id);
    for (name, member) in record.as_object_mut().unwrap() {
        let prefix = contract.member_schema(schema, &Pointer::of([name.as_str()]));
        if name != "id" && prefix.is_some() && member == "id" {
            *member = json!("wsitg_000001");
        }
    }
    record
}

fn value(contract: &Contract, schema: &Value) -> Value {
    if schema["nullable"] == true || contract.document().or_null(schema).is_some() {
        return Value::Null;
    }
    let schema = contract.document().underlying(schema);
    if schema["nullable"] == true {
        return Value::Null;
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let mut whole = Map::new();
        for part in parts {
            if let Value::Object(members) = value(contract, part) {
                whole.extend(members);
            }
        }
        return Value::Object(whole);
    }
    if let Some(words) = schema["enum"].as_array() {
        return words[0].clone();
    }
    match schema["type"].as_str() {
        Some("object") => {
            let required = schema["required"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str);
            required
                .map(|name| (name.to_owned(), value(contract, &schema["properties"][name])))
                .collect()
        }
        Some("array") => json!([]),
        Some("integer") => json!(3),
        Some("boolean") => json!(false),
        _ if schema["format"] == "date-time" => json!(MOMENT),
        _ => schema.get("example").cloned().unwrap_or_else(|| json!("text")),
    }
}
