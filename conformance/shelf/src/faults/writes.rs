//! §4.2, §4.3: faults of writes.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::model::Row;
use crate::{Hooks, TOKEN, Variant, fault};

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    let mut faults = refused();
    faults.extend(accepted());
    faults.extend(answered());
    faults.extend(super::writes_seen::faults());
    faults
}

/// What has to be refused and is not.
fn refused() -> Vec<Variant> {
    vec![
        fault("a write takes the name away", "W14", |hooks| {
            stored(hooks, |row, _| row.record["name"] = json!("Somebody"));
        }),
        fault("a write to an unknown id succeeds", "W10", |hooks| {
            hooks.on_answer(|asked, reply| {
                if asked.writes() && reply.status == 404 {
                    reply.status = 200;
                }
            });
        }),
        fault("a person's id stands for their workspace user", "W10", |hooks| {
            let accounts = Arc::new(Mutex::new(HashMap::new()));
            let known = Arc::clone(&accounts);
            hooks.on_rows(move |rows| {
                let people = rows.of("/directory/users").iter();
                let pairs = people.flat_map(|row| {
                    let accounts = row.hidden["workspace_user_id"].iter();
                    accounts.map(|account| (row.id().to_owned(), account.clone()))
                });
                known.lock().unwrap().extend(pairs);
            });
            hooks.on_request(move |asked| {
                let accounts = accounts.lock().unwrap();
                let id = asked.path.split('/').nth(3).unwrap_or_default();
                if let (true, Some(account)) = (asked.path.ends_with("/restore"), accounts.get(id)) {
                    asked.path = asked.path.replace(id, account);
                }
            });
        }),
        fault("1096 days are accepted", "W1", |hooks| {
            days(hooks, |days| (days == 1096).then_some(1095.into()));
        }),
        fault("a day ago is accepted", "W1", |hooks| {
            days(hooks, |days| (days == -1).then_some(0.into()));
        }),
        fault("days are cut to whole ones", "W1", |hooks| {
            days(hooks, |days| Some((days.as_f64()? as i64).into()));
        }),
        fault("a timestamp that is none is ignored", "W4", |hooks| {
            members(hooks, |body| {
                if body["expires_at"]
                    .as_str()
                    .is_some_and(|text| text.parse::<jiff::Timestamp>().is_err())
                {
                    body["expires_at"] = Value::Null;
                }
            });
        }),
        fault("days keep their lower 16 bits", "W1", |hooks| {
            days(hooks, |days| {
                (days.as_i64()? > 65_536).then(|| json!(days.as_i64().unwrap_or(0) & 0xffff))
            });
        }),
        fault("a day ago is accepted right after another write", "W1", |hooks| {
            hooks.on_body(|asked, body| {
                let is_after = asked.previous.as_deref().is_some_and(|one| one.asked.writes());
                let days = body.as_mut().and_then(|body| body.get_mut("expires_after_days"));
                if let Some(days) = days.filter(|days| is_after && **days == json!(-1)) {
                    *days = json!(0);
                }
            });
        }),
        fault("restoring needs no token", "W15", |hooks| {
            hooks.on_grant(|asked| {
                (asked.path.ends_with("/restore") && asked.credentials.is_none()).then_some(true)
            });
        }),
        fault("restoring takes a part of the token", "W15", |hooks| {
            hooks.on_grant(|asked| {
                let token = asked.credentials.as_deref()?.strip_prefix("Bearer ")?;
                let is_part = token.len() > 8 && TOKEN.starts_with(token);
                (asked.path.ends_with("/restore") && is_part).then_some(true)
            });
        }),
        fault("a list around roles is taken for its first", "W8", |hooks| {
            hooks.on_body(|asked, body| {
                let first = body
                    .as_ref()
                    .and_then(Value::as_array)
                    .and_then(|all| all.first());
                if let (true, Some(first)) = (asked.path.ends_with("/restore"), first.cloned()) {
                    *body = Some(first);
                }
            });
        }),
        fault("an unknown id breaks the server", "W10", |hooks| {
            hooks.on_answer(|asked, reply| {
                if asked.writes() && reply.status == 404 {
                    reply.status = 500;
                }
            });
        }),
        fault(
            "the range of days is not looked at beside a null date",
            "W1",
            |hooks| {
                members(hooks, |body| {
                    let is_null = body.get("expires_at").is_some_and(Value::is_null);
                    if let (true, Some(days)) = (is_null, body["expires_after_days"].as_i64()) {
                        body["expires_after_days"] = json!(days.clamp(0, 1095));
                    }
                });
            },
        ),
        fault("a restore is refused and stored", "W11", |hooks| {
            hooks.on_write(|asked, write| {
                write.stores_anyway = asked.path.ends_with("/restore") && write.refused == Some(409);
            });
        }),
        fault("roles may be any word", "W8", |hooks| {
            members(hooks, |body| {
                if body["roles"].is_string() {
                    body["roles"] = json!(true);
                }
            });
        }),
        fault(
            "roles may be any word, and nothing can be deprecated",
            "W8",
            |hooks| {
                hooks.settings.without_extensions = Some(404);
                members(hooks, |body| {
                    if body["roles"].is_string() {
                        body["roles"] = json!(true);
                    }
                });
            },
        ),
        fault("roles may be left out", "W8", |hooks| {
            hooks.on_body(|asked, body| {
                if asked.path.ends_with("/restore") && *body == Some(json!({})) {
                    *body = Some(json!({"roles": false}));
                }
            });
        }),
        fault("a broken body is an empty one", "W13", |hooks| {
            hooks.on_body(|asked, body| {
                if asked.path.ends_with("/deprecate") && body.is_none() {
                    *body = Some(json!({}));
                }
            });
        }),
        fault("a body that is refused is stored", "W11", |hooks| {
            hooks.on_write(|_, write| write.stores_anyway = write.refused == Some(422));
        }),
    ]
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

/// Rewrites the body of a write that is JSON.
fn members(hooks: &mut Hooks, rewrite: impl Fn(&mut Value) + Send + Sync + 'static) {
    hooks.on_body(move |_, body| {
        if let Some(body) = body
            .as_mut()
            .filter(|body| body.as_object().is_some_and(|body| !body.is_empty()))
        {
            rewrite(body);
            // Looking at a member that is not there has made it null.
            body.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        }
    });
}

/// Takes some days for others.
fn days(hooks: &mut Hooks, take: impl Fn(&Value) -> Option<Value> + Send + Sync + 'static) {
    hooks.on_body(move |_, body| {
        if let Some(days) = body.as_mut().and_then(|body| body.get_mut("expires_after_days"))
            && let Some(others) = take(days)
        {
            *days = others;
        }
    });
}

/// Refuses some days.
fn no_days(hooks: &mut Hooks, days: i64) {
    hooks.on_write(move |_, write| {
        if write.body.get("expires_after_days") == Some(&json!(days)) {
            write.refused = Some(422);
        }
    });
}

/// Changes what a write stores.
fn stored(hooks: &mut Hooks, change: impl Fn(&mut Row, &Value) + Send + Sync + 'static) {
    hooks.on_write(move |_, write| {
        let body = Value::Object(write.body.clone());
        if let Some(after) = &mut write.after {
            change(after, &body);
        }
    });
}

/// Changes the timestamp that a write stores, if it was given one.
fn timestamps(hooks: &mut Hooks, change: impl Fn(&str) -> Value + Send + Sync + 'static) {
    stored(hooks, move |row, body| {
        let timestamp = body["expires_at"].as_str();
        if let Some(timestamp) = timestamp.filter(|text| text.parse::<jiff::Timestamp>().is_ok()) {
            row.record["timestamp"]["expires_at"] = change(timestamp);
        }
    });
}

/// Changes what a write answers.
fn answer(hooks: &mut Hooks, verb: &'static str, change: impl Fn(&mut Value) + Send + Sync + 'static) {
    hooks.on_answer(move |asked, reply| {
        if asked.path.ends_with(verb) && reply.is_success() {
            change(reply.body());
        }
    });
}
