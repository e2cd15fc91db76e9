//! Each parameter of a list has a meaning, and its order is over members that records show.

use std::collections::HashSet;

use super::{Findings, Rule};
use serde_json::json;

use crate::{Contract, Parameter, Pointer, Position, Role};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "list-declared",
        says: "An operation that answers an array of a component schema has `x-list`.",
        check: declared,
    },
    Rule {
        id: "list-parameters",
        says: "Each query parameter of a list has either `x-filter` or `x-role`, each role once. Others have none, if no list shares them.",
        check: parameters,
    },
    Rule {
        id: "list-there",
        says: "A contract has a list.",
        check: there,
    },
    Rule {
        id: "list-sort",
        says: "Sort fields are members of the record, and the default order is made of them.",
        check: sort,
    },
    Rule {
        id: "list-words",
        says: "`include` and `sort` are arrays with commas, of an enum that has the words of `x-list`.",
        check: words,
    },
    Rule {
        id: "list-roles",
        says: "A list that can be sorted takes `sort`, one with relations takes `include`.",
        check: roles,
    },
    Rule {
        id: "list-pages",
        says: "A list has pages by number or by cursor; the answer shows the next cursor where `next` says, as a string.",
        check: pages,
    },
];

pub(super) const HOUSE: &[Rule] = &[
    Rule {
        id: "list-sort-named",
        says: "A sort field has the name of its member, and the id is one of them.",
        check: sort_names,
    },
    Rule {
        id: "list-words-named",
        says: "Each word of `include` and `sort` has a name for code, and `maxItems` lets each be asked for once.",
        check: word_names,
    },
];

fn declared(contract: &Contract, findings: &mut Findings<'_>) {
    for operation in &contract.operations {
        let answers_records = operation.answer.many && operation.answer.schema.is_some();
        findings.unless(
            !answers_records || operation.list.is_some(),
            &operation.at,
            "`x-list` is missing",
        );
    }
}

fn there(contract: &Contract, findings: &mut Findings<'_>) {
    let says = "no operation has `x-list`, so that there is nothing to judge";
    findings.unless(contract.lists().next().is_some(), &Pointer::root(), says);
}

fn pages(contract: &Contract, findings: &mut Findings<'_>) {
    for (operation, list) in contract.lists() {
        let (number, cursor) = (operation.role(Role::Page), operation.role(Role::Cursor));
        let at = operation.at.child("x-list");
        let both = number.is_some() && cursor.is_some();
        findings.unless(!both, &operation.at, "one list has pages by number or by cursor");
        let says = "`next` of `x-list` and a parameter with the role `cursor` belong together";
        findings.unless(list.next.is_some() == cursor.is_some(), &at, says);
        if let Some(next) = &list.next {
            let kind = operation.answer_member(contract, next);
            let is_string = kind.is_some_and(|member| member.underlying().value()["type"] == "string");
            findings.unless(
                is_string,
                &at.child("next"),
                format!("the answer has no member {next} that is a string"),
            );
        }
    }
}

fn parameters(contract: &Contract, findings: &mut Findings<'_>) {
    let of_lists = contract.lists().flat_map(|(operation, _)| &operation.parameters);
    let of_lists: HashSet<&Pointer> = of_lists.map(|parameter| &parameter.at).collect();
    for operation in &contract.operations {
        for (i, parameter) in operation.parameters.iter().enumerate() {
            let meanings = usize::from(parameter.filter.is_some()) + usize::from(parameter.role.is_some());
            let expected = usize::from(operation.list.is_some() && parameter.position == Position::Query);
            if operation.list.is_none() && of_lists.contains(&parameter.at) {
                continue;
            }
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
        }
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

fn sort_names(contract: &Contract, findings: &mut Findings<'_>) {
    for (operation, list) in contract.lists() {
        let at = operation.at.child("x-list").child("sort").child("fields");
        for (name, pointer) in &list.sort {
            let named = pointer.last() == Some(name.as_str());
            findings.unless(
                named,
                &at.child(name),
                format!("`{name}` is not the name of {pointer}"),
            );
        }
        findings.unless(
            list.sort_field("id").is_some(),
            &at,
            "`id`, which settles ties, is missing",
        );
    }
}

/// The parameters `include` and `sort` of each list with their words, and how many of these may be asked for at once: no
/// field is sorted by twice; a relation may be asked for in each of its forms.
fn worded(contract: &Contract) -> impl Iterator<Item = (&Parameter, Vec<String>, usize)> {
    contract.lists().flat_map(|(operation, list)| {
        let words = list.include_words();
        let most = words.len();
        let include = (Role::Include, words, most);
        let sort = (Role::Sort, list.sort_words(), list.sort.len());
        [include, sort]
            .into_iter()
            .filter_map(|(role, words, most)| Some((operation.role(role)?, words, most)))
    })
}

fn words(contract: &Contract, findings: &mut Findings<'_>) {
    for (parameter, words, _) in worded(contract) {
        let schema = contract.document().resolve(&parameter.schema);
        let items = contract.document().resolve(&schema["items"]);
        for (holds, says) in [
            (schema["type"] == "array", "it is an array".to_owned()),
            (
                parameter.is_comma_separated,
                "it has `style: form, explode: false`".to_owned(),
            ),
            (
                items["enum"] == json!(words),
                format!("its items are one of {words:?}"),
            ),
        ] {
            findings.unless(holds, &parameter.at, says);
        }
    }
}

fn word_names(contract: &Contract, findings: &mut Findings<'_>) {
    for (parameter, words, most) in worded(contract) {
        let schema = contract.document().resolve(&parameter.schema);
        let items = contract.document().resolve(&schema["items"]);
        let names: Vec<_> = words.iter().map(|word| variant_name(word)).collect();
        for (holds, says) in [
            (schema["maxItems"] == most, format!("it has `maxItems: {most}`")),
            (
                items["x-enum-varnames"] == json!(names),
                format!("`x-enum-varnames` is {names:?}"),
            ),
        ] {
            findings.unless(holds, &parameter.at, says);
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
