//! The records that a write may go to: the fixture, if there is one, else records that are found by reading, the most
//! fitting first.
//!
//! Invariant: the same data gives the same records.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use rollcall_contract::{Contract, Operation, Parameter, Pointer, Relation, Role, Tense};
use rollcall_oracle::corpus::members::{count_of, names};
use rollcall_oracle::corpus::records::id_of;
use rollcall_oracle::corpus::related::{own_count, related};
use rollcall_oracle::corpus::{ListCorpus, Projection};
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;
use serde_json::Value;

use super::body::Body;
use super::observer::RecordObserver;
use super::views;
use super::write_target::{WriteTarget, is_deleted, list, prefix, tense};
use crate::cases::writes::path;
use crate::engine::{Engine, fixture};

/// So many records of one state are tried.
const OF_A_STATE: usize = 2;
/// So many soft-deleted records are tried: of these it is certain that they can be brought back.
const DELETED: usize = 3;
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
#[derive(Debug, Default)]
struct Candidate {
    id: String,
    /// What is seen of it.
    record: Value,
    /// How many records hang on it, as far as that is seen.
    uses: u64,
    /// Whether records of its own kind are related to it.
    has_kin: bool,
    /// The request that shows it.
    seen: Option<Request>,
    /// Whether it shows that it is soft-deleted.
    is_deleted: bool,
}

/// The records that an operation may be tried on.
pub(super) async fn candidates(
    engine: &mut Engine,
    operation: &Operation,
    wish: Wish,
) -> Result<Candidates, TargetError> {
    let mut found = listed(engine, operation);
    if found.is_empty() {
        found = included(engine, operation).await?;
    }
    let fixture = fixture::kind(operation).and_then(|kind| engine.config.fixtures.get(&kind));
    let rest = match fixture {
        None => ranked(engine, operation, found, wish),
        Some(id) => {
            let mut found = found.into_iter();
            let seen = found.find(|candidate| candidate.id == *id);
            vec![seen.unwrap_or_else(|| Candidate {
                id: id.clone(),
                ..Candidate::default()
            })]
        }
    };
    Ok(Candidates {
        rest: rest.into(),
        named: fixture.is_some(),
    })
}

impl Candidates {
    /// Whether the next record to try is soft-deleted.
    pub(super) fn next_is_deleted(&self) -> bool {
        self.rest.front().is_some_and(|next| next.is_deleted)
    }

    /// The next record to try, with a request that shows it; none if all were tried.
    pub(super) async fn next(
        &mut self,
        engine: &Engine,
        operation: &Operation,
    ) -> Result<Option<Arc<WriteTarget>>, TargetError> {
        let Some(chosen) = self.rest.pop_front() else {
            return Ok(None);
        };
        let single = list(engine, operation).and_then(|list| list.spec.single.as_ref());
        let own = single.map(|single| Request::get(path(single, &chosen.id)));
        let requests = own.into_iter().chain(chosen.seen);
        let requests = requests.chain(views::requests(engine, operation, &chosen.id));
        let views = requests.map(|request| RecordObserver::new(request, &chosen.id));
        let mut views: Vec<_> = views.collect();
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
fn listed(engine: &Engine, operation: &Operation) -> Vec<Candidate> {
    let list = list(engine, operation);
    let Some((spec, snapshot)) = list.and_then(|list| Some((&list.spec, list.widest_snapshot()?))) else {
        return Vec::new();
    };
    let is_of_kin = |relation: &&Relation| {
        let listing = relation.listed_by.as_ref();
        listing.is_some_and(|listing| listing.operation == spec.operation.id)
    };
    let kin: Vec<&Relation> = spec.list.relations.iter().filter(is_of_kin).collect();
    let candidates = snapshot.records().filter_map(|(_, record)| {
        let counts = engine
            .contract
            .frame
            .count
            .iter()
            .flat_map(|counts| counts.values(record));
        let id = id_of(record)?;
        Some(Candidate {
            id: id.to_owned(),
            uses: counts.filter_map(count_of).sum(),
            has_kin: kin
                .iter()
                .any(|relation| own_count(record, relation).is_some_and(|count| count > 0)),
            record: Value::clone(record),
            seen: snapshot.page(id).cloned(),
            is_deleted: false,
        })
    });
    candidates.collect()
}

/// The records that relations of a list name.
async fn included(engine: &mut Engine, operation: &Operation) -> Result<Vec<Candidate>, TargetError> {
    let Some(parameter) = operation.path_parameters().next() else {
        return Ok(Vec::new());
    };
    for list in 0..engine.corpus.lists.len() {
        for relation in engine.list(list).spec.list.relations.clone() {
            let members = naming(&engine.contract, relation.record.as_deref(), parameter);
            if members.is_empty() {
                continue;
            }
            let including = Projection::Including(relation.name.clone());
            engine.snapshot(list, &including).await?;
            let prefix = prefix(&engine.contract, parameter);
            let candidates = among(engine.list(list), &relation, &members, &prefix);
            if !candidates.is_empty() {
                return Ok(candidates);
            }
        }
    }
    Ok(Vec::new())
}

/// The members of a related record that are identifiers of a parameter's kind.
fn naming(contract: &Contract, record: Option<&str>, parameter: &Parameter) -> Vec<String> {
    let Some(record) = record else {
        return Vec::new();
    };
    let is_wanted = |member: &String| {
        let written = contract.member_schema(record, &Pointer::of([member.as_str()]));
        let name = written.and_then(|written| contract.document().schema_name(written));
        name.is_some() && name == parameter.schema_name.as_deref()
    };
    let members = names(contract, contract.document().schema(record)).into_iter();
    members.filter(is_wanted).collect()
}

/// The records that a list shows under a relation, each with a request that shows it.
fn among(list: &ListCorpus, relation: &Relation, members: &[String], prefix: &str) -> Vec<Candidate> {
    let Some(snapshot) = list.snapshot(&Projection::Including(relation.name.clone())) else {
        return Vec::new();
    };
    let include = list.spec.parameter(Role::Include);
    let by_id = include.and(list.spec.by_identifier());
    let mut candidates: BTreeMap<&str, Candidate> = BTreeMap::new();
    for (owner, record) in snapshot.records() {
        for record in related(record, relation) {
            let ids = members.iter().filter_map(|member| record.get(member)?.as_str());
            for id in ids.filter(|id| id.starts_with(prefix)) {
                let candidate = candidates.entry(id).or_insert_with(|| Candidate {
                    id: id.to_owned(),
                    record: record.clone(),
                    uses: 0,
                    has_kin: false,
                    seen: by_id.map(|filter| snapshot.request.clone().with(&filter.name, owner)),
                    is_deleted: false,
                });
                candidate.uses += 1;
            }
        }
    }
    candidates.into_values().collect()
}

/// A text that so many records share at most is a name. A text of more records is a word, such as a provider.
const NAMESAKES: usize = 3;

/// How many ties a candidate has to others: it shares a text with an earlier one, others refer to it, and are related to it. A
/// write that finds its record by a name, or goes along references, changes another record or more of them.
fn ties(candidates: &[Candidate]) -> BTreeMap<String, usize> {
    let mut sharing: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    let mut referred = BTreeSet::new();
    for candidate in candidates {
        let members = candidate.record.as_object().into_iter().flatten();
        let texts = members.filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
        for (name, text) in texts {
            sharing.entry((name, text)).or_default().insert(&candidate.id);
            if text != candidate.id {
                referred.insert(text);
            }
        }
    }
    let sharing = sharing.into_values().filter(|ids| ids.len() <= NAMESAKES);
    let later: BTreeSet<&str> = sharing.flat_map(|ids| ids.into_iter().skip(1)).collect();
    let ties = candidates.iter().map(|candidate| {
        let id = candidate.id.as_str();
        let ties = [later.contains(id), referred.contains(id), candidate.has_kin];
        (candidate.id.clone(), ties.map(usize::from).into_iter().sum())
    });
    ties.collect()
}

/// How many members of a record have a value: what a write must not change, and may empty.
fn values(record: &Value) -> usize {
    let members = record.as_object().into_iter().flatten();
    members.filter(|(_, value)| !value.is_null()).count()
}

/// The candidates that suit, the best first. Of several that suit alike, the one with the most ties to others comes first; then those
/// with the most values, then the least used, then the first by its identifier.
fn ranked(
    engine: &Engine,
    operation: &Operation,
    mut candidates: Vec<Candidate>,
    wish: Wish,
) -> Vec<Candidate> {
    let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
    let state = |candidate: &Candidate| {
        let state = engine.contract.frame.state_of(&candidate.record);
        state.map(str::to_owned)
    };
    for state in candidates.iter().filter_map(state) {
        *sizes.entry(state).or_default() += 1;
    }
    let size = |candidate: &Candidate| state(candidate).and_then(|state| sizes.get(&state).copied());
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
    let ties = ties(&candidates);
    let rank = |candidate: &Candidate, first: usize, second: usize| {
        (
            Reverse(first),
            Reverse(second),
            candidate.uses,
            candidate.id.clone(),
        )
    };
    candidates.sort_by_cached_key(|one| (misfit(one), rank(one, ties[&one.id], values(&one.record))));
    for alike in candidates.chunk_by_mut(|one, other| misfit(one) == misfit(other)) {
        alike[1..].sort_by_cached_key(|one| rank(one, values(&one.record), ties[&one.id]));
    }
    let most = |deleted: bool| match wish {
        Wish::Another => OTHERS_OF_A_STATE,
        Wish::Harmless | Wish::Writable if deleted => DELETED,
        Wish::Harmless | Wish::Writable => OF_A_STATE,
    };
    let mut taken: BTreeMap<(bool, Option<String>), usize> = BTreeMap::new();
    for candidate in &mut candidates {
        candidate.is_deleted = is_deleted(engine, operation, &candidate.record);
    }
    candidates.retain(|candidate| {
        let deleted = is_deleted(engine, operation, &candidate.record);
        let taken = taken.entry((deleted, state(candidate))).or_default();
        *taken += 1;
        *taken <= most(deleted)
    });
    candidates
}
