//! How relations are shown (I16).

use std::collections::BTreeSet;

use rollcall_contract::{Included, Join, Pointer, Relation, Role};
use serde_json::Value;

use super::first_page::FirstPage;
use super::records::prefix;
use crate::checks::CheckFuture;
use crate::corpus::list_spec::ListSpec;
use crate::corpus::predicate::spelled;
use crate::corpus::records::id_at;
use crate::corpus::related::{may_be_bounded, related};
use crate::corpus::snapshot::Snapshot;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::http::target::TargetError;

pub(super) fn observed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in engine.readable() {
            let spec = engine.list(list).spec.clone();
            let Some(include) = spec.parameter(Role::Include).filter(|_| spec.specified) else {
                continue;
            };
            let unknown = engine.choice("relation").word(8);
            let first_page = FirstPage::of(engine, list, &[(include, &unknown)]).await?;
            let question = format!("an unknown relation of {}", spec.name());
            result.observe("L6", question, first_page.granted());
            if spec.list.included == Included::Records {
                for relation in &spec.list.relations {
                    shown(engine, list, (&spec, include), relation, result).await?;
                    trashed(engine, list, (&spec, include), relation, result).await?;
                }
            }
        }
        result.gap_if_unobserved("a list that can include relations");
        Ok(())
    })
}

/// R9, R10, R11, R13, R14: how one relation stands in the records of a page.
async fn shown(
    engine: &mut Engine,
    list: usize,
    (spec, include): (&ListSpec, &str),
    relation: &Relation,
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    let name = &relation.name;
    let at = Pointer::of(["included", relation.member.as_str()]);
    let first_page = FirstPage::of(engine, list, &[(include, name)]).await?;
    let records = first_page.records.unwrap_or_default();
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
        result.observe(
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
        result.observe("L3", format!("the most records in {name}"), bound.to_string());
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
        result.observe("R10", format!("the shape of {name}"), choice);
    }
    let ids = related
        .iter()
        .filter_map(|one| id_at(&engine.contract.identifier, one));
    let specified = relation
        .record
        .as_deref()
        .and_then(|record| engine.contract.id_prefix(record));
    if let (None, Some(prefix)) = (specified, prefix(ids)) {
        result.observe("R13", format!("how ids of {name} begin"), prefix);
    }
    for join in relation
        .join
        .iter()
        .chain(spec.list.relations.iter().filter_map(|other| other.join.as_ref()))
    {
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
            result.observe("R14", question, Vec::from_iter(top).join(" or "));
        }
    }
    numbers(engine, list, include, relation, result).await
}

/// L3: how many records a relation to many shows, if its count says that there are more.
fn bound(relation: &Relation, record: &Value) -> Option<usize> {
    let counted = record["count"][relation.count.as_deref()?].as_u64()?;
    let shown = related(record, relation).len();
    (may_be_bounded(shown) && counted > shown as u64).then_some(shown)
}

/// R11: where the number of related records appears.
async fn numbers(
    engine: &mut Engine,
    list: usize,
    include: &str,
    relation: &Relation,
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    for (asked, member) in [
        (relation.count_name(), relation.count_member()),
        (relation.exists_name(), relation.exists_member()),
    ] {
        let first_page = FirstPage::of(engine, list, &[(include, &asked)]).await?;
        let Some(record) = first_page.first() else {
            result.observe("R11", format!("where {asked} appears"), first_page.granted());
            continue;
        };
        let places = [
            ("in included", Pointer::of(["included", member.as_str()])),
            ("in the record", Pointer::of([member.as_str()])),
            ("in count", Pointer::of(["count", member.as_str()])),
        ];
        let place = places.iter().find(|(_, place)| place.find(record).is_some());
        let choice = place.map_or("elsewhere", |(word, _)| word);
        result.observe("R11", format!("where {asked} appears"), choice);
    }
    Ok(())
}

/// R15: whether a soft-deleted record stands in a relation between records of one list.
async fn trashed(
    engine: &mut Engine,
    list: usize,
    (spec, include): (&ListSpec, &str),
    relation: &Relation,
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    let (Some(join), Some(by_id)) = (&relation.join, spec.by_identifier()) else {
        return Ok(());
    };
    let pair = engine
        .list(list)
        .widest_snapshot()
        .and_then(|snapshot| hidden(snapshot, join));
    let Some((gone, owner)) = pair else { return Ok(()) };
    let first_page = FirstPage::of(engine, list, &[(&by_id.name, &owner), (include, &relation.name)]).await?;
    let at = Pointer::of(["included", relation.member.as_str()]);
    let Some(record) = first_page.first() else {
        return Ok(());
    };
    let is_gone = |one: &Value| id_at(&spec.identifier, one) == Some(&gone);
    let is_shown = match at.find(record) {
        Some(Value::Array(items)) => items.iter().any(is_gone),
        Some(one) => is_gone(one),
        None => false,
    };
    let choice = if is_shown { "shown" } else { "left out" };
    result.observe(
        "R15",
        format!("a soft-deleted record in {}", relation.name),
        choice,
    );
    Ok(())
}

/// A soft-deleted record and a live one that is joined with it.
fn hidden(snapshot: &Snapshot, join: &Join) -> Option<(String, String)> {
    let owners = snapshot.by(&join.ours);
    snapshot.deleted().find_map(|(gone, record)| {
        let theirs = join.theirs.find(record).and_then(spelled)?;
        let owner = owners.group(&theirs).live.first()?;
        Some((gone.to_owned(), owner.clone()))
    })
}
