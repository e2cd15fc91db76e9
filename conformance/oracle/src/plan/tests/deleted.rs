//! What the plan asks about soft-deleted records.

use super::*;

#[test]
fn every_filter_alone_excludes_some_soft_deleted_record() {
    let domain = Bench::new().domain(1);
    let plan = plan(&domain, &mut Choice::new(1, "plan"), 0);
    let deleted = RecordSet::of(domain.count, |_| true).minus(&domain.usual);
    let excluded = |filter: &str, query: &Query| {
        let values = query.filters.iter();
        let values = values.filter(|(known, _)| known.matching != Match::Trashed);
        values.fold(deleted.clone(), |set, (known, value)| {
            let verdicts = &domain.level(&known.name, value).unwrap().verdicts;
            let is_it = known.name == filter;
            set.and(if is_it {
                &verdicts.excluded
            } else {
                &verdicts.included
            })
        })
    };
    let is_about = |filter: &str, query: &Query| {
        let is_asked = |name: &str| query.filters.iter().any(|(known, _)| known.name == name);
        let is_scoped = query
            .filters
            .iter()
            .any(|(known, value)| known.matching == Match::Trashed && value == ONLY);
        is_scoped && is_asked(filter) && !excluded(filter, query).is_empty()
    };
    let mut asked = 0;
    for filter in domain
        .filters
        .iter()
        .filter(|filter| filter.filter.matching != Match::Trashed)
    {
        let mut levels = filter.levels.iter();
        if levels.any(|level| level.verdicts.excluded.meets(&deleted)) {
            let name = &filter.filter.name;
            assert!(
                plan.queries.iter().any(|planned| is_about(name, &planned.query)),
                "{name}"
            );
            asked += 1;
        }
    }
    assert!(asked > 10, "{asked}");
}

#[test]
fn soft_deleted_records_alone_are_asked_for_in_every_order() {
    let domain = Bench::new().domain(1);
    let plan = plan(&domain, &mut Choice::new(1, "plan"), 0);
    for sort in &domain.sorts {
        let is_about = |query: &Query| {
            let first = query.sort.first();
            let [(filter, word)] = &query.filters[..] else {
                return false;
            };
            first.is_some_and(|key| key.field == sort.name)
                && filter.matching == Match::Trashed
                && word == ONLY
        };
        assert!(
            plan.queries.iter().any(|planned| is_about(&planned.query)),
            "{}",
            sort.name
        );
    }
}
