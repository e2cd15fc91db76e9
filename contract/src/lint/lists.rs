//! Each parameter of a list has a meaning, and its order is over members that records show.

use super::{Findings, Rule};
use serde_json::json;

use crate::{Contract, Position, Role};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "list-declared",
        says: "An operation that answers an array of records has `x-list`.",
        check: declared,
    },
    Rule {
        id: "list-parameters",
        says: "Each query parameter of a list has either `x-filter` or `x-role`, each role once; no other parameter has any.",
        check: parameters,
    },
    Rule {
        id: "list-sort",
        says: "Sort fields are members of the record, the id among them, and the default order is made of them.",
        check: sort,
    },
    Rule {
        id: "list-words",
        says: "`include` and `sort` are arrays with commas, of an enum that has the words of `x-list`, each with a name for code.",
        check: words,
    },
    Rule {
        id: "list-roles",
        says: "A list that can be sorted takes `sort`, one with relations takes `include`.",
        check: roles,
    },
];

fn declared(contract: &Contract, findings: &mut Findings<'_>) {
    for operation in &contract.operations {
        findings.unless(
            !operation.answer.many || operation.list.is_some(),
            &operation.at,
            "`x-list` is missing",
        );
    }
}

fn parameters(contract: &Contract, findings: &mut Findings<'_>) {
    for operation in &contract.operations {
        for (i, parameter) in operation.parameters.iter().enumerate() {
            let meanings = usize::from(parameter.filter.is_some()) + usize::from(parameter.role.is_some());
            let expected = usize::from(operation.list.is_some() && parameter.position == Position::Query);
            let says = match expected {
                1 => "a query parameter of a list has either `x-filter` or `x-role`",
                _ => "only the query parameters of a list have `x-filter` or `x-role`",
            };
            findings.unless(meanings == expected, &parameter.at, says);
            let before = &operation.parameters[..i];
            let twice = parameter.role.is_some() && before.iter().any(|other| other.role == parameter.role);
            findings.unless(!twice, &parameter.at, "another parameter has this role already");
        }
    }
}

fn sort(contract: &Contract, findings: &mut Findings<'_>) {
    for (operation, list) in contract.lists() {
        let at = operation.at.child("x-list").child("sort");
        for (name, pointer) in &list.sort {
            let exists = contract.member(&list.record, pointer).is_some();
            let says = format!("{} has no member {pointer}", list.record);
            findings.unless(exists, &at.child("fields").child(name), says);
            let named = pointer.last() == Some(name.as_str());
            findings.unless(
                named,
                &at.child("fields").child(name),
                format!("`{name}` is not the name of {pointer}"),
            );
        }
        findings.unless(
            list.sort_field("id").is_some(),
            &at.child("fields"),
            "`id`, which settles ties, is missing",
        );
        for key in &list.default_sort {
            let known = list.sort_field(&key.field).is_some();
            findings.unless(
                known,
                &at.child("default"),
                format!("`{}` is no sort field", key.field),
            );
        }
    }
}

fn words(contract: &Contract, findings: &mut Findings<'_>) {
    for (operation, list) in contract.lists() {
        // No field is sorted by twice; a relation may be asked for in each of its forms.
        let include = (Role::Include, list.include_words(), list.relations.len() * 3);
        let sort = (Role::Sort, list.sort_words(), list.sort.len());
        for (role, words, most) in [include, sort] {
            let Some(parameter) = operation.role(role) else {
                continue;
            };
            let schema = contract.document().resolve(&parameter.schema);
            let items = contract.document().resolve(&schema["items"]);
            let names: Vec<_> = words.iter().map(|word| variant_name(word)).collect();
            for (holds, says) in [
                (schema["type"] == "array", "it is an array".to_owned()),
                (
                    parameter.is_comma_separated,
                    "it has `style: form, explode: false`".to_owned(),
                ),
                (schema["maxItems"] == most, format!("it has `maxItems: {most}`")),
                (
                    items["enum"] == json!(words),
                    format!("its items are one of {words:?}"),
                ),
                (
                    items["x-enum-varnames"] == json!(names),
                    format!("`x-enum-varnames` is {names:?}"),
                ),
            ] {
                findings.unless(holds, &parameter.at, says);
            }
        }
    }
}

/// The name of a word in generated code: `DirectReportUsersCount`, and `CreatedAtDesc` for `-created_at`.
fn variant_name(word: &str) -> String {
    let capital = |part: &str| {
        let mut letters = part.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    let parts: String = word.split(['-', '_']).map(capital).collect();
    parts + if word.starts_with('-') { "Desc" } else { "" }
}

fn roles(contract: &Contract, findings: &mut Findings<'_>) {
    for (operation, list) in contract.lists() {
        for (needed, role) in [
            (!list.sort.is_empty(), Role::Sort),
            (!list.relations.is_empty(), Role::Include),
        ] {
            let there = operation.role(role).is_some();
            findings.unless(
                there || !needed,
                &operation.at,
                format!("no parameter has the role {role:?}"),
            );
        }
    }
}
