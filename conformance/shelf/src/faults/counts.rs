//! §2.1: faults of counts.

use serde_json::json;

use crate::model::Row;
use crate::{Variant, fault};

/// A fault of a count of the people who have any.
fn count(
    name: &str,
    check: &'static str,
    member: &'static str,
    wrong: impl Fn(u64, &Row) -> u64 + Clone + Send + Sync + 'static,
) -> Variant {
    fault(name, check, move |hooks| {
        let wrong = wrong.clone();
        hooks.on_rows(move |rows| {
            for row in rows.of("/directory/users") {
                let count = row.record["count"][member].as_u64().unwrap_or_default();
                if count > 0 {
                    row.record["count"][member] = json!(wrong(count, row));
                }
            }
        });
    })
}

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    vec![
        count(
            "reports are counted one too many",
            "C1",
            "direct_report_users",
            |count, _| count + 1,
        ),
        count(
            "secondary users are counted one too many",
            "C1",
            "secondary_users",
            |count, _| count + 1,
        ),
        fault("reports of reports are counted", "C1", |hooks| {
            hooks.on_rows(|rows| {
                let people = rows.of("/directory/users");
                let manager = |row: &Row| row.text_of("manager_id").map(str::to_owned);
                let managers: Vec<(String, Option<String>)> = people
                    .iter()
                    .map(|row| (row.id().to_owned(), manager(row)))
                    .collect();
                for row in people {
                    let reports = |of: &str| {
                        let own = managers
                            .iter()
                            .filter(|(_, manager)| manager.as_deref() == Some(of));
                        own.map(|(id, _)| id.clone()).collect::<Vec<_>>()
                    };
                    let direct = row.record["count"]["direct_report_users"]
                        .as_u64()
                        .unwrap_or_default();
                    let indirect: usize = reports(row.id()).iter().map(|id| reports(id).len()).sum();
                    if direct > 0 {
                        row.record["count"]["direct_report_users"] = json!(direct + indirect as u64);
                    }
                }
            });
        }),
        count(
            "identities are counted with their integrations",
            "C3",
            "directory_identities",
            |count, _| count * 2,
        ),
        count(
            "rulesets are counted by their rules",
            "C3",
            "policy_rulesets",
            |count, _| count + 1,
        ),
        count(
            "conditions are never counted anew",
            "C3",
            "policy_conditions",
            |count, _| count + 3,
        ),
    ]
}
