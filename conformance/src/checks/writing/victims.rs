//! The record to write to, one for each write: the one that is named as a fixture, else one that is found by reading.
//!
//! Invariant: the same data gives the same record.

use std::collections::BTreeMap;
use std::sync::Arc;

use rollcall_contract::{Contract, Operation, Parameter, Pointer, Role};
use serde_json::Value;

use super::body::Body;
use super::witness::Witness;
use crate::context::Context;
use crate::corpus::Look;
use crate::fixture;
use crate::members::names;
use crate::request::{Request, segment};
use crate::subject::{Subject, id_of};
use crate::target::Trouble;
use crate::view::View;

/// The record to write to.
#[derive(Clone, Debug)]
pub(crate) struct Victim {
    /// Its identifier.
    pub(crate) id: String,
    /// Whether somebody has named it, so that it need not exist.
    pub(crate) named: bool,
    /// Whether it shows that it is soft-deleted.
    pub(crate) deleted: bool,
    /// The request that shows what has become of it.
    pub(crate) witness: Option<Witness>,
}

/// What the record is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// A write that must not be carried out: it would do the least.
    Harmless,
    /// A write that has to be carried out.
    Writable,
}

/// A record that may be chosen.
struct Candidate {
    id: String,
    /// What is seen of it.
    record: Value,
    /// How many records hang on it, as far as that is seen.
    uses: u64,
    /// The request that shows it.
    seen: Option<Request>,
}

/// The record that an operation is tried on; none if none is seen.
pub(super) async fn victim(
    context: &mut Context,
    operation: &Operation,
    wish: Wish,
) -> Result<Option<Victim>, Trouble> {
    let mut candidates = listed(context, operation);
    if candidates.is_empty() {
        candidates = related(context, operation).await?;
    }
    let fixture = fixture::kind(operation).and_then(|kind| context.config.fixtures.get(&kind).cloned());
    let chosen = match &fixture {
        None => best(context, operation, candidates, wish),
        Some(id) => {
            let seen = candidates.into_iter().find(|candidate| candidate.id == *id);
            Some(seen.unwrap_or_else(|| Candidate::unseen(id)))
        }
    };
    let Some(chosen) = chosen else { return Ok(None) };
    let own = single(context, operation).map(|single| Request::get(path(single, &chosen.id)));
    let witness = Witness::first(context, &chosen.id, own.into_iter().chain(chosen.seen.clone())).await?;
    Ok(Some(Victim {
        deleted: is_deleted(context, operation, &chosen.record),
        named: fixture.is_some(),
        id: chosen.id,
        witness,
    }))
}

/// The path of an operation on one record.
pub(super) fn path(operation: &Operation, id: &str) -> String {
    let mut path = operation.path.clone();
    for parameter in operation.path_parameters() {
        path = path.replace(&format!("{{{}}}", parameter.name), &segment(id));
    }
    path
}

/// An identifier of the right kind that no record has.
pub(super) fn stranger(context: &Context, operation: &Operation) -> Option<String> {
    let parameter = operation.path_parameters().next()?;
    let word = context.choice("strangers").word(16);
    Some(format!("{}{word}", prefix(&context.contract, parameter)))
}

/// The list whose records an operation is about, if the contract has one.
pub(super) fn subject<'c>(context: &'c Context, operation: &Operation) -> Option<&'c Subject> {
    let mut subjects = context.corpus.lists.iter().map(|list| &list.subject);
    subjects.find(|subject| operation.answer.schema.as_ref() == Some(&subject.list.record))
}

fn single<'c>(context: &'c Context, operation: &Operation) -> Option<&'c Operation> {
    subject(context, operation)?.single.as_ref()
}

fn is_deleted(context: &Context, operation: &Operation, record: &Value) -> bool {
    subject(context, operation).is_some_and(|subject| subject.is_deleted(record))
}

/// The records of the list that shows just these.
fn listed(context: &Context, operation: &Operation) -> Vec<Candidate> {
    let schema = operation.answer.schema.as_ref();
    let mut lists = context.corpus.lists.iter();
    let list = lists.find(|list| schema == Some(&list.subject.list.record));
    let view = list.and_then(|list| list.fullest());
    let records = view.into_iter().flat_map(View::records);
    let candidates = records.filter_map(|(_, record)| {
        let counts = record
            .get("count")
            .and_then(Value::as_object)
            .into_iter()
            .flatten();
        let id = id_of(record)?;
        Some(Candidate {
            id: id.to_owned(),
            uses: counts.filter_map(|(_, count)| count.as_u64()).sum(),
            record: record.clone(),
            seen: view?.page(id).cloned(),
        })
    });
    candidates.collect()
}

/// The records that relations of a list name.
async fn related(context: &mut Context, operation: &Operation) -> Result<Vec<Candidate>, Trouble> {
    let Some(parameter) = operation.path_parameters().next().cloned() else {
        return Ok(Vec::new());
    };
    let contract = Arc::clone(&context.contract);
    for list in 0..context.corpus.lists.len() {
        for relation in context.list(list).subject.list.relations.clone() {
            let Some(members) = naming(&contract, relation.record.as_deref(), &parameter) else {
                continue;
            };
            let look = Look::Including(relation.name.clone());
            context.view(list, &look).await?;
            let Some(view) = context.list(list).view(&look) else {
                continue;
            };
            let at = Pointer::of(["included", &relation.member]);
            let candidates = among(context, list, view, &at, &members, &prefix(&contract, &parameter));
            if !candidates.is_empty() {
                return Ok(candidates);
            }
        }
    }
    Ok(Vec::new())
}

/// The members of a related record that are identifiers of a parameter's kind; none if there are none.
fn naming(contract: &Contract, record: Option<&str>, parameter: &Parameter) -> Option<Vec<String>> {
    let record = record?;
    let is_wanted = |member: &String| {
        let written = contract.member_schema(record, &Pointer::of([member.as_str()]));
        let name = written.and_then(|written| contract.document().schema_name(written));
        name.is_some() && name == parameter.schema_name.as_deref()
    };
    let members = names(contract, contract.document().schema(record)).into_iter();
    let members: Vec<String> = members.filter(is_wanted).collect();
    (!members.is_empty()).then_some(members)
}

/// The records that stand under a relation, each with a request that shows it.
fn among(
    context: &Context,
    list: usize,
    view: &View,
    at: &Pointer,
    members: &[String],
    prefix: &str,
) -> Vec<Candidate> {
    let subject = &context.list(list).subject;
    let (include, by_id) = (subject.parameter(Role::Include), subject.by_identifier());
    let mut candidates: BTreeMap<String, Candidate> = BTreeMap::new();
    for (owner, record) in view.records() {
        let related = match at.find(record) {
            Some(Value::Array(related)) => related.iter().collect(),
            one => Vec::from_iter(one),
        };
        for record in related {
            let ids = members
                .iter()
                .filter_map(|member| record.get(member)?.as_str())
                .filter(|id| id.starts_with(prefix));
            for id in ids {
                let seen = include.zip(by_id).map(|_| view.request.clone());
                let candidate = candidates.entry(id.to_owned()).or_insert_with(|| Candidate {
                    id: id.to_owned(),
                    record: record.clone(),
                    uses: 0,
                    seen: seen
                        .zip(by_id)
                        .map(|(request, filter)| request.with(&filter.name, owner)),
                });
                candidate.uses += 1;
            }
        }
    }
    candidates.into_values().collect()
}

/// The candidate that suits best; of several the least used, then the first by its identifier.
fn best(
    context: &Context,
    operation: &Operation,
    candidates: Vec<Candidate>,
    wish: Wish,
) -> Option<Candidate> {
    let state = |candidate: &Candidate| candidate.record["state"].as_str().map(str::to_owned);
    let mut states: BTreeMap<String, usize> = BTreeMap::new();
    for state in candidates.iter().filter_map(state) {
        *states.entry(state).or_default() += 1;
    }
    // What most records are in is where a record can be written to.
    let usual = states
        .into_iter()
        .max_by_key(|(_, count)| *count)
        .map(|(state, _)| state);
    let record = operation.answer.schema.as_deref().unwrap_or_default();
    let times = context.contract.state_times(record).unwrap_or_default();
    let ends = Body::of(&context.contract, operation).ends();
    let unfit = |candidate: &Candidate| {
        let deleted = is_deleted(context, operation, &candidate.record);
        let state = state(candidate);
        let timed = times.iter().any(|time| Some(&time.state) == state.as_ref());
        match (ends, wish) {
            (true, _) => usize::from(deleted) * 2 + usize::from(state != usual),
            (false, Wish::Writable) => 2 - usize::from(deleted || timed) - usize::from(deleted),
            (false, Wish::Harmless) => usize::from(deleted || timed),
        }
    };
    candidates
        .into_iter()
        .min_by_key(|candidate| (unfit(candidate), candidate.uses, candidate.id.clone()))
}

impl Candidate {
    fn unseen(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            record: Value::Null,
            uses: 0,
            seen: None,
        }
    }
}

/// What ids of the parameter's kind begin with.
fn prefix(contract: &Contract, parameter: &Parameter) -> String {
    let schema = contract.document().underlying(&parameter.schema);
    let pattern = schema.get("pattern").and_then(Value::as_str).unwrap_or_default();
    pattern
        .trim_start_matches('^')
        .split('[')
        .next()
        .unwrap_or_default()
        .to_owned()
}
