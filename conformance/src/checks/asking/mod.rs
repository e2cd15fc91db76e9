//! The cases that most checks are made of: a question, and what its answer must hold.

pub(super) mod narrow;

use std::collections::BTreeSet;

use rollcall_contract::Match;

use crate::case::{About, Accusation, Case};
use crate::context::Context;
use crate::corpus::{Look, Surveyed};
use crate::listing::Listed;
use crate::oracle;
use crate::outcome::Tally;
use crate::query::Query;
use crate::seen::{SeenFilter, folded};
use crate::subject::JudgedFilter;
use crate::target::Trouble;

/// The filters of one kind whose members can be seen, on lists that can be read. What cannot be looked at is a gap.
pub(super) async fn filters(
    context: &mut Context,
    matching: Match,
    tally: &mut Tally,
) -> Result<Vec<SeenFilter>, Trouble> {
    let mut filters = Vec::new();
    for list in context.readable() {
        let judged: Vec<_> = context.list(list).subject.matching(matching).cloned().collect();
        for judged in judged {
            let name = format!("{} {}", context.list(list).subject.name(), judged.name);
            let Some(filter) = SeenFilter::of(list, &judged) else {
                tally.gap(format!("{name}: somewhere to see its member"));
                continue;
            };
            if filter.look != Look::Default {
                context.view(list, &filter.look).await?;
            }
            match context.seen(&filter).map(|view| view.listed.reading().is_some()) {
                Some(true) => filters.push(filter),
                _ => tally.gap(format!("{name}: {}", filter.look.needs())),
            }
        }
    }
    if filters.is_empty() {
        tally.gap("a list that answers with records");
    }
    Ok(filters)
}

/// The exact filters with their values among live records; those without any are a gap.
pub(super) async fn valued(
    context: &mut Context,
    tally: &mut Tally,
    want: impl Fn(&Context, &SeenFilter) -> bool,
) -> Result<Vec<(SeenFilter, Vec<String>)>, Trouble> {
    let mut valued = Vec::new();
    for filter in filters(context, Match::Exact, tally).await? {
        if !want(context, &filter) {
            continue;
        }
        let values: Vec<String> = context.values(&filter).into_keys().collect();
        match values.is_empty() {
            true => tally.gap(format!(
                "{} {}: a record that shows a value",
                context.list(filter.list).subject.name(),
                filter.name
            )),
            false => valued.push((filter, values)),
        }
    }
    Ok(valued)
}

/// Nothing comes back that does not belong to the answer.
pub(super) fn sound(context: &Context, query: Query) -> Case {
    let needs = format!("an answer with {}", oracle::describe(&query));
    case(context, query, |list, query, answer| {
        oracle::strangers(list, query, answer)
    })
    .needing(needs)
}

/// Everything comes back that belongs to the answer.
pub(super) fn complete(context: &Context, query: Query) -> Case {
    case(context, query, |list, query, answer| {
        oracle::missing(list, query, answer)
    })
}

/// Everything that belongs to the answer comes back and nothing else.
pub(super) fn exact(context: &Context, query: Query) -> Case {
    case(context, query, |list, query, answer| {
        oracle::missing(list, query, answer).or_else(|| oracle::strangers(list, query, answer))
    })
}

/// Nothing comes back, or the question is refused.
pub(super) fn nothing(context: &Context, query: Query) -> Case {
    case(context, query, |_, query, answer| oracle::anything(query, answer))
}

/// Nothing comes back that does not belong to the answer, which may be a refusal but no failure.
pub(super) fn refused_or_sound(context: &Context, query: Query) -> Case {
    case(context, query, |list, query, answer| match answer {
        Listed::Refused(exchange) if exchange.is_refusal() => None,
        answer if answer.reading().is_none() => {
            Some(Accusation::of_answer("no records, or a refusal", answer))
        }
        answer => oracle::strangers(list, query, answer),
    })
}

/// A case of one question, which discredits the first of its filters.
fn case(
    context: &Context,
    query: Query,
    judge: impl Fn(&Surveyed, &Query, &Listed) -> Option<Accusation> + Send + Sync + 'static,
) -> Case {
    let first = query.filters.first().map(|(filter, _)| filter);
    let list = first.map_or(0, |filter| filter.list);
    let name = first.map(|filter| filter.name.clone()).unwrap_or_default();
    let about = match first {
        Some(filter) => About::from((name.clone(), filter.clause.clone())),
        None => About::from(name.clone()),
    };
    let request = query.request(context.list(list));
    let (uses, looks) = (query.uses(), looks(&query));
    Case::new(list, about, vec![request], move |answers, list| {
        judge(list, &query, &answers[0])
    })
    .resting_on(uses)
    .discrediting([name])
    .seen_in(looks)
}

/// The ways to read a list that a question's filters are seen in, besides the fullest.
pub(super) fn looks(query: &Query) -> Vec<Look> {
    let looks = query.filters.iter().map(|(filter, _)| filter.look.clone());
    looks.filter(|look| *look != Look::Default).collect()
}

/// The filter of a list that speaks of soft deletion.
pub(super) fn trashed(context: &Context, list: usize) -> Option<&JudgedFilter> {
    context.list(list).subject.matching(Match::Trashed).next()
}

/// Whether what is missing in an answer of several pages is missing indeed.
pub(super) fn is_whole(context: &Context, list: usize) -> bool {
    let list = context.list(list);
    let is_steady = list.paging.stable || list.is_read_whole();
    is_steady && (!list.paging.is_long || list.paging.by_id.is_some())
}

/// All values that any record has, soft-deleted or not, in folded form.
pub(super) fn known(context: &Context, filter: &SeenFilter) -> BTreeSet<String> {
    let Some((view, place)) = context.seen(filter).zip(filter.places.first()) else {
        return BTreeSet::new();
    };
    view.by(place).groups().map(|(value, _)| folded(value)).collect()
}
