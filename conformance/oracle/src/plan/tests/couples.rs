//! Two parameters by themselves.

use super::*;

#[test]
fn parameters_of_two_kinds_are_asked_for_by_themselves() {
    let (queries, _) = Bench::new().plan(1, 0);
    let is_only = |query: &&Query, filters: &[Match], keys: usize| {
        let own = query.filters.iter().map(|(filter, _)| filter.matching);
        own.eq(filters.iter().copied()) && query.sort.len() == keys && query.page.is_none()
    };
    let count = |filters: &[Match], keys| {
        queries
            .iter()
            .filter(|query| is_only(query, filters, keys))
            .count()
    };
    assert!(count(&[Match::Exact, Match::Contains], 0) > 0);
    assert!(count(&[Match::Exact, Match::Trashed], 0) > 0);
    assert!(count(&[Match::Before], 1) + count(&[Match::After], 1) > 0);
}
