//! How records are shown (S10).

use std::collections::BTreeSet;

use rollcall_contract::{Included, Pointer, Role};
use serde_json::Value;

use super::came::Came;
use crate::checks::Looking;
use crate::context::Context;
use crate::corpus::Surveyed;
use crate::members::{Kind, Members};
use crate::outcome::Tally;
use crate::records::id_of;
use crate::related::joined;

pub(super) fn observed<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for list in context.readable() {
            let surveyed = context.list(list);
            let members = Members::of(&context.contract, &surveyed.subject.list.record);
            further(surveyed, &members, tally);
            moments(surveyed, &members, tally);
            links(surveyed, &members, tally);
            if surveyed.subject.specified && !members.described {
                shape(surveyed, tally);
            }
            deleted(surveyed, tally);
            names(context, list, tally).await?;
        }
        tally.gap_if_unobserved("a record in a list");
        Ok(())
    })
}

/// R1: the members beyond those of the tables, in a record and in the objects that every resource has.
fn further(list: &Surveyed, members: &Members, tally: &mut Tally) {
    let records: Vec<_> = list
        .fullest()
        .into_iter()
        .flat_map(|view| view.records())
        .collect();
    if records.is_empty() || !members.described {
        return;
    }
    let mut further = BTreeSet::new();
    for (_, record) in records {
        for (name, value) in record.as_object().into_iter().flatten() {
            let place = Pointer::of([name.as_str()]);
            let inner = value.as_object().into_iter().flatten();
            let inner = inner.map(|(member, _)| place.child(member));
            let is_fixed = [Kind::Timestamp, Kind::Count, Kind::Link].contains(&members.kind(&place));
            let places = inner.filter(|_| is_fixed).chain([place.clone()]);
            further.extend(
                places
                    .filter(|place| !members.has(place))
                    .map(|place| place.to_string()),
            );
        }
    }
    let choice = match further.is_empty() {
        true => "none".to_owned(),
        false => Vec::from_iter(further).join(" "),
    };
    tally.observe(
        "R1",
        format!("further members of {}", list.subject.name()),
        choice,
    );
}

/// R1: how a moment is written, and what stands where there is none.
fn moments(list: &Surveyed, members: &Members, tally: &mut Tally) {
    let (mut spellings, mut unset) = (BTreeSet::new(), BTreeSet::new());
    let places: Vec<_> = members
        .of_kind(Kind::Timestamp)
        .filter(|place| place.segments().len() == 2)
        .collect();
    for (_, record) in list.fullest().into_iter().flat_map(|view| view.records()) {
        for place in &places {
            match place.find(record) {
                Some(Value::String(text)) => _ = spellings.insert(spelling(text)),
                Some(Value::Null) => _ = unset.insert("null"),
                Some(_) => {}
                None => _ = unset.insert("left out"),
            }
        }
    }
    let name = list.subject.name();
    let told = |words: BTreeSet<&str>| Vec::from_iter(words).join(" or ");
    if !spellings.is_empty() {
        let spellings = spellings.iter().map(String::as_str).collect();
        tally.observe("R1", format!("how {name} writes a moment"), told(spellings));
    }
    if !unset.is_empty() {
        tally.observe("R1", format!("a moment that {name} does not have"), told(unset));
    }
}

/// A moment with every digit replaced by a 0.
fn spelling(moment: &str) -> String {
    let zero = |letter: char| if letter.is_ascii_digit() { '0' } else { letter };
    moment.chars().map(zero).collect()
}

/// R2: what a link looks like.
fn links(list: &Surveyed, members: &Members, tally: &mut Tally) {
    let places = members
        .of_kind(Kind::Link)
        .filter(|place| place.segments().len() == 2);
    let first = list.fullest().and_then(|view| view.records().next());
    let links: BTreeSet<_> = places
        .filter_map(|place| place.find(first?.1)?.as_str())
        .map(|link| match link {
            "" => "empty",
            link if link.contains("://") => "an absolute address",
            link if link.starts_with('/') => "a path",
            _ => "something else",
        })
        .collect();
    if !links.is_empty() {
        let links = Vec::from_iter(links).join(" or ");
        tally.observe("R2", format!("a link of {}", list.subject.name()), links);
    }
}

/// R12, R13: a record that the specification does not describe.
fn shape(list: &Surveyed, tally: &mut Tally) {
    let records: Vec<_> = list
        .fullest()
        .into_iter()
        .flat_map(|view| view.records())
        .collect();
    let members: BTreeSet<&str> = records
        .iter()
        .flat_map(|(_, record)| record.as_object().into_iter().flatten())
        .map(|(name, _)| name.as_str())
        .collect();
    let name = list.subject.name();
    if !members.is_empty() {
        tally.observe(
            "R12",
            format!("the members of {name}"),
            Vec::from_iter(members).join(" "),
        );
    }
    if let Some(prefix) = prefix(records.iter().filter_map(|(_, record)| id_of(record))) {
        tally.observe("R13", format!("how ids of {name} begin"), prefix);
    }
}

/// What all identifiers begin with, up to an underscore.
pub(super) fn prefix<'v>(ids: impl Iterator<Item = &'v str>) -> Option<String> {
    let prefixes: BTreeSet<_> = ids
        .map(|id| {
            id.split_once('_')
                .map_or("no prefix".to_owned(), |(prefix, _)| format!("{prefix}_"))
        })
        .collect();
    (!prefixes.is_empty()).then(|| Vec::from_iter(prefixes).join(" "))
}

/// L18: whether a count of related records has soft-deleted ones in it, where the relation joins records of one list.
fn deleted(list: &Surveyed, tally: &mut Tally) {
    for relation in &list.subject.list.relations {
        let Some(count) = &relation.count else { continue };
        let at = Pointer::of(["count", count.as_str()]);
        for (_, record) in list.live() {
            let related = joined(list, relation, record);
            let live = related
                .iter()
                .filter(|(_, other)| !list.subject.is_deleted(other))
                .count();
            let counted = at
                .find(record)
                .and_then(Value::as_u64)
                .and_then(|count| usize::try_from(count).ok());
            if live != related.len() {
                let choice = match counted {
                    Some(count) if count == live => "left out",
                    Some(count) if count == related.len() => "counted",
                    _ => "neither",
                };
                let question = format!("soft-deleted records in the count {count}");
                tally.observe("L18", question, choice);
                break;
            }
        }
    }
}

/// R7, R8: what stands in `included` where it holds names.
async fn names(context: &mut Context, list: usize, tally: &mut Tally) -> Result<(), crate::target::Trouble> {
    let subject = context.list(list).subject.clone();
    if subject.list.included != Included::Names {
        return Ok(());
    }
    let point = included_point(context, &subject.list.record);
    let (Some(point), Some(name), Some(relation)) = (
        point,
        subject.parameter(Role::Include),
        subject.list.relations.first(),
    ) else {
        return Ok(());
    };
    for (question, parameters) in [
        (format!("included of {}", subject.name()), vec![]),
        (
            format!("included of {} with {}", subject.name(), relation.name),
            vec![(name, relation.name.as_str())],
        ),
    ] {
        let came = Came::of(context, list, &parameters).await?;
        let choice = match came.first().map(|record| record.get("included")) {
            None => continue,
            Some(None) => "left out",
            Some(Some(Value::Array(items))) if items.is_empty() => "[]",
            Some(Some(Value::Array(items))) if items.iter().all(Value::is_string) => "an array of strings",
            Some(Some(Value::Array(_))) => "an array of something else",
            Some(Some(Value::Object(members))) if members.is_empty() => "{}",
            Some(Some(Value::Object(_))) => "an object",
            Some(Some(_)) => "something else",
        };
        tally.observe(point, question, choice);
    }
    Ok(())
}

/// The point that the member `included` of a record cites.
fn included_point(context: &Context, record: &str) -> Option<&'static str> {
    let written = context
        .contract
        .member_schema(record, &Pointer::of(["included"]))?;
    let written = context.contract.document().resolve(written);
    let cited = written.get("x-open-point")?;
    ["R7", "R8"].into_iter().find(|point| {
        cited == point
            || cited
                .as_array()
                .is_some_and(|points| points.iter().any(|one| one == point))
    })
}
