//! How records are shown (S10).

use std::collections::BTreeSet;

use rollcall_contract::{Included, Pointer, Role};
use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::members::{Kind, Members};
use rollcall_oracle::corpus::records::{Record, id_of};
use rollcall_oracle::corpus::related::{joined, own_count};
use rollcall_oracle::corpus::snapshot::Snapshot;
use rollcall_oracle::http::target::TargetError;
use serde_json::Value;

use super::first_page::FirstPage;
use super::observe_all;
use crate::checks::CheckFuture;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;

pub(super) fn observed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in engine.readable() {
            let list_corpus = engine.list(list);
            let members = Members::of(&engine.contract, &list_corpus.spec.list.record);
            further(list_corpus, &members, result);
            timestamps(list_corpus, &members, result);
            links(list_corpus, &members, result);
            if list_corpus.spec.specified && !members.described {
                shape(list_corpus, result);
            }
            deleted(list_corpus, result);
            names(engine, list, result).await?;
        }
        result.gap_if_unobserved("a record in a list");
        Ok(())
    })
}

/// The records of a list, with soft-deleted ones where they are shown.
fn records(list: &ListCorpus) -> impl Iterator<Item = &Record> {
    let all = list.widest_snapshot().into_iter().flat_map(Snapshot::records);
    all.map(|(_, record)| record)
}

/// R1: the members beyond those of the tables, in a record and in the objects that every resource has.
fn further(list: &ListCorpus, members: &Members, result: &mut CheckResult) {
    if records(list).next().is_none() || !members.described {
        return;
    }
    let mut further = BTreeSet::new();
    for (name, value) in records(list).filter_map(|record| record.as_object()).flatten() {
        let place = Pointer::of([name.as_str()]);
        let inner = value.as_object().into_iter().flatten();
        let inner = inner.map(|(member, _)| place.child(member));
        let is_fixed = [Kind::Timestamp, Kind::Count, Kind::Link].contains(&members.kind(&place));
        let places = inner.filter(|_| is_fixed).chain([place.clone()]);
        let unknown = places.filter(|place| !members.has(place));
        further.extend(unknown.map(|place| place.to_string()));
    }
    let choice = match further.is_empty() {
        true => "none".to_owned(),
        false => Vec::from_iter(further).join(" "),
    };
    result.observe("R1", format!("further members of {}", list.spec.name()), choice);
}

/// The members of one kind in the objects that every resource has.
fn common_members(members: &Members, kind: Kind) -> Vec<&Pointer> {
    let places = members.of_kind(kind);
    places.filter(|place| place.segments().len() == 2).collect()
}

/// R1: how a timestamp is written, and what stands where there is none.
fn timestamps(list: &ListCorpus, members: &Members, result: &mut CheckResult) {
    let (mut spellings, mut unset) = (BTreeSet::new(), BTreeSet::new());
    let places = common_members(members, Kind::Timestamp);
    for record in records(list) {
        for place in &places {
            match place.find(record) {
                Some(Value::String(text)) => _ = spellings.insert(spelling(text)),
                Some(Value::Null) => _ = unset.insert("null"),
                Some(_) => {}
                None => _ = unset.insert("left out"),
            }
        }
    }
    let name = list.spec.name();
    let spellings = spellings.iter().map(String::as_str).collect();
    observe_all(result, "R1", format!("how {name} writes a timestamp"), spellings);
    let question = format!("a timestamp that {name} does not have");
    observe_all(result, "R1", question, unset);
}

/// A timestamp with every digit replaced by a 0.
fn spelling(timestamp: &str) -> String {
    let zero = |letter: char| if letter.is_ascii_digit() { '0' } else { letter };
    timestamp.chars().map(zero).collect()
}

/// R2: what a link looks like.
fn links(list: &ListCorpus, members: &Members, result: &mut CheckResult) {
    let Some(first) = records(list).next() else { return };
    let places = common_members(members, Kind::Link).into_iter();
    let links = places.filter_map(|place| place.find(first)?.as_str());
    let links = links.map(|link| match link {
        "" => "empty",
        link if link.contains("://") => "an absolute address",
        link if link.starts_with('/') => "a path",
        _ => "something else",
    });
    let question = format!("a link of {}", list.spec.name());
    observe_all(result, "R2", question, links.collect());
}

/// R12, R13: a record that the specification does not describe.
fn shape(list: &ListCorpus, result: &mut CheckResult) {
    let members = records(list).filter_map(|record| record.as_object()).flatten();
    let members: BTreeSet<&str> = members.map(|(name, _)| name.as_str()).collect();
    let name = list.spec.name();
    if !members.is_empty() {
        let members = Vec::from_iter(members).join(" ");
        result.observe("R12", format!("the members of {name}"), members);
    }
    if let Some(prefix) = prefix(records(list).filter_map(id_of)) {
        result.observe("R13", format!("how ids of {name} begin"), prefix);
    }
}

/// What all identifiers begin with, up to an underscore.
pub(super) fn prefix<'v>(ids: impl Iterator<Item = &'v str>) -> Option<String> {
    let prefixes = ids.map(|id| match id.split_once('_') {
        Some((prefix, _)) => format!("{prefix}_"),
        None => "no prefix".to_owned(),
    });
    let prefixes: BTreeSet<_> = prefixes.collect();
    (!prefixes.is_empty()).then(|| Vec::from_iter(prefixes).join(" "))
}

/// L18: whether a count of related records has soft-deleted ones in it, where the relation joins records of one list.
fn deleted(list: &ListCorpus, result: &mut CheckResult) {
    for relation in &list.spec.list.relations {
        let Some(count) = &relation.count else { continue };
        for (_, record) in list.live() {
            let related = joined(list, relation, record);
            let live = related.iter().filter(|(_, other)| !list.spec.is_deleted(other));
            let live = live.count();
            let counted = own_count(record, relation);
            let counted = counted.and_then(|count| usize::try_from(count).ok());
            if live != related.len() {
                let choice = match counted {
                    Some(count) if count == live => "left out",
                    Some(count) if count == related.len() => "counted",
                    _ => "neither",
                };
                let question = format!("soft-deleted records in the count {count}");
                result.observe("L18", question, choice);
                break;
            }
        }
    }
}

/// R7, R8: what stands in `included` where it holds names.
async fn names(engine: &mut Engine, list: usize, result: &mut CheckResult) -> Result<(), TargetError> {
    let spec = engine.list(list).spec.clone();
    if spec.list.included != Included::Names {
        return Ok(());
    }
    let at = spec.frame.related.at.holder();
    let point = included_point(engine, &spec.list.record, at);
    let (Some(point), Some(name), Some(relation)) =
        (point, spec.parameter(Role::Include), spec.list.relations.first())
    else {
        return Ok(());
    };
    let alone = format!("included of {}", spec.name());
    let with = format!("{alone} with {}", relation.name);
    let asked = vec![(name, relation.name.as_str())];
    for (question, parameters) in [(alone, vec![]), (with, asked)] {
        let first_page = FirstPage::of(engine, list, &parameters).await?;
        let choice = match first_page.first().map(|record| at.find(record)) {
            None => continue,
            Some(None) => "left out",
            Some(Some(Value::Array(items))) if items.is_empty() => "[]",
            Some(Some(Value::Array(items))) if items.iter().all(Value::is_string) => "an array of strings",
            Some(Some(Value::Array(_))) => "an array of something else",
            Some(Some(Value::Object(members))) if members.is_empty() => "{}",
            Some(Some(Value::Object(_))) => "an object",
            Some(Some(_)) => "something else",
        };
        result.observe(point, question, choice);
    }
    Ok(())
}

/// The point that the member of a record cites in which its relations are.
fn included_point(engine: &Engine, record: &str, at: &Pointer) -> Option<&'static str> {
    let schema = engine.contract.member_schema(record, at)?;
    let cited = match engine.contract.document().resolve(schema).get("x-open-point")? {
        Value::Array(points) => points.as_slice(),
        point => std::slice::from_ref(point),
    };
    let mut points = ["R7", "R8"].into_iter();
    points.find(|point| cited.iter().any(|one| one == point))
}
