//! Other writes (O1 to O11).

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use axum::http::Method;
use serde_json::{Value, json};

use super::transient::replaced;
use crate::model::{USERS, Write};
use crate::{Asked, Hooks, Variant, accepted, benign};

/// The variants of this section.
pub fn variants() -> Vec<Variant> {
    let mut variants = vec![
        accepted("O2", "offered", "records can be activated", |hooks| {
            hooks.settings.activates = true
        }),
        accepted(
            "O3",
            "any-state",
            "a deprecated attribute is deactivated",
            |hooks| {
                after(hooks, "deprecateDirectoryAttribute", |record| {
                    record["state"] = json!("deactivated");
                });
                hooks.on_write(|_, write| {
                    if write.operation == "deprecateDirectoryAttribute" && write.refused == Some(409) {
                        write.refused = None;
                    }
                });
            },
        ),
        accepted("O4", "granted", "both options are taken", |hooks| {
            hooks.on_body(|_, body| {
                if let Some(body) = body.as_mut().and_then(Value::as_object_mut)
                    && body.get("expires_at").is_some_and(Value::is_string)
                    && body.get("expires_after_days").is_some_and(Value::is_i64)
                {
                    body.remove("expires_after_days");
                }
            });
        }),
        accepted("O5", "refused", "neither option is refused", |hooks| {
            deprecating(hooks, |asked, write| {
                if asked.body == Some(json!({})) {
                    write.refused = Some(422);
                }
            });
        }),
        accepted(
            "O6",
            "refused",
            "a timestamp that has passed is refused",
            |hooks| {
                deprecating(hooks, |_, write| {
                    let at = write.body.get("expires_at").and_then(Value::as_str);
                    let at = at.and_then(|text| text.parse::<jiff::Timestamp>().ok());
                    if at.is_some_and(|at| at < jiff::Timestamp::now()) {
                        write.refused = Some(422);
                    }
                });
            },
        ),
        accepted(
            "O7",
            "any-state",
            "a restored workspace user is staged",
            |hooks| {
                after(hooks, "restoreWorkspaceUser", |record| {
                    record["state"] = json!("staged")
                });
            },
        ),
        accepted("O7", "granted", "anything can be restored", |hooks| {
            nobody_is_deprecated(hooks);
            hooks.on_write(|_, write| {
                if write.operation == "restoreWorkspaceUser" && write.refused == Some(409) {
                    write.refused = None;
                }
            });
        }),
        accepted("O8", "any-effect", "roles do not come back", |hooks| {
            after(hooks, "restoreWorkspaceUser", |record| {
                record["count"]["workspace_roles"] = json!(0);
            });
        }),
        accepted("O9", "not-offered", "no extensions", |hooks| {
            hooks.settings.without_extensions = Some(404)
        }),
        accepted("O10", "any-success", "writes answer 202", |hooks| {
            hooks.settings.written = Some(202)
        }),
        accepted(
            "O10",
            "any-success",
            "writes answer 202 with the record before them",
            carried_out_later,
        ),
        accepted("O11", "offered", "records have ETags", |hooks| {
            hooks.on_answer(|_, reply| {
                let tag = format!("\"{}\"", reply.body().to_string().len());
                reply.set("etag", tag);
            });
        }),
        accepted(
            "O12",
            "converted",
            "values of another type are converted",
            |hooks| {
                hooks.on_body(|_, body| {
                    for (name, value) in body.as_mut().and_then(Value::as_object_mut).into_iter().flatten() {
                        if let Some(meant) = converted(name, value) {
                            *value = meant;
                        }
                    }
                });
            },
        ),
        benign("a broken body is an error of the server", |hooks| {
            hooks.on_answer(|asked, reply| {
                let is_deprecating = asked.path.ends_with("/deprecate");
                let is_broken = asked.body.is_none() || is_deprecating && asked.body == Some(json!(7));
                if asked.writes() && is_broken && matches!(reply.status, 400 | 422) {
                    reply.status = 500;
                }
            });
        }),
        benign(
            "an id of a write is known in capitals, and with a blank at its end",
            |hooks| {
                hooks.on_request(|asked| {
                    if asked.writes() {
                        let (path, verb) = asked.path.rsplit_once('/').unwrap_or_default();
                        asked.path = format!("{}/{verb}", path.trim_end_matches("%20").to_lowercase());
                    }
                });
            },
        ),
        benign("an expired workspace user cannot be restored", |hooks| {
            hooks.on_write(|_, write| {
                let was_deleted = write.refused.is_none() && write.operation == "restoreWorkspaceUser";
                let row = write.after.as_ref().filter(|_| was_deleted);
                if row.is_some_and(|row| !row.was_trashed()) {
                    write.refused = Some(422);
                }
            });
        }),
        benign("a record counts how often it is read", counts_its_reads),
        benign("a body that is no object says nothing", |hooks| {
            hooks.on_body(|asked, body| {
                if asked.path.ends_with("/deprecate") && body.as_ref().is_some_and(|body| !body.is_object()) {
                    *body = Some(json!({}));
                }
            });
        }),
        benign("a timestamp without an offset is in UTC", |hooks| {
            timestamps(hooks, |text| {
                let civil: Result<jiff::civil::DateTime, _> = text.parse();
                (text.len() >= 19 && civil.is_ok() && text.parse::<jiff::Timestamp>().is_err())
                    .then(|| json!(format!("{text}Z")))
            });
        }),
        benign("a timestamp with an offset is refused", |hooks| {
            timestamps(hooks, |text| (!text.ends_with('Z')).then(|| json!("refused")));
        }),
        benign("timestamps are stored in seconds", |hooks| {
            after(hooks, "deprecateDirectoryAttribute", |record| {
                let end = &mut record["timestamp"]["expires_at"];
                if let Some(text) = end.as_str().and_then(|text| text.get(..19)) {
                    *end = json!(format!("{text}.000000Z"));
                }
            });
        }),
        benign("an attribute that expires cannot be deprecated again", |hooks| {
            let deprecated: Mutex<HashSet<String>> = Mutex::default();
            deprecating(hooks, move |_, write| {
                if !deprecated.lock().unwrap().insert(write.id.clone()) {
                    write.refused = Some(409);
                }
            });
        }),
        benign("people follow the attributes that expire", |hooks| {
            let is_written = Arc::new(AtomicBool::new(false));
            let own = Arc::clone(&is_written);
            deprecating(hooks, move |_, _| own.store(true, Ordering::Relaxed));
            hooks.on_record(move |asked, _, record| {
                if asked.on(USERS) && is_written.load(Ordering::Relaxed) {
                    record["org"] = json!({"followed": "yes"});
                    record["count"]["manifest_rules"] = json!(0);
                    record["timestamp"]["updated_at"] = json!("2026-06-01T00:00:00.000000Z");
                }
            });
        }),
        benign("days end at the midnight of a zone with summer time", |hooks| {
            deprecating(hooks, |_, write| {
                let days = write.body.get("expires_after_days").and_then(Value::as_i64);
                let (Some(days @ 1..), Some(row)) = (days, &mut write.after) else {
                    return;
                };
                let end = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(days * 24);
                let date = end.strftime("%Y-%m-%d");
                let hour = if (100..300).contains(&days) { 22 } else { 23 };
                row.record["timestamp"]["expires_at"] = json!(format!("{date}T{hour}:00:00.000000Z"));
            });
        }),
        benign("an expiring workspace user cannot be restored", |hooks| {
            nobody_is_deprecated(hooks);
            hooks.on_rows(|rows| {
                for row in rows.of("/workspace/users") {
                    row.record["state"] = json!("expiring");
                    row.record["timestamp"]["expires_at"] = json!("2099-01-01T00:00:00.000000Z");
                }
            });
            hooks.on_write(|_, write| {
                if write.operation == "restoreWorkspaceUser" && write.after.is_some() {
                    write.refused = Some(409);
                }
            });
        }),
    ];
    for (answer, status) in [("not-found", 404), ("conflict", 409), ("unprocessable", 422)] {
        let name = format!("only a deprecated workspace user can be restored: {status}");
        variants.push(accepted("O7", answer, name, move |hooks| {
            nobody_is_deprecated(hooks);
            hooks.on_write(move |_, write| {
                if write.operation == "restoreWorkspaceUser" && write.refused.is_none() {
                    write.refused = Some(status);
                }
            });
        }));
    }
    variants
}

/// A write is answered before it is carried out.
fn carried_out_later(hooks: &mut Hooks) {
    hooks.settings.written = Some(202);
    let replaced = replaced(hooks);
    hooks.on_answer(move |asked, reply| {
        let is_written = asked.writes() && reply.is_success();
        let id = reply.body()["id"].as_str().unwrap_or_default().to_owned();
        if let Some((_, before)) = replaced.lock().unwrap().get(&id).filter(|_| is_written) {
            for member in ["state", "timestamp"] {
                reply.body()[member] = before[member].clone();
            }
        }
    });
}

/// Every record says how often it was read alone.
fn counts_its_reads(hooks: &mut Hooks) {
    let reads: Arc<Mutex<HashMap<String, u32>>> = Arc::default();
    let shown = Arc::clone(&reads);
    hooks.on_record(move |_, row, record| {
        record["reads"] = json!(shown.lock().unwrap().get(row.id()));
    });
    hooks.on_answer(move |asked, reply| {
        let id = reply.body()["id"]
            .as_str()
            .filter(|_| asked.method == Method::GET);
        if let Some(id) = id {
            *reads.lock().unwrap().entry(id.to_owned()).or_default() += 1;
        }
    });
}

/// The value that one of another type plainly means, as a framework converts it.
fn converted(name: &str, value: &Value) -> Option<Value> {
    let text = value.as_str();
    match name {
        "expires_after_days" => {
            let number = text.and_then(|text| text.trim().parse::<i64>().ok());
            number.or_else(|| value.as_bool().map(i64::from)).map(Value::from)
        }
        "expires_at" => {
            let seconds = value.as_i64().or_else(|| text?.parse().ok());
            let timestamp = seconds.and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
            let date = text.filter(|text| text.parse::<jiff::civil::Date>().is_ok() && text.len() == 10);
            let midnight = date.map(|date| format!("{date}T00:00:00Z"));
            timestamp
                .map(|at| format!("{at:.6}"))
                .or(midnight)
                .map(Value::from)
        }
        "roles" => match (text, value.as_i64()) {
            (Some("yes" | "true" | "on" | "1"), _) | (_, Some(1)) => Some(json!(true)),
            (Some("no" | "false" | "off" | "0"), _) | (_, Some(0)) => Some(json!(false)),
            _ => None,
        },
        _ => None,
    }
}

/// No workspace user is soft-deleted or expired, and nothing can make one so.
fn nobody_is_deprecated(hooks: &mut Hooks) {
    hooks.settings.without_extensions = Some(404);
    // What is an extension is not served, so that workspace users are found through relations.
    hooks.on_rows(|rows| {
        for row in rows.of("/workspace/users") {
            if row.text_of("state") == Some("expired") {
                row.record["state"] = json!("active");
                row.record["timestamp"]["expires_at"] = Value::Null;
            }
            row.record["timestamp"]["deleted_at"] = Value::Null;
        }
    });
}

/// Takes a timestamp in a body for something else.
fn timestamps(hooks: &mut Hooks, take: impl Fn(&str) -> Option<Value> + Send + Sync + 'static) {
    hooks.on_body(move |asked, body| {
        let at = body.as_mut().and_then(|body| body.get_mut("expires_at"));
        if let (true, Some(at)) = (asked.path.ends_with("/deprecate"), at)
            && let Some(taken) = at.as_str().and_then(&take)
        {
            *at = taken;
        }
    });
}

/// Changes the record that a write leaves behind.
fn after(hooks: &mut Hooks, operation: &'static str, change: impl Fn(&mut Value) + Send + Sync + 'static) {
    hooks.on_write(move |_, write| {
        if write.operation == operation
            && let Some(row) = &mut write.after
        {
            change(&mut row.record);
        }
    });
}

/// Changes what a write that deprecates an attribute comes to.
fn deprecating(hooks: &mut Hooks, change: impl Fn(&Asked, &mut Write) + Send + Sync + 'static) {
    hooks.on_write(move |asked, write| {
        if write.operation == "deprecateDirectoryAttribute" && write.refused.is_none() {
            change(asked, write);
        }
    });
}
