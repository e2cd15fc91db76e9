//! Where to put the bounds of windows: far from any record where that can be, and so that answers are small.

use jiff::{SignedDuration, Timestamp};
use rollcall_contract::{Match, Pointer};

use crate::checks::cases;
use crate::corpus::list_spec::JudgedFilter;
use crate::corpus::predicate::{MARGIN, MemberValue, ObservableFilter};
use crate::corpus::query::Query;
use crate::corpus::timestamp::{self, days_later, midnight};
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::http::target::TargetError;

/// So many records may lie on the small side of a bound, if there is a choice.
const FEW: usize = 20;

/// Where moments are so far from each other, there is a midnight in between that is clear of both.
const GAP: SignedDuration = SignedDuration::from_hours(6 * 24);

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
    /// Whether records show the timestamp.
    pub(super) is_shown: bool,
    /// A bound with a few moments before it.
    pub(super) early: Bound,
    /// A bound with a few moments after it.
    pub(super) late: Bound,
    /// A bound soon after the early one, with a few moments in between.
    pub(super) next: Timestamp,
    /// Bounds for what is before, each later than the one before it.
    pub(super) rising: Vec<Timestamp>,
    /// Bounds for what is after, each earlier than the one before it.
    pub(super) falling: Vec<Timestamp>,
}

/// A bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    /// Where it is: at midnight.
    pub(super) at: Timestamp,
    /// Whether no record is so near that it could not be judged.
    pub(super) clear: bool,
}

impl Window {
    /// A question for what is before a bound, as it is written.
    pub(super) fn query_before(&self, bound: &str) -> Query {
        self.scoped(Query::by(&self.before, bound))
    }

    /// A question for what is after a bound, as it is written.
    pub(super) fn query_after(&self, bound: &str) -> Query {
        self.scoped(Query::by(&self.after, bound))
    }

    /// A question for what is between two bounds, as they are written.
    pub(super) fn query_between(&self, from: &str, to: &str) -> Query {
        self.scoped(Query::by(&self.after, from).and(&self.before, to))
    }

    /// The question with soft-deleted records, if others have no such timestamp.
    pub(super) fn scoped(&self, query: Query) -> Query {
        match &self.scope {
            Some((filter, word)) => query.and(filter, *word),
            None => query,
        }
    }

    /// The timestamp, in words.
    pub(super) fn name(&self) -> String {
        format!("{} and {}", self.before.name, self.after.name)
    }
}

/// The timestamps that both filters are there for; if only shown ones are wanted, the others are left out.
pub(super) async fn windows(
    engine: &mut Engine,
    hidden: bool,
    result: &mut CheckResult,
) -> Result<Vec<Window>, TargetError> {
    let mut windows = Vec::new();
    for list in engine.readable() {
        let spec = &engine.list(list).spec;
        let pairs: Vec<(JudgedFilter, JudgedFilter)> = spec
            .matching(Match::Before)
            .filter_map(|before| {
                let mut afters = spec.matching(Match::After);
                let after = afters.find(|after| after.filter.fields == before.filter.fields)?;
                Some((before.clone(), after.clone()))
            })
            .collect();
        let all = shown_moments(engine, list, &pairs);
        for (before, after) in pairs {
            let shown = ObservableFilter::of(list, &before).zip(ObservableFilter::of(list, &after));
            if shown.is_none() && !hidden {
                continue;
            }
            let own = shown.as_ref().map(|(filter, _)| moments(engine, filter));
            let spread = own.as_ref().unwrap_or(&all);
            let (Some(early), Some(late)) = (bound(spread, false), bound(spread, true)) else {
                result.gap(format!(
                    "{}: two records that show a moment, days apart",
                    before.name
                ));
                continue;
            };
            let (next, previous) = (next(spread, early), previous(spread, late));
            let (rising, falling) = match own {
                Some(_) => (vec![early.at, next], vec![late.at, previous]),
                None => (evenly(spread), evenly(spread).into_iter().rev().collect()),
            };
            let (before, after) = shown.unwrap_or_else(|| {
                (
                    ObservableFilter::unseen(list, &before),
                    ObservableFilter::unseen(list, &after),
                )
            });
            windows.push(Window {
                list,
                scope: scope(engine, list, before.places.first()),
                before,
                after,
                next,
                is_shown: own.is_some(),
                early,
                late,
                rising,
                falling,
            });
        }
    }
    if windows.is_empty() {
        result.gap("a list that answers with records of different times");
    }
    Ok(windows)
}

/// The filter and word that soft-deleted records need in order to be found, where only they have the timestamp.
fn scope(engine: &Engine, list: usize, place: Option<&Pointer>) -> Option<(ObservableFilter, &'static str)> {
    let judged = cases::trashed(engine, list)?;
    let filter = ObservableFilter::of(list, judged)?;
    (filter.places.first() == place).then_some((filter, crate::corpus::predicate::WITH))
}

/// The moments that records a filter can find show, earliest first.
fn moments(engine: &Engine, filter: &ObservableFilter) -> Vec<Timestamp> {
    let list = engine.list(filter.list);
    let deleted = scope(engine, filter.list, filter.places.first()).is_some();
    let records = list
        .widest_snapshot()
        .into_iter()
        .flat_map(|snapshot| snapshot.records());
    let shown = records.filter_map(|(_, record)| match filter.shown(record) {
        MemberValue::Value(text) if deleted || !list.spec.is_deleted(record) => timestamp::read(&text),
        _ => None,
    });
    let mut moments: Vec<_> = shown.collect();
    moments.sort_unstable();
    moments
}

/// The moments of all timestamps of a list that records show: others lie in the same years.
fn shown_moments(engine: &Engine, list: usize, pairs: &[(JudgedFilter, JudgedFilter)]) -> Vec<Timestamp> {
    let filters = pairs
        .iter()
        .filter_map(|(before, _)| ObservableFilter::of(list, before));
    let mut all: Vec<_> = filters.flat_map(|filter| moments(engine, &filter)).collect();
    all.sort_unstable();
    all
}

/// Five bounds at equal distances: nobody knows where moments lie that no record shows.
fn evenly(moments: &[Timestamp]) -> Vec<Timestamp> {
    let (Some(first), Some(last)) = (moments.first(), moments.last()) else {
        return Vec::new();
    };
    let step = (last.as_second() - first.as_second()) / 6;
    let cuts = (1..6).filter_map(|part| Timestamp::from_second(first.as_second() + part * step).ok());
    let mut cuts: Vec<_> = cuts.map(midnight).collect();
    cuts.dedup_by(|later, earlier| later.duration_since(*earlier) < MARGIN);
    cuts
}

/// The first bound after an early one with a moment in between, far from both where that can be.
fn next(moments: &[Timestamp], early: Bound) -> Timestamp {
    let after: Vec<_> = moments.iter().filter(|at| **at > early.at).copied().collect();
    let gap = after
        .windows(2)
        .find(|pair| pair[1].duration_since(pair[0]) > GAP);
    match gap.filter(|_| early.clear) {
        Some(pair) => midnight(days_later(pair[0], 4)),
        None => days_later(early.at, 14),
    }
}

/// As [`next`], the other way round.
fn previous(moments: &[Timestamp], late: Bound) -> Timestamp {
    let before: Vec<_> = moments.iter().filter(|at| **at < late.at).copied().collect();
    let gap = before
        .windows(2)
        .rfind(|pair| pair[1].duration_since(pair[0]) > GAP);
    match gap.filter(|_| late.clear) {
        Some(pair) => midnight(days_later(pair[0], 4)),
        None => days_later(late.at, -14),
    }
}

/// A bound with a few moments before it, or after it. Where moments lie too dense, it has some of them near it.
fn bound(moments: &[Timestamp], late: bool) -> Option<Bound> {
    let side = |index: usize| if late { moments.len() - index } else { index };
    let gaps = (1..moments.len()).filter(|index| moments[*index].duration_since(moments[index - 1]) > GAP);
    // The most on the small side that is still few, else the fewest.
    let best = gaps.min_by_key(|index| match side(*index) {
        count if count <= FEW => (0, FEW - count),
        count => (1, count),
    });
    if let Some(index) = best {
        let middle = moments[index - 1]
            .as_second()
            .midpoint(moments[index].as_second());
        let at = midnight(days_later(Timestamp::from_second(middle).ok()?, 1));
        return Some(Bound { at, clear: true });
    }
    let (first, last) = (moments.first()?, moments.last()?);
    let index = (moments.len() / 8).min(FEW);
    let at = match late {
        true => midnight(days_later(moments[moments.len() - 1 - index], -3)),
        false => midnight(days_later(moments[index], 4)),
    };
    (first < last && at > *first && at < *last).then_some(Bound { at, clear: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(days: &[i64]) -> Vec<Timestamp> {
        let from: Timestamp = "2026-01-01T09:00:00Z".parse().unwrap();
        days.iter().map(|day| days_later(from, *day)).collect()
    }

    #[test]
    fn a_bound_lies_in_a_gap_with_few_moments_beyond() {
        let moments = days(&[0, 1, 30, 31, 60, 90]);
        let (early, late) = (bound(&moments, false).unwrap(), bound(&moments, true).unwrap());
        assert!(early.clear && late.clear);
        for bound in [early, late] {
            assert!(
                moments
                    .iter()
                    .all(|at| at.duration_since(bound.at).abs() > MARGIN)
            );
        }
    }

    #[test]
    fn without_a_gap_a_bound_lies_among_the_moments() {
        let moments = days(&(0..40).collect::<Vec<_>>());
        let bound = bound(&moments, false).unwrap();
        assert!(!bound.clear && moments[0] < bound.at && bound.at < moments[39]);
        assert_eq!(super::bound(&days(&[0]), false), None);
    }
}
