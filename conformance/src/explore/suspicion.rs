//! Answers that are wrong only beside others: which of two is wrong, a further query decides.

use std::sync::Arc;

use rollcall_oracle::corpus::predicate::ObservableFilter;
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::{self, Aspect, Facts, Seen, unlike_before};
use rollcall_oracle::open_points::related_number::RelationForm;

use super::domain::Known;
use crate::engine::Engine;

/// Whether a page has other records than the whole answer has in its place.
pub(super) async fn differs_from_whole(
    engine: &mut Engine,
    list: usize,
    facts: &Facts,
    query: &Query,
) -> Result<bool, TargetError> {
    if query.page.is_none() {
        return Ok(false);
    }
    let page = engine.ask(list, &query.request(engine.list(list))).await?;
    let whole = engine
        .ask(list, &query.whole().request(engine.list(list)))
        .await?;
    let violation = judge::differs_from_whole(facts, engine.list(list), query, (&page, &whole));
    Ok(violation.is_some())
}

/// The query whose answer is wrong, with the facts to judge it by. Where two answers contradict each other, it may be the
/// query or the earlier one. None if no answer is wrong, or if the target cannot be asked about it.
pub(super) async fn settled(
    engine: &mut Engine,
    list: usize,
    known: &mut Known,
    (query, aspect): (&Query, Aspect),
) -> Result<Option<(Known, Query)>, TargetError> {
    let Aspect::Relation(form) = aspect else {
        return Ok(Some((known.clone(), query.clone())));
    };
    let wrong = contradicted(engine, list, &mut known.facts, (query, form)).await?;
    Ok(wrong.map(|(facts, query)| {
        let known = Known {
            facts,
            ..known.clone()
        };
        (known, query)
    }))
}

/// Of two queries whose answers show different relations of a record, the one whose answer shows another than where the record
/// and the relation alone are asked for, and the facts to hold it against.
async fn contradicted(
    engine: &mut Engine,
    list: usize,
    facts: &mut Arc<Facts>,
    (query, form): (&Query, RelationForm),
) -> Result<Option<(Arc<Facts>, Query)>, TargetError> {
    let answer = engine.ask(list, &query.request(engine.list(list))).await?;
    let Some(reading) = answer.reading() else {
        return Ok(None);
    };
    let list_corpus = engine.list(list);
    let Some((id, name, earlier)) = unlike_before(facts, list_corpus, (query, form), reading) else {
        return Ok(Some((Arc::clone(facts), query.clone())));
    };
    let earlier = Query::clone(&earlier.query);
    let by_id = list_corpus.spec.by_identifier();
    let Some(by_id) = by_id.and_then(|filter| ObservableFilter::of(list, filter)) else {
        return Ok(None);
    };
    let mut alone = Query::by(&by_id, &id).including(&[&name]);
    let scope = query
        .filters
        .iter()
        .find(|(filter, _)| list_corpus.spec.is_trashed(&filter.name));
    alone.filters.extend(
        scope
            .filter(|_| query.deleted_scope(list_corpus).is_some())
            .cloned(),
    );
    let told = engine.ask(list, &alone.request(engine.list(list))).await?;
    let Some(told) = told.reading() else {
        return Ok(None);
    };
    let mut settled = Facts::clone(facts);
    settled.seen = Seen::default();
    settled.seen.note(engine.list(list), &alone, told);
    let known = Arc::make_mut(facts);
    known.seen.forget(engine.list(list), &alone, &name, &id);
    known.seen.note(engine.list(list), &alone, told);
    for query in [query.clone(), earlier] {
        let answer = engine.ask(list, &query.request(engine.list(list))).await?;
        let differs = |reading| unlike_before(&settled, engine.list(list), (&query, form), reading).is_some();
        if answer.reading().is_some_and(differs) {
            return Ok(Some((Arc::new(settled), query)));
        }
    }
    Ok(None)
}
