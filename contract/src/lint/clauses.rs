//! The clauses that an operation and its parameters name are clauses that cover them.

use super::{Findings, Rule};
use crate::{Contract, Operation, Origin, Parameter, Pointer};

pub(super) const HOUSE: &[Rule] = &[
    Rule {
        id: "clause-covers-use",
        says: "A clause that an operation or a parameter names covers it by `x-clauses`; a shared parameter names clauses that each cover a use.",
        check: cover_uses,
    },
    Rule {
        id: "clause-has-uses",
        says: "Each operation in `x-clauses` exists and names the clause; each parameter that a clause names is one of its operations.",
        check: have_uses,
    },
];

fn cover_uses(contract: &Contract, findings: &mut Findings<'_>) {
    for operation in &contract.operations {
        for clause in operation
            .origin
            .source
            .iter()
            .filter(|_| !operation.origin.extension)
        {
            let specifies = contract.clauses.specifies(clause, &operation.id);
            let says = format!("{clause} does not cover {}", operation.id);
            findings.unless(specifies, &operation.at.child("x-source"), says);
        }
        for parameter in &operation.parameters {
            for clause in written(contract, parameter) {
                let covers = match parameter.is_shared() {
                    true => uses(contract, &parameter.at)
                        .any(|(id, name)| contract.clauses.covers(clause, id, name)),
                    false => contract.clauses.covers(clause, &operation.id, &parameter.name),
                };
                let says = match parameter.is_shared() {
                    true => format!("{clause} covers `{}` in no operation", parameter.name),
                    false => format!("{clause} does not cover `{}` of {}", parameter.name, operation.id),
                };
                findings.unless(covers, &parameter.at.child("x-source"), says);
            }
        }
    }
}

/// The clauses that a parameter names, whatever covers its uses; none of an extension.
fn written<'c>(contract: &'c Contract, parameter: &Parameter) -> &'c [String] {
    let mark = contract.marks.iter().find(|mark| mark.at == parameter.at);
    let origin = mark.map(|mark| &mark.origin);
    origin.filter(|origin| !origin.extension).map_or(&[], source)
}

fn source(origin: &Origin) -> &[String] {
    &origin.source
}

/// The operations that have the parameter at a place, with its name.
fn uses<'c>(contract: &'c Contract, at: &'c Pointer) -> impl Iterator<Item = (&'c str, &'c str)> {
    let of_operation = move |operation: &'c Operation| {
        let parameters = operation.parameters.iter().filter(move |one| &one.at == at);
        parameters.map(|one| (operation.id.as_str(), one.name.as_str()))
    };
    contract.operations.iter().flat_map(of_operation)
}

fn have_uses(contract: &Contract, findings: &mut Findings<'_>) {
    for clause in contract.clauses.iter() {
        let at = Pointer::of(["x-clauses", &clause.id]);
        for id in &clause.operations {
            let operation = contract.operation(id);
            let names_it = operation.is_some_and(|one| one.origin.source.contains(&clause.id));
            let says = format!("no operation {id} has `x-source: {}`", clause.id);
            findings.unless(names_it, &at.child("operations"), says);
        }
        for pattern in &clause.parameters {
            let is_used = contract.operations.iter().any(|operation| {
                let mut names = operation.parameters.iter().map(|parameter| &parameter.name);
                names.any(|name| {
                    crate::clause::matches(pattern, name)
                        && contract.clauses.covers(&clause.id, &operation.id, name)
                })
            });
            let says = format!("`{pattern}` is no parameter of its operations");
            findings.unless(is_used, &at.child("parameters"), says);
        }
    }
}
