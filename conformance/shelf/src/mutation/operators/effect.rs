//! Writes that do, answer or leave behind something else than they should.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::unknown_id::{self, RESTORE, operator};
use super::{Operator, When};
use crate::Asked;
use crate::model::{Row, USERS, Write};
use crate::mutation::{Draw, Sample};
use crate::reply::Reply;

const DEPRECATE: &str = "/deprecate";

/// A change of the record that a write leaves behind: the row, and the body of the write.
type Stored = fn(&mut Row, &Value);

/// A change of the answer to a write that was carried out.
type Answer = fn(&mut Value);

const STORED: &[(&str, Stored)] = &[
    ("expires an hour late", |row, _| expires(row, 3600)),
    ("expires a day early", |row, _| expires(row, -86_400)),
    ("expires a day late", |row, _| expires(row, 86_400)),
    ("expires two days late", |row, _| expires(row, 2 * 86_400)),
    ("expires a month late", |row, _| expires(row, 30 * 86_400)),
    ("takes days for hours", |row, body| {
        if let Some(days) = body["expires_after_days"].as_i64() {
            expires(row, -days * 23 * 3600);
        }
    }),
    ("expires at midnight", |row, _| {
        time(row, "expires_at", |text| {
            json!(format!("{}T00:00:00.000000Z", text.get(..10).unwrap_or(text)))
        })
    }),
    ("expires never", |row, body| {
        if body.get("roles").is_none() {
            row.record["timestamp"]["expires_at"] = Value::Null;
        }
    }),
    ("expires by a timestamp without its offset", |row, body| {
        if let Some(text) = body["expires_at"]
            .as_str()
            .filter(|text| text.len() > 20 && text.contains('+'))
        {
            row.record["timestamp"]["expires_at"] =
                json!(format!("{}.000000Z", text.get(..19).unwrap_or(text)));
        }
    }),
    ("stays deleted", |row, body| {
        if body.get("roles").is_some() {
            row.record["timestamp"]["deleted_at"] = json!("2025-01-01T00:00:00.000000Z");
        }
    }),
    ("becomes deleted", |row, body| {
        if body.get("roles").is_none() {
            row.record["timestamp"]["deleted_at"] = json!("2025-01-01T00:00:00.000000Z");
        }
    }),
    ("is expired although it expires later", |row, body| {
        if body.get("roles").is_none() {
            row.record["state"] = json!("expired");
        }
    }),
    ("is expiring although it has expired", |row, body| {
        if body.get("roles").is_none() {
            row.record["state"] = json!("expiring");
        }
    }),
    ("has a state that does not exist", |row, _| {
        row.record["state"] = json!("deprecated")
    }),
    ("loses its name", |row, _| row.record["name"] = json!("")),
    ("gets another handle", |row, _| {
        row.record["handle"] = json!("changed")
    }),
    ("gets another creation", |row, _| {
        row.record["timestamp"]["created_at"] = json!("2026-01-01T00:00:00.000000Z")
    }),
    ("gets another email or profile value", |row, _| {
        for member in ["email", "profile_value"] {
            if row.record.get(member).is_some() {
                row.record[member] = json!("changed@example.net");
            }
        }
    }),
];

const ANSWERS: &[(&str, Answer)] = &[
    ("has another id", |record| {
        record["id"] = json!(format!("{}0", record["id"].as_str().unwrap_or_default()))
    }),
    ("is empty", |record| *record = json!({})),
    ("is in a list", |record| *record = json!([record.take()])),
    ("is in an object", |record| {
        *record = json!({"data": record.take()})
    }),
    ("lacks its counts", |record| remove(record, "count")),
    ("lacks its links", |record| remove(record, "links")),
    ("lacks its state", |record| remove(record, "state")),
    ("has no name", |record| record["name"] = Value::Null),
    ("has an old expiry", |record| {
        record["timestamp"]["expires_at"] = json!("2020-02-02T02:02:02.000000Z")
    }),
    ("has another name", |record| record["name"] = json!("Changed")),
    ("has another state", |record| {
        record["state"] = json!(if record["state"] == "expiring" {
            "expired"
        } else {
            "expiring"
        });
    }),
    ("has included that is no list", |record| {
        record["included"] = json!("none")
    }),
    ("has a timestamp in another form", |record| {
        record["timestamp"]["created_at"] = json!("yesterday")
    }),
    ("has a count that is a text", |record| {
        if let Some((_, count)) = record["count"]
            .as_object_mut()
            .and_then(|counts| counts.iter_mut().next())
        {
            *count = json!("0");
        }
    }),
    ("has a link that is null", |record| {
        record["links"]["self"] = Value::Null
    }),
    ("has the id of the other kind", |record| {
        let id = record["id"].as_str().and_then(|id| id.split_once('_'));
        let other = id.map(|(kind, rest)| match kind {
            "wsusr" => format!("dratr_{rest}"),
            _ => format!("wsusr_{rest}"),
        });
        record["id"] = json!(other);
    }),
];

const STATUSES: &[(&str, u16, u16)] = &[
    ("a write to an unknown record succeeds", 404, 200),
    ("a write to an unknown record fails", 404, 500),
    ("a body that is refused is granted", 422, 200),
    ("a body that is refused fails", 422, 500),
    ("a body that is no JSON is granted", 400, 200),
    ("a body that is no JSON fails", 400, 500),
    ("a write that is granted fails", 200, 500),
    ("a write that is granted is refused", 200, 403),
    ("a write that is granted is not found", 200, 404),
    ("a write has no body in its answer", 200, 204),
];

/// Draws a wrong effect of a write.
pub(super) fn draw(draw: &mut Draw) -> Operator {
    let verb = draw.pick_copy(&[DEPRECATE, RESTORE]);
    match draw.below(12) {
        0..3 => stored(verb, draw.pick_copy(STORED)),
        3..5 => answered(verb, draw.pick_copy(ANSWERS)),
        5 | 6 => status(verb, draw.pick_copy(STATUSES)),
        7 => unknown_id::draw(draw, verb),
        8 => sequence(verb, draw.below(4)),
        9 => late(verb, draw.pick_copy(&[401, 404, 409, 422])),
        10 => other_record(verb, draw.below(3)),
        _ => stale(draw.below(3)),
    }
}

fn stored(verb: &'static str, (says, change): (&'static str, Stored)) -> Operator {
    operator(format!("what {verb} stores {says}"), move |hooks, when| {
        let when = when.clone();
        hooks.on_write(move |asked, write| {
            let body = Value::Object(write.body.clone());
            if let Some(after) = after(asked, write, verb, &when) {
                change(after, &body);
            }
        });
    })
}

fn answered(verb: &'static str, (says, change): (&'static str, Answer)) -> Operator {
    operator(format!("the answer to {verb} {says}"), move |hooks, when| {
        let when = when.clone();
        hooks.on_answer(move |asked, reply| {
            if asked.path.ends_with(verb) && reply.is_success() && when.asked(asked) {
                change(reply.body());
            }
        });
    })
}

fn status(verb: &'static str, (says, from, to): (&'static str, u16, u16)) -> Operator {
    operator(format!("{says}, {verb}"), move |hooks, when| {
        let when = when.clone();
        hooks.on_answer(move |asked, reply| {
            if asked.path.ends_with(verb) && reply.status == from && when.asked(asked) {
                *reply = match to {
                    204 => Reply::written(204, String::new()),
                    _ => Reply::json(to, json!({})),
                };
            }
        });
    })
}

/// The second write to a record is not like the first.
fn sequence(verb: &'static str, which: usize) -> Operator {
    let says = [
        "the second write to a record is not stored",
        "the second write to a record is refused",
        "no write after the first is stored",
        "a write to a record is not stored",
    ][which];
    operator(format!("{says}, {verb}"), move |hooks, _| {
        let counts: Arc<Mutex<HashMap<String, usize>>> = Arc::default();
        hooks.on_write(move |asked, write| {
            if !asked.path.ends_with(verb) || write.refused.is_some() {
                return;
            }
            let key = if which == 2 {
                String::new()
            } else {
                write.id.clone()
            };
            let mut counts = counts.lock().unwrap();
            let count = counts.entry(key).or_default();
            *count += 1;
            match which {
                1 if *count == 2 => write.refused = Some(409),
                0 if *count == 2 => write.after = None,
                2 if *count > 1 => write.after = None,
                3 => write.after = None,
                _ => {}
            }
        });
    })
}

/// A write is refused and carried out.
fn late(verb: &'static str, status: u16) -> Operator {
    operator(
        format!("a write that is refused with {status} is stored, {verb}"),
        move |hooks, when| {
            let when = when.clone();
            hooks.settings.refuses_too_late = status == 401;
            hooks.on_write(move |asked, write| {
                if asked.path.ends_with(verb) && write.refused == Some(status) && when.asked(asked) {
                    write.stores_anyway = true;
                }
            });
        },
    )
}

/// A write changes what is shown of other records.
fn other_record(verb: &'static str, which: usize) -> Operator {
    let says = [
        "a user's badge",
        "the state of active users",
        "the username of every user",
    ][which];
    operator(format!("{verb} changes {says}"), move |hooks, when| {
        let (when, written) = (when.clone(), Arc::new(Mutex::new(false)));
        let is_written = Arc::clone(&written);
        hooks.on_write(move |asked, write| {
            if asked.path.ends_with(verb) && write.refused.is_none() && when.asked(asked) {
                *written.lock().unwrap() = true;
            }
        });
        hooks.on_record(move |asked, row, record| {
            if asked.on(USERS) && *is_written.lock().unwrap() {
                match which {
                    0 if row.id().ends_with('7') => record["badge_id"] = json!("changed"),
                    1 if row.text_of("state") == Some("active") => record["state"] = json!("suspended"),
                    2 => record["username"] = json!("changed"),
                    _ => {}
                }
            }
        });
    })
}

/// What was written is not seen in every place.
fn stale(which: usize) -> Operator {
    let says = ["among the included records", "in its list", "as a single record"][which];
    operator(format!("a write is not seen {says}"), move |hooks, when| {
        let (when, before) = (
            when.clone(),
            Arc::new(Mutex::new(HashMap::<String, Value>::new())),
        );
        let old = Arc::clone(&before);
        hooks.on_answer(move |asked, reply| {
            let is_shown = |id: &str| asked.path.ends_with(id);
            if asked.writes() || !reply.is_success() {
                return;
            }
            let old = old.lock().unwrap();
            let put = |record: &mut Value| {
                let known = record["id"].as_str().and_then(|id| old.get(id));
                for (name, member) in record.as_object_mut().into_iter().flatten() {
                    if let Some(known) = known.and_then(|known| known.get(name)) {
                        *member = known.clone();
                    }
                }
            };
            match which {
                0 => {
                    for record in reply.records().into_iter().flatten() {
                        if record["included"]["workspace_user"].is_object() {
                            put(&mut record["included"]["workspace_user"]);
                        }
                    }
                }
                1 => reply.records().into_iter().flatten().for_each(put),
                _ if old.keys().any(|id| is_shown(id)) => put(reply.body()),
                _ => {}
            }
        });
        hooks.on_write(move |asked, write| {
            if write.refused.is_none() && when.asked(asked) {
                let stored = Sample::get().rows.record(&write.id).cloned().unwrap_or_default();
                before.lock().unwrap().entry(write.id.clone()).or_insert(stored);
            }
        });
    })
}

/// The row that a write leaves behind, where it is carried out and meant.
fn after<'w>(asked: &Asked, write: &'w mut Write, verb: &str, when: &When) -> Option<&'w mut Row> {
    let is_meant = asked.path.ends_with(verb) && write.refused.is_none() && when.asked(asked);
    write.after.as_mut().filter(|_| is_meant)
}

fn expires(row: &mut Row, seconds: i64) {
    time(row, "expires_at", |text| {
        let at: Result<jiff::Timestamp, _> = text.parse();
        at.map_or(json!(text), |at| {
            json!(format!("{:.6}", at + jiff::SignedDuration::from_secs(seconds)))
        })
    });
}

fn time(row: &mut Row, member: &str, change: impl Fn(&str) -> Value) {
    let value = &mut row.record["timestamp"][member];
    if let Some(text) = value.as_str() {
        *value = change(text);
    }
}

fn remove(record: &mut Value, member: &str) {
    record.as_object_mut().map(|members| members.shift_remove(member));
}
