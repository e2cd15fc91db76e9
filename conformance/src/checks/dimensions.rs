//! §4.4.7: the list whose records the specification does not describe takes the parameters that the clause gives it.
//!
//! Which lists those are, and which parameters, stands in the contract: the clause of the list is among the clauses of the
//! parameter. What every list takes by the conventions is tried as far as its values are known.

use rollcall_oracle::corpus::clause::Clause;
use rollcall_oracle::corpus::members::Members;
use rollcall_oracle::corpus::predicate::ObservableFilter;
use rollcall_oracle::corpus::query::including;
use rollcall_oracle::http::request::Request;
use rollcall_oracle::judge::Violation;
use rollcall_oracle::open_points::related_number::RelationForm;
use rollcall_oracle::plan::sample::is_usable;

use crate::checks::scope::UNDESCRIBED;
use rollcall_contract::{Match, Role};

use super::{BASE, Check, CheckFuture};
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;

pub(super) const CHECKS: &[Check] = &[Check {
    id: "N2",
    topics: &[UNDESCRIBED],
    clause: "§4.4.7",
    demands: &["dimensions"],
    says: "The list of dimensions takes its filters, relations in all three forms, and a page, alone and together.",
    needs: "the list, and for a filter by state a record that shows one",
    finds: "a convention that this list does not follow",
    advice: "Let the list use the code of the other lists: filters, include and page are the same for it.",
    run: accepted,
    ..BASE
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
                cases.push(taken(engine, list, about, engine.query(list, &[(name, value)])));
            };
            for judged in &spec.filters {
                let name = &judged.name;
                let filter = ObservableFilter::of(list, judged);
                let Some(value) = filter.and_then(|filter| value_of(engine, &filter)) else {
                    result.gap(format!("{} {name}: a record that shows a value", spec.name()));
                    continue;
                };
                ask(name, &value, name.clone());
                together = together.with(name, &value);
            }
            if let Some(name) = spec.parameter(Role::Include) {
                for relation in &spec.list.relations {
                    for form in RelationForm::of(relation).map(|form| form.name(relation)) {
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
            cases.push(taken(engine, list, "all of them".to_owned(), together));
        }
        engine.run_cases(cases, result).await?;
        result.gap_if_empty("a list of dimensions that answers");
        Ok(())
    })
}

/// The request is answered with a list.
fn taken(engine: &Engine, list: usize, about: String, request: Request) -> Case {
    let clause = Clause::of_source(&engine.list(list).spec.operation.origin.source);
    Case::new(list, (about, clause), vec![request], |answers, _| {
        let is_other = answers[0].reading().is_none();
        is_other.then(|| Violation::of_answer("2xx with an array of records", &answers[0]))
    })
}

/// A value that a filter takes: one that a record shows, or any part of a text.
fn value_of(engine: &Engine, filter: &ObservableFilter) -> Option<String> {
    let values = engine.values(filter);
    let usable = values.into_keys().find(|value| is_usable(value));
    match filter.matching {
        Match::Contains => Some(usable.unwrap_or_else(|| engine.choice(engine.check.id).word(4))),
        _ => usable,
    }
}
