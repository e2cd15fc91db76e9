//! The relations that a target offers, and how a rule about single records of them is looked into.
//!
//! Invariant: a relation that a target refuses is not offered; one that it takes is judged (R9, R15 allow for what is empty).

use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_contract::{Pointer, Relation};
use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::listing::{ListResponse, identity};
use rollcall_oracle::corpus::projection::DeletedScope;
use rollcall_oracle::corpus::records::Record;
use rollcall_oracle::corpus::snapshot::Snapshot;
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::{InverseFilters, Ruling, Violation};
use rollcall_oracle::open_points::related_number::RelationForm;

use crate::discovery::offered::{Offered, described};
use crate::discovery::references::{self, References, question, suspect};
use crate::discovery::sorting::lists;
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;

/// How a record breaks a rule about a relation.
pub(crate) struct RelationViolation {
    /// The record at fault.
    record_id: String,
    /// What the record shows.
    actual: String,
    /// The member of the related record that is wrong, if it is one.
    place: Option<Pointer>,
}

impl RelationViolation {
    /// A violation by a record and what it shows.
    pub(crate) fn ruling(record_id: String, actual: String) -> Ruling<Self> {
        Self::at(record_id, actual, None)
    }

    /// The same, by a member of the related record.
    pub(super) fn at(record_id: String, actual: String, place: Option<Pointer>) -> Ruling<Self> {
        Ruling::Violated(Self {
            record_id,
            actual,
            place,
        })
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
    form: RelationForm,
    result: &mut CheckResult,
) -> Result<Vec<(Offered, Arc<References>)>, TargetError> {
    let mut offered = Vec::new();
    for list in lists(engine) {
        let relations = described(engine, list).into_iter();
        for one in relations.filter(|one| form.is_of(&one.relation)) {
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

/// Looks into a rule, for every relation that it wants.
pub(crate) async fn each(
    engine: &mut Engine,
    result: &mut CheckResult,
    rule: Rule,
    want: impl Fn(&Relation) -> bool,
    judge: impl Fn(&Offered, &Record, &ListCorpus) -> Ruling<RelationViolation> + Clone + Send + Sync + 'static,
) -> Result<(), TargetError> {
    let mut cases = Vec::new();
    for (one, references) in offered(engine, RelationForm::Records, result).await? {
        if !want(&one.relation) {
            continue;
        }
        let of_deleted = references
            .of_deleted
            .get(&(DeletedScope::With, RelationForm::Records));
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
                is_about |= !ruling.is_not_applicable();
                is_broken |= ruling.is_violated();
            }
            if !is_broken {
                match is_about {
                    true => result.count_case(),
                    false => result.gap(gap),
                }
                continue;
            }
        }
        let inverse = InverseFilters::of(one.list, &engine.list(one.list).spec);
        let seen_in = inverse.projection(&one.relation).cloned();
        let is_wrong = |list: &ListCorpus, record: &Record| judge(&one, record, list).is_violated();
        for projection in projections.into_iter().flatten() {
            let suspect = suspect(engine, &one, projection, |_, record| {
                is_wrong(engine.list(one.list), record)
            });
            let Some(alone) = suspect else {
                continue;
            };
            let request = alone.request(engine, RelationForm::Records);
            let answer = engine.ask(one.list, &request).await?;
            let mut records = answer.reading().into_iter().flat_map(|reading| &reading.records);
            let is_wrong_alone = records.any(|record| is_wrong(engine.list(one.list), record));
            // A record that is right when it is asked for alone may be wrong among all others. What is wrong beside other
            // relations only is for the plan.
            let whole = question(engine, one.list, projection).filter(|_| !is_wrong_alone);
            let (suspect, request) = match whole {
                None => (alone, request),
                Some(query) => {
                    let whole = Offered { query, ..alone };
                    let request = whole.request(engine, RelationForm::Records);
                    (whole, request)
                }
            };
            cases.push(case((suspect, request), rule, judge.clone()).seen_in(seen_in.clone()));
        }
        let request = one.request(engine, RelationForm::Records);
        let answer = engine.ask(one.list, &request).await?;
        let list = engine.list(one.list);
        let mut records = answer.reading().into_iter().flat_map(|reading| &reading.records);
        let is_exercised = records.any(|record| !judge(&one, record, list).is_not_applicable());
        if !is_exercised {
            result.gap(gap);
        }
        let exercised = is_exercised.then(|| case((one, request), rule, judge.clone()).seen_in(seen_in));
        cases.extend(exercised);
    }
    engine.run_cases(cases, result).await
}

/// A rule about the records of the answer to a request for a relation.
pub(super) fn case(
    (one, request): (Offered, Request),
    rule: Rule,
    judge: impl Fn(&Offered, &Record, &ListCorpus) -> Ruling<RelationViolation> + Send + Sync + 'static,
) -> Case {
    let about = format!("include={}", one.relation.name);
    let (uses, list) = (one.uses(), one.list);
    let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| {
        let mut record_ids = BTreeSet::new();
        let mut first = None;
        let mut places = BTreeSet::new();
        for record in &answers[0].reading()?.records {
            if let Ruling::Violated(RelationViolation {
                record_id,
                actual,
                place,
            }) = judge(&one, record, list)
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
