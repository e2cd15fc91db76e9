//! Which relations a list takes (I17): all that the specification allows for it, in every form.

use std::sync::Arc;

use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::query::including;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::Violation;
use rollcall_oracle::open_points::related_number::RelationForm;
use serde_json::Value;

use crate::checks::CheckFuture;
use crate::discovery::offered::{Offered, described};
use crate::discovery::references;
use crate::discovery::sorting::lists;
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;

pub(super) fn taken<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for list in lists(engine) {
            if engine.list(list).spec.allows_relations {
                cases.extend(of_list(engine, list).await?);
            }
        }
        result.gap_if_empty("a list that answers with records and whose relations are specified");
        engine.run_cases(cases, result).await
    })
}

/// A case for each form: about the first relation that is refused or ignored in it, if there is one.
async fn of_list(engine: &mut Engine, list: usize) -> Result<Vec<Case>, TargetError> {
    let references = references::of(engine, list).await?;
    let mut cases = Vec::new();
    let mut told: Vec<String> = Vec::new();
    for form in RelationForm::ALL {
        let mut relations = described(engine, list);
        relations.retain(|one| form.is_of(&one.relation));
        let is_right = |one: &Offered| {
            let read = references.projection(form);
            let read = read.and_then(|projection| engine.list(list).snapshot(projection));
            let mut records = read.into_iter().flat_map(|snapshot| snapshot.records());
            let is_shown = form == RelationForm::Records
                || records.any(|(_, record)| shows(engine.list(list), record, one, form));
            references.offers(&one.relation, form) && (is_shown || read.is_none_or(|read| read.is_empty()))
        };
        // A relation that is refused as records need not be told as a count once more.
        let wrong = relations.iter().filter(|one| !is_right(one));
        let wrong: Vec<&Offered> = wrong.filter(|one| !told.contains(&one.relation.name)).collect();
        told.extend(wrong.iter().map(|one| one.relation.name.clone()));
        let further = wrong.len().saturating_sub(1);
        cases.extend(
            wrong
                .into_iter()
                .chain(&relations)
                .take(1)
                .map(|one| case(engine, one, form, further)),
        );
    }
    Ok(cases)
}

/// The relation is taken in a form; so many further ones are not taken either.
fn case(engine: &Engine, one: &Offered, form: RelationForm, further: usize) -> Case {
    let name = form.name(&one.relation);
    let shown = one.clone();
    let also = match further {
        0 => String::new(),
        1 => "; another relation is not taken either".to_owned(),
        _ => format!("; {further} other relations are not taken either"),
    };
    let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| {
        let expected = "an answer with the relation";
        let is_ignored = answers[0].reading().is_some_and(|reading| {
            let mut records = reading.records.iter();
            form != RelationForm::Records
                && !reading.records.is_empty()
                && !records.any(|record| shows(list, record, &shown, form))
        });
        if !answers[0].exchange().is_refusal() && !is_ignored {
            return None;
        }
        let mut violation = Violation::of_answer(expected, &answers[0]);
        if is_ignored {
            violation
                .actual
                .push_str(", and none shows it under the name of the relation");
        }
        violation.actual.push_str(&also);
        Some(violation)
    };
    let about = including(&name);
    Case::new(one.list, about.clone(), vec![one.request(engine, form)], judge).invalidates([about])
}

/// Whether a record shows a relation in a form (R11).
fn shows(list: &ListCorpus, record: &Value, one: &Offered, form: RelationForm) -> bool {
    form == RelationForm::Records || list.spec.numbers.find(record, &one.relation, form).is_some()
}
