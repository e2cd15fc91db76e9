//! §4.2, §4.3, §8: writes that have to be refused, and are carried out or break the server.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::write_hooks::{days, members, stored};
use crate::{TOKEN, Variant, fault};

/// The faults of writes that have to be refused.
pub(super) fn faults() -> Vec<Variant> {
    vec![
        fault("a write takes the name away", "W14", |hooks| {
            stored(hooks, |row, _| row.record["name"] = json!("Somebody"));
        }),
        fault("a write takes the signature away", "W14", |hooks| {
            stored(hooks, |row, _| {
                if !row.record["blueprint_signature"].is_null() {
                    row.record["blueprint_signature"] = json!(null);
                }
            });
        }),
        fault(
            "a date-time without an offset is one in New York",
            "W4",
            |hooks| {
                hooks.on_body(|asked, body| {
                    let at = body.as_mut().and_then(|body| body.get_mut("expires_at"));
                    if let (true, Some(Value::String(at))) = (asked.path.ends_with("/deprecate"), at)
                        && at.parse::<jiff::civil::DateTime>().is_ok()
                        && at.contains('T')
                        && !at.ends_with('Z')
                    {
                        at.push_str("-05:00");
                    }
                });
            },
        ),
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
