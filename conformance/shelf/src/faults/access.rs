//! §5: faults of access.

use axum::http::Method;

use crate::{Asked, TOKEN, Variant, fault};

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    vec![
        fault("no token is needed", "A1", |hooks| hooks.on_grant(|_| Some(true))),
        fault("the headers alone need no token", "A1", |hooks| {
            hooks.on_grant(|asked| (asked.method == Method::HEAD).then_some(true));
        }),
        fault("a path with a slash behind it needs no token", "A1", |hooks| {
            hooks.on_request(|asked| {
                if let Some(path) = asked.path.strip_suffix('/') {
                    asked.path = path.to_owned();
                    asked.credentials = Some(format!("Bearer {TOKEN}"));
                }
            });
        }),
        fault("any token will do", "A2", |hooks| {
            hooks.on_grant(|asked| Some(parts(asked).0 == "Bearer"));
        }),
        fault("a word for no token is a token", "A2", |hooks| {
            hooks.on_grant(|asked| (parts(asked) == ("Bearer", "null")).then_some(true));
        }),
        fault("a token may go on after its end", "A2", |hooks| {
            hooks.on_grant(|asked| Some(parts(asked).1.starts_with(TOKEN)));
        }),
        fault("the beginning of the token is compared", "A2", |hooks| {
            hooks.on_grant(|asked| Some(parts(asked).1.get(..8) == TOKEN.get(..8)));
        }),
        fault("the last character of the token is not compared", "A2", |hooks| {
            hooks.on_grant(|asked| {
                let (known, _) = TOKEN.split_at(TOKEN.len() - 1);
                let token = parts(asked).1;
                (token.len() == TOKEN.len()).then(|| token.starts_with(known))
            });
        }),
        fault("a token of the right length opens a connection", "A2", |hooks| {
            hooks.on_grant(|asked| {
                let is_long_enough = parts(asked).1.len() == TOKEN.len();
                (asked.on_connection == 0 && parts(asked).0 == "Bearer").then_some(is_long_enough)
            });
        }),
        fault("writes need no token", "A4", |hooks| {
            hooks.on_grant(|asked| asked.writes().then_some(true));
        }),
        fault("writes take any token", "A4", |hooks| {
            hooks.on_grant(|asked| asked.writes().then(|| parts(asked).0 == "Bearer"));
        }),
        fault("a write is refused and carried out", "A4", |hooks| {
            hooks.settings.refuses_too_late = true;
        }),
        fault("a refusal shows records", "A5", |hooks| {
            hooks.on_grant(|asked| (!asked.writes()).then_some(true));
            hooks.on_answer(|asked, reply| {
                if parts(asked) != ("Bearer", TOKEN) {
                    reply.status = 401;
                }
            });
        }),
    ]
}

/// The scheme and the token of a request.
fn parts(asked: &Asked) -> (&str, &str) {
    let header = asked.credentials.as_deref().unwrap_or_default();
    header.split_once(' ').unwrap_or_default()
}
