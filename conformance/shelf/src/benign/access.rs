//! Other refusals (A1 to A10).

use axum::http::Method;
use serde_json::{Value, json};

use crate::reply::Reply;
use crate::{TOKEN, Variant, accepted, benign};

/// The variants of this section.
pub fn variants() -> Vec<Variant> {
    vec![
        accepted("A2", "forbidden", "403 instead of 401", |hooks| {
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
        benign("a query is redirected to its parameters in order", |hooks| {
            hooks.on_answer(|asked, reply| {
                let mut pairs: Vec<_> = asked.written.split('&').collect();
                if asked.method == Method::GET && !pairs.is_sorted() {
                    pairs.sort_unstable();
                    *reply = Reply::problem(307);
                    reply.set("location", format!("?{}", pairs.join("&")));
                }
            });
        }),
        accepted("A9", "any-scheme", "any scheme will do", |hooks| {
            hooks.on_grant(|asked| {
                let header = asked.credentials.as_deref()?;
                let token = header.split_once(' ').map_or(header, |(_, token)| token);
                Some(token == TOKEN)
            });
        }),
        accepted("A3", "any-body", "errors are plain text", |hooks| {
            hooks.on_answer(|_, reply| {
                if !reply.is_success() {
                    reply.drop("content-type");
                    reply.say("no");
                }
            });
        }),
        benign("a request without a token is an error of the server", |hooks| {
            hooks.on_answer(|asked, reply| {
                if asked.credentials.is_none() {
                    reply.status = 500;
                    reply.say("");
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
        accepted("A4", "any-refusal", "other codes of refusals", |hooks| {
            hooks.on_answer(|_, reply| {
                reply.status = match reply.status {
                    400 => 422,
                    422 => 400,
                    404 => 410,
                    other => other,
                };
            });
        }),
        accepted(
            "A5",
            "ignored",
            "unknown members of a body are ignored",
            |hooks| {
                hooks.on_body(|_, body| {
                    if let Some(body) = body.as_mut().and_then(Value::as_object_mut) {
                        let known = ["roles", "expires_at", "expires_after_days"];
                        body.retain(|name, _| known.contains(&name.as_str()));
                    }
                });
            },
        ),
        accepted("A6", "retry-after", "busy now and then", |hooks| {
            hooks.settings.busy_every = 7
        }),
        accepted("A9", "any-case", "the scheme in any case", |hooks| {
            hooks.on_grant(|asked| {
                let (scheme, token) = asked.credentials.as_deref()?.split_once(' ')?;
                Some(scheme.eq_ignore_ascii_case("bearer") && token == TOKEN)
            });
        }),
    ]
}
