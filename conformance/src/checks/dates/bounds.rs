//! The timestamps of lists that can be filtered by, and where to put bounds of those that no record shows.

use jiff::Timestamp;
use rollcall_contract::{Match, Pointer};
use rollcall_oracle::corpus::list_spec::JudgedFilter;
use rollcall_oracle::corpus::predicate::{MARGIN, MemberValue, ObservableFilter, WITH};
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::corpus::snapshot::Snapshot;
use rollcall_oracle::open_points::timestamp::{self, iso, midnight};

use crate::cases;
use crate::engine::Engine;

/// The two filters of one timestamp.
#[derive(Clone)]
pub(super) struct Window {
    /// The list, as an index into the corpus.
    pub(super) list: usize,
    /// The filter for what is before.
    pub(super) before: ObservableFilter,
    /// The filter for what is after.
    pub(super) after: ObservableFilter,
    /// The filter that has to let soft-deleted records in, because others have no such timestamp.
    pub(super) scope: Option<(ObservableFilter, &'static str)>,
    /// Bounds at equal distances over the years of the list, each at midnight and later than the one before it.
    pub(super) bounds: Vec<Timestamp>,
}

impl Window {
    /// A question by one of the filters.
    pub(super) fn query(&self, filter: &ObservableFilter, bound: Timestamp) -> Query {
        self.scoped(Query::by(filter, iso(bound)))
    }

    /// The question with soft-deleted records, if others have no such timestamp.
    pub(super) fn scoped(&self, query: Query) -> Query {
        match &self.scope {
            Some((filter, word)) => query.and(filter, *word),
            None => query,
        }
    }
}

/// The timestamps that both filters are there for: those that records show, or those that no record shows.
pub(super) fn windows(engine: &Engine, are_shown: bool) -> Vec<Window> {
    let mut windows = Vec::new();
    for list in engine.readable() {
        let spec = &engine.list(list).spec;
        let pairs = spec.matching(Match::Before).filter_map(|before| {
            let mut afters = spec.matching(Match::After);
            let after = afters.find(|after| after.filter.fields == before.filter.fields)?;
            Some((before, after))
        });
        let pairs: Vec<(&JudgedFilter, &JudgedFilter)> = pairs.collect();
        let bounds = evenly(&shown_timestamps(engine, list, &pairs));
        if bounds.is_empty() {
            continue;
        }
        for (before, after) in pairs {
            let shown = ObservableFilter::of(list, before).zip(ObservableFilter::of(list, after));
            if shown.is_some() != are_shown {
                continue;
            }
            let unseen = |judged| ObservableFilter::unseen(list, judged);
            let (before, after) = shown.unwrap_or_else(|| (unseen(before), unseen(after)));
            windows.push(Window {
                list,
                scope: scope(engine, list, before.places.first()),
                before,
                after,
                bounds: bounds.clone(),
            });
        }
    }
    windows
}

/// The filter and word that soft-deleted records need in order to be found, where only they have the timestamp.
fn scope(engine: &Engine, list: usize, place: Option<&Pointer>) -> Option<(ObservableFilter, &'static str)> {
    let judged = cases::trashed(engine, list)?;
    let filter = ObservableFilter::of(list, judged)?;
    (filter.places.first() == place).then_some((filter, WITH))
}

/// The timestamps that records a filter can find show.
fn timestamps(engine: &Engine, filter: &ObservableFilter) -> Vec<Timestamp> {
    let list = engine.list(filter.list);
    let deleted = scope(engine, filter.list, filter.places.first()).is_some();
    let records = list.widest_snapshot().into_iter().flat_map(Snapshot::records);
    let shown = records.filter_map(|(_, record)| match filter.member_value(record) {
        MemberValue::Value(text) if deleted || !list.spec.is_deleted(record) => timestamp::read(&text),
        _ => None,
    });
    shown.collect()
}

/// The timestamps of all timestamps of a list that records show, earliest first: others lie in the same years.
fn shown_timestamps(
    engine: &Engine,
    list: usize,
    pairs: &[(&JudgedFilter, &JudgedFilter)],
) -> Vec<Timestamp> {
    let filters = pairs.iter();
    let filters = filters.filter_map(|(before, _)| ObservableFilter::of(list, before));
    let mut all: Vec<_> = filters.flat_map(|filter| timestamps(engine, &filter)).collect();
    all.sort_unstable();
    all
}

/// Five bounds at equal distances: nobody knows where timestamps lie that no record shows.
fn evenly(timestamps: &[Timestamp]) -> Vec<Timestamp> {
    let (Some(first), Some(last)) = (timestamps.first(), timestamps.last()) else {
        return Vec::new();
    };
    let step = (last.as_second() - first.as_second()) / 6;
    let cuts = (1..6).filter_map(|part| Timestamp::from_second(first.as_second() + part * step).ok());
    let mut cuts: Vec<_> = cuts.map(midnight).collect();
    cuts.dedup_by(|later, earlier| later.duration_since(*earlier) < MARGIN);
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_rise_and_lie_within_the_years_of_the_list() {
        let years = ["2024-01-01T09:00:00Z", "2025-01-01T09:00:00Z"];
        let [first, last] = years.map(|text| text.parse().unwrap());
        let bounds = evenly(&[first, last]);
        assert_eq!(bounds.len(), 5);
        assert!(bounds.is_sorted());
        assert!(first < bounds[0]);
        assert!(bounds[4] < last);
        assert_eq!(evenly(&[]), []);
    }
}
