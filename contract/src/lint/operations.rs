//! Operations are described, exemplified, guarded, and list every status they can give.

use super::{Findings, Rule};
use crate::{Contract, Method};

pub(super) const RULES: &[Rule] = &[Rule {
    id: "operation-unique",
    says: "No two operations have the same `operationId`.",
    check: unique,
}];

pub(super) const HOUSE: &[Rule] = &[
    Rule {
        id: "operation-described",
        says: "Every operation has a summary and a description.",
        check: described,
    },
    Rule {
        id: "description-own",
        says: "No two operations, and no two component responses, have the same description.",
        check: own_descriptions,
    },
    Rule {
        id: "operation-examples",
        says: "Every body, of requests, answers and errors, has an example.",
        check: examples,
    },
    Rule {
        id: "operation-scope",
        says: "Every operation names the scope it needs: `…:read` if it reads, `…:write` if it changes something.",
        check: scope,
    },
    Rule {
        id: "operation-statuses",
        says: "Every operation can give 401 and 403; 400 a list, 404 one with a path parameter, 415 and 422 one with a body.",
        check: statuses,
    },
];

fn unique(contract: &Contract, findings: &mut Findings<'_>) {
    for (i, operation) in contract.operations.iter().enumerate() {
        let taken = contract.operations[..i]
            .iter()
            .any(|other| other.id == operation.id);
        findings.unless(!taken, &operation.at, format!("`{}` is taken", operation.id));
    }
}

fn described(contract: &Contract, findings: &mut Findings<'_>) {
    for operation in &contract.operations {
        for (key, text) in [
            ("summary", &operation.summary),
            ("description", &operation.description),
        ] {
            let said = text.as_deref().is_some_and(|text| !text.trim().is_empty());
            findings.unless(said, &operation.at, format!("`{key}` is missing"));
        }
    }
}

fn own_descriptions(contract: &Contract, findings: &mut Findings<'_>) {
    let operations = contract
        .operations
        .iter()
        .filter_map(|operation| operation.place(contract));
    let responses = contract
        .document()
        .component_places("responses")
        .into_iter()
        .map(|(_, place)| place);
    for elements in [operations.collect::<Vec<_>>(), responses.collect()] {
        let mut told = Vec::new();
        for element in elements {
            let Some(description) = element.child("description") else {
                continue;
            };
            let text = description.value().as_str().unwrap_or_default().trim().to_owned();
            findings.unless(
                !told.contains(&text),
                element.at(),
                "another element has this description",
            );
            told.push(text);
        }
    }
}

fn examples(contract: &Contract, findings: &mut Findings<'_>) {
    for place in contract
        .operations
        .iter()
        .filter_map(|operation| operation.place(contract))
    {
        let responses = place
            .child("responses")
            .map(|responses| responses.members())
            .unwrap_or_default();
        let bodies = responses
            .into_iter()
            .map(|(_, response)| response)
            .chain(place.child("requestBody"));
        for content in bodies.filter_map(|body| body.target().child("content")) {
            for (_, media) in content.members() {
                let several = media
                    .child("examples")
                    .is_some_and(|examples| !examples.members().is_empty());
                let given = media.child("example").is_some() || several;
                findings.unless(given, media.at(), "this body has no example");
            }
        }
    }
}

fn scope(contract: &Contract, findings: &mut Findings<'_>) {
    for operation in &contract.operations {
        let action = if operation.method == Method::Get {
            ":read"
        } else {
            ":write"
        };
        let fits = operation
            .scope
            .as_deref()
            .is_some_and(|scope| scope.ends_with(action));
        findings.unless(
            fits,
            &operation.at,
            format!("`x-scope` has to name a scope ending in `{action}`"),
        );
    }
}

fn statuses(contract: &Contract, findings: &mut Findings<'_>) {
    for operation in &contract.operations {
        let (list, path) = (
            operation.list.is_some(),
            operation.path_parameters().next().is_some(),
        );
        let body = operation.request_body.is_some();
        for (needed, status) in [
            (true, 401),
            (true, 403),
            (list, 400),
            (path, 404),
            (body, 415),
            (body, 422),
        ] {
            let given = operation.statuses.contains(&status);
            findings.unless(
                given || !needed,
                &operation.at.child("responses"),
                format!("{status} is missing"),
            );
        }
    }
}
