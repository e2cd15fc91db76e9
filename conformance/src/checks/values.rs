//! Exact filters, one value at a time (E1 to E4, E10).

use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_contract::ValueKind;

use super::Looking;
use crate::context::{Accusation, Context};
use crate::corpus::{Look, View};
use crate::listing::{Listed, identity};
use crate::oracle::{Field, folded};
use crate::outcome::Tally;
use crate::request::Request;
use crate::sample::{self, Choice};
use crate::target::Trouble;

/// The filters whose members can be seen, on lists that could be read. What cannot be looked at is a gap.
pub(super) async fn fields(context: &mut Context, tally: &mut Tally) -> Result<Vec<Field>, Trouble> {
    let mut fields = Vec::new();
    for list in 0..context.corpus.lists.len() {
        for filter in context.list(list).subject.exact_filters() {
            let name = format!("{} {}", context.list(list).subject.name(), filter.name);
            let Some(field) = Field::of(list, &filter) else {
                tally.gap(format!("{name}: somewhere to see {}", filter.field));
                continue;
            };
            let view = context.view(list, &field.look).await?;
            match view.map(|view| (view.listed.reading().is_some(), field.values(view).is_empty())) {
                Some((true, false)) => fields.push(field),
                Some((true, true)) => tally.gap(format!("{name}: a record that shows a value")),
                _ => tally.gap(format!("{name}: a list that answers {:?}", field.look)),
            }
        }
    }
    Ok(fields)
}

/// The values of a field to ask for; of words, all there are.
pub(super) fn chosen(context: &Context, field: &Field) -> Vec<String> {
    let values = context
        .seen(field)
        .map(|view| field.values(view))
        .unwrap_or_default();
    if matches!(field.kind, ValueKind::Word(_)) {
        return values
            .into_keys()
            .filter(|value| sample::is_usable(value))
            .collect();
    }
    sample::values(&mut context.choice(&field.name), &values)
}

/// The request for one value of a field.
pub(super) fn request(context: &Context, field: &Field, value: &str) -> Request {
    context.query(field.list, &[(&field.name, value)])
}

pub(super) fn sound(context: &mut Context) -> Looking<'_> {
    Box::pin(async {
        let mut tally = Tally::default();
        for field in fields(context, &mut tally).await? {
            for value in chosen(context, &field) {
                let request = request(context, &field, &value);
                let answer = context.ask(field.list, &request).await?;
                if answer.reading().is_none_or(|reading| reading.records.is_empty()) {
                    tally.gap(format!("{}={value}: an answer with records", field.name));
                    continue;
                }
                let judge =
                    |answers: &[Arc<Listed>], view: &View| strangers(&field, &value, &answers[0], view);
                if wrong(context, &field, &[request], &judge, &mut tally).await? {
                    break;
                }
            }
        }
        Ok(tally)
    })
}

pub(super) fn complete(context: &mut Context) -> Looking<'_> {
    Box::pin(async {
        let mut tally = Tally::default();
        for field in fields(context, &mut tally).await? {
            for value in chosen(context, &field) {
                let request = request(context, &field, &value);
                let judge = |answers: &[Arc<Listed>], view: &View| missing(&field, &value, &answers[0], view);
                if wrong(context, &field, &[request], &judge, &mut tally).await? {
                    break;
                }
            }
        }
        Ok(tally)
    })
}

pub(super) fn no_parts(context: &mut Context) -> Looking<'_> {
    Box::pin(async {
        let mut tally = Tally::default();
        for field in fields(context, &mut tally).await? {
            let known = known(context, &field);
            let parts = chosen(context, &field)
                .iter()
                .map(|value| sample::parts(value))
                .find(|parts| !parts.is_empty());
            let parts = parts
                .unwrap_or_default()
                .into_iter()
                .filter(|part| !known.contains(&folded(part)));
            find_none(
                context,
                &field,
                parts.collect(),
                "a value of four letters",
                &mut tally,
            )
            .await?;
        }
        Ok(tally)
    })
}

pub(super) fn impossible(context: &mut Context) -> Looking<'_> {
    Box::pin(async {
        let mut tally = Tally::default();
        for list in 0..context.corpus.lists.len() {
            let view = context.list(list).view(&Look::Default);
            if view.is_none_or(View::is_empty) && context.list(list).subject.specified {
                tally.gap(format!("a record in {}", context.list(list).subject.name()));
                continue;
            }
            for filter in context.list(list).subject.exact_filters() {
                // Where the member is seen nowhere, no record is known to have the value either.
                let field = Field::of(list, &filter).unwrap_or_else(|| unseen(list, &filter));
                context.view(list, &field.look).await?;
                let mut words = nobodys(&mut context.choice(&filter.name), &chosen(context, &field));
                words.retain(|word| !known(context, &field).contains(&folded(word)));
                for word in words {
                    let request = request(context, &field, &word);
                    let judge = |answers: &[Arc<Listed>], _: &View| anything(&field, &word, &answers[0]);
                    if wrong(context, &field, &[request], &judge, &mut tally).await? {
                        break;
                    }
                }
            }
        }
        Ok(tally)
    })
}

pub(super) fn literal(context: &mut Context) -> Looking<'_> {
    Box::pin(async {
        let mut tally = Tally::default();
        for field in fields(context, &mut tally).await? {
            if !matches!(field.kind, ValueKind::Text { .. }) {
                continue;
            }
            let known = known(context, &field);
            let values = chosen(context, &field);
            // Real values with such characters have to be found; the rest of them is for E2.
            for value in values.iter().filter(|value| value.contains(['\'', '%', '\\'])) {
                let request = request(context, &field, value);
                let judge = |answers: &[Arc<Listed>], view: &View| missing(&field, value, &answers[0], view);
                wrong(context, &field, &[request], &judge, &mut tally).await?;
            }
            let odd: Vec<_> = values.first().map(|value| disguised(value)).unwrap_or_default();
            let odd = odd
                .into_iter()
                .filter(|odd| !known.contains(&folded(odd)))
                .collect();
            find_none(context, &field, odd, "a value of text", &mut tally).await?;
        }
        Ok(tally)
    })
}

/// Asks for values that no record has; each has to find nothing or be refused.
async fn find_none(
    context: &mut Context,
    field: &Field,
    values: Vec<String>,
    needs: &str,
    tally: &mut Tally,
) -> Result<(), Trouble> {
    if values.is_empty() {
        tally.gap(format!("{}: {needs}", field.name));
    }
    for value in values {
        let request = request(context, field, &value);
        let judge = |answers: &[Arc<Listed>], view: &View| match &*answers[0] {
            Listed::Refused(exchange) if exchange.is_refusal() => None,
            answer if answer.reading().is_none() => {
                Some(Accusation::of_answer("no records, or a refusal", answer))
            }
            answer => strangers(field, &value, answer, view),
        };
        if wrong(context, field, &[request], &judge, tally).await? {
            break;
        }
    }
    Ok(())
}

/// Judges and counts; true if a violation was found, after which more of its kind tells nothing new.
pub(super) async fn wrong(
    context: &mut Context,
    field: &Field,
    requests: &[Request],
    judge: &crate::context::Judge<'_>,
    tally: &mut Tally,
) -> Result<bool, Trouble> {
    let settled = context.judge(field, requests, judge).await?;
    let wrong = matches!(settled, crate::outcome::Settled::Wrong(_));
    tally.settle(settled);
    Ok(wrong)
}

/// The records of an answer that do not have the value asked for.
fn strangers(field: &Field, value: &str, answer: &Listed, view: &View) -> Option<Accusation> {
    let reading = answer.reading()?;
    let strangers: Vec<_> = reading
        .records
        .iter()
        .filter(|record| !field.admits(record, view, value))
        .collect();
    let shown = strangers
        .first()
        .map(|record| format!("{:?}", field.shown_by(record, view)))
        .unwrap_or_default();
    let ids: BTreeSet<_> = strangers.iter().map(|record| identity(record)).collect();
    let count = reading.records.len();
    Accusation::of_records(
        ids,
        format!("only records whose {} is {value:?}", field.at),
        |names| format!("{names}, of {count} records, has another: {shown}"),
    )
}

/// The records that have the value and are not in the answer.
pub(super) fn missing(field: &Field, value: &str, answer: &Listed, view: &View) -> Option<Accusation> {
    let expected = field.expected(view, value);
    let says = format!("the {} records whose {} is {value:?}", expected.len(), field.at);
    let Some(reading) = answer.reading() else {
        return (!expected.is_empty()).then(|| Accusation::of_answer(says, answer));
    };
    if !reading.complete {
        return None;
    }
    let found = reading.ids();
    let missing = expected
        .into_iter()
        .filter(|id| !found.contains(id.as_str()))
        .collect();
    Accusation::of_records(missing, says, |names| {
        format!("{} without {names}", answer.describe())
    })
}

/// An answer with records, whatever they are, to a value that no record has.
fn anything(field: &Field, word: &str, answer: &Listed) -> Option<Accusation> {
    let expected = "no records, or a refusal";
    match answer {
        Listed::Refused(exchange) if exchange.is_refusal() => None,
        Listed::Records(reading) => {
            let ids = reading.records.iter().map(|record| identity(record)).collect();
            Accusation::of_records(
                ids,
                format!("{expected}: nobody has {} {word:?}", field.at),
                |names| format!("{} ({names})", answer.describe()),
            )
        }
        answer => Some(Accusation::of_answer(expected, answer)),
    }
}

/// All values that records have, in folded form.
fn known(context: &Context, field: &Field) -> BTreeSet<String> {
    let values = context
        .seen(field)
        .map(|view| field.values(view))
        .unwrap_or_default();
    values.keys().map(|value| folded(value)).collect()
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
fn disguised(value: &str) -> Vec<String> {
    let letters: Vec<char> = value.chars().collect();
    let mut disguises = vec![
        "%".to_owned(),
        format!("{value}' OR '1'='1"),
        format!("{value}\\"),
    ];
    let inner = letters.iter().rposition(|letter| letter.is_alphanumeric());
    if let (Some(inner), true) = (inner, letters.len() > 1) {
        let (before, after): (String, String) = (
            letters[..inner].iter().collect(),
            letters[inner + 1..].iter().collect(),
        );
        disguises.push(format!("{before}_{after}"));
        disguises.push(format!("{before}%"));
    }
    disguises
}

/// A filter whose member is seen nowhere.
fn unseen(list: usize, filter: &crate::subject::ExactFilter) -> Field {
    Field {
        list,
        name: filter.name.clone(),
        clause: filter.clause.clone(),
        look: Look::Default,
        at: filter.field.clone(),
        kind: filter.value.clone(),
    }
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
