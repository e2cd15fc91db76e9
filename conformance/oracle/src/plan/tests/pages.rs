//! What the plan asks about pages by their number.

use std::collections::BTreeSet;

use super::*;
use crate::plan::values::classes::classes_of;

fn domain() -> Domain {
    Domain {
        page_size: 2,
        has_pages: true,
        ..Bench::new().domain(1)
    }
}

/// How many records a query is certain to find.
fn found(domain: &Domain, query: &Query) -> usize {
    let is_scoped = query
        .filters
        .iter()
        .any(|(filter, _)| filter.matching == Match::Trashed);
    let all = if is_scoped {
        RecordSet::of(domain.count, |_| true)
    } else {
        domain.usual.clone()
    };
    let values = query
        .filters
        .iter()
        .filter_map(|(filter, value)| domain.level(&filter.name, value));
    values
        .fold(all, |set, level| set.and(&level.verdicts.included))
        .len()
}

#[test]
fn a_page_behind_the_last_one_is_asked_for_with_one_filter_and_between_two_others() {
    let domain = domain();
    let plan = plan(&domain, &mut Choice::new(1, "plan"), 0);
    let is_behind = |query: &&Query| {
        let last = found(&domain, query).div_ceil(domain.page_size).max(1);
        query.page.is_some_and(|page| page > last)
    };
    let queries = plan.queries.iter().map(|planned| &planned.query);
    let queries: Vec<&Query> = queries.filter(is_behind).collect();
    let having = |filters: usize| {
        queries
            .iter()
            .filter(|query| query.filters.len() == filters)
            .count()
    };
    assert!(having(1) > 5 && having(3) > 5, "{} {}", having(1), having(3));
    let values = queries.iter().flat_map(|query| &query.filters);
    let classes: BTreeSet<usize> = values.flat_map(|(_, value)| classes_of(value)).collect();
    assert!(classes.len() > 5, "{classes:?}");
}

#[test]
fn a_filter_counts_as_met_by_a_page_that_has_records_alone() {
    let domain = domain();
    let plan = plan(&domain, &mut Choice::new(1, "plan"), usize::MAX);
    for filter in domain.filters.iter().filter(|filter| !filter.is_scope) {
        let name = &filter.filter.name;
        let pair = format!("{name} with page 3");
        if plan.coverage.out_of_reach.contains(&pair) || filter.filter.matching == Match::Flag {
            continue;
        }
        let shows = |query: &Query| {
            query.page == Some(3)
                && found(&domain, query) > 2 * domain.page_size
                && query.uses().contains(name)
        };
        assert!(plan.queries.iter().any(|planned| shows(&planned.query)), "{pair}");
    }
}
