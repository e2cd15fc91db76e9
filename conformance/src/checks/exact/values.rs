//! Exact filters by a value that no record has, also where no record shows the member.

use rollcall_contract::Match;
use rollcall_oracle::corpus::Projection;
use rollcall_oracle::corpus::predicate::{ObservableFilter, folded};
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::plan::sample::{self, Choice};

use crate::cases::{known, nothing};
use crate::checks::CheckFuture;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::explore::planned;

/// The values of a filter to ask for; of words, all there are.
pub(crate) fn chosen(engine: &Engine, filter: &ObservableFilter) -> Vec<String> {
    let values = engine.values(filter);
    if filter.is_word() {
        let words = values.into_keys();
        return words.filter(|word| sample::is_usable(word)).collect();
    }
    sample::values(&mut engine.choice(&filter.name), &values)
}

pub(super) fn shown_or_absent<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        planned(engine, result).await?;
        let mut cases = Vec::new();
        for list in engine.readable() {
            if engine.list(list).live().next().is_none() {
                result.gap(format!("a record in {}", engine.list(list).spec.name()));
                continue;
            }
            let judged: Vec<_> = engine.list(list).spec.matching(Match::Exact).cloned().collect();
            for judged in judged {
                // Where the member is seen nowhere, no record is known to have the value either.
                let seen = ObservableFilter::of(list, &judged);
                let filter = seen.unwrap_or_else(|| ObservableFilter::unseen(list, &judged));
                if filter.projection != Projection::Default {
                    engine.snapshot(list, &filter.projection).await?;
                }
                let (known, values) = (known(engine, &filter), chosen(engine, &filter));
                let words = absent_values(&mut engine.choice(&filter.name), &values);
                let words = words.iter().filter(|word| !known.contains(&folded(word)));
                cases.extend(words.map(|word| nothing(engine, &filter, Query::by(&filter, word))));
            }
        }
        engine.run_cases(cases, result).await
    })
}

/// Words that nobody has: one without sense, and one that looks like a real value.
fn absent_values(choice: &mut Choice, values: &[String]) -> Vec<String> {
    let mut words = vec![format!("nobody-{}", choice.word(16))];
    if let Some((prefix, rest)) = values.first().and_then(|value| value.split_once('_')) {
        words.push(format!("{prefix}_{}", choice.word(rest.len().max(12))));
    }
    words
}
