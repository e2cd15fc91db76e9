//! Random directories: small, with names nobody would think of, equal values, nulls and every state.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use super::row::{Directory, Row, Tables, get, moment, text};

/// When the tests begin: noon of the first of March 2026.
pub(super) const NOW: i64 = 1_772_366_400_000_000;
/// Microseconds of a day.
pub(super) const DAY: i64 = 86_400_000_000;
const SECOND: i64 = 1_000_000;

/// Moments that meet the present and each other, so that ties and bounds are common.
const OFFSETS: [i64; 12] = [
    -800 * DAY,
    -DAY,
    -DAY + 1,
    -SECOND,
    -1,
    0,
    1,
    SECOND,
    DAY,
    2 * DAY,
    30 * DAY,
    800 * DAY,
];

/// What names are made of.
const PIECES: [&str; 40] = [
    "a",
    "A",
    "b",
    "Ab",
    "ann",
    "Ann",
    "ä",
    "Ä",
    "é",
    "É",
    "e\u{301}",
    "%",
    "_",
    "\\",
    "'",
    "\"",
    ",",
    " ",
    "-",
    ".",
    "*",
    "ß",
    "ẞ",
    "ss",
    "İ",
    "i",
    "ı",
    "I",
    "Σ",
    "σ",
    "ς",
    "😀",
    "漢字",
    "ﬁ",
    "ǅ",
    "{",
    ":",
    "OR",
    "O'Neill",
    "\u{1f600}\u{200d}",
];

pub(super) const USER_STATES: [&str; 6] = [
    "staged",
    "active",
    "expiring",
    "expired",
    "suspended",
    "deactivated",
];
const STATES: [&str; 5] = ["staged", "active", "expiring", "expired", "deactivated"];
const RULESET_STATES: [&str; 6] = ["unmanaged", "staged", "active", "expiring", "expired", "deactivated"];
/// Kinds of resources outside (P4).
const KINDS: [&str; 4] = ["vcs_groups", "drive_docs", "chat_groups", "suite_drives"];

type Column = (&'static str, BoxedStrategy<Value>);

fn some<V: Into<Value> + std::fmt::Debug + 'static>(
    strategy: impl Strategy<Value = V> + 'static,
) -> BoxedStrategy<Value> {
    strategy.prop_map(Into::into).boxed()
}

fn or_null(strategy: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    prop_oneof![Just(Value::Null), strategy].boxed()
}

fn rarely(strategy: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    prop_oneof![5 => Just(Value::Null), 1 => strategy].boxed()
}

fn one_of(words: &'static [&'static str]) -> BoxedStrategy<Value> {
    some(select(words))
}

/// A text out of the nasty pieces.
pub(super) fn name() -> BoxedStrategy<String> {
    prop::collection::vec(select(&PIECES[..]), 1..4)
        .prop_map(|pieces| pieces.concat())
        .boxed()
}

fn email() -> BoxedStrategy<Value> {
    some(
        (
            name(),
            select(&["@example.net", "@Example.org", "@ex_mple.net"][..]),
        )
            .prop_map(|(name, host)| name + host),
    )
}

/// A moment before, at or after the present.
pub(super) fn some_moment() -> BoxedStrategy<Value> {
    some(select(&OFFSETS[..]).prop_map(|offset| NOW + offset))
}

fn past() -> BoxedStrategy<Value> {
    some(select(&OFFSETS[..6]).prop_map(|offset| NOW + offset))
}

/// A pointer to a row of another table, made an id by [`link`].
fn pointer() -> BoxedStrategy<Value> {
    some(any::<u8>())
}

fn metadata() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        4 => some(name()),
        1 => some(-20_i64..2000),
        1 => some(any::<bool>()),
        1 => Just(Value::Null),
        1 => some("[0-9]{1,3}\\.[0-9]"),
    ];
    let value = leaf.prop_recursive(2, 4, 2, |inner| {
        let object = prop::collection::btree_map(select(&["ann", "b"][..]), inner.clone(), 0..2);
        let object = object.prop_map(|map| {
            map.into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect::<Map<_, _>>()
        });
        prop_oneof![
            prop::collection::vec(inner, 0..3).prop_map(Value::Array),
            object.prop_map(Value::Object)
        ]
    });
    let keys = select(&["ann", "desk", "Ä", "a b"][..]);
    some(prop::collection::btree_map(keys, value, 0..3).prop_map(|map| json!(map)))
}

fn table(most: usize, columns: Vec<Column>) -> BoxedStrategy<Vec<Row>> {
    let (members, values): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let row = values.prop_map(move |values| members.iter().copied().zip(values).collect::<Row>());
    prop::collection::vec(row, 0..=most).boxed()
}

/// The columns of everything that lives: its state, and when what happened.
fn lived(states: &'static [&'static str], more: Vec<Column>) -> Vec<Column> {
    let life = [
        // Active ones often, so that there are manifests.
        ("state", prop_oneof![some("active"), some("active"), one_of(states)].boxed()),
        ("expires_at", or_null(some_moment())),
        ("created_at", past()),
        ("updated_at", past()),
    ];
    life.into_iter().chain(more).collect()
}

fn users() -> BoxedStrategy<Vec<Row>> {
    let more = vec![
        ("first_name", some(name())),
        ("last_name", some(name())),
        ("email", email()),
        ("username", some(name())),
        ("badge_id", or_null(some(name()))),
        ("employee_id", or_null(some(name()))),
        ("employee_alt_id", rarely(some(name()))),
        ("manager_id", or_null(pointer())),
        ("parent_id", rarely(pointer())),
        ("workspace_integration_id", pointer()),
        ("metadata", metadata()),
        ("provisioned_at", or_null(some_moment())),
        ("deprovisioned_at", or_null(some_moment())),
        ("deactivated_at", past()),
        ("deleted_at", rarely(past())),
    ];
    let more = lived(&USER_STATES, more);
    prop_oneof![3 => table(8, more.clone()), 1 => table(40, more)].boxed()
}

fn tables() -> Vec<(&'static str, BoxedStrategy<Vec<Row>>)> {
    let flag = || some(any::<bool>());
    vec![
        (
            "workspace_integrations",
            table(
                2,
                lived(
                    &USER_STATES,
                    vec![
                        ("is_primary", flag()),
                        ("vendor", one_of(&["demo", "import"])),
                        ("handle", some(name())),
                        ("domain", some(name())),
                    ],
                ),
            ),
        ),
        (
            "directory_dimensions",
            table(
                3,
                lived(
                    &STATES,
                    vec![
                        ("name", some(name())),
                        ("handle", some(name())),
                        ("workspace_integration_id", or_null(pointer())),
                    ],
                ),
            ),
        ),
        (
            "directory_attributes",
            table(
                6,
                lived(
                    &STATES,
                    vec![
                        ("type", one_of(&["integration", "ruleset", "catch"])),
                        ("name", some(name())),
                        ("handle", some(name())),
                        ("profile_value", or_null(some(name()))),
                        ("blueprint_signature", or_null(some(name()))),
                        ("directory_dimension_id", pointer()),
                        ("workspace_integration_id", or_null(pointer())),
                        ("successor_id", rarely(pointer())),
                        ("activated_at", or_null(past())),
                        ("deleted_at", rarely(past())),
                    ],
                ),
            ),
        ),
        ("directory_users", users()),
        (
            "user_attributes",
            table(
                24,
                vec![
                    ("directory_user_id", pointer()),
                    ("directory_attribute_id", pointer()),
                ],
            ),
        ),
        (
            "external_resources",
            table(
                5,
                vec![("directory_user_id", pointer()), ("kind", one_of(&KINDS))],
            ),
        ),
        (
            "directory_identities",
            table(
                4,
                lived(
                    &USER_STATES,
                    vec![
                        ("workspace_integration_id", pointer()),
                        ("directory_user_id", pointer()),
                        ("integration_vendor", one_of(&["demo", "import"])),
                        ("integration_handle", some(name())),
                        ("vendor_id", some(name())),
                        ("full_name", some(name())),
                        ("email", email()),
                        ("deleted_at", rarely(past())),
                    ],
                ),
            ),
        ),
        (
            "workspace_users",
            table(
                6,
                lived(
                    &STATES,
                    vec![
                        ("directory_user_id", or_null(pointer())),
                        (
                            "provider",
                            one_of(&["consumer_account_idp", "native_idp", "workforce_idp"]),
                        ),
                        ("provider_id", or_null(some(name()))),
                        ("name", some(name())),
                        ("handle", some(name())),
                        ("email", email()),
                        ("ui_mode", or_null(some(name()))),
                        ("ui_color", or_null(some(name()))),
                        ("last_authenticated_at", or_null(past())),
                        ("last_activity_at", or_null(past())),
                        ("deleted_at", rarely(past())),
                    ],
                ),
            ),
        ),
        (
            "workspace_items",
            table(
                8,
                lived(
                    &STATES,
                    vec![
                        ("kind", one_of(&["device", "role", "service", "token"])),
                        ("workspace_user_id", pointer()),
                        ("name", some(name())),
                        ("is_attached", flag()),
                        ("deleted_at", rarely(past())),
                    ],
                ),
            ),
        ),
        (
            "policy_rulesets",
            table(
                3,
                lived(
                    &RULESET_STATES,
                    vec![
                        ("type", one_of(&["directory_attribute"])),
                        ("resource_id", pointer()),
                        ("is_authoritative", flag()),
                        ("expires_after_days", some(0..90_i64)),
                    ],
                ),
            ),
        ),
        (
            "policy_rules",
            table(
                4,
                lived(
                    &STATES,
                    vec![
                        ("ruleset_id", pointer()),
                        ("role_name", some(name())),
                        ("role_handle", some(name())),
                        ("is_imported", flag()),
                        ("description", some(name())),
                        ("expires_after_days", some(0..90_i64)),
                        ("expires_after_days_inherited", flag()),
                        ("priority", some(0..5_i64)),
                    ],
                ),
            ),
        ),
        (
            "policy_conditions",
            table(
                8,
                vec![
                    ("rule_id", pointer()),
                    ("resource_id", pointer()),
                    ("is_imported", flag()),
                    ("type", one_of(&["attribute"])),
                    ("profile_key", some(name())),
                    ("profile_operator", one_of(&["equals"])),
                    ("profile_value", some(name())),
                    ("description", some(name())),
                    ("created_at", past()),
                    ("updated_at", past()),
                ],
            ),
        ),
        (
            "workspace_logs",
            table(
                6,
                vec![
                    ("action", one_of(&["created", "updated", "imported"])),
                    ("record_id", pointer()),
                    ("parent_id", or_null(pointer())),
                    ("related_id", or_null(pointer())),
                    ("subject_id", or_null(pointer())),
                    ("actor_id", or_null(pointer())),
                    ("message", some(name())),
                    ("created_at", past()),
                ],
            ),
        ),
    ]
}

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

/// Any directory.
pub(super) fn directory() -> impl Strategy<Value = Directory> {
    let (names, tables): (Vec<_>, Vec<_>) = tables().into_iter().unzip();
    tables.prop_map(move |tables| made(names.iter().copied().zip(tables).collect()))
}

/// Gives rows ids, pointers their targets, and takes out what no directory can hold.
fn made(mut tables: Tables) -> Directory {
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

/// What a state says of the moments beside it (§3).
fn settle_life(row: &mut Row) {
    let expires_at = moment(row, "expires_at");
    let expires_at = match text(row, "state") {
        "staged" | "active" | "unmanaged" => None,
        "expiring" => expires_at.or(Some(NOW + DAY)),
        "expired" => expires_at.filter(|moment| *moment <= NOW).or(Some(NOW - DAY)),
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
