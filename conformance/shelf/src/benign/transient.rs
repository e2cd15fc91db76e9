//! What conforms although it is not the same each time: data that moves, failures in passing.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::http::Method;
use serde_json::{Map, Value, json};

use super::long::SHORT;
use super::records::walk;
use crate::reply::Reply;
use crate::{Asked, Hooks, Variant, benign};

/// Data that moves while it is read.
pub fn moving() -> Vec<Variant> {
    vec![
        benign("a person changes every few requests", |hooks| {
            hooks.settings.moves_every = 5
        }),
        benign("a person changes five times a second", |hooks| {
            hooks.settings.moves_each = Duration::from_millis(200)
        }),
        benign("each request is an activity", active_always),
        benign("each request is an activity, on short pages", |hooks| {
            hooks.settings.page_size = Some(SHORT);
            active_always(hooks);
        }),
        benign("each request is an activity of every account", active_everywhere),
    ]
}

/// Every account was last active at the request that shows it, wherever it is shown.
pub(crate) fn active_everywhere(hooks: &mut Hooks) {
    let requests = AtomicU32::new(0);
    hooks.on_answer(move |_, reply| {
        let number = requests.fetch_add(1, Ordering::Relaxed);
        let active = |timestamps: &mut Map<String, Value>| {
            let at = timestamps.get_mut("last_activity_at");
            for at in at.into_iter().filter(|at| !at.is_null()) {
                *at = json!(format!("2026-01-01T00:00:00.{number:06}Z"));
            }
        };
        if reply.is_success() {
            walk(reply.body(), &active);
        }
    });
}

/// The workspace user that the token belongs to was last active at the request that shows it.
fn active_always(hooks: &mut Hooks) {
    let requests = AtomicU32::new(0);
    hooks.on_answer(move |asked, reply| {
        let number = requests.fetch_add(1, Ordering::Relaxed);
        let records = reply.records().filter(|_| asked.on("/workspace/users"));
        let is_owner = |record: &Value| record["id"].as_str().is_some_and(|id| id.ends_with("0003"));
        for record in records.into_iter().flatten().filter(|record| is_owner(record)) {
            record["timestamp"]["last_activity_at"] = json!(format!("2026-01-01T00:00:00.{number:06}Z"));
        }
    });
}

/// Failures that are gone when the same request is sent again.
pub fn transient() -> Vec<Variant> {
    vec![
        benign("each request fails once", |hooks| {
            once(hooks, |_, reply| *reply = Reply::problem(502));
        }),
        benign("every hundredth list gets no answer", |hooks| {
            hooks.on_answer(|asked, reply| {
                if asked.method == Method::GET && asked.number % 100 == 99 {
                    reply.cut_off();
                }
            });
        }),
        benign("each list lacks a member once", lacks_a_member),
        benign("each list lacks a member once, on short pages", |hooks| {
            hooks.settings.page_size = Some(SHORT);
            lacks_a_member(hooks);
        }),
        benign("each list is no JSON once", |hooks| {
            once(hooks, |asked, reply| {
                if asked.method == Method::GET {
                    reply.say("<html>");
                }
            });
        }),
        benign("another media type once", |hooks| {
            once(hooks, |_, reply| reply.set("content-type", "text/html"));
        }),
        benign("every request is granted once", |hooks| {
            let seen = Seen::default();
            hooks
                .on_grant(move |asked| (asked.method == Method::GET && seen.is_first(asked)).then_some(true));
        }),
        benign("a refusal shows a record once", |hooks| {
            once(hooks, |_, reply| {
                if reply.status == 401 {
                    reply.say("drusr_k00000 drusr_k00001 dratr_a0000");
                }
            });
        }),
        benign("a write is shown 60 ms after its answer", |hooks| {
            shown_late(hooks, Duration::from_millis(60));
        }),
        benign("a write is shown 400 ms after its answer", |hooks| {
            shown_late(hooks, Duration::from_millis(400));
        }),
        benign("each write is answered with another record once", |hooks| {
            once(hooks, |asked, reply| {
                if asked.writes() && reply.is_success() {
                    reply.body()["id"] = json!("another");
                }
            });
        }),
    ]
}

/// The last write to each record, by the identifier of the record: the time of the write, and the record before it.
pub(super) type Replaced = Arc<Mutex<HashMap<String, (Instant, Value)>>>;

/// Keeps what each write replaces.
pub(super) fn replaced(hooks: &mut Hooks) -> Replaced {
    let known: Arc<Mutex<HashMap<String, Value>>> = Arc::default();
    let replaced = Replaced::default();
    let (first, own) = (Arc::clone(&known), Arc::clone(&replaced));
    hooks.on_rows(move |rows| {
        for path in ["/workspace/users", "/directory/attributes"] {
            let rows = rows.of(path).iter();
            let records = rows.map(|row| (row.id().to_owned(), row.record.clone()));
            first.lock().unwrap().extend(records);
        }
    });
    hooks.on_write(move |_, write| {
        if let (None, Some(row)) = (write.refused, &write.after) {
            let old = known.lock().unwrap().insert(write.id.clone(), row.record.clone());
            let old = old.map(|old| (write.id.clone(), (Instant::now(), old)));
            own.lock().unwrap().extend(old);
        }
    });
    replaced
}

/// Records are read from a copy, which shows a write so long after its answer.
fn shown_late(hooks: &mut Hooks, later: Duration) {
    let replaced = replaced(hooks);
    hooks.on_answer(move |asked, reply| {
        if asked.writes() || !reply.is_success() {
            return;
        }
        let replaced = replaced.lock().unwrap();
        walk(reply.body(), &|record| {
            let old = record.get("id").and_then(|id| replaced.get(id.as_str()?));
            let Some((_, old)) = old.filter(|(at, _)| at.elapsed() < later) else {
                return;
            };
            for member in ["state", "timestamp"] {
                if record.contains_key(member) {
                    record.insert(member.to_owned(), old[member].clone());
                }
            }
        });
    });
}

fn lacks_a_member(hooks: &mut Hooks) {
    once(hooks, |_, reply| {
        if let Some(record) = reply.records().and_then(|records| records.first_mut()) {
            record["id"] = Value::Null;
            record["state"] = json!("odd");
            record["count"] = json!([]);
            record["links"] = Value::Null;
            record["timestamp"] = Value::Null;
            record["org"] = json!([]);
        }
    });
}

/// The requests that were sent before.
#[derive(Default)]
struct Seen(Mutex<HashSet<String>>);

impl Seen {
    fn is_first(&self, asked: &Asked) -> bool {
        let Asked {
            method,
            path,
            sent,
            credentials,
            body,
            ..
        } = asked;
        let key = format!("{method} {path} {sent:?} {credentials:?} {body:?}");
        self.0.lock().unwrap().insert(key)
    }
}

/// Changes the first answer to each request.
fn once(hooks: &mut Hooks, change: impl Fn(&Asked, &mut Reply) + Send + Sync + 'static) {
    let seen = Seen::default();
    hooks.on_answer(move |asked, reply| {
        if seen.is_first(asked) {
            change(asked, reply);
        }
    });
}
