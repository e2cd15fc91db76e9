//! The member that identifies a record, where it is not `id`.

use serde_json::json;

use super::Suggestion;
use super::members::kind;
use super::name::joined;
use super::question::List;
use super::words::IDENTIFIERS;
use crate::{Document, Pointer};

pub(super) fn suggest(document: &Document, lists: &[List<'_>]) -> Option<Suggestion> {
    let first = lists.first()?;
    if document.raw().get("x-identifier").is_some() {
        return None;
    }
    let is_in = |at: &Pointer, list: &List<'_>| {
        list.members
            .top()
            .any(|member| member.at == *at && kind(member.schema) == Some("string"))
    };
    let has_id = |list: &List<'_>| list.members.top().any(|member| member.at == Pointer::of(["id"]));
    if lists.iter().any(has_id) {
        return None;
    }
    let candidates = IDENTIFIERS.iter().flat_map(|wanted| {
        first
            .members
            .top()
            .filter(move |member| member.at.last().is_some_and(|name| joined(name) == *wanted))
    });
    let mut common = candidates.filter(|member| lists.iter().all(|list| is_in(&member.at, list)));
    common.next().map(|member| Suggestion {
        at: Pointer::root(),
        annotation: "x-identifier",
        value: json!(member.at),
        why: "every record has this member, and none has id".to_owned(),
    })
}
