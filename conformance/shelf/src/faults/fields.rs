//! §2.1, §3: faults of members that speak of each other.

use std::collections::HashSet;

use serde_json::json;

use crate::{Variant, fault};

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    vec![
        fault("the head of all is no manager", "F1", |hooks| {
            hooks.on_person(0, |record| record["is_manager"] = json!(false));
        }),
        fault("no active person is a manager", "F1", |hooks| {
            hooks.on_record(|asked, _, record| {
                if asked.path.starts_with("/directory/users") && record["state"] == "active" {
                    record["is_manager"] = json!(false);
                }
            });
        }),
        fault("a person without reports is a manager", "F2", |hooks| {
            hooks.on_rows(|rows| {
                let users = rows.of("/directory/users");
                let managers: HashSet<_> = users.iter().map(|row| row.record["manager_id"].clone()).collect();
                let lone = users.iter_mut().find(|row| {
                    !managers.contains(&row.record["id"]) && row.record["timestamp"]["deleted_at"].is_null()
                });
                lone.unwrap().record["is_manager"] = json!(true);
            });
        }),
        fault("managers count no reports", "F2", |hooks| {
            hooks.on_record(|asked, _, record| {
                if asked.path.starts_with("/directory/users") {
                    record["count"]["direct_report_users"] = json!(0);
                }
            });
        }),
        fault("a full name is as it was before a wedding", "F3", |hooks| {
            hooks.on_person(5, |record| record["full_name"] = json!("Zoë Unmarried"));
        }),
        fault("full names lack the last name", "F3", |hooks| {
            hooks.on_rows(|rows| {
                for row in rows.of("/directory/users") {
                    row.record["full_name"] = row.record["first_name"].clone();
                }
            });
        }),
        fault("a person has been expiring for years", "F4", |hooks| {
            hooks.on_person(3, |record| {
                record["timestamp"]["expires_at"] = json!("2020-01-01T08:00:00Z")
            });
        }),
        fault("people who are expiring have no expires_at", "F4", |hooks| {
            hooks.on_record(|_, row, record| {
                if row.id().starts_with("drusr_") && record["state"] == "expiring" {
                    record["timestamp"]["expires_at"] = json!(null);
                }
            });
        }),
        fault("a person has expired before the time", "F5", |hooks| {
            hooks.on_person(5, |record| {
                record["timestamp"]["expires_at"] = json!("2199-01-01T08:00:00Z")
            });
        }),
    ]
}
