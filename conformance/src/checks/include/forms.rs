//! A relation in several forms (I10, I11).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rollcall_contract::Pointer;
use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::listing::{ListResponse, identity};
use rollcall_oracle::corpus::members::count_of;
use rollcall_oracle::corpus::query::including;
use rollcall_oracle::corpus::records::{Record, id_at};
use rollcall_oracle::corpus::related::{joined, may_be_bounded, own_count, related, relation_value};
use rollcall_oracle::corpus::snapshot::Snapshot;
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::{InverseFilters, Violation};
use rollcall_oracle::open_points::related_number::RelationForm;
use serde_json::Value;

use super::relations::offered;
use crate::checks::CheckFuture;
use crate::discovery::offered::Offered;
use crate::discovery::references::suspect;
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;

pub(super) fn counted<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    let forms = (RelationForm::Count, RelationForm::Records);
    let expected = "the number of its records";
    Box::pin(compared(engine, result, forms, expected, wrong_count))
}

/// What is wrong about a count, by the records of the relation.
fn wrong_count(one: &Offered, counted: &Value, other: &Value, list: &ListCorpus) -> Option<Option<String>> {
    let shown = related(other, &one.relation).len();
    let mut sizes = hidden(one, other, list);
    sizes.insert(shown as u64);
    let Some(found) = list
        .spec
        .numbers
        .find(counted, &one.relation, RelationForm::Count)
    else {
        // What is empty may be left out (R9).
        let member = place_of(RelationForm::Count, one);
        let missing = || Some(format!("{member} is missing, and there are {sizes:?}"));
        return (!sizes.contains(&0)).then(missing);
    };
    // The count of the record is held against what include shows by C3.
    if found.is_own(&one.relation) {
        return None;
    }
    let (place, count) = (found.place, found.value);
    let least = least_of_several(one, other, list);
    if least.is_some() {
        sizes.remove(&(shown as u64));
    }
    let fits = count_of(count).is_some_and(|count| {
        sizes.contains(&count)
            || least.is_some_and(|least| count >= least)
            || count > shown as u64 && may_be_bounded(shown)
    });
    let there = least.map_or_else(|| format!("{sizes:?}"), |least| format!("at least {least}"));
    Some((!fits).then(|| format!("{place} is {count}, and there are {there}")))
}

pub(super) fn existing<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    let forms = (RelationForm::Exists, RelationForm::Count);
    let expected = "true where the count is not zero, else false";
    Box::pin(compared(engine, result, forms, expected, wrong_existence))
}

/// What is wrong about an existence, by the count of the relation.
fn wrong_existence(
    one: &Offered,
    existing: &Value,
    counted: &Value,
    list: &ListCorpus,
) -> Option<Option<String>> {
    let numbers = &list.spec.numbers;
    let number = numbers.find(counted, &one.relation, RelationForm::Count)?;
    let count = count_of(number.value)?;
    // Soft-deleted records may exist and not count, or the other way round (R15).
    let mut sizes = hidden(one, counted, list);
    sizes.insert(count);
    let Some(found) = numbers.find(existing, &one.relation, RelationForm::Exists) else {
        // A record that always shows its count need not have been asked for it: I17 tells what is shown nowhere.
        if number.is_own(&one.relation) {
            return None;
        }
        // What is empty may be left out (R9).
        let member = place_of(RelationForm::Exists, one);
        let missing = || Some(format!("{member} is missing, and the count is {count}"));
        return (!sizes.contains(&0)).then(missing);
    };
    let (place, exists) = (found.place, found.value);
    let exists_for = |exists: bool| sizes.iter().any(|size| (*size > 0) == exists);
    let fits = exists.as_bool().is_some_and(exists_for);
    Some((!fits).then(|| format!("{place} is {exists}, and the count {count}")))
}

/// What is wrong about one record in two answers; none where the forms are not found.
type Compare = fn(&Offered, &Value, &Value, &ListCorpus) -> Option<Option<String>>;

/// Compares each relation in two forms.
async fn compared(
    engine: &mut Engine,
    result: &mut CheckResult,
    (form, other): (RelationForm, RelationForm),
    expected: &'static str,
    compare: Compare,
) -> Result<(), TargetError> {
    let mut cases = Vec::new();
    for (one, references) in offered(engine, form, result).await? {
        let list = engine.list(one.list);
        let name = list.spec.name();
        let gap = format!("{name}: a record that shows {}", form.name(&one.relation));
        let compared =
            |theirs: &Snapshot, id: &str, record: &Record| compare(&one, record, theirs.record(id)?, list);
        let is_wrong = |theirs: &Snapshot, id: &str, record: &Record| {
            matches!(compared(theirs, id, record), Some(Some(_)))
        };
        let read = references.in_both(form, other);
        let read =
            read.filter_map(|(ours, theirs)| Some((ours, list.snapshot(ours)?, list.snapshot(theirs)?)));
        let read: Vec<_> = read.collect();
        let wrong = read.iter().find(|(_, ours, theirs)| {
            let mut records = ours.records();
            records.any(|(id, record)| is_wrong(theirs, id, record))
        });
        // Requests are sent only where the list was not read in both forms, or shows a record that breaks the rule.
        if let (Some((_, ours, theirs)), None) = (read.first(), wrong) {
            match ours
                .records()
                .any(|(id, record)| compared(theirs, id, record).is_some())
            {
                true => result.count_case(),
                false => result.gap(gap),
            }
            continue;
        }
        let suspect = wrong.and_then(|(projection, ours, theirs)| {
            let suspect = suspect(engine, &one, projection, |id, record| {
                is_wrong(theirs, id, record)
            })?;
            Some((suspect, [&ours.request, &theirs.request].map(Request::clone)))
        });
        if let Some((suspect, whole)) = suspect {
            let alone = [form, other].map(|form| suspect.request(engine, form));
            let together = [form, other].map(|form| suspect.asking(engine, &references.names(form)));
            // What is wrong beside all other relations need not be wrong alone, nor what is wrong among all records.
            for requests in [alone, together, whole] {
                let asked = (form, requests.into());
                match compared_once(engine, suspect.clone(), asked, expected, compare).await? {
                    Some((case, is_wrong)) => {
                        cases.push(case);
                        if is_wrong {
                            break;
                        }
                    }
                    None => result.gap(&gap),
                }
            }
        }
        let one = one.contrasted(engine);
        let requests = [form, other].map(|form| one.request(engine, form));
        match compared_once(engine, one, (form, requests.into()), expected, compare).await? {
            Some((case, _)) => cases.push(case),
            None => result.gap(&gap),
        }
    }
    engine.run_cases(cases, result).await
}

/// Compares a relation in two forms, and says whether they differ; none where no record shows both.
async fn compared_once(
    engine: &mut Engine,
    one: Offered,
    (form, requests): (RelationForm, Vec<Request>),
    expected: &'static str,
    compare: Compare,
) -> Result<Option<(Case, bool)>, TargetError> {
    let depends_on = one.uses();
    // Which of the two forms is wrong is not known, so both tell of the relation.
    let about = including(&one.relation.name);
    let (list, compared) = (one.list, including(&form.name(&one.relation)));
    let answers = engine.ask_all(list, &requests).await?;
    let list_corpus = engine.list(list);
    let is_told = answers.len() == 2
        && paired(&answers).any(|(ours, theirs)| compare(&one, ours, theirs, list_corpus).is_some());
    if !is_told {
        return Ok(None);
    }
    let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| {
        let mut record_ids = BTreeSet::new();
        let mut first = None;
        for (ours, theirs) in paired(answers) {
            if let Some(Some(wrong)) = compare(&one, ours, theirs, list) {
                first.get_or_insert_with(|| format!("{}: {wrong}", identity(ours)));
                record_ids.insert(identity(ours));
            }
        }
        Violation::of_records(record_ids, expected, |_| first.unwrap_or_default())
    };
    let is_wrong = judge(&answers, list_corpus).is_some();
    let case = Case::new(list, about, requests, judge);
    Ok(Some((
        case.resting_on(depends_on).invalidates([compared]),
        is_wrong,
    )))
}

/// The records that stand in both of two answers.
fn paired(answers: &[Arc<ListResponse>]) -> impl Iterator<Item = (&Record, &Record)> {
    let records = |index: usize| {
        let reading = answers[index].reading();
        reading.into_iter().flat_map(|reading| &reading.records)
    };
    let theirs = records(1).map(|record| (identity(record), record.as_ref()));
    let theirs: BTreeMap<String, &Record> = theirs.collect();
    records(0).filter_map(move |record| Some((record.as_ref(), *theirs.get(&identity(record))?)))
}

/// The least number that the count may be where one of several is shown (R10): those that are not soft-deleted count (R15).
fn least_of_several(one: &Offered, record: &Value, list: &ListCorpus) -> Option<u64> {
    let shows_one = relation_value(record, &one.relation).is_some_and(Value::is_object);
    let is_one_of_several = !one.relation.many && one.relation.count.is_some() && shows_one;
    is_one_of_several.then(|| {
        let id = id_at(&list.spec.identifier, record);
        let live = id.and_then(|id| InverseFilters::of(one.list, &list.spec).live(&one.relation, id, list));
        live.unwrap_or_default().max(1) as u64
    })
}

/// The name of the member that shows a relation in a form.
fn place_of(form: RelationForm, one: &Offered) -> &str {
    let place = form.place(&one.relation);
    place.and_then(Pointer::last).unwrap_or_default()
}

/// The numbers that it may be as well, because soft-deleted records may be shown and counted or not (R15).
fn hidden(one: &Offered, record: &Value, list: &ListCorpus) -> BTreeSet<u64> {
    if !one.may_hide {
        return BTreeSet::new();
    }
    if one.relation.join.is_some() {
        let all = joined(list, &one.relation, record);
        let live = all.iter().filter(|(_, other)| !list.spec.is_deleted(other));
        return BTreeSet::from([all.len() as u64, live.count() as u64]);
    }
    match own_count(record, &one.relation) {
        Some(own) => BTreeSet::from([own]),
        // Of what is not shown nobody knows whether it is hidden.
        None if related(record, &one.relation).is_empty() => BTreeSet::from([0, 1]),
        None => BTreeSet::new(),
    }
}
