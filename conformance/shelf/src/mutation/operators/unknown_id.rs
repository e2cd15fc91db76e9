//! Writes to ids that nobody has, taken for ids that somebody has.

use axum::http::Method;

use super::{Operator, Scope, When};
use crate::Hooks;
use crate::mutation::{Draw, Sample};

pub(super) const RESTORE: &str = "/restore";

/// A change of the path of a write.
type Path = fn(&str) -> Option<String>;

const PATHS: &[(&str, Path)] = &[
    ("in upper case is known", |id| {
        (id != id.to_lowercase()).then(|| id.to_lowercase())
    }),
    ("with a blank at its end is known", |id| {
        id.strip_suffix("%20").map(str::to_owned)
    }),
    ("that goes on is known by its beginning", |id| {
        Some(id.get(..16)?.to_owned()).filter(|known| known != id)
    }),
    ("without its prefix is known", |id| {
        let known = Sample::get().writable();
        known
            .iter()
            .find(|one| !id.contains('_') && one.ends_with(&format!("_{id}")))
            .cloned()
    }),
    ("with two prefixes is known", |id| {
        let rest = id
            .strip_prefix("dratr_dratr_")
            .map(|rest| format!("dratr_{rest}"));
        rest.or_else(|| {
            id.strip_prefix("wsusr_wsusr_")
                .map(|rest| format!("wsusr_{rest}"))
        })
    }),
    ("with another last character is known", |id| {
        let known = Sample::get().writable();
        known
            .iter()
            .find(|one| {
                one.len() == id.len() && one.as_bytes()[..one.len() - 1] == id.as_bytes()[..id.len() - 1]
            })
            .cloned()
    }),
    ("that nobody has is that of the first record", |id| {
        let known = Sample::get().writable();
        let kind = id.get(..6)?;
        (!known.iter().any(|one| one == id))
            .then(|| known.iter().find(|one| one.starts_with(kind)).cloned())?
    }),
];

/// Draws an unknown id that is taken for a known one.
pub(super) fn draw(draw: &mut Draw, verb: &'static str) -> Operator {
    let (says, change) = draw.pick_copy(PATHS);
    operator(format!("an id {says}, {verb}"), move |hooks, when| {
        let when = when.clone();
        hooks.on_request(move |asked| {
            let parts = asked
                .path
                .strip_suffix(verb)
                .and_then(|path| path.rsplit_once('/'));
            let Some((list, id)) = parts.map(|(list, id)| (list.to_owned(), id.to_owned())) else {
                return;
            };
            let prefix = if verb == RESTORE { "wsusr_" } else { "dratr_" };
            if asked.method == Method::PATCH
                && when.asked(asked)
                && let Some(known) = change(&id).filter(|known| known.starts_with(prefix))
            {
                asked.path = format!("{list}/{known}{verb}");
            }
        });
    })
}

/// An operator that changes what a write does.
pub(super) fn operator(text: String, apply: impl Fn(&mut Hooks, &When) + Send + Sync + 'static) -> Operator {
    Operator::new("effect of a write", Scope::Write, text, apply)
}
