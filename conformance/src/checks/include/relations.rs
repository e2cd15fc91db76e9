//! The relations of lists: which there are, what an answer shows of one, and how a rule about single records is looked
//! into.
//!
//! Invariant: a relation that a target refuses is not offered; one that it takes is judged (R9, R15 allow for what is empty).

use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_contract::{Included, Pointer, Relation, Role};
use serde_json::Value;

use super::references::{self, References, suspect};
use crate::checks::cases::{first_page, read, selective_query};
use crate::checks::sort::sortable::lists;
use crate::corpus::listing::{ListResponse, Pages, identity};
use crate::corpus::members::count_of;
use crate::corpus::projection::DeletedScope;
use crate::corpus::query::Query;
use crate::corpus::records::{Record, id_at};
use crate::corpus::related::related;
use crate::corpus::snapshot::Snapshot;
use crate::corpus::{ListCorpus, Projection};
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;
use crate::http::request::Request;
use crate::http::target::TargetError;
use crate::oracle;
use crate::oracle::{Form, Violation};

/// A relation of a list that the target offers, and a short question whose records have it, if any have.
#[derive(Clone, Debug)]
pub(crate) struct Offered {
    pub(crate) list: usize,
    pub(crate) relation: Relation,
    pub(crate) query: Query,
    /// Whether related records may be soft-deleted, so that they are shown and counted or not (R15).
    pub(crate) may_hide: bool,
}

/// What a rule says of one record.
pub(crate) enum RelationRuling {
    /// There is nothing to look at.
    NotApplicable,
    /// It is right.
    Holds,
    /// It is wrong.
    Violated {
        /// The record at fault.
        record_id: String,
        /// What the record shows.
        actual: String,
        /// The member of the related record that is wrong, if it is one.
        place: Option<Pointer>,
    },
}

impl RelationRuling {
    /// A violation by a record and what it shows.
    pub(crate) fn violated(record_id: String, actual: String) -> Self {
        Self::Violated {
            record_id,
            actual,
            place: None,
        }
    }

    /// The same violation, by a member of the related record.
    pub(super) fn at(mut self, member: Option<Pointer>) -> Self {
        if let Self::Violated { place, .. } = &mut self {
            *place = member;
        }
        self
    }
}

/// A rule about one record of an answer.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    /// What the rule expects.
    pub(crate) expected: &'static str,
    /// The data without which nothing can be told.
    pub(crate) needs: &'static str,
    /// Whether records at fault are missing from the answer, so that another request has to show them.
    pub(crate) absence: bool,
}

/// The relations that the target offers in a form, each with how its list was read with all of them.
pub(crate) async fn offered(
    engine: &mut Engine,
    form: Form,
    result: &mut CheckResult,
) -> Result<Vec<(Offered, Arc<References>)>, TargetError> {
    let mut offered = Vec::new();
    for list in lists(engine) {
        for one in described(engine, list) {
            let references = references::of(engine, list).await?;
            if references.offers(&one.relation, form) {
                offered.push((one, references));
            } else {
                let name = engine.list(list).spec.name();
                result.absent(format!("{name} include={}", form.name(&one.relation)));
            }
        }
    }
    if engine.readable().is_empty() {
        result.gap("a list that answers with records");
    }
    Ok(offered)
}

/// The relations of a list of the specification whose records show them.
pub(super) fn described(engine: &Engine, list: usize) -> Vec<Offered> {
    let list_corpus = engine.list(list);
    let shows_records = list_corpus.spec.list.included != Included::Names;
    if !shows_records || list_corpus.spec.parameter(Role::Include).is_none() {
        return Vec::new();
    }
    let short = selective_query::all(engine, list);
    let relations = list_corpus.spec.list.relations.iter();
    let described = relations.map(|relation| Offered {
        list,
        relation: relation.clone(),
        query: selective_query::best(&short, |records| {
            discriminating_power(list_corpus, relation, records)
        }),
        may_hide: may_hide(engine, relation),
    });
    described.collect()
}

/// How much records tell of a relation: some should have it, some not.
fn discriminating_power(list: &ListCorpus, relation: &Relation, records: &[&Value]) -> usize {
    let has = records.iter().filter(|record| likely(list, relation, record));
    let has = has.count();
    has.min(10) * 4 + (records.len() - has).min(5)
}

/// Whether a record probably has the relation, by what it shows without being asked.
fn likely(list: &ListCorpus, relation: &Relation, record: &Value) -> bool {
    if let Some(count) = &relation.count {
        return count_of(&record["count"][count]).is_some_and(|count| count > 0);
    }
    if let Some(snapshot) = list.snapshot(&Projection::Including(relation.name.clone())) {
        let seen = id_at(&list.spec.identifier, record).and_then(|id| snapshot.record(id));
        return seen.is_some_and(|seen| !related(seen, relation).is_empty());
    }
    let ours = relation.join.as_ref().and_then(|join| join.ours.find(record));
    ours.is_some_and(|ours| !ours.is_null())
}

/// Whether the related records are those of a list that has soft-deleted ones.
fn may_hide(engine: &Engine, relation: &Relation) -> bool {
    let Some(summary) = &relation.record else {
        return true;
    };
    let document = engine.contract.document();
    engine.contract.lists().any(|(operation, list)| {
        let schema = document.schema(&list.record).map(Value::to_string);
        let has = schema.is_some_and(|schema| schema.contains(&format!("/{summary}\"")));
        let mut filters = operation.filters();
        has && filters.any(|(_, filter)| filter.matching == rollcall_contract::Match::Trashed)
    })
}

impl Offered {
    /// The short question, with the relation in a form.
    pub(super) fn request(&self, engine: &Engine, form: Form) -> Request {
        self.asking(engine, &[&form.name(&self.relation)])
    }

    /// The short question, with these words for `include`.
    pub(super) fn asking(&self, engine: &Engine, names: &[&str]) -> Request {
        let query = self.query.clone().including(names);
        query.request(engine.list(self.list))
    }

    /// The relation, asked for on the first page where that has records with it and records without, and the short
    /// question has not.
    pub(super) fn contrasted(mut self, engine: &Engine) -> Self {
        let list = engine.list(self.list);
        let differ = |records: Vec<&Value>| {
            let has = records
                .iter()
                .filter(|record| likely(list, &self.relation, record));
            (1..records.len()).contains(&has.count())
        };
        let expected = oracle::expected(list, &self.query);
        let short = expected.iter();
        let short = short.filter_map(|id| Some(&**list.widest_snapshot()?.record(id)?));
        let read = read(list, &Projection::Default).into_iter();
        let first = read.flat_map(Pages::on_first_page).map(|record| &**record);
        if !differ(short.collect()) && differ(first.collect()) {
            self.query = first_page();
        }
        self
    }

    /// The parameters that a question about it uses.
    pub(super) fn uses(&self) -> Vec<String> {
        self.query.clone().including(&[&self.relation.name]).uses()
    }
}

/// Looks into a rule, for every relation that it wants.
pub(crate) async fn each(
    engine: &mut Engine,
    result: &mut CheckResult,
    rule: Rule,
    want: fn(&Relation) -> bool,
    judge: impl Fn(&Offered, &Record, &ListCorpus) -> RelationRuling + Clone + Send + Sync + 'static,
) -> Result<(), TargetError> {
    let mut cases = Vec::new();
    for (one, references) in offered(engine, Form::Records, result).await? {
        if !want(&one.relation) {
            continue;
        }
        let of_deleted = references.of_deleted.get(&(DeletedScope::With, Form::Records));
        let projections = [references.projections[0].as_ref(), of_deleted];
        let name = engine.list(one.list).spec.name();
        let gap = format!("{name} include={}: {}", one.relation.name, rule.needs);
        // A request is sent only where the list was not read with the relation, or shows a record that breaks the rule.
        if references.projections[0].is_some() {
            let list = engine.list(one.list);
            let read = projections.into_iter().flatten();
            let read = read.filter_map(|projection| list.snapshot(projection));
            let (mut is_about, mut is_broken) = (false, false);
            for (_, record) in read.flat_map(Snapshot::records) {
                let ruling = judge(&one, record, list);
                is_about |= !matches!(ruling, RelationRuling::NotApplicable);
                is_broken |= matches!(ruling, RelationRuling::Violated { .. });
            }
            if !is_broken {
                match is_about {
                    true => result.case(),
                    false => result.gap(gap),
                }
                continue;
            }
        }
        let request = one.request(engine, Form::Records);
        let answer = engine.ask(one.list, &request).await?;
        let list = engine.list(one.list);
        let is_wrong =
            |_: &str, record: &Record| matches!(judge(&one, record, list), RelationRuling::Violated { .. });
        let suspects = projections.map(|projection| suspect(engine, &one, projection, is_wrong));
        let mut records = answer.reading().into_iter().flat_map(|reading| &reading.records);
        let is_exercised =
            records.any(|record| !matches!(judge(&one, record, list), RelationRuling::NotApplicable));
        if !is_exercised {
            result.gap(gap);
        }
        let all = suspects.into_iter().flatten().chain(is_exercised.then_some(one));
        cases.extend(all.map(|one| case(engine, one, rule, judge.clone())));
    }
    engine.run_cases(cases, result).await
}

/// A rule about the records of one answer.
pub(super) fn case(
    engine: &Engine,
    one: Offered,
    rule: Rule,
    judge: impl Fn(&Offered, &Record, &ListCorpus) -> RelationRuling + Send + Sync + 'static,
) -> Case {
    let about = format!("include={}", one.relation.name);
    let (uses, list) = (one.uses(), one.list);
    let request = one.request(engine, Form::Records);
    let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| {
        let mut record_ids = BTreeSet::new();
        let mut first = None;
        let mut places = BTreeSet::new();
        for record in &answers[0].reading()?.records {
            if let RelationRuling::Violated {
                record_id,
                actual,
                place,
            } = judge(&one, record, list)
            {
                record_ids.insert(record_id);
                places.extend(place);
                first.get_or_insert_with(|| format!("{}: {actual}", identity(record)));
            }
        }
        let mut violation = Violation::of_records(record_ids, rule.expected, |_| first.unwrap_or_default())?;
        violation.absence = rule.absence;
        violation.places = places;
        Some(violation)
    };
    Case::new(list, about.clone(), vec![request], judge)
        .resting_on(uses)
        .invalidates([about])
}
