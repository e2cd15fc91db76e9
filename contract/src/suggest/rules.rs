//! The table of what is recognised in a parameter of a list. The first rule that knows it decides.

use std::fmt;

use serde_json::{Map, json};

use super::answer::next_cursor;
use super::question::{Question, Reading};
use super::words::{AFTER, BEFORE, CURSOR, PAGE, PAGE_SIZE, PAGE_TOTAL, TOKEN, WITHOUT_ANNOTATION, Words};
use super::{filters, name, order, relations};
use crate::Pointer;

/// What a rule recognises in a parameter, and what it suggests for it.
pub struct Rule {
    /// What it recognises, in words.
    pub recognises: &'static str,
    /// What it suggests, in words.
    pub suggests: &'static str,
    read: fn(&Question<'_, '_>) -> Option<Reading>,
}

/// All rules, in the order in which they are asked.
pub const RULES: &[Rule] = &[
    Rule {
        recognises: "`page`, `page[number]`, `pageNumber`: a number",
        suggests: "`x-role: page`",
        read: |question| {
            role(
                question,
                PAGE,
                &["integer", "number", "string"],
                "page",
                "the name says the number of a page",
            )
        },
    },
    Rule {
        recognises: "`total`, `with_count`, `include_totals`: true or false",
        suggests: "`x-role: page-total`",
        read: |question| {
            role(
                question,
                PAGE_TOTAL,
                &["boolean"],
                "page-total",
                "the name says whether to count all records",
            )
        },
    },
    Rule {
        recognises: "`per_page`, `page[size]`, `limit`, `maxResults`: a number",
        suggests: "`x-role: page-size`",
        read: |question| {
            let why = "the name says how many records make a page";
            role(
                question,
                PAGE_SIZE,
                &["integer", "number", "string"],
                "page-size",
                why,
            )
        },
    },
    Rule {
        recognises: "`cursor`, `page_token`, `after`, `starting_after`, or the name of a text beside `next` in the answer",
        suggests: "`x-role: cursor`, and `next` in `x-list`, where the answer shows the cursor of the next page",
        read: cursor,
    },
    Rule {
        recognises: "`sort`, `order_by`, `ordering`: words that are members, each also with a - before it",
        suggests: "`x-role: sort`, and `sort` in `x-list`",
        read: order::read,
    },
    Rule {
        recognises: "`include`, `expand`, `embed`: words of which each has also `-count` and `-exists`",
        suggests: "`x-role: include`, and `relations` in `x-list`",
        read: relations::read,
    },
    Rule {
        recognises: "`deleted`, `trashed`, `with_deleted`, where the record has such a timestamp",
        suggests: "`match: trashed`, with the words of its enum",
        read: filters::trashed,
    },
    Rule {
        recognises: "several values, or an object",
        suggests: "nothing: the runner sends one value",
        read: several,
    },
    Rule {
        recognises: "the name of a member, also as `filter[x]`, `x[eq]`, `x_id` for an object `x`, `is_x` for a flag `x`",
        suggests: "`match: exact`, for a boolean `match: flag`, and `match: contains` where the description says so",
        read: filters::member,
    },
    Rule {
        recognises: "`x_gte`, `x__gte`, `x[gte]`, `min_x`, `x_after`, `x_since`, `since`, where x is a timestamp",
        suggests: "`match: after`",
        read: |question| filters::bound(question, AFTER, "after", "least"),
    },
    Rule {
        recognises: "`x_lte`, `x__lte`, `x[lte]`, `max_x`, `x_before`, `x_until`, `until`, where x is a timestamp",
        suggests: "`match: before`",
        read: |question| filters::bound(question, BEFORE, "before", "most"),
    },
    Rule {
        recognises: "`x_search`, `x_contains`, `x[like]`, `search_x`, where x is a text",
        suggests: "`match: contains`",
        read: filters::contains,
    },
    Rule {
        recognises: "`q`, `search`, `query`",
        suggests: "`match: contains` on the texts of the record that its description names, or on all if they are few",
        read: filters::search,
    },
    Rule {
        recognises: "`x_not`, `x[in]`, `x_exists`, `x[startswith]`, where x is a member",
        suggests: "nothing: the runner has no such filter",
        read: filters::other_match,
    },
    Rule {
        recognises: "`offset`, `direction`, `fields` and other names with a known meaning",
        suggests: "nothing: they have no annotation",
        read: without_annotation,
    },
    Rule {
        recognises: "`filter[x]`, where x is no member",
        suggests: "the filter with `shown: false`",
        read: filters::hidden,
    },
];

/// What the rules read in a parameter.
pub(super) fn read(question: &Question<'_, '_>) -> Reading {
    let known = RULES.iter().find_map(|rule| (rule.read)(question));
    known.unwrap_or_else(|| {
        Reading::Unclear(format!(
            "{} has no member that is called so",
            question.list.record
        ))
    })
}

/// A role by its name alone.
fn role(
    question: &Question<'_, '_>,
    names: Words,
    kinds: &[&str],
    role: &'static str,
    why: &str,
) -> Option<Reading> {
    let fits = question.kind().is_none_or(|kind| kinds.contains(&kind)) && question.words().is_none();
    let is_meant = question.is_called(names) && !question.name.is_wrapped && !question.is_member();
    if fits && is_meant {
        Reading::role(role, why)
    } else {
        None
    }
}

fn cursor(question: &Question<'_, '_>) -> Option<Reading> {
    let is_named = question.is_called(CURSOR);
    if question.kind().is_some_and(|kind| kind != "string") || question.is_time() || question.name.is_wrapped
    {
        return None;
    }
    let next = next_cursor(&question.list.answer, &question.list.records, question.sent);
    let last = |next: &Pointer| {
        next.last()
            .is_some_and(|last| name::joined(last).ends_with(&question.name.joined()))
    };
    match next {
        // `offset` may be an opaque text, if the answer shows the next one.
        Some(next) if is_named || (last(&next) && question.is_called(TOKEN)) => Some(Reading::Role {
            role: "cursor",
            why: format!("the name says a cursor, and the answer shows the next one at {next}"),
            list: Map::from_iter([("next".to_owned(), json!(next))]),
        }),
        None if is_named && !question.is_member() => Reading::unclear(
            "the name says a cursor, and no text of the answer shows the next one; pages by a header Link need no parameter",
        ),
        _ => None,
    }
}

fn several(question: &Question<'_, '_>) -> Option<Reading> {
    let why = "it takes several values or an object, and the runner sends one value";
    let is_varied = ["oneOf", "anyOf"]
        .iter()
        .any(|key| question.schema.child(key).is_some());
    (is_varied || matches!(question.kind(), Some("array" | "object")))
        .then(|| Reading::Unclear(why.to_owned()))
}

fn without_annotation(question: &Question<'_, '_>) -> Option<Reading> {
    let known = WITHOUT_ANNOTATION
        .iter()
        .find(|(names, _)| !question.name.is_wrapped && question.is_called(*names));
    known.map(|(_, why)| Reading::Unclear((*why).to_owned()))
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.recognises, self.suggests)
    }
}
