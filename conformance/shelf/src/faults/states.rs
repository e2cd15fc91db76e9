//! §3, §4.1: faults of the filter by state.

use serde_json::json;

use crate::{Variant, fault};

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    vec![
        fault("who is expiring is active as well", "ST1", |hooks| {
            hooks.on_filter("state", |m, verdict| {
                verdict || m.value == "active" && m.row.text_of("state") == Some("expiring")
            });
        }),
        fault("suspended and deactivated are one", "ST1", |hooks| {
            hooks.on_filter("state", |m, verdict| {
                let off = |state: Option<&str>| matches!(state, Some("suspended" | "deactivated"));
                verdict || off(Some(m.value)) && off(m.row.text_of("state"))
            });
        }),
        fault("people show the state that is asked for", "ST2", |hooks| {
            hooks.on_filter("state", |m, verdict| {
                verdict || m.value == "expired" && m.row.text_of("state") == Some("deactivated")
            });
            hooks.on_record(|asked, _, record| {
                if let Some(state) = asked.value("filter[state]") {
                    record["state"] = json!(state);
                }
            });
        }),
        fault("staged people are not found by their state", "ST3", |hooks| {
            hooks.on_filter("state", |m, verdict| verdict && m.value != "staged");
        }),
        fault("the state loses a row", "ST3", |hooks| {
            hooks.on_found(|asked, found| {
                if asked.has("filter[state]") {
                    found.rows.pop();
                }
            });
        }),
        fault(
            "active people without a manager are not found by their state",
            "ST3",
            |hooks| {
                hooks.on_filter("state", |m, verdict| {
                    verdict && (m.value != "active" || m.row.text_of("manager_id").is_some())
                });
            },
        ),
    ]
}
