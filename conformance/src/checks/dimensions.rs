//! §4.4.7: the list whose records the specification does not describe takes the parameters that the clause gives it.
//!
//! Which lists those are, and which parameters, stands in the contract: the clause of the list is among the clauses of the
//! parameter. What every list takes by the conventions is tried as far as its values are known.

use std::sync::Arc;

use rollcall_contract::{Match, Role};

use super::{Check, CheckFuture, Level};
use crate::corpus::ListCorpus;
use crate::corpus::clause::Clause;
use crate::corpus::listing::ListResponse;
use crate::corpus::members::Members;
use crate::corpus::predicate::ObservableFilter;
use crate::corpus::query::including;
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;
use crate::http::request::Request;
use crate::oracle::Violation;
use crate::plan::sample::is_usable;

pub(super) const CHECKS: &[Check] = &[Check {
    id: "N2",
    covers: &[],
    clause: "§4.4.7",
    level: Level::Must,
    says: "The list of dimensions takes its filters, relations in all three forms, and a page, alone and together.",
    needs: "the list, and for a filter by state a record that shows one",
    finds: "a convention that this list does not follow",
    advice: "Let the list use the code of the other lists: filters, include and page are the same for it.",
    core: false,
    run: accepted,
}];

/// The specified lists whose records the specification does not describe.
fn undescribed(engine: &Engine) -> Vec<usize> {
    let lists = engine.readable().into_iter();
    let undescribed = lists.filter(|list| {
        let spec = &engine.list(*list).spec;
        spec.specified && !Members::of(&engine.contract, &spec.list.record).described
    });
    undescribed.collect()
}

fn accepted<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for list in undescribed(engine) {
            let list_corpus = engine.list(list);
            let spec = &list_corpus.spec;
            let mut together = Request::get(&spec.operation.path);
            let mut ask = |name: &str, value: &str, about: String| {
                cases.push(taken(
                    list,
                    about,
                    subject_clause(list_corpus),
                    engine.query(list, &[(name, value)]),
                ));
            };
            for judged in &spec.filters {
                let filter = ObservableFilter::of(list, judged);
                let value = filter.and_then(|filter| value_of(engine, &filter));
                match value {
                    Some(value) => {
                        ask(&judged.name, &value, judged.name.clone());
                        together = together.with(&judged.name, &value);
                    }
                    None => result.gap(format!(
                        "{} {}: a record that shows a value",
                        spec.name(),
                        judged.name
                    )),
                }
            }
            if let Some(name) = spec.parameter(Role::Include) {
                for relation in &spec.list.relations {
                    for form in [
                        relation.name.clone(),
                        relation.count_name(),
                        relation.exists_name(),
                    ] {
                        ask(name, &form, including(&form));
                    }
                    together = together.with(name, &relation.name);
                }
            }
            if let Some(name) = spec.parameter(Role::Page) {
                let first = list_corpus.paging.number(1).to_string();
                ask(name, &first, name.to_owned());
                together = together.with(name, &first);
            }
            cases.push(taken(
                list,
                "all of them".to_owned(),
                subject_clause(list_corpus),
                together,
            ));
        }
        engine.run_cases(cases, result).await?;
        result.gap_if_empty("a list of dimensions that answers");
        Ok(())
    })
}

/// The request is answered with a list.
fn taken(list: usize, about: String, clause: Clause, request: Request) -> Case {
    let judge = |answers: &[Arc<ListResponse>], _: &ListCorpus| match &*answers[0] {
        ListResponse::Records(_) => None,
        answer => Some(Violation::of_answer("2xx with an array of records", answer)),
    };
    Case::new(list, (about, clause), vec![request], judge)
}

fn subject_clause(list: &ListCorpus) -> Clause {
    Clause::of_source(&list.spec.operation.origin.source)
}

/// A value that a filter takes: one that a record shows, or any part of a text.
fn value_of(engine: &Engine, filter: &ObservableFilter) -> Option<String> {
    let values = engine.values(filter);
    let usable = values.into_keys().find(|value| is_usable(value));
    match filter.matching {
        Match::Contains => Some(usable.unwrap_or_else(|| engine.choice("N2").word(4))),
        _ => usable,
    }
}
