//! The pages of a list in an order in which many records are equal (G8).

use std::collections::BTreeMap;
use std::sync::Arc;

use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::order::SortField;
use rollcall_oracle::corpus::query::{Query, sorting};
use rollcall_oracle::judge::scattered;
use serde_json::Value;

use super::pages::long;
use crate::checks::CheckFuture;
use crate::discovery::sorting;
use crate::engine::Engine;
use crate::engine::PAGE;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;

/// Of each list so many fields are looked at.
const FIELDS: usize = 2;

pub(super) fn each_once<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for list in long(engine, result).await? {
            let sortable = sorting::of(engine, list).await?;
            let list_corpus = engine.list(list);
            let live: Vec<&Value> = list_corpus.live().map(|(_, record)| &**record).collect();
            let usable = sortable.sorting.iter().map(|(field, _)| field);
            let usable = usable.filter(|field| engine.failed(list, &sorting(&field.name)).is_none());
            // A group of equal records that is longer than a page is on several pages.
            let mut tied: Vec<(usize, &SortField)> =
                usable.map(|field| (largest_group(field, &live), field)).collect();
            tied.retain(|(size, _)| *size > list_corpus.paging.at_least);
            tied.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
            if tied.is_empty() {
                let name = list_corpus.spec.name();
                result.gap(format!(
                    "{name}: a sort field in which more records are equal than fit on a page"
                ));
            }
            cases.extend(
                tied.into_iter()
                    .take(FIELDS)
                    .map(|(_, field)| case(engine, list, field)),
            );
        }
        engine.run_cases(cases, result).await?;
        result.gap_if_empty("a list with several pages, and a sort field in which many records are equal");
        Ok(())
    })
}

/// How many records share the commonest value of a field.
fn largest_group(field: &SortField, records: &[&Value]) -> usize {
    let mut groups: BTreeMap<String, usize> = BTreeMap::new();
    for key in records.iter().filter_map(|record| field.key(record)) {
        *groups.entry(key.distinct()).or_default() += 1;
    }
    groups.into_values().max().unwrap_or_default()
}

/// All pages in the order of a field.
fn case(engine: &Engine, list: usize, field: &SortField) -> Case {
    let query = Query::default().sorted(&[&field.name]);
    let request = query.request(engine.list(list));
    let about = format!("sort={} on all pages", field.name);
    let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| scattered(list, &query, &answers[0]);
    Case::new(list, about, vec![request], judge).resting_on([sorting(&field.name), PAGE.to_owned()])
}
