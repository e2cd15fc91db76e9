//! What the specification leaves open: targets that differ from the model and conform.

use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};

use super::settings::CountsAt;
use super::{TOKEN, Variant, benign};

/// Every variant that conforms.
pub(crate) fn variants() -> Vec<Variant> {
    [paging(), values(), refusals(), records(), relations(), moving()]
        .into_iter()
        .flatten()
        .collect()
}

/// Other ways to page and order.
pub(crate) fn paging() -> Vec<Variant> {
    let envelope = |member: &'static str| {
        benign(format!("an envelope with {member}"), move |hooks| {
            hooks.on_answer(move |_, reply| {
                if let Some(records) = reply.records().map(std::mem::take) {
                    *reply.body() = json!({member: records, "meta": {"page": 1}});
                }
            });
        })
    };
    let size = |size: usize| {
        benign(format!("pages of {size}"), move |hooks| {
            hooks.settings.page_size = Some(size)
        })
    };
    vec![
        envelope("data"),
        envelope("items"),
        size(1),
        size(5),
        size(1000),
        benign("another order each time", |hooks| {
            hooks.settings.random_order = true
        }),
        benign("another usual order", |hooks| {
            hooks.settings.default_sort = Some("-created_at")
        }),
        benign("links to the next page", |hooks| {
            hooks.settings.links_pages = true
        }),
        benign("links with opaque cursors", |hooks| {
            hooks.settings.links_pages = true;
            hooks.settings.opaque_cursors = true;
        }),
        benign("a page past the end is missing", |hooks| {
            hooks.settings.past_end = Some(404)
        }),
        benign("a single page", |hooks| hooks.settings.one_page = true),
        benign("nulls first", |hooks| hooks.settings.nulls_first = true),
        benign("texts ordered by bytes", |hooks| {
            hooks.settings.sorts_bytes = true
        }),
    ]
}

/// Other ways to read values.
pub(crate) fn values() -> Vec<Variant> {
    vec![
        benign("unknown parameters are ignored", |hooks| {
            hooks.settings.ignores_unknown = true
        }),
        benign("exact filters ignore case", |hooks| {
            hooks.settings.folds_case = true
        }),
        benign("partial filters mind case", |hooks| {
            hooks.settings.minds_case = true
        }),
        benign("an unknown state finds nothing", |hooks| {
            hooks.settings.takes_any_word = true
        }),
        benign("strange ids are refused", |hooks| {
            hooks.on_query(|asked| {
                let is_strange = |id: &str| !id.starts_with("drusr_k");
                if asked.on("/directory/users") && asked.value("filter[id]").is_some_and(is_strange) {
                    asked.refuse(422);
                }
            });
        }),
        benign("empty filters are ignored", |hooks| {
            hooks.settings.ignores_empty = true
        }),
        benign("bounds belong to their window", |hooks| {
            hooks.settings.includes_bounds = true
        }),
    ]
}

/// Other ways to refuse.
pub(crate) fn refusals() -> Vec<Variant> {
    vec![
        benign("403 instead of 401", |hooks| {
            hooks.on_answer(|_, reply| {
                if reply.status == 401 {
                    reply.status = 403;
                }
            });
        }),
        benign("readers are sent to log in", |hooks| {
            hooks.on_answer(|asked, reply| {
                if reply.status == 401 && asked.method == Method::GET {
                    reply.status = 302;
                    reply.set("location", "/login");
                    reply.say("");
                }
            });
        }),
        benign("errors are plain text", |hooks| {
            hooks.on_answer(|_, reply| {
                if !reply.is_success() {
                    reply.drop("content-type");
                    reply.say("no");
                }
            });
        }),
        benign("a refusal repeats the token", |hooks| {
            hooks.on_answer(|asked, reply| {
                if reply.status == 401 {
                    let text = format!("no access for {:?}", asked.credentials);
                    *reply.body() = json!({"why": text, "header": asked.credentials});
                }
            });
        }),
        benign("the scheme in any case", |hooks| {
            hooks.on_grant(|asked| {
                let (scheme, token) = asked.credentials.as_deref()?.split_once(' ')?;
                Some(scheme.eq_ignore_ascii_case("bearer") && token == TOKEN)
            });
        }),
        benign("busy now and then", |hooks| hooks.settings.busy_every = 7),
    ]
}

/// Other records.
pub(crate) fn records() -> Vec<Variant> {
    vec![
        benign("members nobody specified", |hooks| {
            hooks.on_person(4, |record| {
                record["nickname"] = json!("Zo");
                record["count"]["stars"] = json!("many");
                record["links"]["photo"] = Value::Null;
                record["timestamp"]["seen_at"] = json!("yesterday");
            });
        }),
        benign("timestamps that are null", |hooks| {
            hooks.on_person(4, |record| {
                for name in ["created_at", "updated_at"] {
                    record["timestamp"][name] = Value::Null;
                }
            });
        }),
        benign("UTC spelled as an offset", |hooks| {
            hooks.on_person(4, |record| {
                record["timestamp"]["created_at"] = json!("2026-03-01T09:30:00+00:00");
                record["timestamp"]["expires_at"] = json!("2026-03-01 09:30Z");
            });
        }),
        benign("no extensions", |hooks| {
            hooks.settings.without_extensions = Some(404)
        }),
        benign("extensions forbidden by method", |hooks| {
            hooks.settings.without_extensions = Some(405)
        }),
        benign("a vendor's JSON", |hooks| {
            hooks.on_answer(|_, reply| reply.set("content-type", "application/vnd.api+json; charset=utf-8"));
        }),
        benign("dimensions of another kind", |hooks| {
            hooks.on_record(|asked, row, record| {
                if asked.on("/directory/dimensions") {
                    *record = json!({"key": row.id()});
                }
            });
        }),
    ]
}

/// Other ways to show relations.
pub(crate) fn relations() -> Vec<Variant> {
    vec![
        benign("nothing can be included with people", |hooks| {
            hooks.on_query(|asked| {
                if asked.has("include") && !asked.on("/directory/dimensions") {
                    asked.refuse(400);
                }
            });
        }),
        benign("an empty relation is left out", |hooks| {
            hooks.settings.leaves_empty_out = true
        }),
        benign("all secondary users", |hooks| {
            hooks.settings.secondaries_as_array = true
        }),
        benign("soft-deleted people count", |hooks| {
            hooks.settings.relates_trashed = true
        }),
        benign("counts at the top", |hooks| {
            hooks.settings.counts_at = CountsAt::Top
        }),
        benign("counts among the counts", |hooks| {
            hooks.settings.counts_at = CountsAt::Count
        }),
        benign("writes answer 202", |hooks| hooks.settings.written = Some(202)),
    ]
}

/// Data that moves while it is read.
pub(crate) fn moving() -> Vec<Variant> {
    vec![
        benign("somebody changes every few requests", |hooks| {
            hooks.settings.moves_every = 5
        }),
        benign("somebody changes five times a second", |hooks| {
            hooks.settings.moves_each = Duration::from_millis(200)
        }),
    ]
}
