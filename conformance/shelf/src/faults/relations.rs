//! §4.1: faults of which relations are accepted.

use crate::{Asked, Hooks, Variant, fault};

/// The faults of this table.
pub(super) fn faults() -> Vec<Variant> {
    vec![
        fault("no relation is accepted", "I17", |hooks| refuse(hooks, |_| true)),
        fault("one relation is refused", "I17", |hooks| {
            refuse(hooks, |word| word == "policy-rules-staged");
        }),
        fault("a relation has no count", "I17", |hooks| {
            refuse(hooks, |word| word == "parent-user-count");
        }),
        fault("whether a relation exists cannot be asked", "I17", |hooks| {
            refuse(hooks, |word| word.ends_with("-exists"));
        }),
        fault("the existence of a relation is ignored", "I17", |hooks| {
            ignore(hooks, "policy-users-exists");
        }),
        fault("the count of a relation is ignored", "I17", |hooks| {
            ignore(hooks, "parent-user-count");
        }),
    ]
}

/// Refuses some words of `include`.
fn refuse(hooks: &mut Hooks, is: impl Fn(&str) -> bool + Send + Sync + 'static) {
    hooks.on_query(move |asked| {
        if asked.on("/directory/users") && asked.words("include").into_iter().any(&is) {
            asked.refuse(400);
        }
    });
}

/// Takes a word out of `include`.
fn ignore(hooks: &mut Hooks, word: &'static str) {
    hooks.on_query(move |asked: &mut Asked| {
        let words = asked.words("include").into_iter();
        let others = Vec::from_iter(words.filter(|one| *one != word)).join(",");
        if asked.on("/directory/users") && asked.has("include") {
            asked.set("include", others);
        }
    });
}
