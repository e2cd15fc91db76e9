//! Exact filters, one value at a time (E1 to E4, E10).

use rollcall_contract::{Match, ValueKind};

use super::sets::is_join;
use crate::case::Case;
use crate::checks::Looking;
use crate::checks::asking::{complete, filters, known, nothing, refused_or_sound, sound, valued};
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

/// Whether a filter compares a text of the record itself: identifiers, joins and words have checks of their own.
fn is_text(context: &Context, filter: &SeenFilter) -> bool {
    !filter.is_identifier() && !filter.is_word() && !is_join(context, filter)
}

pub(super) fn all_sound<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    each_value(context, tally, sound)
}

pub(super) fn all_complete<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    each_value(context, tally, complete)
}

/// A case for each chosen value of each filter of texts.
fn each_value<'a>(
    context: &'a mut Context,
    tally: &'a mut Tally,
    make: fn(&Context, Query) -> Case,
) -> Looking<'a> {
    Box::pin(async move {
        let mut cases = Vec::new();
        for (filter, _) in valued(context, tally, is_text).await? {
            let values = chosen(context, &filter);
            cases.extend(
                values
                    .iter()
                    .map(|value| make(context, Query::by(&filter, value))),
            );
        }
        context.settle(cases, tally).await?;
        Ok(())
    })
}

pub(super) fn no_parts<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for (filter, _) in valued(context, tally, |_, _| true).await? {
            let known = known(context, &filter);
            let values = chosen(context, &filter);
            let parts = values
                .iter()
                .map(|value| sample::parts(value))
                .find(|parts| !parts.is_empty());
            let parts = parts.unwrap_or_default().into_iter();
            let parts: Vec<_> = parts.filter(|part| !known.contains(&folded(part))).collect();
            if parts.is_empty() {
                tally.gap(format!("{}: a value of four letters", filter.name));
            }
            let asked = parts
                .iter()
                .map(|part| refused_or_sound(context, Query::by(&filter, part)));
            cases.extend(asked);
        }
        context.settle(cases, tally).await?;
        Ok(())
    })
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

pub(super) fn literal<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for filter in filters(context, Match::Exact, tally).await? {
            if !matches!(filter.kind, ValueKind::Text { .. }) {
                continue;
            }
            let (known, values) = (known(context, &filter), chosen(context, &filter));
            // Real values with such characters have to be found; the rest of them is for E2.
            let real = values.iter().filter(|value| value.contains(['\'', '%', '\\']));
            cases.extend(real.map(|value| complete(context, Query::by(&filter, value))));
            let odd: Vec<_> = values.first().map(|value| disguised(value)).unwrap_or_default();
            if odd.is_empty() {
                tally.gap(format!("{}: a value of text", filter.name));
            }
            let odd = odd.iter().filter(|odd| !known.contains(&folded(odd)));
            cases.extend(odd.map(|odd| refused_or_sound(context, Query::by(&filter, odd))));
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

/// A value with its letters replaced by what some query languages read as something else.
pub(crate) fn disguised(value: &str) -> Vec<String> {
    let letters: Vec<char> = value.chars().collect();
    let mut disguises = vec![
        "%".to_owned(),
        format!("{value}' OR '1'='1"),
        format!("{value}\\"),
    ];
    let inner = letters.iter().rposition(|letter| letter.is_alphanumeric());
    if let (Some(inner), true) = (inner, letters.len() > 1) {
        let before: String = letters[..inner].iter().collect();
        let after: String = letters[inner + 1..].iter().collect();
        disguises.push(format!("{before}_{after}"));
        disguises.push(format!("{before}%"));
    }
    disguises
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disguise_is_never_the_value() {
        for value in ["Miller", "x", "a_b", "O'Neill", "100%"] {
            assert!(
                disguised(value).iter().all(|disguise| disguise != value),
                "{value}"
            );
        }
        assert!(disguised("Miller").contains(&"Mille_".to_owned()));
    }
}
