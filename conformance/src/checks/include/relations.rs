//! The relations of lists: which there are, what an answer shows of one, and how a rule about single records is looked
//! into.
//!
//! Invariant: a relation that a target refuses is not offered; one that it takes is judged (R9, R15 allow for what is empty).

use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_contract::{Included, Relation, Role};
use serde_json::Value;

use super::references::{self, suspect};
use crate::case::{Accusation, Case};
use crate::checks::asking::narrow;
use crate::checks::sort::sortable::lists;
use crate::context::Context;
use crate::corpus::{Look, Surveyed};
use crate::listing::{Listed, Reading, identity};
use crate::oracle;
use crate::outcome::Tally;
use crate::query::Query;
use crate::records::{Record, id_at};
use crate::related::related;
use crate::target::Trouble;

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
pub(crate) enum Said {
    /// There is nothing to look at.
    Nothing,
    /// It is right.
    Right,
    /// It is wrong; with the record at fault and what it shows.
    Wrong(String, String),
}

/// A rule about one record of an answer.
pub(crate) struct Rule {
    /// What the rule expects.
    pub(crate) expected: &'static str,
    /// The data without which nothing can be told.
    pub(crate) needs: &'static str,
    /// Whether records at fault are missing from the answer, so that another request has to show them.
    pub(crate) absence: bool,
}

/// The relations that the target offers, in a form: the records, their number, whether there are any.
pub(crate) async fn offered(
    context: &mut Context,
    form: fn(&Relation) -> String,
    tally: &mut Tally,
) -> Result<Vec<Offered>, Trouble> {
    let all = described(context);
    let wanted = all.iter().map(|one| (one.list, one.request(context, form)));
    context.prefetch(wanted.collect()).await?;
    let mut offered = Vec::new();
    for one in all {
        let request = one.request(context, form);
        match context.ask(one.list, &request).await?.as_ref() {
            Listed::Refused(exchange) if exchange.is_refusal() => {
                let name = context.list(one.list).subject.name();
                tally.absent(format!("{name} include={}", form(&one.relation)));
            }
            _ => offered.push(one),
        }
    }
    if context.readable().is_empty() {
        tally.gap("a list that answers with records");
    }
    Ok(offered)
}

/// The relations of the lists of the specification whose records show them.
fn described(context: &Context) -> Vec<Offered> {
    let mut all = Vec::new();
    for list in lists(context) {
        let surveyed = context.list(list);
        if surveyed.subject.list.included == Included::Names
            || surveyed.subject.parameter(Role::Include).is_none()
        {
            continue;
        }
        let short = narrow::all(context, list);
        all.extend(surveyed.subject.list.relations.iter().map(|relation| Offered {
            list,
            relation: relation.clone(),
            query: narrow::best(&short, |records| telling(surveyed, relation, records)),
            may_hide: may_hide(context, relation),
        }));
    }
    all
}

/// How much records tell of a relation: some should have it, some not.
fn telling(list: &Surveyed, relation: &Relation, records: &[&Value]) -> usize {
    let has = records
        .iter()
        .filter(|record| likely(list, relation, record))
        .count();
    has.min(10) * 4 + (records.len() - has).min(5)
}

/// Whether a record probably has the relation, by what it shows without being asked.
fn likely(list: &Surveyed, relation: &Relation, record: &Value) -> bool {
    if let Some(count) = &relation.count {
        return record["count"][count].as_u64().is_some_and(|count| count > 0);
    }
    if let Some(view) = list.view(&Look::Including(relation.name.clone())) {
        let seen = id_at(&list.subject.identifier, record).and_then(|id| view.record(id));
        return seen.is_some_and(|seen| !related(seen, relation).is_empty());
    }
    let ours = relation.join.as_ref().and_then(|join| join.ours.find(record));
    ours.is_some_and(|ours| !ours.is_null())
}

/// Whether the related records are those of a list that has soft-deleted ones.
fn may_hide(context: &Context, relation: &Relation) -> bool {
    let Some(summary) = &relation.record else {
        return true;
    };
    context.contract.lists().any(|(operation, list)| {
        let schema = context
            .contract
            .document()
            .schema(&list.record)
            .map(Value::to_string);
        let has = schema.is_some_and(|schema| schema.contains(&format!("/{summary}\"")));
        let mut filters = operation.filters();
        has && filters.any(|(_, filter)| filter.matching == rollcall_contract::Match::Trashed)
    })
}

impl Offered {
    /// The short question, with the relation in a form.
    pub(super) fn request(
        &self,
        context: &Context,
        form: fn(&Relation) -> String,
    ) -> crate::request::Request {
        let query = self.query.clone().including(&[&form(&self.relation)]);
        query.request(context.list(self.list))
    }

    /// The relation, asked for on the first page where that has records with it and records without, and the short
    /// question has not.
    pub(super) fn contrasted(mut self, context: &Context) -> Self {
        let list = context.list(self.list);
        let differ = |records: Vec<&Value>| {
            let has = records
                .iter()
                .filter(|record| likely(list, &self.relation, record));
            (1..records.len()).contains(&has.count())
        };
        let expected = oracle::expected(list, &self.query);
        let short = expected
            .iter()
            .filter_map(|id| Some(&**list.fullest()?.record(id)?));
        let read = list.view(&Look::Default).and_then(|view| view.listed.reading());
        let first = read
            .into_iter()
            .flat_map(Reading::on_first_page)
            .map(|record| &**record);
        if !differ(short.collect()) && differ(first.collect()) {
            self.query = Query {
                first_page: true,
                ..Query::default()
            };
        }
        self
    }

    /// The parameters that a question about it uses.
    pub(super) fn uses(&self) -> Vec<String> {
        self.query.clone().including(&[&self.relation.name]).uses()
    }
}

/// Looks into a rule, for every relation that it wants.
pub(crate) async fn each<R>(
    context: &mut Context,
    tally: &mut Tally,
    rule: Rule,
    want: fn(&Relation) -> bool,
    judge: R,
) -> Result<(), Trouble>
where
    R: Fn(&Offered, &Record, &Surveyed) -> Said + Clone + Send + Sync + 'static,
{
    let mut cases = Vec::new();
    let offered = offered(context, |relation| relation.name.clone(), tally).await?;
    let references = references::of_all(context, &offered).await?;
    for one in offered {
        if want(&one.relation) {
            let request = one.request(context, |relation| relation.name.clone());
            let answer = context.ask(one.list, &request).await?;
            let list = context.list(one.list);
            let is_wrong = |_: &str, record: &Record| matches!(judge(&one, record, list), Said::Wrong(..));
            let read = &references[&one.list];
            let looks = [&read.looks[0], &read.with_deleted];
            let suspects = looks.map(|look| suspect(context, &one, look.as_ref(), is_wrong));
            let mut records = answer.reading().into_iter().flat_map(|reading| &reading.records);
            let is_exercised = records.any(|record| !matches!(judge(&one, record, list), Said::Nothing));
            if !is_exercised {
                tally.gap(format!(
                    "{} include={}: {}",
                    list.subject.name(),
                    one.relation.name,
                    rule.needs
                ));
            }
            let all = suspects.into_iter().flatten().chain(is_exercised.then_some(one));
            for one in all {
                let request = one.request(context, |relation| relation.name.clone());
                cases.push(case(one, &rule, request, judge.clone()));
            }
        }
    }
    context.settle(cases, tally).await?;
    Ok(())
}

/// A rule about the records of one answer.
pub(super) fn case(
    one: Offered,
    rule: &Rule,
    request: crate::request::Request,
    judge: impl Fn(&Offered, &Record, &Surveyed) -> Said + Send + Sync + 'static,
) -> Case {
    let about = format!("include={}", one.relation.name);
    let (uses, list) = (one.uses(), one.list);
    let (expected, absence) = (rule.expected, rule.absence);
    let judge = move |answers: &[Arc<Listed>], list: &Surveyed| {
        let mut culprits = BTreeSet::new();
        let mut first = None;
        for record in &answers[0].reading()?.records {
            if let Said::Wrong(culprit, actual) = judge(&one, record, list) {
                culprits.insert(culprit);
                first.get_or_insert_with(|| format!("{}: {actual}", identity(record)));
            }
        }
        let mut accusation = Accusation::of_records(culprits, expected, |_| first.unwrap_or_default())?;
        accusation.absence = absence;
        Some(accusation)
    };
    Case::new(list, about.clone(), vec![request], judge)
        .resting_on(uses)
        .discrediting([about])
}
