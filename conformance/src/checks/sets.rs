//! Exact filters, the sets that their values make (E5 to E8).

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Looking;
use super::values::{chosen, fields, missing, request, wrong};
use crate::context::{Accusation, Context};
use crate::corpus::View;
use crate::listing::{Listed, identity};
use crate::oracle::{Field, Shown};
use crate::outcome::Tally;
use crate::sample::is_usable;

/// A filter with more values than this is not asked for all of them.
const FEW: usize = 12;

pub(super) fn disjoint(context: &mut Context) -> Looking<'_> {
    Box::pin(async {
        let mut tally = Tally::default();
        for field in fields(context, &mut tally).await? {
            let values = chosen(context, &field);
            if values.len() < 2 {
                tally.gap(format!("{}: two values", field.name));
            }
            for pair in values.windows(2) {
                let requests = [
                    request(context, &field, &pair[0]),
                    request(context, &field, &pair[1]),
                ];
                let mut both = Vec::new();
                for request in &requests {
                    both.push(context.ask(field.list, request).await?);
                }
                if both
                    .iter()
                    .any(|answer| answer.reading().is_none_or(|reading| reading.records.is_empty()))
                {
                    tally.gap(format!("{}: two values that are found", field.name));
                    continue;
                }
                let judge = |answers: &[Arc<Listed>], _: &View| common(&answers[0], &answers[1]);
                if wrong(context, &field, &requests, &judge, &mut tally).await? {
                    break;
                }
            }
        }
        Ok(tally)
    })
}

pub(super) fn covering(context: &mut Context) -> Looking<'_> {
    Box::pin(async {
        let mut tally = Tally::default();
        for field in fields(context, &mut tally).await? {
            let Some(view) = context.seen(&field) else {
                continue;
            };
            let values: Vec<String> = field.values(view).into_keys().collect();
            let complete = view.listed.reading().is_some_and(|reading| reading.complete);
            if values.len() > FEW || !values.iter().all(|value| is_usable(value)) || !complete {
                continue; // Too many to ask for all; other filters will do.
            }
            let mut requests = vec![context.query(field.list, &[])];
            requests.extend(values.iter().map(|value| request(context, &field, value)));
            let judge = |answers: &[Arc<Listed>], view: &View| uncovered(&field, answers, view);
            wrong(context, &field, &requests, &judge, &mut tally).await?;
        }
        tally.gap_if_empty(format!("a filter of at most {FEW} values, and a stable order"));
        Ok(tally)
    })
}

pub(super) fn identified(context: &mut Context) -> Looking<'_> {
    Box::pin(async {
        let mut tally = Tally::default();
        for field in fields(context, &mut tally)
            .await?
            .into_iter()
            .filter(Field::is_identifier)
        {
            let ids: Vec<String> = context
                .seen(&field)
                .map(|view| field.values(view).into_keys().collect())
                .unwrap_or_default();
            for id in context.choice("E7").some(&ids, 6) {
                let request = request(context, &field, &id);
                let judge = |answers: &[Arc<Listed>], view: &View| alone(&field, &id, &answers[0], view);
                if wrong(context, &field, &[request], &judge, &mut tally).await? {
                    break;
                }
            }
        }
        Ok(tally)
    })
}

pub(super) fn joined(context: &mut Context) -> Looking<'_> {
    Box::pin(async {
        let mut tally = Tally::default();
        let mut gaps = Tally::default();
        for field in fields(context, &mut gaps).await? {
            if !is_join(context, &field) {
                continue;
            }
            let Some(view) = context.seen(&field) else {
                continue;
            };
            let referred: Vec<String> = field
                .values(view)
                .into_keys()
                .filter(|id| is_usable(id))
                .collect();
            let others = view
                .records()
                .map(|(id, _)| id.to_owned())
                .filter(|id| !referred.contains(id));
            let others: Vec<String> = others.collect();
            let mut choice = context.choice("E8");
            // Those that others refer to, and those that nobody refers to.
            let ids = choice
                .some(&referred, 8)
                .into_iter()
                .chain(choice.some(&others, 3));
            for id in ids {
                let request = request(context, &field, &id);
                let judge = |answers: &[Arc<Listed>], view: &View| exactly(&field, &id, &answers[0], view);
                if wrong(context, &field, &[request], &judge, &mut tally).await? {
                    break;
                }
            }
        }
        tally.gap_if_empty("a record that others of its list refer to");
        Ok(tally)
    })
}

/// Whether the filter is what lists a relation whose join members show on both sides.
fn is_join(context: &Context, field: &Field) -> bool {
    let subject = &context.list(field.list).subject;
    subject.list.relations.iter().any(|relation| {
        let listed = relation.listed_by.as_ref();
        let here = listed.is_some_and(|by| by.operation == subject.operation.id && by.filter == field.name);
        here && relation.join.as_ref().is_some_and(|join| join.theirs == field.at)
    })
}

fn common(one: &Listed, other: &Listed) -> Option<Accusation> {
    let (one, other) = (one.reading()?, other.reading()?);
    let (ours, theirs) = (one.ids(), other.ids());
    let common = ours.intersection(&theirs).map(|id| (*id).to_owned()).collect();
    Accusation::of_records(common, "no record in both answers", |names| {
        format!("{names} in both")
    })
}

/// The records of the whole list, which is the first answer, that are in none of the others and have a value.
fn uncovered(field: &Field, answers: &[Arc<Listed>], view: &View) -> Option<Accusation> {
    let mut covered: BTreeSet<String> = BTreeSet::new();
    for answer in &answers[1..] {
        let Some(reading) = answer.reading() else {
            return Some(Accusation::of_answer(
                "an answer for every value that records have",
                answer,
            ));
        };
        if !reading.complete {
            return None;
        }
        covered.extend(reading.records.iter().map(|record| identity(record)));
    }
    let whole = answers[0].reading().filter(|reading| reading.complete)?;
    let has_value = |id: &str| {
        matches!(
            view.record(id).map(|record| field.shown(record)),
            Some(Shown::Value(_))
        )
    };
    let left: BTreeSet<_> = whole
        .ids()
        .into_iter()
        .filter(|id| !covered.contains(*id) && has_value(id))
        .map(str::to_owned)
        .collect();
    Accusation::of_records(
        left,
        "every record of the list under one of the values",
        |names| format!("{names} under none of them"),
    )
}

/// Anything but the one record with this identifier.
fn alone(field: &Field, id: &str, answer: &Listed, view: &View) -> Option<Accusation> {
    missing(field, id, answer, view).or_else(|| {
        let reading = answer.reading()?;
        let others = reading
            .records
            .iter()
            .map(|record| identity(record))
            .filter(|other| other != id)
            .collect();
        Accusation::of_records(others, format!("{id} alone"), |names| format!("{names} as well"))
    })
}

/// Anything but the records that refer to this one.
fn exactly(field: &Field, id: &str, answer: &Listed, view: &View) -> Option<Accusation> {
    missing(field, id, answer, view).or_else(|| {
        let reading = answer.reading()?;
        let strangers = reading
            .records
            .iter()
            .filter(|record| !field.admits(record, view, id));
        let strangers = strangers.map(|record| identity(record)).collect();
        let expected = format!("only records whose {} is {id}", field.at);
        Accusation::of_records(strangers, expected, |names| format!("{names} as well"))
    })
}
