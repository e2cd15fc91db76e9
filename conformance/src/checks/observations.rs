//! What the specification leaves open and a target decides: told, never judged (S10, E12).

use std::collections::BTreeMap;

use rollcall_contract::{Match, Pointer, ValueKind};
use serde_json::Value;

use super::Looking;
use super::asking;
use super::values::chosen;
use crate::context::Context;
use crate::corpus::Look;
use crate::listing::Listed;
use crate::members::Members;
use crate::outcome::Tally;
use crate::request::{Brackets, Request};
use crate::seen::SeenFilter;
use crate::target::Trouble;

/// S10: members the specification does not have, and nulls.
pub(super) fn records(context: &mut Context) -> Looking<'_> {
    Box::pin(async {
        let mut tally = Tally::default();
        for list in &context.corpus.lists {
            let Some(view) = list.fullest() else { continue };
            let known = Members::of(&context.contract, &list.subject.list.record);
            let mut members: BTreeMap<String, usize> = BTreeMap::new();
            let mut nulls: BTreeMap<String, usize> = BTreeMap::new();
            for (_, record) in view.records() {
                visit(&Pointer::root(), record, &mut |place, value| {
                    if !known.has(place) {
                        *members.entry(place.to_string()).or_default() += 1;
                    } else if value.is_null() {
                        *nulls.entry(place.to_string()).or_default() += 1;
                    }
                });
            }
            let name = list.subject.name();
            let told = |what: &BTreeMap<String, usize>| {
                let told: Vec<_> = what
                    .iter()
                    .take(20)
                    .map(|(place, count)| format!("{place} ({count})"))
                    .collect();
                told.join(", ")
            };
            if !members.is_empty() {
                tally.observe(
                    "R1",
                    format!("members of {name} that the contract does not have"),
                    told(&members),
                );
            }
            if !nulls.is_empty() {
                tally.observe("R1", format!("nulls in {name}"), told(&nulls));
            }
            if let Listed::Records(reading) = &view.listed {
                let envelope = reading
                    .envelope
                    .as_ref()
                    .map_or("no envelope".to_owned(), |name| format!("envelope {name:?}"));
                let (pages, size) = (reading.pages.len(), list.paging.at_least);
                let order = match (&list.paging.sort, list.paging.stable) {
                    (Some((_, field)), _) => format!("stable when sorted by {field}"),
                    (None, true) => "stable".to_owned(),
                    (None, false) => "different every time".to_owned(),
                };
                tally.observe("L1", format!("the envelope of {name}"), envelope);
                tally.observe("L3", format!("the pages of {name}"), format!("{pages} of {size}"));
                tally.observe("L5", format!("the order of {name}"), order);
            }
        }
        Ok(tally)
    })
}

/// Visits the members of a record, and of the objects in it that have fixed members.
fn visit(at: &Pointer, record: &Value, see: &mut impl FnMut(&Pointer, &Value)) {
    for (name, value) in record.as_object().into_iter().flatten() {
        let place = at.child(name);
        see(&place, value);
        if at.segments().is_empty() && ["timestamp", "count", "links"].contains(&name.as_str()) {
            visit(&place, value, see);
        }
    }
}

/// E12: how filters treat what is left open.
pub(super) fn filters(context: &mut Context) -> Looking<'_> {
    Box::pin(async {
        let mut tally = Tally::default();
        let mut gaps = Tally::default();
        let fields = asking::filters(context, Match::Exact, &mut gaps).await?;
        let text =
            |field: &&SeenFilter| matches!(field.kind, ValueKind::Text { .. }) && field.look == Look::Default;
        let Some((field, value)) = fields.iter().filter(text).find_map(|field| {
            let mut values = chosen(context, field).into_iter();
            Some((
                field,
                values.find(|value| value.chars().any(char::is_alphabetic) && !value.contains('_'))?,
            ))
        }) else {
            tally.gap("a value of text");
            return Ok(tally);
        };
        let (list, name) = (field.list, field.name.as_str());
        let query = |parameters: &[(&str, &str)]| context.query(list, parameters);
        let other = chosen(context, field)
            .into_iter()
            .find(|other| *other != value)
            .unwrap_or_else(|| value.clone());
        let unknown = name.replace(']', "_unknown]");
        let bare = context.list(list).subject.operation.filters();
        let bare = bare.filter(|(parameter, filter)| {
            filter.matching == Match::Contains && !parameter.name.contains('[')
        });
        let bare = bare.map(|(parameter, _)| parameter.name.clone()).next();
        let mut asked: Vec<(String, Request)> = vec![
            (
                format!("{name} in capitals"),
                query(&[(name, &value.to_uppercase())]),
            ),
            (
                format!("{name} with a comma between two values"),
                query(&[(name, &format!("{value},{other}"))]),
            ),
            (format!("{name} empty"), query(&[(name, "")])),
            (
                format!("{name} twice with different values"),
                query(&[(name, &value), (name, &other)]),
            ),
            (
                format!("the unknown filter {unknown}"),
                query(&[(&unknown, &value)]),
            ),
            (
                format!("{name} with plain brackets"),
                Request {
                    brackets: Brackets::Plain,
                    ..query(&[(name, &value)])
                },
            ),
        ];
        asked.extend(bare.map(|bare| (format!("the bare parameter {bare}"), query(&[(&bare, &value)]))));
        tally.observe(
            "L9",
            format!("{name} as it is shown"),
            told(context, list, &query(&[(name, &value)])).await?,
        );
        for (what, request) in asked {
            tally.observe("L9", what, told(context, list, &request).await?);
        }
        let whole = context
            .list(list)
            .view(&Look::Default)
            .map(|view| view.len())
            .unwrap_or_default();
        tally.observe("L8", "the list without filters", format!("{whole} records"));
        Ok(tally)
    })
}

/// What a request comes to; the first page is enough.
async fn told(context: &Context, list: usize, request: &Request) -> Result<String, Trouble> {
    let exchange = context.target.send(request).await?;
    let paging = &context.list(list).paging;
    let told = crate::listing::single_page(exchange, &context.target, paging);
    let more = told
        .reading()
        .is_some_and(|reading| !reading.complete && paging.at_least > 0);
    Ok(format!(
        "{}{}",
        told.describe(),
        if more { " or more" } else { "" }
    ))
}
