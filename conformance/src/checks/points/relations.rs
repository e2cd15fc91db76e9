//! How relations are shown (I16).

use std::sync::Arc;

use rollcall_contract::{Included, Join, Relation, Role};
use rollcall_oracle::corpus::list_spec::ListSpec;
use rollcall_oracle::corpus::members::spelled;
use rollcall_oracle::corpus::records::{Record, id_at};
use rollcall_oracle::corpus::related::{may_be_bounded, own_count, related};
use rollcall_oracle::corpus::snapshot::Snapshot;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::open_points::related_number::RelationForm;
use serde_json::Value;

use super::first_page::FirstPage;
use super::observe_all;
use super::records::prefix;
use crate::checks::CheckFuture;
use crate::discovery::references::{self, References};
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;

/// A relation of a list.
#[derive(Clone, Copy)]
struct ListRelation<'l> {
    list: usize,
    spec: &'l ListSpec,
    /// The parameter that takes relations.
    include: &'l str,
    /// The list with all its relations at once, as far as it was read so.
    references: &'l References,
    relation: &'l Relation,
}

impl ListRelation<'_> {
    /// The list with all its relations at once in a form, if it was read so and offers this one.
    fn snapshot<'e>(&self, engine: &'e Engine, form: RelationForm) -> Option<&'e Snapshot> {
        let is_offered = self.references.offers(self.relation, form);
        let projection = self.references.projection(form).filter(|_| is_offered)?;
        engine.list(self.list).snapshot(projection)
    }

    /// The first page with the relation in a form.
    async fn first_page(&self, engine: &mut Engine, form: RelationForm) -> Result<FirstPage, TargetError> {
        let snapshot = self.snapshot(engine, form);
        if let Some(reading) = snapshot.and_then(|snapshot| snapshot.response.reading()) {
            return Ok(FirstPage::among(reading));
        }
        let name = form.name(self.relation);
        FirstPage::of(engine, self.list, &[(self.include, &name)]).await
    }
}

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
            if spec.list.included != Included::Records {
                continue;
            }
            let references = references::of(engine, list).await?;
            for relation in &spec.list.relations {
                let one = ListRelation {
                    list,
                    spec: &spec,
                    include,
                    references: &references,
                    relation,
                };
                let first_page = one.first_page(engine, RelationForm::Records).await?;
                let records = first_page.records.unwrap_or_default();
                // Where nothing is related, or the relation is not offered, what is absent tells nothing.
                if records.iter().any(|record| !related(record, relation).is_empty()) {
                    observe_relation(engine, one, &records, result);
                    numbers(engine, one, result).await?;
                }
                trashed(engine, one, result).await?;
            }
        }
        result.gap_if_unobserved("a list that can include relations");
        Ok(())
    })
}

/// R9, R10, R13, R14: how one relation stands in some records.
fn observe_relation(
    engine: &Engine,
    one: ListRelation<'_>,
    records: &[Arc<Record>],
    result: &mut CheckResult,
) {
    let (relation, name) = (one.relation, &one.relation.name);
    let values: Vec<_> = records.iter().map(|record| relation.at.find(record)).collect();
    let empty = values.iter().filter_map(|value| match value {
        None => Some("left out"),
        Some(Value::Null) => Some("null"),
        Some(Value::Array(items)) if items.is_empty() => Some("[]"),
        Some(_) => None,
    });
    observe_all(result, "R9", format!("{name} without a record"), empty.collect());
    let bounds = records.iter().filter_map(|record| bound(relation, record));
    if let Some(bound) = bounds.min() {
        result.observe("L3", format!("the most records in {name}"), bound.to_string());
    }
    if relation.count.is_some() && !relation.many {
        let arrays = values.iter().flatten().any(|value| value.is_array());
        let choice = if arrays { "an array" } else { "one object" };
        result.observe("R10", format!("the shape of {name}"), choice);
    }
    let others = records.iter().flat_map(|record| related(record, relation));
    let others: Vec<&Value> = others.collect();
    let identifier = &engine.contract.identifier;
    let ids = others.iter().filter_map(|other| id_at(identifier, other));
    let record = relation.record.as_deref();
    let specified = record.and_then(|record| engine.contract.id_prefix(record));
    if let (None, Some(prefix)) = (specified, prefix(ids)) {
        result.observe("R13", format!("how ids of {name} begin"), prefix);
    }
    let all = [relation].into_iter().chain(&one.spec.list.relations);
    for join in all.filter_map(|relation| relation.join.as_ref()) {
        let top = others.iter().filter_map(|other| match join.theirs.find(other) {
            Some(Value::Null) => Some("null"),
            Some(Value::String(text)) if text.is_empty() => Some("an empty text"),
            _ => None,
        });
        let question = format!("{} in {name} where there is none", join.theirs);
        observe_all(result, "R14", question, top.collect());
    }
}

/// L3: how many records a relation to many shows, if its count says that there are more.
fn bound(relation: &Relation, record: &Value) -> Option<usize> {
    let counted = own_count(record, relation)?;
    let shown = related(record, relation).len();
    (may_be_bounded(shown) && counted > shown as u64).then_some(shown)
}

/// R11: where the number of related records appears.
async fn numbers(
    engine: &mut Engine,
    one: ListRelation<'_>,
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    for form in RelationForm::of(one.relation).filter(|form| *form != RelationForm::Records) {
        let first_page = one.first_page(engine, form).await?;
        let mut records = first_page.records.iter().flatten();
        let found = records.find_map(|record| one.spec.numbers.find(record, one.relation, form));
        let choice = match found {
            Some(found) => format!("at {}", found.place),
            None if first_page.first().is_some() => "nowhere".to_owned(),
            None => first_page.granted(),
        };
        let question = format!("where {} appears", form.name(one.relation));
        result.observe("R11", question, choice);
    }
    Ok(())
}

/// R15: whether a soft-deleted record stands in a relation between records of one list.
async fn trashed(
    engine: &mut Engine,
    one: ListRelation<'_>,
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    let ListRelation {
        list, spec, relation, ..
    } = one;
    let (Some(join), Some(by_id)) = (&relation.join, spec.by_identifier()) else {
        return Ok(());
    };
    let snapshot = engine.list(list).widest_snapshot();
    let Some((gone, owner)) = snapshot.and_then(|snapshot| hidden(snapshot, join)) else {
        return Ok(());
    };
    let read = one.snapshot(engine, RelationForm::Records);
    let mut record = read.and_then(|snapshot| snapshot.record(&owner)).cloned();
    if record.is_none() {
        let by_id = (by_id.name.as_str(), owner.as_str());
        let parameters = [by_id, (one.include, &relation.name)];
        let first_page = FirstPage::of(engine, list, &parameters).await?;
        record = first_page.first().cloned();
    }
    let Some(record) = record else { return Ok(()) };
    let mut others = related(&record, relation).into_iter();
    let is_shown = others.any(|other| id_at(&spec.identifier, other) == Some(&gone));
    let choice = if is_shown { "shown" } else { "left out" };
    let question = format!("a soft-deleted record in {}", relation.name);
    result.observe("R15", question, choice);
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
