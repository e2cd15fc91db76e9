//! Relations agree with the records they join, the counts they equal and the lists that show them.

use serde_json::Value;

use super::{Findings, Rule};
use crate::place::Place;
use crate::{Contract, Counted, Included, List, Listing, Match, Operation, Pointer, Relation};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "relation-member",
        says: "The related records of a relation, their number and their existence are optional members of the record, where \
               its frame has them: an array if there may be many, of the relation's record. There are no others. An `included` \
               that holds names is an array of strings.",
        check: members,
    },
    Rule {
        id: "relation-join",
        says: "A join is over a member of the record and one of the related record.",
        check: joins,
    },
    Rule {
        id: "relation-count",
        says: "The count that a relation equals is a member of `count`, and counts the list that shows the relation.",
        check: counts,
    },
    Rule {
        id: "relation-list",
        says: "The list that shows a relation exists and has the filter.",
        check: lists,
    },
];

/// Why `listing` cannot be asked for: there is no such list, or it has no such filter on an exact value.
pub(super) fn unlisted(contract: &Contract, listing: &Listing) -> Option<String> {
    let Listing { operation, filter } = listing;
    match contract.operation(operation) {
        Some(list) if list.list.is_none() => Some(format!("`{operation}` is no list")),
        Some(list) => match list.filter(filter) {
            Some(filter) if filter.matching == Match::Exact => None,
            Some(_) => Some(format!("`{filter}` of `{operation}` does not match exactly")),
            None => Some(format!("`{operation}` has no parameter `{filter}`")),
        },
        None => Some(format!("there is no operation `{operation}`")),
    }
}

fn each(contract: &Contract, mut check: impl FnMut(&List, &Relation, &Pointer)) {
    for (operation, list) in contract.lists() {
        for relation in &list.relations {
            check(list, relation, &at(operation, relation));
        }
    }
}

pub(super) fn at(operation: &Operation, relation: &Relation) -> Pointer {
    operation
        .at
        .child("x-list")
        .child("relations")
        .child(&relation.name)
}

fn members(contract: &Contract, findings: &mut Findings<'_>) {
    let related = &contract.frame.related;
    for (operation, list) in contract.lists() {
        let at_list = operation.at.child("x-list");
        let included = contract.member(&list.record, related.at.holder());
        if let (Some(included), Included::Names) = (&included, list.included) {
            names(&at_list, list, included, findings);
            continue;
        }
        let mut known = Vec::new();
        for relation in &list.relations {
            // Those that are at the top of the answer are no members of the record.
            let own = Some(&relation.at).filter(|_| related.linked.is_none());
            for (member, kind) in [
                (own, None),
                (relation.number_at.as_ref(), Some("integer")),
                (relation.existence_at.as_ref(), Some("boolean")),
            ] {
                let Some(member) = member else { continue };
                known.push(member);
                if let Some(says) = misfit(contract, (list, relation), member, kind) {
                    findings.add(&at(operation, relation), says);
                }
            }
        }
        let is_known = |place: &Pointer| {
            known
                .iter()
                .any(|known| known.segments().starts_with(place.segments()))
        };
        for (member, place) in included.iter().flat_map(|included| included.properties()) {
            let says = format!("no relation of `{}` has the member `{member}`", operation.id);
            findings.unless(is_known(&related.at.holder().child(member)), place.at(), says);
        }
    }
}

/// Why a member of a record does not fit a relation: the related records themselves, or a number or an existence by its type.
fn misfit(
    contract: &Contract,
    (list, relation): (&List, &Relation),
    member: &Pointer,
    kind: Option<&str>,
) -> Option<String> {
    let Some(place) = contract.member(&list.record, member) else {
        return Some(format!("{} has no member {member}", list.record));
    };
    let says = match kind {
        None => misshapen(contract, relation, &place),
        Some(kind) => mistyped(&place, kind),
    };
    let (name, outer) = member.segments().split_last()?;
    let outer = contract.member(&list.record, &Pointer::of(outer.iter().map(String::as_str)))?;
    let is_required = required(&outer).contains(&name.as_str());
    says.map(|says| format!("{member} {says}"))
        .or_else(|| is_required.then(|| format!("{member} is required, but not always asked for")))
}

fn names(at: &Pointer, list: &List, included: &Place<'_>, findings: &mut Findings<'_>) {
    let schema = included.underlying();
    let item = schema
        .child("items")
        .and_then(|items| items.underlying().child("type"));
    let strings = item.is_some_and(|kind| kind.value() == "string");
    findings.unless(
        strings,
        at,
        format!("`included` of {} is no array of names", list.record),
    );
    for relation in &list.relations {
        let says = format!("`{}` names a record, but `included` holds names", relation.name);
        findings.unless(relation.record.is_none(), at, says);
    }
}

/// The members that a schema requires, in all its parts.
fn required<'d>(schema: &Place<'d>) -> Vec<&'d str> {
    let schema = schema.target();
    let own = schema
        .value()
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let mut names: Vec<_> = own.filter_map(Value::as_str).collect();
    for part in schema
        .child("allOf")
        .map(|parts| parts.elements())
        .unwrap_or_default()
    {
        names.extend(required(&part));
    }
    names
}

/// How the schema of an included member differs from what the relation says.
fn misshapen(contract: &Contract, relation: &Relation, member: &Place<'_>) -> Option<String> {
    let items = member.underlying().value().get("items");
    if items.is_some() != relation.many {
        return Some(if relation.many {
            "is no array".to_owned()
        } else {
            "is an array".to_owned()
        });
    }
    let record = contract.document().schema_name(items.unwrap_or(member.value()));
    (record.is_none() || record != relation.record.as_deref()).then(|| {
        let record = record.unwrap_or("no component schema");
        format!(
            "holds {record}, the relation {}",
            relation.record.as_deref().unwrap_or("names none")
        )
    })
}

fn mistyped(member: &Place<'_>, kind: &str) -> Option<String> {
    (member.underlying().value().get("type")? != kind).then(|| format!("is no {kind}"))
}

fn joins(contract: &Contract, findings: &mut Findings<'_>) {
    each(contract, |list, relation, at| {
        let Some(join) = &relation.join else { return };
        let related = relation.record.as_deref().unwrap_or_default();
        for (record, pointer) in [(list.record.as_str(), &join.ours), (related, &join.theirs)] {
            let exists = contract.member(record, pointer).is_some();
            findings.unless(exists, at, format!("`{record}` has no member {pointer}"));
        }
    });
}

fn counts(contract: &Contract, findings: &mut Findings<'_>) {
    each(contract, |list, relation, at| {
        let Some(member) = &relation.count else { return };
        let place = relation.count_at.as_ref();
        if place
            .and_then(|place| contract.member(&list.record, place))
            .is_none()
        {
            return findings.add(at, format!("{} has no count `{member}`", list.record));
        }
        let counts = contract.counts(&list.record).unwrap_or_default();
        let counted = counts
            .into_iter()
            .find(|count| &count.member == member)
            .map(|count| count.counted);
        if let (Some(counted), Some(listing)) = (counted, &relation.listed_by) {
            let same = counted == Counted::Listing(listing.clone());
            findings.unless(
                same,
                at,
                format!("the count `{member}` counts another list than shows the relation"),
            );
        }
    });
}

fn lists(contract: &Contract, findings: &mut Findings<'_>) {
    each(contract, |_, relation, at| {
        if let Some(says) = relation
            .listed_by
            .as_ref()
            .and_then(|listing| unlisted(contract, listing))
        {
            findings.add(at, says);
        }
    });
}
