//! §4.2, §4.3: faults of writes.

use std::collections::HashSet;
use std::sync::Mutex;

use serde_json::{Value, json};

use super::write_hooks::{answer, no_days, stored, timestamps};
use crate::{Variant, fault};

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    let mut faults = super::writes_refused::faults();
    faults.extend(accepted());
    faults.extend(answered());
    faults.extend(super::writes_seen::faults());
    faults
}

/// What has to be accepted and is not.
fn accepted() -> Vec<Variant> {
    vec![
        fault("no days are refused", "W2", |hooks| no_days(hooks, 0)),
        fault("the longest time is refused", "W2", |hooks| no_days(hooks, 1095)),
        fault("attributes cannot be deprecated", "W2", |hooks| {
            hooks.on_write(|_, write| {
                if write.operation == "deprecateDirectoryAttribute" && write.refused.is_none() {
                    write.refused = Some(405);
                }
            });
        }),
        fault("null is refused", "W3", |hooks| {
            hooks.on_write(|_, write| {
                if write.body.values().any(Value::is_null) {
                    write.refused = Some(422);
                }
            });
        }),
        fault("an empty body fails", "W3", |hooks| {
            hooks.on_write(|asked, write| {
                if asked.body == Some(json!({})) && asked.path.ends_with("/deprecate") {
                    write.refused = Some(500);
                }
            });
        }),
        fault("an empty body of two nulls fails", "W3", |hooks| {
            hooks.on_write(|_, write| {
                if write.body.len() == 2 && write.body.values().all(Value::is_null) {
                    write.refused = Some(500);
                }
            });
        }),
        fault("29 February is refused", "W7", |hooks| {
            hooks.on_write(|_, write| {
                let at = write.body.get("expires_at").and_then(Value::as_str);
                if at.is_some_and(|at| at.contains("-02-29T")) {
                    write.refused = Some(422);
                }
            });
        }),
        fault("an end beyond 32 bits is cut", "W7", |hooks| {
            timestamps(hooks, |timestamp| {
                let [at, last] =
                    [timestamp, "2038-01-19T03:14:07Z"].map(|text| text.parse::<jiff::Timestamp>().unwrap());
                json!(format!("{:.6}", at.min(last)))
            });
        }),
        fault(
            "roles that are left out are those of the write before",
            "W8",
            |hooks| {
                let earlier = Mutex::new(HashSet::new());
                hooks.on_answer(move |asked, reply| {
                    let is_restore = asked.path.ends_with("/restore");
                    let mut earlier = earlier.lock().unwrap();
                    if is_restore && reply.is_success() {
                        earlier.insert(asked.path.clone());
                    }
                    if is_restore && asked.body == Some(json!({})) && earlier.contains(&asked.path) {
                        reply.status = 200;
                    }
                });
            },
        ),
        fault("a fraction of a second is refused", "W7", |hooks| {
            hooks.on_write(|_, write| {
                let at = write.body.get("expires_at").and_then(Value::as_str);
                if at.is_some_and(|at| at.contains('.')) {
                    write.refused = Some(422);
                }
            });
        }),
        fault("one of the values of roles is refused", "W9", |hooks| {
            hooks.on_write(|_, write| {
                if write.body.get("roles") == Some(&json!(false)) {
                    write.refused = Some(422);
                }
            });
        }),
    ]
}

/// What is answered or stored and should not be.
fn answered() -> Vec<Variant> {
    vec![
        fault("the answer is another record", "W5", |hooks| {
            answer(hooks, "/deprecate", |body| body["id"] = json!("dratr_another"));
        }),
        fault("the answer is a record in an object", "W5", |hooks| {
            answer(hooks, "/deprecate", |body| *body = json!({"data": body.take()}));
        }),
        fault("a restore answers a record in an object", "W9", |hooks| {
            answer(hooks, "/restore", |body| *body = json!({"data": body.take()}));
        }),
        fault(
            "the record that a write answers with is called HTML",
            "W5",
            |hooks| {
                hooks.on_answer(|asked, reply| {
                    if asked.writes() {
                        reply.set("content-type", "text/html");
                    }
                });
            },
        ),
        fault("the answer is half a record", "W5", |hooks| {
            answer(hooks, "/deprecate", |body| {
                body.as_object_mut().map(|members| members.remove("handle"));
            });
        }),
        fault("the answer has another name than the record", "W5", |hooks| {
            answer(hooks, "/deprecate", |body| body["name"] = json!("Changed"));
        }),
        fault(
            "the answer to a deprecation says expired too early",
            "W5",
            |hooks| {
                answer(hooks, "/deprecate", |body| body["state"] = json!("expired"));
            },
        ),
        fault("days are hours", "W6", |hooks| {
            stored(hooks, |row, body| {
                if let Some(days) = body["expires_after_days"].as_i64() {
                    let end = jiff::Timestamp::now().checked_add(jiff::SignedDuration::from_hours(days));
                    row.record["timestamp"]["expires_at"] = json!(end.map(|end| end.to_string()).ok());
                }
            });
        }),
        fault("days in the other season have another hour", "W6", |hooks| {
            stored(hooks, |row, body| {
                // Whatever the day of the test is: it does not use the seasons of a real zone.
                let days = body["expires_after_days"].as_i64();
                let hours = days
                    .filter(|days| (100..300).contains(days))
                    .map(|days| days * 24 - 1);
                if let Some(hours) = hours {
                    let end = jiff::Timestamp::now().checked_add(jiff::SignedDuration::from_hours(hours));
                    row.record["timestamp"]["expires_at"] = json!(end.map(|end| end.to_string()).ok());
                }
            });
        }),
        fault("a timestamp is shifted by a zone", "W7", |hooks| {
            timestamps(hooks, |timestamp| {
                let shifted: jiff::Timestamp = timestamp.parse().unwrap();
                json!((shifted - jiff::SignedDuration::from_hours(1)).to_string())
            });
        }),
        fault("a timestamp loses its time", "W7", |hooks| {
            timestamps(hooks, |timestamp| {
                json!(format!(
                    "{}T00:00:00.000000Z",
                    timestamp.get(..10).unwrap_or(timestamp)
                ))
            });
        }),
        fault("a timestamp is answered and not stored", "W7", |hooks| {
            timestamps(hooks, |_| Value::Null);
            hooks.on_answer(|asked, reply| {
                let given = asked.body.as_ref().and_then(|body| body["expires_at"].as_str());
                let given = given.and_then(|text| text.parse::<jiff::Timestamp>().ok());
                if let (true, true, Some(at)) =
                    (asked.path.ends_with("/deprecate"), reply.is_success(), given)
                {
                    reply.body()["timestamp"]["expires_at"] = json!(format!("{at:.6}"));
                }
            });
        }),
        fault("deleted_at stays after a restore", "W9", |hooks| {
            stored(hooks, |row, body| {
                if body.get("roles").is_some() {
                    row.record["timestamp"]["deleted_at"] = json!("2026-01-01T00:00:00.000000Z");
                }
            });
        }),
        fault("a restore answers another end", "W9", |hooks| {
            answer(hooks, "/restore", |body| {
                body["timestamp"]["expires_at"] = json!("2020-02-02T02:02:02.000000Z");
            });
        }),
        fault("a restore answers another record", "W9", |hooks| {
            answer(hooks, "/restore", |body| body["id"] = json!("wsusr_another"));
        }),
    ]
}
