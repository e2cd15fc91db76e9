//! §4.1: faults of the filters that are true or false.

use crate::hooks::Matching;
use crate::{Variant, fault};

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    vec![
        one("filter[manager] is ignored", "B1", "manager", |_, _| true),
        one(
            "filter[manager] is turned round",
            "B1",
            "manager",
            |_, verdict| !verdict,
        ),
        one(
            "managers with a manager are not found",
            "B1",
            "manager",
            |m, verdict| verdict && (m.value == "false" || m.row.text_of("manager_id").is_none()),
        ),
        one(
            "filter[manager]=false is ignored",
            "B2",
            "manager",
            |m, verdict| verdict || m.value == "false",
        ),
        one(
            "false finds managers who are not active, too",
            "B2",
            "manager",
            |m, verdict| verdict || m.value == "false" && m.row.text_of("state") != Some("active"),
        ),
        one(
            "false finds only people with a manager",
            "B4",
            "manager",
            |m, verdict| verdict && (m.value == "true" || m.row.text_of("manager_id").is_some()),
        ),
        one(
            "neither finds staged people without reports",
            "B4",
            "manager",
            |m, verdict| verdict && (m.value == "true" || m.row.text_of("state") != Some("staged")),
        ),
        one("every deprovisioned user is pending", "B5", PENDING, |m, _| {
            m.row.record["timestamp"]["deprovisioned_at"].is_string()
        }),
        one("pending deactivation is ignored", "B5", PENDING, |_, _| true),
        one("every active user is pending", "B6", PENDING, |m, _| {
            m.row.text_of("state") == Some("active")
        }),
    ]
}

const PENDING: &str = "deprovisioned_pending_deactivation";

fn one(
    name: &'static str,
    check: &'static str,
    filter: &'static str,
    how: fn(&Matching<'_>, bool) -> bool,
) -> Variant {
    fault(name, check, move |hooks| hooks.on_filter(filter, how))
}
