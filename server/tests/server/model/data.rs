//! Random directories: small, with equal values, nulls and every state.

use proptest::prelude::*;
use serde_json::Value;

use super::link::made;
use super::row::{Directory, Row};
use super::values::{email, metadata, name, one_of, or_null, past, pointer, rarely, some, some_timestamp};

pub(super) const USER_STATES: [&str; 6] = [
    "staged",
    "active",
    "expiring",
    "expired",
    "suspended",
    "deactivated",
];
const STATES: [&str; 5] = ["staged", "active", "expiring", "expired", "deactivated"];
const RULESET_STATES: [&str; 6] = [
    "unmanaged",
    "staged",
    "active",
    "expiring",
    "expired",
    "deactivated",
];
/// Kinds of resources outside (P4).
const KINDS: [&str; 4] = ["vcs_groups", "drive_docs", "chat_groups", "suite_drives"];

type Column = (&'static str, BoxedStrategy<Value>);

/// Up to so many rows; none seldom, because all that points to a table goes with it.
fn table(most: usize, columns: Vec<Column>) -> BoxedStrategy<Vec<Row>> {
    let (members, values): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let row = values.prop_map(move |values| members.iter().copied().zip(values).collect::<Row>());
    let rows = |least: usize| prop::collection::vec(row.clone(), least..=most);
    prop_oneof![1 => rows(0), 7 => rows(most.div_ceil(3))].boxed()
}

/// The columns of everything that lives: its state, and when what happened.
fn lived(states: &'static [&'static str], more: Vec<Column>) -> Vec<Column> {
    let life = [
        // Active ones often, so that there are manifests.
        (
            "state",
            prop_oneof![some("active"), some("active"), one_of(states)].boxed(),
        ),
        ("expires_at", or_null(some_timestamp())),
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
        ("provisioned_at", or_null(some_timestamp())),
        ("deprovisioned_at", or_null(some_timestamp())),
        ("deactivated_at", past()),
        ("deleted_at", rarely(past())),
    ];
    let more = lived(&USER_STATES, more);
    prop_oneof![4 => table(9, more.clone()), 1 => table(40, more)].boxed()
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
                        ("deleted_at", rarely(past())),
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
                        ("deleted_at", rarely(past())),
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
                    ("deleted_at", rarely(past())),
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

/// Any directory.
pub(super) fn directory() -> impl Strategy<Value = Directory> {
    let (names, tables): (Vec<_>, Vec<_>) = tables().into_iter().unzip();
    tables.prop_map(move |tables| made(names.iter().copied().zip(tables).collect()))
}
