//! §4.4.7: the list whose records the specification does not describe takes the parameters that the clause gives it.
//!
//! Which lists those are, and which parameters, stands in the contract: the clause of the list is among the clauses of the
//! parameter. What every list takes by the conventions is tried as far as its values are known.

use std::sync::Arc;

use rollcall_contract::{Match, Role};

use super::{Check, Level, Looking};
use crate::case::{Accusation, Case};
use crate::context::Context;
use crate::corpus::Surveyed;
use crate::finding::Clause;
use crate::listing::Listed;
use crate::members::Members;
use crate::outcome::Tally;
use crate::query::including;
use crate::request::Request;
use crate::sample::is_usable;
use crate::seen::SeenFilter;

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
fn undescribed(context: &Context) -> Vec<usize> {
    let lists = context.readable().into_iter();
    let undescribed = lists.filter(|list| {
        let subject = &context.list(*list).subject;
        subject.specified && !Members::of(&context.contract, &subject.list.record).described
    });
    undescribed.collect()
}

fn accepted<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for list in undescribed(context) {
            let surveyed = context.list(list);
            let subject = &surveyed.subject;
            let mut together = Request::get(&subject.operation.path);
            let mut ask = |name: &str, value: &str, about: String| {
                cases.push(taken(
                    list,
                    about,
                    subject_clause(surveyed),
                    context.query(list, &[(name, value)]),
                ));
            };
            for judged in &subject.filters {
                let filter = SeenFilter::of(list, judged);
                let value = filter.and_then(|filter| value_of(context, &filter));
                match value {
                    Some(value) => {
                        ask(&judged.name, &value, judged.name.clone());
                        together = together.with(&judged.name, &value);
                    }
                    None => tally.gap(format!(
                        "{} {}: a record that shows a value",
                        subject.name(),
                        judged.name
                    )),
                }
            }
            if let Some(name) = subject.parameter(Role::Include) {
                for relation in &subject.list.relations {
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
            if let Some(name) = subject.parameter(Role::Page) {
                let first = surveyed.paging.number(1).to_string();
                ask(name, &first, name.to_owned());
                together = together.with(name, &first);
            }
            cases.push(taken(
                list,
                "all of them".to_owned(),
                subject_clause(surveyed),
                together,
            ));
        }
        context.settle(cases, tally).await?;
        tally.gap_if_empty("a list of dimensions that answers");
        Ok(())
    })
}

/// The request is answered with a list.
fn taken(list: usize, about: String, clause: Clause, request: Request) -> Case {
    let judge = |answers: &[Arc<Listed>], _: &Surveyed| match &*answers[0] {
        Listed::Records(_) => None,
        answer => Some(Accusation::of_answer("2xx with an array of records", answer)),
    };
    Case::new(list, (about, clause), vec![request], judge)
}

fn subject_clause(list: &Surveyed) -> Clause {
    Clause::of_source(&list.subject.operation.origin.source)
}

/// A value that a filter takes: one that a record shows, or any part of a text.
fn value_of(context: &Context, filter: &SeenFilter) -> Option<String> {
    let values = context.values(filter);
    let usable = values.into_keys().find(|value| is_usable(value));
    match filter.matching {
        Match::Contains => Some(usable.unwrap_or_else(|| context.choice("N2").word(4))),
        _ => usable,
    }
}
