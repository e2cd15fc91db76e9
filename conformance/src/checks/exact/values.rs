//! Exact filters, one value at a time (E1 to E4, E10).

use rollcall_contract::Match;

use crate::checks::Looking;
use crate::checks::asking::{known, nothing};
use crate::context::Context;
use crate::corpus::Look;
use crate::outcome::Tally;
use crate::query::Query;
use crate::sample::{self, Choice};
use crate::seen::{SeenFilter, folded};

/// The values of a filter to ask for; of words, all there are.
pub(crate) fn chosen(context: &Context, filter: &SeenFilter) -> Vec<String> {
    let values = context.values(filter);
    if filter.is_word() {
        return values
            .into_keys()
            .filter(|value| sample::is_usable(value))
            .collect();
    }
    sample::values(&mut context.choice(&filter.name), &values)
}

pub(super) fn impossible<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for list in context.readable() {
            if context.list(list).live().next().is_none() {
                tally.gap(format!("a record in {}", context.list(list).subject.name()));
                continue;
            }
            let judged: Vec<_> = context
                .list(list)
                .subject
                .matching(Match::Exact)
                .cloned()
                .collect();
            for judged in judged {
                // Where the member is seen nowhere, no record is known to have the value either.
                let seen = SeenFilter::of(list, &judged);
                let filter = seen.unwrap_or_else(|| SeenFilter::unseen(list, &judged));
                if filter.look != Look::Default {
                    context.view(list, &filter.look).await?;
                }
                let (known, values) = (known(context, &filter), chosen(context, &filter));
                let words = nobodys(&mut context.choice(&filter.name), &values);
                let words = words.iter().filter(|word| !known.contains(&folded(word)));
                cases.extend(words.map(|word| nothing(context, Query::by(&filter, word))));
            }
        }
        context.settle(cases, tally).await?;
        Ok(())
    })
}

/// Words that nobody has: one without sense, and one that looks like a real value.
fn nobodys(choice: &mut Choice, values: &[String]) -> Vec<String> {
    let mut words = vec![format!("nobody-{}", choice.word(16))];
    if let Some((prefix, rest)) = values.first().and_then(|value| value.split_once('_')) {
        words.push(format!("{prefix}_{}", choice.word(rest.len().max(12))));
    }
    words
}
