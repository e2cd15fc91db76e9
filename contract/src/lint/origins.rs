//! Every element says where it comes from, and nothing the specification says goes unclaimed.

use super::specification::{CLAUSES, open_points};
use super::{Findings, Rule};
use crate::place::Place;
use crate::{Contract, Pointer, uses};

pub(super) const RULES: &[Rule] = &[Rule {
    id: "open-point-exists",
    says: "`x-open-points` has open points of the specification only: the runner knows no others.",
    check: open_points_exist,
}];

pub(super) const HOUSE: &[Rule] = &[
    Rule {
        id: "origin-stated",
        says: "Every operation, parameter, component schema and component response has `x-source` or `x-extension`.",
        check: stated,
    },
    Rule {
        id: "origin-in-words",
        says: "A description ends with where the element comes from, in the words of its `x-source`, `x-extension` and `x-open-point`.",
        check: in_words,
    },
    Rule {
        id: "clause-exists",
        says: "`x-source` names clauses that the specification has.",
        check: clauses_exist,
    },
    Rule {
        id: "clause-used",
        says: "Every clause of the specification is the source of an element.",
        check: clauses_used,
    },
    Rule {
        id: "rule-claimed",
        says: "Every rule in `x-rules` is claimed by an element, and no element claims another.",
        check: rules_claimed,
    },
    Rule {
        id: "open-point-used",
        says: "`x-open-points` lists every open point; each is cited by an element, and no element cites another.",
        check: open_points_used,
    },
    Rule {
        id: "open-point-accepts",
        says: "Every open point says which answers conform, each by a name in small letters, digits and hyphens.",
        check: open_points_accept,
    },
    Rule {
        id: "extension-inside-specified",
        says: "A specified schema is not made of an extension, by which nobody could be judged, unless `x-accepts` says what is.",
        check: extensions_inside,
    },
];

fn stated(contract: &Contract, findings: &mut Findings<'_>) {
    let said = "neither `x-source` nor `x-extension` says where this comes from";
    for operation in &contract.operations {
        findings.unless(operation.origin.is_stated(), &operation.at, said);
        for parameter in &operation.parameters {
            findings.unless(parameter.origin.is_stated(), &parameter.at, said);
        }
    }
    for kind in ["schemas", "responses", "parameters"] {
        for (_, place) in contract.document().component_places(kind) {
            let stated = contract
                .marks
                .iter()
                .any(|mark| &mark.at == place.at() && mark.origin.is_stated());
            findings.unless(stated, place.at(), said);
        }
    }
}

fn in_words(contract: &Contract, findings: &mut Findings<'_>) {
    for mark in &contract.marks {
        // What is not part of the API for its callers, such as the address of a server, is told about in the document's own
        // description.
        let is_element = matches!(
            mark.at.segments().first().map(String::as_str),
            Some("paths" | "components")
        );
        let element = mark.at.find(contract.document().raw());
        let of_uses = uses::origin_of_uses(&contract.operations, &mark.at);
        let words = of_uses.or_else(|| mark.origin.in_words());
        let (Some(words), Some(element), true) = (words, element, is_element) else {
            continue;
        };
        let description = element
            .get("description")
            .and_then(|text| text.as_str())
            .unwrap_or_default();
        findings.unless(
            description.trim_end().ends_with(&words)
                && (description.trim_end() != words || !mark.origin.is_stated()),
            &mark.at,
            format!("the description has to end with: {words}"),
        );
    }
}

fn clauses_exist(contract: &Contract, findings: &mut Findings<'_>) {
    let of_marks = contract
        .marks
        .iter()
        .map(|mark| (mark.at.child("x-source"), &mark.origin.source));
    let of_rules = contract
        .rules
        .iter()
        .map(|rule| (Pointer::of(["x-rules", &rule.id, "source"]), &rule.source));
    let named = of_marks.chain(of_rules);
    let named = named.flat_map(|(at, source)| source.iter().map(move |clause| (at.clone(), clause)));
    let of_clauses = contract
        .clauses
        .iter()
        .map(|clause| (Pointer::of(["x-clauses", &clause.id]), &clause.id));
    for (at, clause) in named.chain(of_clauses) {
        let exists = CLAUSES.contains(&clause.as_str());
        findings.unless(exists, &at, format!("there is no clause {clause}"));
    }
}

fn clauses_used(contract: &Contract, findings: &mut Findings<'_>) {
    for clause in CLAUSES {
        let used = contract
            .marks
            .iter()
            .any(|mark| mark.origin.source.iter().any(|source| source == clause));
        findings.unless(used, &Pointer::root(), format!("no element comes from {clause}"));
    }
}

fn rules_claimed(contract: &Contract, findings: &mut Findings<'_>) {
    for rule in &contract.rules {
        let claimed = contract
            .marks
            .iter()
            .any(|mark| mark.origin.rules.contains(&rule.id));
        findings.unless(
            claimed,
            &Pointer::of(["x-rules", &rule.id]),
            "no element claims this rule",
        );
    }
    for mark in &contract.marks {
        for id in &mark.origin.rules {
            let exists = contract.rules.iter().any(|rule| &rule.id == id);
            findings.unless(
                exists,
                &mark.at.child("x-rules"),
                format!("there is no rule `{id}`"),
            );
        }
    }
}

fn open_points_used(contract: &Contract, findings: &mut Findings<'_>) {
    let list = Pointer::of(["x-open-points"]);
    for id in open_points() {
        let listed = contract.open_points.iter().any(|point| point.id == id);
        findings.unless(listed, &list, format!("{id} is missing"));
    }
    for point in &contract.open_points {
        let cited = contract
            .marks
            .iter()
            .any(|mark| mark.origin.open_points.contains(&point.id));
        findings.unless(cited, &list.child(&point.id), "no element cites this point");
    }
    for mark in &contract.marks {
        for id in &mark.origin.open_points {
            let exists = contract.open_points.iter().any(|point| &point.id == id);
            findings.unless(
                exists,
                &mark.at.child("x-open-point"),
                format!("there is no open point {id}"),
            );
        }
    }
}

fn open_points_exist(contract: &Contract, findings: &mut Findings<'_>) {
    let list = Pointer::of(["x-open-points"]);
    for point in &contract.open_points {
        let known = open_points().any(|id| id == point.id);
        findings.unless(known, &list.child(&point.id), "there is no such open point");
    }
}

fn open_points_accept(contract: &Contract, findings: &mut Findings<'_>) {
    for point in &contract.open_points {
        let at = Pointer::of(["x-open-points", &point.id, "accepts"]);
        findings.unless(!point.accepts.is_empty(), &at, "no answer conforms");
        for answer in &point.accepts {
            let is_name = answer
                .id
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
            let says = format!("`{}` is not made of small letters, digits and hyphens", answer.id);
            findings.unless(is_name, &at.child(&answer.id), says);
        }
    }
}

fn extensions_inside(contract: &Contract, findings: &mut Findings<'_>) {
    for (_, schema) in contract.document().component_places("schemas") {
        extensions_in(&schema, findings);
    }
}

fn extensions_in(schema: &Place<'_>, findings: &mut Findings<'_>) {
    if judged_otherwise(schema) {
        return;
    }
    if schema.value().get("$ref").is_some() {
        let target = schema.target();
        let extension = target.says("x-extension") && target.child("x-accepts").is_none();
        let name = target.at().last().unwrap_or_default();
        findings.unless(
            !extension,
            schema.at(),
            format!("this is specified, but `{name}` is an extension"),
        );
    }
    schema
        .subschemas()
        .iter()
        .for_each(|part| extensions_in(part, findings));
}

/// Whether what stands here is of no concern to the judgement of others, or is replaced in it.
fn judged_otherwise(schema: &Place<'_>) -> bool {
    schema.says("x-extension") || schema.child("x-accepts").is_some()
}
