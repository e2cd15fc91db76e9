//! Where the answer of a list has its records, and the cursor of the next page.

use super::members::kind;
use super::name::{joined, words};
use super::words::{AROUND_CONTAINERS, AROUND_NEXT, CONTAINERS, NEXT, NEXT_WITHIN};
use crate::Pointer;
use crate::place::Place;

/// An object around an array with at most so many members is an envelope and no record.
const ENVELOPE: usize = 6;
/// So deep in an answer is the cursor looked for.
const DEPTH: usize = 3;

/// The records of an answer.
#[derive(Clone)]
pub(super) struct Records<'d> {
    pub(super) at: Pointer,
    /// The schema of one record, as written.
    pub(super) item: Place<'d>,
    /// What tells that they are there.
    pub(super) why: String,
}

/// The schema of a successful answer in JSON.
pub(super) fn schema<'d>(operation: &Place<'d>) -> Option<Place<'d>> {
    let responses = operation.child("responses")?.members().into_iter();
    let mut successes = responses.filter(|(status, _)| status.starts_with('2'));
    let content = successes.find_map(|(_, response)| response.target().child("content"))?;
    let mut media = content.members().into_iter();
    let json = content
        .child("application/json")
        .or_else(|| media.find_map(|(name, media)| name.contains("json").then_some(media)));
    json?.child("schema")
}

/// The records in an answer, if it is the answer of a list. `has_pages` says that the operation takes a page or its size.
pub(super) fn records<'d>(path: &str, schema: &Place<'d>, has_pages: bool) -> Option<Records<'d>> {
    let answer = schema.underlying();
    if let Some(item) = items(&answer) {
        return Some(Records {
            at: Pointer::root(),
            item,
            why: "the answer is an array".to_owned(),
        });
    }
    let resource = path.rsplit('/').find(|segment| !segment.is_empty())?;
    let is_one = resource.contains('{');
    if is_one && !has_pages {
        return None;
    }
    let inner = AROUND_CONTAINERS.iter().flat_map(|around| {
        answer
            .properties()
            .into_iter()
            .filter(move |(name, _)| joined(name) == *around)
    });
    within(&answer, &Pointer::root(), resource, has_pages).or_else(|| {
        inner
            .filter(|(_, object)| items(&object.underlying()).is_none())
            .find_map(|(name, object)| {
                within(&object.underlying(), &Pointer::of([name]), resource, has_pages)
            })
    })
}

/// The array of records among the members of an object at `at`.
fn within<'d>(object: &Place<'d>, at: &Pointer, resource: &str, has_pages: bool) -> Option<Records<'d>> {
    let members = object.properties();
    let number = members.len();
    let mut arrays: Vec<_> = members
        .into_iter()
        .filter_map(|(name, member)| Some((name, items(&member.underlying()).filter(is_record)?)))
        .collect();
    let is_envelope = has_pages || number <= ENVELOPE;
    let resource = joined(resource);
    let named_as_path = arrays.iter().position(|(name, _)| joined(name) == resource);
    let named_as_usual = arrays.iter().position(|(name, _)| CONTAINERS.has(&joined(name)));
    let (place, why) = match (named_as_path, named_as_usual, arrays.len()) {
        (Some(place), ..) => (place, "is called as the path"),
        (None, Some(place), _) if is_envelope => (place, "is a usual name for the records"),
        (None, None, 1) if is_envelope => (0, "is the only array of the answer"),
        _ => return None,
    };
    let (name, item) = arrays.swap_remove(place);
    Some(Records {
        at: at.child(name),
        item,
        why: format!("`{name}` {why}"),
    })
}

/// The schema of the elements of an array.
fn items<'d>(schema: &Place<'d>) -> Option<Place<'d>> {
    schema
        .child("items")
        .filter(|_| kind(schema.value()).is_none_or(|kind| kind == "array"))
}

/// Whether the elements of an array may be records.
fn is_record(item: &Place<'_>) -> bool {
    let schema = item.underlying();
    let is_varied = ["oneOf", "anyOf"].iter().any(|key| schema.child(key).is_some());
    is_varied || kind(schema.value()) == Some("object")
}

/// Where an answer shows the cursor of the next page that the parameter called `parameter` takes.
pub(super) fn next_cursor(answer: &Place<'_>, records: &Pointer, parameter: &str) -> Option<Pointer> {
    let mut found = Vec::new();
    texts(answer, &Pointer::root(), records, &mut found);
    let parameter = joined(parameter);
    let rank = |at: &Pointer| {
        let names: Vec<String> = at.segments().iter().map(|name| joined(name)).collect();
        let (name, around) = match names.as_slice() {
            [.., around, name] => (name.as_str(), around.as_str()),
            [name] => (name.as_str(), ""),
            [] => return None,
        };
        let is_around = AROUND_NEXT.has(around);
        match () {
            () if name == format!("next{parameter}") => Some(0),
            () if around.starts_with("next") && name == parameter => Some(0),
            () if NEXT.has(name) => Some(1),
            () if is_around && (NEXT_WITHIN.has(name) || name == parameter) => Some(2),
            () if name == parameter && names.len() == 1 => Some(3),
            () => None,
        }
    };
    let ranked = found.into_iter().filter_map(|at| Some((rank(&at)?, at)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, at)| at)
}

/// The texts of an answer outside its records that are no addresses.
fn texts(object: &Place<'_>, at: &Pointer, records: &Pointer, found: &mut Vec<Pointer>) {
    if at.segments().len() == DEPTH {
        return;
    }
    for (name, member) in object.underlying().properties() {
        let (at, schema) = (at.child(name), member.underlying());
        let format = schema.value().get("format").and_then(|format| format.as_str());
        let is_address = words(name)
            .iter()
            .any(|word| ["url", "uri", "href", "link", "links"].contains(&word.as_str()))
            || matches!(format, Some("uri" | "url" | "uri-reference"))
            || ["example", "default"].iter().any(|key| {
                let text = schema.value().get(*key).and_then(|text| text.as_str());
                text.is_some_and(|text| text.starts_with("http") || text.starts_with('/'))
            });
        match kind(schema.value()) {
            _ if at == *records || is_address => {}
            Some("string") => found.push(at),
            Some("object") => texts(&schema, &at, records, found),
            _ => {}
        }
    }
}
