//! §2: faults of records, and of lists as a whole.

use serde_json::{Value, json};

use crate::{Hooks, Variant, fault};

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    [lists(), members(), timestamps(), counts_and_links(), sightings()]
        .into_iter()
        .flatten()
        .collect()
}

/// How many records a page has where its last one is empty.
const PAGE: usize = 40;

/// The person whose record is broken.
const VICTIM: usize = 4;

fn without(name: &'static str, check: &'static str, at: &'static str, member: &'static str) -> Variant {
    fault(name, check, move |hooks| {
        hooks.on_person(VICTIM, move |record| {
            let members = record.pointer_mut(at).unwrap().as_object_mut().unwrap();
            members.shift_remove(member);
        });
    })
}

fn with(name: &'static str, check: &'static str, at: &'static str, value: Value) -> Variant {
    fault(name, check, move |hooks| {
        let value = value.clone();
        hooks.on_person(VICTIM, move |record| {
            *record.pointer_mut(at).unwrap() = value.clone()
        });
    })
}

fn lists() -> Vec<Variant> {
    let dimensions = |status: u16| {
        move |hooks: &mut Hooks| {
            hooks.on_query(move |asked| {
                if asked.on("/directory/dimensions") {
                    asked.refuse(status);
                }
            });
        }
    };
    vec![
        fault("there are no dimensions", "N1", dimensions(404)),
        fault("the dimensions are no list", "N1", |hooks| {
            hooks.on_answer(|asked, reply| {
                if asked.on("/directory/dimensions") && reply.is_success() {
                    *reply.body() = json!({"ok": true});
                }
            });
        }),
        fault("the list of soft-deleted records fails", "N1", |hooks| {
            hooks.on_query(|asked| {
                if asked.value("filter[trashed]") == Some("with") {
                    asked.refuse(500);
                }
            });
        }),
        fault("the last page is empty", "N1", |hooks| {
            hooks.settings.links_pages = true;
            hooks.settings.page_size = Some(PAGE);
            hooks.on_page(|asked, rows| {
                if asked.on("/directory/users") && asked.page() > 1 && rows.len() < PAGE {
                    rows.clear();
                }
            });
        }),
        fault("JSON is called HTML", "S11", |hooks| {
            hooks.on_answer(|_, reply| reply.set("content-type", "text/html"));
        }),
    ]
}

fn members() -> Vec<Variant> {
    vec![
        without("a member is missing", "S1", "", "username"),
        with("the email is null", "S1", "/email", Value::Null),
        with("a name is a number", "S1", "/first_name", json!(7)),
        with("a state does not exist", "S2", "/state", json!("retired")),
        fault("a provider does not exist", "S2", |hooks| {
            hooks.on_rows(|rows| rows.of("/workspace/users")[0].record["provider"] = json!("carrier_pigeon"));
        }),
        with("an id has another prefix", "S3", "/id", json!("user_000004")),
        with("an id has capitals", "S3", "/id", json!("drusr_ABC000004")),
        with("org is an array", "S7", "/org", json!([])),
        with("metadata is null", "S7", "/metadata", Value::Null),
    ]
}

fn timestamps() -> Vec<Variant> {
    let at = "/timestamp/created_at";
    vec![
        with(
            "a time is local",
            "S4",
            at,
            json!("2026-03-01T10:30:00.123456+01:00"),
        ),
        with(
            "a time is a date",
            "S4",
            "/timestamp/expires_at",
            json!("2027-03-01"),
        ),
        fault("a timestamp of a workspace user is missing", "S4", |hooks| {
            hooks.on_rows(|rows| {
                let times = rows.of("/workspace/users")[0].record["timestamp"].as_object_mut();
                times.unwrap().remove("last_activity_at");
            });
        }),
        with(
            "a day does not exist",
            "S4",
            at,
            json!("2026-02-31T10:30:00.000000Z"),
        ),
        fault("a workspace user shows milliseconds", "S4", |hooks| {
            hooks.on_rows(|rows| {
                let times = &mut rows.of("/workspace/users")[0].record["timestamp"];
                times["created_at"] = json!("2026-03-01T09:30:00.123Z");
            });
        }),
    ]
}

fn counts_and_links() -> Vec<Variant> {
    vec![
        without("a count is missing", "S5", "/count", "chat_groups"),
        with("a count is negative", "S5", "/count/secondary_users", json!(-1)),
        with("a count is a text", "S5", "/count/drive_docs", json!("3")),
        without("a link is missing", "S6", "/links", "directory_identities"),
        with("a link is null", "S6", "/links/workspace_user", Value::Null),
    ]
}

fn sightings() -> Vec<Variant> {
    vec![
        fault("a row stands there twice", "S8", |hooks| {
            hooks.on_found(|_, found| {
                if found.rows.len() > 2 {
                    found.rows.insert(1, found.rows[0]);
                }
            });
        }),
        fault("a join repeats a row beside a filter", "S8", |hooks| {
            hooks.on_found(|asked, found| {
                if asked.has("filter[workspace_integration_id]") && !found.rows.is_empty() {
                    found.rows.insert(1, found.rows[0]);
                }
            });
        }),
        fault("a record found by its id is stale", "S9", |hooks| {
            hooks.on_record(|asked, _, record| {
                if asked.has("filter[id]") {
                    record["full_name"] = json!("Somebody Else");
                }
            });
        }),
        fault("a record with relations is stale", "S9", |hooks| {
            hooks.on_record(|asked, _, record| {
                if asked.has("include") {
                    record["count"]["policy_users"] = json!(99);
                }
            });
        }),
        fault(
            "without filters, a name beside relations has no blanks",
            "S9",
            |hooks| {
                hooks.on_record(|asked, _, record| {
                    if asked.has("include") && asked.filters().next().is_none() {
                        let name = record["last_name"].as_str().map(|name| name.replace(' ', ""));
                        record["last_name"] = json!(name);
                    }
                });
            },
        ),
        fault("a single record is stale", "S9", |hooks| {
            hooks.on_record(|asked, row, record| {
                if asked.path.ends_with(row.id()) {
                    record["state"] = json!("deactivated");
                }
            });
        }),
    ]
}
