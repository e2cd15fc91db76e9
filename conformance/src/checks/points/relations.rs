//! How relations are shown (I16).

use std::collections::BTreeSet;

use rollcall_contract::{Included, Join, Pointer, Relation, Role};
use serde_json::Value;

use super::came::Came;
use super::records::prefix;
use crate::checks::Looking;
use crate::context::Context;
use crate::outcome::Tally;
use crate::records::id_at;
use crate::related::{may_be_bounded, related};
use crate::seen::spelled;
use crate::subject::Subject;
use crate::target::Trouble;
use crate::view::View;

pub(super) fn observed<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for list in context.readable() {
            let subject = context.list(list).subject.clone();
            let Some(include) = subject.parameter(Role::Include).filter(|_| subject.specified) else {
                continue;
            };
            let unknown = context.choice("relation").word(8);
            let came = Came::of(context, list, &[(include, &unknown)]).await?;
            let question = format!("an unknown relation of {}", subject.name());
            tally.observe("L6", question, came.granted());
            if subject.list.included == Included::Records {
                for relation in &subject.list.relations {
                    shown(context, list, (&subject, include), relation, tally).await?;
                    trashed(context, list, (&subject, include), relation, tally).await?;
                }
            }
        }
        tally.gap_if_unobserved("a list that can include relations");
        Ok(())
    })
}

/// R9, R10, R11, R13, R14: how one relation stands in the records of a page.
async fn shown(
    context: &mut Context,
    list: usize,
    (subject, include): (&Subject, &str),
    relation: &Relation,
    tally: &mut Tally,
) -> Result<(), Trouble> {
    let name = &relation.name;
    let at = Pointer::of(["included", relation.member.as_str()]);
    let came = Came::of(context, list, &[(include, name)]).await?;
    let records = came.records.unwrap_or_default();
    let values: Vec<_> = records.iter().map(|record| at.find(record)).collect();
    let is_there =
        |value: &&Value| !value.is_null() && value.as_array().is_none_or(|items| !items.is_empty());
    if !values.iter().flatten().any(is_there) {
        return Ok(()); // Nothing is related, or the relation is not offered: what is absent tells nothing.
    }
    let empty: BTreeSet<_> = values
        .iter()
        .filter_map(|value| match value {
            None => Some("left out"),
            Some(Value::Null) => Some("null"),
            Some(Value::Array(items)) if items.is_empty() => Some("[]"),
            Some(_) => None,
        })
        .collect();
    if !empty.is_empty() {
        tally.observe(
            "R9",
            format!("{name} without a record"),
            Vec::from_iter(empty).join(" or "),
        );
    }
    let bounds: BTreeSet<usize> = records
        .iter()
        .filter_map(|record| bound(relation, record))
        .collect();
    if let Some(bound) = bounds.first() {
        tally.observe("L3", format!("the most records in {name}"), bound.to_string());
    }
    let related: Vec<&Value> = values
        .iter()
        .flatten()
        .filter(|value| is_there(value))
        .flat_map(|value| {
            value
                .as_array()
                .map_or_else(|| vec![*value], |items| items.iter().collect())
        })
        .collect();
    if relation.count.is_some() && !relation.many {
        let arrays = values.iter().flatten().any(|value| value.is_array());
        let choice = if arrays { "an array" } else { "one object" };
        tally.observe("R10", format!("the shape of {name}"), choice);
    }
    let ids = related
        .iter()
        .filter_map(|one| id_at(&context.contract.identifier, one));
    let specified = relation
        .record
        .as_deref()
        .and_then(|record| context.contract.id_prefix(record));
    if let (None, Some(prefix)) = (specified, prefix(ids)) {
        tally.observe("R13", format!("how ids of {name} begin"), prefix);
    }
    for join in relation.join.iter().chain(
        subject
            .list
            .relations
            .iter()
            .filter_map(|other| other.join.as_ref()),
    ) {
        let top: BTreeSet<_> = related
            .iter()
            .filter_map(|record| match join.theirs.find(record) {
                Some(Value::Null) => Some("null"),
                Some(Value::String(text)) if text.is_empty() => Some("an empty text"),
                _ => None,
            })
            .collect();
        if !top.is_empty() {
            let question = format!("{} in {name} where there is none", join.theirs);
            tally.observe("R14", question, Vec::from_iter(top).join(" or "));
        }
    }
    numbers(context, list, include, relation, tally).await
}

/// L3: how many records a relation to many shows, if its count says that there are more.
fn bound(relation: &Relation, record: &Value) -> Option<usize> {
    let counted = record["count"][relation.count.as_deref()?].as_u64()?;
    let shown = related(record, relation).len();
    (may_be_bounded(shown) && counted > shown as u64).then_some(shown)
}

/// R11: where the number of related records appears.
async fn numbers(
    context: &mut Context,
    list: usize,
    include: &str,
    relation: &Relation,
    tally: &mut Tally,
) -> Result<(), Trouble> {
    for (asked, member) in [
        (relation.count_name(), relation.count_member()),
        (relation.exists_name(), relation.exists_member()),
    ] {
        let came = Came::of(context, list, &[(include, &asked)]).await?;
        let Some(record) = came.first() else {
            tally.observe("R11", format!("where {asked} appears"), came.granted());
            continue;
        };
        let places = [
            ("in included", Pointer::of(["included", member.as_str()])),
            ("in the record", Pointer::of([member.as_str()])),
            ("in count", Pointer::of(["count", member.as_str()])),
        ];
        let place = places.iter().find(|(_, place)| place.find(record).is_some());
        let choice = place.map_or("elsewhere", |(word, _)| word);
        tally.observe("R11", format!("where {asked} appears"), choice);
    }
    Ok(())
}

/// R15: whether a soft-deleted record stands in a relation between records of one list.
async fn trashed(
    context: &mut Context,
    list: usize,
    (subject, include): (&Subject, &str),
    relation: &Relation,
    tally: &mut Tally,
) -> Result<(), Trouble> {
    let (Some(join), Some(by_id)) = (&relation.join, subject.by_identifier()) else {
        return Ok(());
    };
    let pair = context.list(list).fullest().and_then(|view| hidden(view, join));
    let Some((gone, owner)) = pair else { return Ok(()) };
    let came = Came::of(context, list, &[(&by_id.name, &owner), (include, &relation.name)]).await?;
    let at = Pointer::of(["included", relation.member.as_str()]);
    let Some(record) = came.first() else { return Ok(()) };
    let is_gone = |one: &Value| id_at(&subject.identifier, one) == Some(&gone);
    let is_shown = match at.find(record) {
        Some(Value::Array(items)) => items.iter().any(is_gone),
        Some(one) => is_gone(one),
        None => false,
    };
    let choice = if is_shown { "shown" } else { "left out" };
    tally.observe(
        "R15",
        format!("a soft-deleted record in {}", relation.name),
        choice,
    );
    Ok(())
}

/// A soft-deleted record and a live one that is joined with it.
fn hidden(view: &View, join: &Join) -> Option<(String, String)> {
    let owners = view.by(&join.ours);
    view.deleted().find_map(|(gone, record)| {
        let theirs = join.theirs.find(record).and_then(spelled)?;
        let owner = owners.group(&theirs).live.first()?;
        Some((gone.to_owned(), owner.clone()))
    })
}
