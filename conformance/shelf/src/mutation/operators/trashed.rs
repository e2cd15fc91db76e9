//! What is said of soft-deleted records is heeded otherwise than it is said.

use super::{Operator, Scope, When, is_meant};
use crate::mutation::Draw;
use crate::{Asked, Hooks};

const NAME: &str = "filter[trashed]";

/// A change of what is said of soft-deleted records.
type Change = fn(&mut Asked);

const CHANGES: &[(&str, Change)] = &[
    ("with means without", |asked| instead(asked, "with", "without")),
    ("with means only", |asked| instead(asked, "with", "only")),
    ("only means with", |asked| instead(asked, "only", "with")),
    ("only means without", |asked| instead(asked, "only", "without")),
    ("without means with", |asked| instead(asked, "without", "with")),
    ("a missing word means with", |asked| {
        if !asked.has(NAME) {
            asked.set(NAME, "with");
        }
    }),
    ("any word means with", |asked| {
        if asked.has(NAME) {
            asked.set(NAME, "with");
        }
    }),
    ("every word is lost", |asked| asked.drop(NAME)),
    ("an unknown word means with", |asked| {
        unknown(asked, |asked| asked.set(NAME, "with"))
    }),
    ("an unknown word means only", |asked| {
        unknown(asked, |asked| asked.set(NAME, "only"))
    }),
    ("an unknown word is refused", |asked| {
        unknown(asked, |asked| asked.refuse(422))
    }),
    ("a word is read without regard to case", |asked| {
        if let Some(word) = asked.value(NAME).map(str::to_lowercase) {
            asked.set(NAME, word);
        }
    }),
    ("a word is trimmed", |asked| {
        if let Some(word) = asked.value(NAME).map(|word| word.trim().to_owned()) {
            asked.set(NAME, word);
        }
    }),
    ("a word is read by its beginning", |asked| {
        for word in ["without", "with", "only"] {
            if asked.value(NAME).is_some_and(|said| said.starts_with(word)) {
                asked.set(NAME, word);
                return;
            }
        }
    }),
];

/// Draws a change.
pub(super) fn draw(draw: &mut Draw) -> Operator {
    let (says, change) = draw.pick_copy(CHANGES);
    Operator::new(
        "trashed",
        Scope::Query,
        says,
        move |hooks: &mut Hooks, when: &When| {
            let when = when.clone();
            hooks.on_query(move |asked| {
                if is_meant(asked, &when) {
                    change(asked);
                }
            });
        },
    )
    .about(NAME, "")
}

fn instead(asked: &mut Asked, one: &str, other: &str) {
    if asked.value(NAME) == Some(one) {
        asked.set(NAME, other);
    }
}

fn unknown(asked: &mut Asked, change: fn(&mut Asked)) {
    if asked
        .value(NAME)
        .is_some_and(|word| !["with", "only", "without"].contains(&word))
    {
        change(asked);
    }
}
