//! §4.2, §4.3: writes that take effect in one place or at one time alone, and writes that change something else.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::write_hooks::answer;
use crate::model::{USERS, Write};
use crate::{Asked, Hooks, Variant, fault};

/// The faults of writes that only a second look shows.
pub(super) fn faults() -> Vec<Variant> {
    vec![
        fault("the second write to an attribute is not stored", "W6", |hooks| {
            let counts: Mutex<HashMap<String, usize>> = Mutex::default();
            hooks.on_write(move |asked, write| {
                if asked.path.ends_with("/deprecate") && write.refused.is_none() {
                    let mut counts = counts.lock().unwrap();
                    let count = counts.entry(write.id.clone()).or_default();
                    *count += 1;
                    if *count == 2 {
                        write.after = None;
                    }
                }
            });
        }),
        fault("an expired workspace user stays as it is", "W9", |hooks| {
            hooks.on_write(|asked, write| {
                if asked.path.ends_with("/restore") && write.refused.is_none() {
                    write.after = None;
                }
            });
        }),
        fault("a write is not seen in its list", "W16", |hooks| {
            stale(hooks, |asked, id| asked.sent.iter().all(|(_, value)| value != id));
        }),
        fault("a write is not seen in its list by id", "W16", |hooks| {
            stale(hooks, |asked, id| asked.sent.iter().any(|(_, value)| value == id));
        }),
        fault(
            "a write is not seen where its record is included",
            "W16",
            |hooks| {
                let states: Arc<Mutex<HashMap<String, Value>>> = Arc::default();
                let own = Arc::clone(&states);
                hooks.on_rows(move |rows| {
                    for row in rows.of("/workspace/users") {
                        let state = row.record["state"].clone();
                        own.lock().unwrap().insert(row.id().to_owned(), state);
                    }
                });
                hooks.on_answer(move |asked, reply| {
                    let records = reply
                        .records()
                        .filter(|_| asked.path == USERS)
                        .into_iter()
                        .flatten();
                    for record in records {
                        let included = record.pointer_mut("/included/workspace_user");
                        let Some(user) = included.filter(|user| user.is_object()) else {
                            continue;
                        };
                        let id = user["id"].as_str().unwrap_or_default();
                        if let Some(state) = states.lock().unwrap().get(id) {
                            user["state"] = state.clone();
                        }
                    }
                });
            },
        ),
        fault(
            "a write to another record is the first one's as well",
            "W14",
            |hooks| {
                let ids: Arc<Mutex<Vec<String>>> = Arc::default();
                let own = Arc::clone(&ids);
                hooks.on_write(move |asked, write| {
                    if asked.path.starts_with("/directory/attributes") && write.refused.is_none() {
                        own.lock().unwrap().push(write.id.clone());
                    }
                });
                hooks.on_record(move |_, row, record| {
                    let ids = ids.lock().unwrap();
                    let is_first = ids.first().is_some_and(|first| first == row.id());
                    if is_first && ids.last() != ids.first() {
                        record["timestamp"]["expires_at"] = json!("2030-01-01T00:00:00.000000Z");
                    }
                });
            },
        ),
        fault("active people are suspended by a write", "W14", |hooks| {
            suspended(hooks, |writes| writes > 0);
        }),
        fault(
            "active people are suspended until the next write",
            "W14",
            |hooks| {
                suspended(hooks, |writes| writes % 2 == 1);
            },
        ),
        fault("predecessors of an attribute expire with it", "W14", |hooks| {
            let written: Arc<Mutex<Option<Write>>> = Arc::default();
            let own = Arc::clone(&written);
            hooks.on_write(move |asked, write| {
                if asked.path.ends_with("/deprecate") && write.refused.is_none() {
                    *own.lock().unwrap() = Some(write.clone());
                }
            });
            hooks.on_record(move |_, row, record| {
                let written = written.lock().unwrap();
                let successors = row.hidden.get("successor_id").into_iter().flatten();
                let successor = written
                    .as_ref()
                    .filter(|write| successors.into_iter().any(|id| *id == write.id));
                if let Some(after) = successor.and_then(|write| write.after.as_ref()) {
                    record["timestamp"]["expires_at"] = after.record["timestamp"]["expires_at"].clone();
                }
            });
        }),
        fault(
            "the first deprecation answers as if there was none",
            "W6",
            |hooks| {
                let ids: Arc<Mutex<BTreeSet<String>>> = Arc::default();
                answer(hooks, "/deprecate", move |record| {
                    let id = record["id"].as_str().unwrap_or_default().to_owned();
                    if ids.lock().unwrap().insert(id) {
                        record["state"] = json!("active");
                        record["timestamp"]["expires_at"] = Value::Null;
                    }
                });
            },
        ),
        fault("an offset is dropped", "W7", |hooks| {
            hooks.on_body(|asked, body| {
                let at = body.as_mut().and_then(|body| body.get_mut("expires_at"));
                if let (true, Some(Value::String(at))) = (asked.path.ends_with("/deprecate"), at)
                    && at.ends_with("+02:00")
                {
                    *at = at.replace("+02:00", "Z");
                }
            });
        }),
    ]
}

/// Shows records in lists as they were at the beginning, where that is meant.
fn stale(hooks: &mut Hooks, is_meant: impl Fn(&Asked, &str) -> bool + Send + Sync + 'static) {
    let stored: Arc<Mutex<HashMap<String, Value>>> = Arc::default();
    let own = Arc::clone(&stored);
    hooks.on_rows(move |rows| {
        for path in ["/workspace/users", "/directory/attributes"] {
            for row in rows.of(path) {
                own.lock()
                    .unwrap()
                    .insert(row.id().to_owned(), row.record.clone());
            }
        }
    });
    hooks.on_answer(move |asked, reply| {
        let stored = stored.lock().unwrap();
        for record in reply.records().into_iter().flatten() {
            let id = record["id"].as_str().unwrap_or_default();
            if let Some(old) = stored.get(id).filter(|_| is_meant(asked, id)) {
                for member in ["state", "timestamp"] {
                    record[member] = old[member].clone();
                }
            }
        }
    });
}

/// Shows active people as suspended after so many writes.
fn suspended(hooks: &mut Hooks, is_meant: impl Fn(usize) -> bool + Send + Sync + 'static) {
    let writes = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&writes);
    hooks.on_write(move |asked, write| {
        if asked.path.ends_with("/deprecate") && write.refused.is_none() {
            own.fetch_add(1, Ordering::Relaxed);
        }
    });
    hooks.on_record(move |asked, row, record| {
        let is_shown = asked.on(USERS) && row.text_of("state") == Some("active");
        if is_shown && is_meant(writes.load(Ordering::Relaxed)) {
            record["state"] = json!("suspended");
        }
    });
}
