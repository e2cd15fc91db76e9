//! Learns what a target does with blanks around the value of a filter (L21): every filter is asked for a value with a blank
//! before it.

use rollcall_oracle::corpus::predicate::{Membership, ObservableFilter};
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::open_points::blanks::Blanks;
use rollcall_oracle::plan::{BLANK_BEFORE, ClassedValue};

use crate::engine::Engine;

/// What most filters of a list do, each asked for one of its values; none if no filter shows it.
pub(super) async fn learn(
    engine: &mut Engine,
    list: usize,
    filters: &[ObservableFilter],
    values: &[Vec<ClassedValue>],
) -> Result<Option<Blanks>, TargetError> {
    let asked = filters.iter().zip(values).filter_map(|(filter, values)| {
        let with_blank = values.iter().find(|value| value.class == BLANK_BEFORE)?;
        let without = with_blank.near.clone()?;
        let finds = !engine.list(list).verdicts(filter, &without).included.is_empty();
        let query = Query::by(filter, &with_blank.value);
        finds.then(|| (filter.clone(), without, query.request(engine.list(list))))
    });
    let asked: Vec<_> = asked.collect();
    let requests: Vec<_> = asked
        .iter()
        .map(|(_, _, request)| (list, request.clone()))
        .collect();
    engine.prefetch(requests).await?;
    let mut votes = Vec::new();
    for (filter, without, request) in &asked {
        let answer = engine.ask(list, request).await?;
        let Some(reading) = answer.reading() else {
            continue;
        };
        let list_corpus = engine.list(list);
        let by_value = Query::by(filter, without);
        let is_found = |record| by_value.membership(list_corpus, record) == Membership::Included;
        if reading.records.is_empty() {
            votes.push(Blanks::Kept);
        } else if reading.records.iter().all(|record| is_found(record)) {
            votes.push(Blanks::Cut);
        }
    }
    Ok(Blanks::of_most(votes))
}
