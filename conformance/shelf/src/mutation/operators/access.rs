//! Requests that are granted and should not be, or the other way round.

use super::{Operator, Scope, When};
use crate::mutation::Draw;
use crate::{Asked, Hooks, TOKEN};

/// Whether a request is granted; none leaves it to the model.
type Grant = fn(&Asked) -> Option<bool>;

const GRANTS: &[(&str, Grant)] = &[
    ("no token is needed", |asked| {
        asked.credentials.is_none().then_some(true)
    }),
    ("any token is taken", |asked| {
        (scheme(asked) == "Bearer" && !token(asked).is_empty()).then_some(true)
    }),
    ("an empty token is taken", |asked| {
        token(asked).is_empty().then_some(true)
    }),
    ("a token may go on", |asked| {
        token(asked).starts_with(TOKEN).then_some(true)
    }),
    ("a token may lack its last character", |asked| {
        (token(asked) == &TOKEN[..TOKEN.len() - 1]).then_some(true)
    }),
    ("a token may lack its end", |asked| {
        (token(asked).len() >= 8 && TOKEN.starts_with(token(asked))).then_some(true)
    }),
    ("a token may be in another case", |asked| {
        token(asked).eq_ignore_ascii_case(TOKEN).then_some(true)
    }),
    ("a token may lack its beginning", |asked| {
        (token(asked).len() >= 8 && TOKEN.ends_with(token(asked))).then_some(true)
    }),
    ("any scheme is taken", |asked| {
        (token(asked) == TOKEN && !scheme(asked).is_empty()).then_some(true)
    }),
    ("the token may have no scheme", |asked| {
        (asked.credentials.as_deref() == Some(TOKEN)).then_some(true)
    }),
    ("the token may be in the query", |asked| {
        asked.sent.iter().any(|(_, value)| value == TOKEN).then_some(true)
    }),
    ("only the length of the token counts", |asked| {
        (token(asked).len() == TOKEN.len()).then_some(true)
    }),
    ("the token is not taken", |_| Some(false)),
    ("writes need no token", |asked| {
        (asked.writes() && asked.credentials.is_none()).then_some(true)
    }),
    ("writes take any token", |asked| {
        (asked.writes() && scheme(asked) == "Bearer").then_some(true)
    }),
    ("who was granted the request before needs no token", |asked| {
        let granted = asked
            .previous
            .as_deref()
            .is_some_and(|one| (200..300).contains(&one.status));
        (granted && asked.credentials.is_none()).then_some(true)
    }),
];

/// Draws wrong access.
pub(super) fn draw(draw: &mut Draw) -> Operator {
    let (says, grant) = draw.pick_copy(GRANTS);
    Operator::new(
        "access",
        Scope::Access,
        says,
        move |hooks: &mut Hooks, when: &When| {
            let when = when.clone();
            hooks.on_grant(move |asked| when.asked(asked).then(|| grant(asked)).flatten());
            hooks.settings.ignores_unknown |= says.contains("query");
        },
    )
}

fn parts(asked: &Asked) -> (&str, &str) {
    let header = asked.credentials.as_deref().unwrap_or_default();
    header.split_once(' ').unwrap_or_default()
}

fn scheme(asked: &Asked) -> &str {
    parts(asked).0
}

fn token(asked: &Asked) -> &str {
    parts(asked).1
}
