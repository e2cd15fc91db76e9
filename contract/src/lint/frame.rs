//! What `x-frame` says of records is so.

use super::relations::at;
use super::{Findings, Rule};
use crate::place::Place;
use crate::{Contract, Included, Linked, List, Operation, Pointer, Relation, Template};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "frame-part",
        says: "A part that `x-frame` gives a place to has that place in the records of a list.",
        check: parts,
    },
    Rule {
        id: "frame-linked",
        says: "Related records at the top of an answer are in an array there; records refer to them, and a reference and its \
               record have the members that both are compared by. No record has a member of its own where they are put.",
        check: linked,
    },
];

fn parts(contract: &Contract, findings: &mut Findings<'_>) {
    let frame = &contract.frame;
    let Some(written) = contract.document().root().child("x-frame") else {
        return;
    };
    let holder = |part: &Option<Template>| part.as_ref().map(|part| part.holder().clone());
    for (key, place) in [
        ("members", holder(&frame.members)),
        ("count", holder(&frame.count)),
        ("links", holder(&frame.links)),
        ("timestamps", holder(&frame.timestamps)),
        ("created", frame.created.clone()),
        ("updated", frame.updated.clone()),
        ("state", frame.state.clone()),
    ] {
        let (Some(part), Some(place)) = (written.child(key), place) else {
            continue;
        };
        let mut records = contract.records().into_iter();
        let exists = records.any(|record| contract.member(record, &place).is_some());
        findings.unless(
            exists,
            part.at(),
            format!("no record of a list has a member {place}"),
        );
    }
}

fn linked(contract: &Contract, findings: &mut Findings<'_>) {
    let related = &contract.frame.related;
    let Some(linked) = &related.linked else { return };
    let says = "`by` of `related` names at least one member";
    let at_frame = Pointer::of(["x-frame", "related", "by"]);
    findings.unless(!linked.by.is_empty(), &at_frame, says);
    for (operation, list) in contract.lists().filter(|(_, list)| !list.relations.is_empty()) {
        let at_list = operation.at.child("x-list");
        let records = operation.answer_member(contract, &linked.records);
        let is_array = records.is_some_and(|records| records.underlying().child("items").is_some());
        let says = format!(
            "the answer has no array {}, where `x-frame` has related records",
            linked.records
        );
        findings.unless(is_array, &at_list, says);
        let holder = related.at.holder();
        let is_free = contract.member(&list.record, holder).is_none();
        let says = format!(
            "{} has a member {holder}, where its related records are put",
            list.record
        );
        findings.unless(is_free, &at_list, says);
        let says = "`included: names` is for related records that are in the record";
        findings.unless(list.included == Included::Records, &at_list, says);
        for relation in &list.relations {
            refers(contract, linked, (operation, list, relation), findings);
        }
    }
}

/// A relation has references of its number, and records that can be told by them.
fn refers(
    contract: &Contract,
    linked: &Linked,
    (operation, list, relation): (&Operation, &List, &Relation),
    findings: &mut Findings<'_>,
) {
    let at = at(operation, relation);
    let place = linked.references.at(&relation.member);
    let Some(reference) = contract
        .member(&list.record, &place)
        .map(|place| place.underlying())
    else {
        return findings.add(&at, format!("{} has no member {place}", list.record));
    };
    let items = reference.child("items").map(|items| items.underlying());
    let number = if relation.many {
        "is no array"
    } else {
        "is an array"
    };
    findings.unless(items.is_some() == relation.many, &at, format!("{place} {number}"));
    let record = relation
        .record
        .as_deref()
        .and_then(|record| contract.document().schema_place(record));
    let name = relation
        .record
        .as_deref()
        .unwrap_or("the relation without `record`");
    let record = record.filter(|record| record.value().is_object());
    for (what, one) in [
        (place.to_string(), Some(items.unwrap_or(reference))),
        (name.to_owned(), record),
    ] {
        let lacks = |by: &&Pointer| {
            one.as_ref()
                .is_none_or(|one: &Place<'_>| one.member(by).is_none())
        };
        for by in linked.by.iter().filter(lacks) {
            findings.add(
                &at,
                format!("{what} has no member {by}, by which references are told"),
            );
        }
    }
}
