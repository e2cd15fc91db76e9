//! The records that a write may go to: the fixture, if there is one, else records that are found by reading, the most
//! fitting first.
//!
//! Invariant: the same data gives the same records.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use rollcall_contract::{Contract, Operation, Parameter, Pointer, Role, Tense};
use serde_json::Value;

use super::body::Body;
use super::observer::RecordObserver;
use super::views;
use super::write_target::{WriteTarget, is_deleted, path, prefix, single, tense};
use crate::corpus::Projection;
use crate::corpus::members::names;
use crate::corpus::records::id_of;
use crate::corpus::snapshot::Snapshot;
use crate::engine::Engine;
use crate::engine::fixture;
use crate::http::request::Request;
use crate::http::target::TargetError;

/// So many records of one state are tried.
const OF_A_STATE: usize = 2;
/// So many where records that were written to are passed over.
const OTHERS_OF_A_STATE: usize = 6;

/// The records that a write may go to, in the order in which they are tried.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    rest: VecDeque<Candidate>,
    named: bool,
}

/// What a record is chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// A write that must not be carried out: it would do the least.
    Harmless,
    /// A write that has to be carried out.
    Writable,
    /// The same on a record that was not written to.
    Another,
}

/// A record that may be chosen.
#[derive(Debug)]
struct Candidate {
    id: String,
    /// What is seen of it.
    record: Value,
    /// How many records hang on it, as far as that is seen.
    uses: u64,
    /// The request that shows it.
    seen: Option<Request>,
}

/// The records that an operation may be tried on.
pub(super) async fn candidates(
    engine: &mut Engine,
    operation: &Operation,
    wish: Wish,
) -> Result<Candidates, TargetError> {
    let mut found = response(engine, operation);
    if found.is_empty() {
        found = related(engine, operation).await?;
    }
    let fixture = fixture::kind(operation).and_then(|kind| engine.config.fixtures.get(&kind));
    if let Some(id) = fixture {
        let seen = found.into_iter().find(|candidate| candidate.id == *id);
        let fixture = seen.unwrap_or_else(|| Candidate::unseen(id));
        return Ok(Candidates {
            rest: VecDeque::from([fixture]),
            named: true,
        });
    }
    Ok(Candidates {
        rest: ranked(engine, operation, found, wish).into(),
        named: false,
    })
}

impl Candidates {
    /// The next record to try, with a request that shows it; none if all were tried.
    pub(super) async fn next(
        &mut self,
        engine: &Engine,
        operation: &Operation,
    ) -> Result<Option<Arc<WriteTarget>>, TargetError> {
        let Some(chosen) = self.rest.pop_front() else {
            return Ok(None);
        };
        let own = single(engine, operation).map(|single| Request::get(path(single, &chosen.id)));
        let requests = own.into_iter().chain(chosen.seen);
        let requests = requests.chain(views::requests(engine, operation, &chosen.id));
        let mut views: Vec<_> = requests
            .map(|request| RecordObserver::new(request, &chosen.id))
            .collect();
        let mut observer = None;
        while observer.is_none() && !views.is_empty() {
            let first = views.remove(0);
            observer = first.projection(engine).await?.map(|_| first);
        }
        Ok(Some(Arc::new(WriteTarget {
            named: self.named,
            id: chosen.id,
            observer,
            views,
        })))
    }
}

/// The records of the list that shows just these.
fn response(engine: &Engine, operation: &Operation) -> Vec<Candidate> {
    let schema = operation.answer.schema.as_ref();
    let mut lists = engine.corpus.lists.iter();
    let list = lists.find(|list| schema == Some(&list.spec.list.record));
    let snapshot = list.and_then(|list| list.widest_snapshot());
    let records = snapshot.into_iter().flat_map(Snapshot::records);
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
            record: Value::clone(record),
            seen: snapshot?.page(id).cloned(),
        })
    });
    candidates.collect()
}

/// The records that relations of a list name.
async fn related(engine: &mut Engine, operation: &Operation) -> Result<Vec<Candidate>, TargetError> {
    let Some(parameter) = operation.path_parameters().next().cloned() else {
        return Ok(Vec::new());
    };
    let contract = Arc::clone(&engine.contract);
    for list in 0..engine.corpus.lists.len() {
        for relation in engine.list(list).spec.list.relations.clone() {
            let Some(members) = naming(&contract, relation.record.as_deref(), &parameter) else {
                continue;
            };
            let projection = Projection::Including(relation.name.clone());
            engine.snapshot(list, &projection).await?;
            let Some(snapshot) = engine.list(list).snapshot(&projection) else {
                continue;
            };
            let at = Pointer::of(["included", &relation.member]);
            let candidates = among(
                engine,
                list,
                snapshot,
                &at,
                &members,
                &prefix(&contract, &parameter),
            );
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
    engine: &Engine,
    list: usize,
    snapshot: &Snapshot,
    at: &Pointer,
    members: &[String],
    prefix: &str,
) -> Vec<Candidate> {
    let spec = &engine.list(list).spec;
    let (include, by_id) = (spec.parameter(Role::Include), spec.by_identifier());
    let mut candidates: BTreeMap<String, Candidate> = BTreeMap::new();
    for (owner, record) in snapshot.records() {
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
                let seen = include.zip(by_id).map(|_| snapshot.request.clone());
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

/// The candidates that suit, the best first; of several that suit alike the least used, then the first by its identifier.
fn ranked(
    engine: &Engine,
    operation: &Operation,
    mut candidates: Vec<Candidate>,
    wish: Wish,
) -> Vec<Candidate> {
    let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
    for state in candidates.iter().filter_map(Candidate::state) {
        *sizes.entry(state.to_owned()).or_default() += 1;
    }
    let size = |candidate: &Candidate| candidate.state().and_then(|state| sizes.get(state)).copied();
    let most = sizes.values().max().copied();
    let ends = Body::of(&engine.contract, operation).ends();
    // The state that most records are in is one in which a record can be written to, and least one to be brought back from.
    let misfit = |candidate: &Candidate| {
        let deleted = is_deleted(engine, operation, &candidate.record);
        let tense = tense(engine, operation, &candidate.record);
        match (ends, wish) {
            (true, _) => (usize::from(deleted), usize::from(size(candidate) != most)),
            (false, Wish::Writable | Wish::Another) => match (deleted, tense) {
                (true, _) => (0, 0),
                (false, Some(Tense::Past)) => (1, 0),
                (false, Some(Tense::Future)) => (2, 0),
                (false, None) => (3, size(candidate).unwrap_or(usize::MAX)),
            },
            (false, Wish::Harmless) => (usize::from(deleted || tense.is_some()), 0),
        }
    };
    candidates.sort_by_cached_key(|candidate| (misfit(candidate), candidate.uses, candidate.id.clone()));
    let most = match wish {
        Wish::Another => OTHERS_OF_A_STATE,
        Wish::Harmless | Wish::Writable => OF_A_STATE,
    };
    let mut taken: BTreeMap<(bool, Option<String>), usize> = BTreeMap::new();
    candidates.retain(|candidate| {
        let deleted = is_deleted(engine, operation, &candidate.record);
        let taken = taken
            .entry((deleted, candidate.state().map(str::to_owned)))
            .or_default();
        *taken += 1;
        *taken <= most
    });
    candidates
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

    fn state(&self) -> Option<&str> {
        self.record["state"].as_str()
    }
}
