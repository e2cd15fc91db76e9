//! §4: errors of the server's where none may be.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::{Map, Value};

use super::included;
use crate::{Asked, Hooks, Variant, fault};

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    vec![
        fault("long values fail", "H1", |hooks| {
            fail(hooks, |asked| {
                asked
                    .filters()
                    .any(|(_, value)| value.len() >= 200 && value.is_ascii())
            });
        }),
        fault("values longer than a column fail", "H1", |hooks| {
            fail(hooks, |asked| {
                asked
                    .filters()
                    .any(|(_, value)| value.len() > 255 && value.is_ascii())
            });
        }),
        fault(
            "small letters in percent-encoding are not understood",
            "H3",
            |hooks| {
                hooks.on_query(|asked| {
                    let written = asked.written.split('&').filter_map(|pair| pair.split_once('='));
                    for ((_, value), (_, written)) in asked.query.iter_mut().zip(written) {
                        let mut escapes = written.split('%').skip(1);
                        if escapes
                            .any(|escape| escape.chars().take(2).any(|digit| digit.is_ascii_lowercase()))
                        {
                            written.clone_into(value);
                        }
                    }
                });
            },
        ),
        fault("a packed body does not say that it is packed", "H3", |hooks| {
            hooks.on_answer(|asked, reply| {
                let is_taken = asked.headers.iter().any(|name| name == "accept-encoding");
                if is_taken && reply.is_success() && reply.length() > 2_000 {
                    reply.say("\u{1f}\u{fffd}\u{8}");
                }
            });
        }),
        fault("a window that ends before it begins fails", "H1", |hooks| {
            fail(hooks, |asked| {
                let bound = |end: &str| asked.value(&format!("filter[created_{end}]"));
                bound("after")
                    .zip(bound("before"))
                    .is_some_and(|(from, to)| from > to)
            });
        }),
        fault("letters of other scripts fail", "H1", |hooks| {
            fail(hooks, |asked| {
                asked.filters().any(|(_, value)| value.contains('北'))
            });
        }),
        fault("characters outside the first plane fail", "H1", |hooks| {
            fail(hooks, |asked| {
                asked
                    .filters()
                    .any(|(_, value)| value.chars().any(|letter| letter > '\u{ffff}'))
            });
        }),
        fault("an order and all relations fail", "H1", |hooks| {
            fail(hooks, |asked| {
                asked.has("sort") && asked.words("include").len() > 8
            });
        }),
        fault("a number of relations gets no answer", "H1", |hooks| {
            hooks.on_answer(|asked, reply| {
                if asked.words("include").contains(&"manager-user-count") {
                    reply.cut_off();
                }
            });
        }),
        fault("a write that is granted gets no answer", "H1", |hooks| {
            hooks.on_answer(|asked, reply| {
                if asked.writes() && reply.is_success() {
                    reply.cut_off();
                }
            });
        }),
        included(
            "beside a header the secondary user is the manager's",
            "H3",
            |asked, row, included| {
                let is_asked = asked.headers.iter().any(|name| name == "cache-control");
                let manager = row.record["manager_id"].clone();
                if let Some(shown) = included.get_mut("secondary_users").and_then(Value::as_object_mut)
                    && is_asked
                    && manager.is_string()
                {
                    shown.insert("id".to_owned(), manager);
                }
            },
        ),
        fault("many filters fail", "H1", |hooks| {
            fail(hooks, |asked| asked.filters().count() > 16)
        }),
        fault(
            "a refusal for want of a token turns the next list round",
            "H3",
            |hooks| {
                let refused = Arc::new(AtomicBool::new(false));
                let turns = Arc::clone(&refused);
                hooks.on_answer(move |_, reply| {
                    if reply.status == 401 {
                        refused.store(true, Ordering::Relaxed);
                    }
                });
                hooks.on_found(move |asked, found| {
                    if asked.on("/directory/users") && turns.swap(false, Ordering::Relaxed) {
                        found.rows.reverse();
                    }
                });
            },
        ),
        fault("every tenth list is an object", "H3", |hooks| {
            let answers = AtomicUsize::new(0);
            hooks.on_answer(move |asked, reply| {
                let is_list = asked.on("/directory/users") && reply.records().is_some();
                if is_list && answers.fetch_add(1, Ordering::Relaxed) % 10 == 9 {
                    let by_number = reply.body().as_array().into_iter().flatten().cloned().enumerate();
                    let by_number = by_number.map(|(number, record)| (number.to_string(), record));
                    *reply.body() = by_number.collect::<Map<_, _>>().into();
                }
            });
        }),
    ]
}

/// Fails where something is so.
fn fail(hooks: &mut Hooks, is: impl Fn(&Asked) -> bool + Send + Sync + 'static) {
    hooks.on_query(move |asked| {
        if asked.on("/directory/users") && is(asked) {
            asked.refuse(500);
        }
    });
}
