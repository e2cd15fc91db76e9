//! Questions whose answer is short: what is wrong about it fits into one request, and asking often costs little.

use std::cmp::Reverse;

use rollcall_contract::Match;
use rollcall_oracle::corpus::Projection;
use rollcall_oracle::corpus::predicate::ObservableFilter;
use rollcall_oracle::corpus::projection::DeletedScope;
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::plan::sample::is_usable;
use serde_json::Value;

use super::first_page;
use crate::engine::Engine;

/// An answer may have so many records, even if pages are smaller.
const FEW: usize = 8;

/// So many values of each filter are looked at, those with the most records first: more would seldom score better.
const VALUES: usize = 12;

/// A question, and the live records that are expected.
pub(crate) struct SelectiveQuery<'c> {
    /// The question: nothing asked of a list that is short, else a filter that can be relied on.
    pub(crate) query: Query,
    /// The records.
    pub(crate) records: Vec<&'c Value>,
}

/// All short questions to a list, or the first page if there are none.
pub(crate) fn all(engine: &Engine, list: usize) -> Vec<SelectiveQuery<'_>> {
    let list_corpus = engine.list(list);
    let most = list_corpus.paging.at_least.max(FEW);
    let live = || list_corpus.live().map(|(_, record)| &**record);
    let unfiltered = |query| SelectiveQuery {
        query,
        records: live().collect(),
    };
    let Some(snapshot) = list_corpus.widest_snapshot().filter(|_| live().count() > most) else {
        return vec![unfiltered(Query::default())];
    };
    let mut narrow = Vec::new();
    let judged = list_corpus.spec.filters.iter();
    let filters = judged.filter_map(|judged| ObservableFilter::of(list, judged));
    for filter in filters.filter(|filter| is_plain(filter) && engine.failed(list, &filter.name).is_none()) {
        let Some(index) = filter.places.first().map(|place| snapshot.by(place)) else {
            continue;
        };
        let groups = index.groups().map(|(value, group)| (value, &group.live));
        let mut short: Vec<_> = groups
            .filter(|(value, ids)| (2..=most).contains(&ids.len()) && is_usable(value))
            .collect();
        short.sort_by_key(|(_, ids)| Reverse(ids.len()));
        narrow.extend(short.into_iter().take(VALUES).map(|(value, ids)| {
            let records = ids.iter().filter_map(|id| Some(&**snapshot.record(id)?));
            SelectiveQuery {
                query: Query::by(&filter, value),
                records: records.collect(),
            }
        }));
    }
    if narrow.is_empty() {
        narrow.push(unfiltered(first_page()));
    }
    narrow
}

/// The question for the soft-deleted records of a list, or for a page of them: some members are null in all others. None if
/// there are none, or if the word for them cannot be relied on.
pub(crate) fn of_deleted(engine: &Engine, list: usize) -> Option<SelectiveQuery<'_>> {
    let list_corpus = engine.list(list);
    let (name, word) = list_corpus.spec.trashed(DeletedScope::Only)?;
    let judged = list_corpus
        .spec
        .filters
        .iter()
        .find(|judged| judged.name == name)?;
    let filter = ObservableFilter::of(list, judged)?;
    let records = list_corpus.widest_snapshot()?.records();
    let deleted = records
        .map(|(_, record)| &**record)
        .filter(|record| list_corpus.spec.is_deleted(record));
    let records: Vec<&Value> = deleted.collect();
    let is_usable = engine.failed(list, name).is_none() && !records.is_empty();
    is_usable.then(|| SelectiveQuery {
        query: Query {
            first_page: records.len() > list_corpus.paging.at_least.max(FEW),
            ..Query::by(&filter, word)
        },
        records,
    })
}

/// The one whose records score best; of equal ones that with the most records.
pub(crate) fn best(narrow: &[SelectiveQuery<'_>], score: impl Fn(&[&Value]) -> usize) -> Query {
    let narrow = narrow.iter();
    let best = narrow.max_by_key(|narrow| (score(&narrow.records), narrow.records.len()));
    best.map(|narrow| narrow.query.clone()).unwrap_or_default()
}

/// The best of the short questions that ask by another filter than this one; none if there is none that scores.
pub(crate) fn selective_query(
    narrow: &[SelectiveQuery<'_>],
    query: &Query,
    score: impl Fn(&[&Value]) -> usize,
) -> Option<Query> {
    let filter = |query: &Query| query.filters.first().map(|(filter, _)| filter.name.clone());
    let narrow = narrow.iter();
    let others = narrow.filter(|narrow| filter(&narrow.query) != filter(query));
    let best = others.max_by_key(|narrow| (score(&narrow.records), narrow.records.len()))?;
    (score(&best.records) > 0).then(|| best.query.clone())
}

fn is_plain(filter: &ObservableFilter) -> bool {
    filter.matching == Match::Exact && filter.projection == Projection::Default && !filter.is_identifier()
}
