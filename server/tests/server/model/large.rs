//! A directory of some thousands: for what the store does only where there is much.

use serde_json::json;

use super::row::{Directory, Row};
use super::values::{DAY, NOW};

/// A directory of so many users, most of their values shared by a few.
pub(super) fn large(users: i64) -> Directory {
    let life = |row: Row| {
        row.into_iter()
            .chain([("created_at", json!(NOW)), ("updated_at", json!(NOW))])
            .collect()
    };
    let integration = Row::from([
        ("id", json!("wsitg_1")),
        ("state", json!("active")),
        ("is_primary", json!(true)),
        ("vendor", json!("demo")),
        ("handle", json!("demo")),
        ("domain", json!("example.net")),
    ]);
    let user = |number: i64| {
        let name = |of: i64| json!(format!("name{}", number % of));
        let states = [
            "active",
            "active",
            "active",
            "staged",
            "expiring",
            "expired",
            "suspended",
            "deactivated",
        ];
        let sometimes = |of: i64| {
            if number % of == 0 {
                json!(NOW - number * DAY / 9)
            } else {
                json!(null)
            }
        };
        Row::from([
            ("id", json!(format!("drusr_{number:05}"))),
            ("state", json!(states[number as usize % states.len()])),
            ("workspace_integration_id", json!("wsitg_1")),
            ("first_name", name(40)),
            ("last_name", name(300)),
            ("full_name", name(1100)),
            ("email", name(2000)),
            ("username", name(2000)),
            ("badge_id", name(1900)),
            ("employee_id", name(2000)),
            (
                "employee_alt_id",
                if number % 7 == 0 { name(500) } else { json!(null) },
            ),
            ("metadata", json!({})),
            (
                "manager_id",
                if number == 0 {
                    json!(null)
                } else {
                    json!(format!("drusr_{:05}", number / 8))
                },
            ),
            (
                "parent_id",
                if number % 20 == 3 {
                    json!(format!("drusr_{:05}", number - 1))
                } else {
                    json!(null)
                },
            ),
            ("created_at", json!(NOW - number * DAY / 3)),
            ("updated_at", json!(NOW - number * DAY / 4)),
            (
                "expires_at",
                if matches!(number % 8, 4 | 5) {
                    json!(NOW - number * DAY)
                } else {
                    json!(null)
                },
            ),
            ("deleted_at", sometimes(12)),
            ("provisioned_at", sometimes(2)),
            ("deprovisioned_at", sometimes(5)),
            ("expired_at", sometimes(8)),
            ("deactivated_at", sometimes(8)),
        ])
    };
    let tables = [
        ("workspace_integrations", vec![life(integration)]),
        ("directory_users", (0..users).map(user).collect()),
    ];
    Directory {
        tables: tables.into(),
    }
}

/// The same, with `reports` of the users reporting to the first one.
pub(super) fn one_with_reports(users: i64, reports: i64) -> Directory {
    let mut directory = large(users);
    let rows = directory.tables.get_mut("directory_users").into_iter().flatten();
    for (number, row) in (0..users).zip(rows) {
        let manager = if (1..=reports).contains(&number) {
            json!("drusr_00000")
        } else {
            json!(null)
        };
        row.insert("manager_id", manager);
        row.insert("deleted_at", json!(null));
    }
    directory
}
