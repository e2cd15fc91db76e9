//! The records in the body of an answer, wherever they stand there, each with its identifier.
//!
//! Answers are many and records large, but most have come before: each text is parsed once, and what is made of it shared.

use std::collections::{BTreeMap, HashMap};
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rollcall_contract::Pointer;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::http::exchange::Exchange;

/// A record as an answer shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    value: Value,
    id: Option<String>,
}

impl Record {
    /// A record that shows its identifier at a place.
    pub fn new(value: Value, identifier: &Pointer) -> Self {
        let id = id_at(identifier, &value).map(str::to_owned);
        Self { value, id }
    }
}

impl Deref for Record {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.value
    }
}

/// The identifier of a record, if it shows one.
pub fn id_of(record: &Record) -> Option<&str> {
    record.id.as_deref()
}

/// The identifier that a value shows at a place, if it is a record.
pub fn id_at<'v>(identifier: &Pointer, value: &'v Value) -> Option<&'v str> {
    identifier.find(value)?.as_str()
}

/// The record in an answer, which may stand in an envelope.
pub fn unwrapped(exchange: &Exchange, identifier: &Pointer) -> Option<Value> {
    let body = exchange.json().filter(Value::is_object)?;
    if id_at(identifier, &body).is_some() {
        return Some(body);
    }
    let members = body.as_object().into_iter().flatten();
    let mut records = members.filter(|(_, value)| id_at(identifier, value).is_some());
    let inner = records.next().map(|(_, record)| record.clone());
    Some(inner.unwrap_or(body))
}

/// Reads records, and remembers those it has read.
#[derive(Debug, Default)]
pub struct Records {
    identifier: Pointer,
    known: Mutex<Known>,
}

/// The records that were read, by their text.
#[derive(Debug, Default)]
struct Known {
    records: HashMap<Box<str>, Arc<Record>>,
    bytes: usize,
    /// The member that contained the records in an earlier answer.
    envelope: Option<String>,
}

/// The records of an answer, and the member they were in if an envelope surrounds them.
pub type Found = (Vec<Arc<Record>>, Option<String>);

/// When so many bytes of text are remembered, all is forgotten: the data moves so much that little comes again.
const REMEMBERED: usize = 64 << 20;
const NO_JSON: &str = "is not JSON";
/// An object that has no array.
const NO_LIST: &str = "is an object without an array of records";
/// An object with several arrays. Which of them is the list is open (L1), so that the target is not judged by it.
pub const UNCLEAR: &str = "is an object in which no member is clearly the list; name it with --envelope";
/// What is wrong about an array of numbers or texts.
pub const NO_OBJECTS: &str = "is a list of something else than objects";

impl Records {
    /// A reader of records that show their identifier at a place.
    pub fn identified_by(identifier: Pointer) -> Self {
        Self {
            identifier,
            ..Self::default()
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The records of a body, at the place where the contract has them. Where that is the body itself, they may be in an
    /// envelope.
    ///
    /// # Errors
    /// What is wrong with the body, in words that follow its name.
    pub fn of(&self, body: &str, at: &Pointer, envelope: Option<&str>) -> Result<Found, String> {
        let body: &RawValue = serde_json::from_str(body).map_err(|_| NO_JSON)?;
        let (list, member) = match body.get().as_bytes().first() {
            _ if *at != Pointer::root() => (below(body, at)?, Some(at.to_string())),
            Some(b'[') => (body, None),
            Some(b'{') => {
                let seen = self.known().envelope.clone();
                let (list, member) = enveloped(body, envelope, seen.as_deref(), &self.identifier)?;
                if is_filled(list) {
                    self.known().envelope = Some(member.clone());
                }
                (list, Some(member))
            }
            _ => return Err("is neither an array nor an object".to_owned()),
        };
        let texts: Vec<&RawValue> = serde_json::from_str(list.get()).map_err(|_| NO_JSON)?;
        if !texts.iter().all(|text| text.get().starts_with('{')) {
            return Err(NO_OBJECTS.to_owned());
        }
        let mut known = self.known();
        let records: Result<_, _> = texts
            .into_iter()
            .map(|text| known.record(text.get(), &self.identifier))
            .collect();
        Ok((records.map_err(|_| NO_JSON)?, member))
    }
}

impl Known {
    fn record(&mut self, text: &str, identifier: &Pointer) -> serde_json::Result<Arc<Record>> {
        if let Some(record) = self.records.get(text) {
            return Ok(Arc::clone(record));
        }
        let record = Arc::new(Record::new(serde_json::from_str(text)?, identifier));
        if self.bytes > REMEMBERED {
            *self = Self::default();
        }
        self.bytes += text.len();
        self.records.insert(text.into(), Arc::clone(&record));
        Ok(record)
    }
}

/// The list at a place below the body.
fn below<'b>(body: &'b RawValue, at: &Pointer) -> Result<&'b RawValue, String> {
    let lacks = || format!("has no list at {at}");
    let list = at.segments().iter().try_fold(body, |value, name| {
        let members: BTreeMap<String, &RawValue> = serde_json::from_str(value.get()).ok()?;
        members.get(name).copied()
    });
    list.filter(|list| is_list(list)).ok_or_else(lacks)
}

/// The list of records in an envelope, and the name of its member or the pointer to it. Without a configured one, [`only_list`]
/// finds it.
fn enveloped<'b>(
    body: &'b RawValue,
    envelope: Option<&str>,
    seen: Option<&str>,
    identifier: &Pointer,
) -> Result<(&'b RawValue, String), String> {
    match envelope {
        Some(name) => {
            let list = name_to_pointer(name).and_then(|at| below(body, &at).ok());
            let lacks = || format!("is an object without a list in its member `{name}`");
            list.map(|list| (list, name.to_owned())).ok_or_else(lacks)
        }
        None => only_list(vec![(Vec::new(), body)], seen, identifier),
    }
}

/// The place that a name of the command line means: a member, or a pointer to a deeper one.
fn name_to_pointer(name: &str) -> Option<Pointer> {
    match name.starts_with('/') {
        true => name.parse().ok(),
        false => Some(Pointer::of([name])),
    }
}

/// A member is named as such, a deeper one by a pointer.
fn pointer_to_name(path: &[String]) -> String {
    match path {
        [name] => name.clone(),
        _ => Pointer::of(path.iter().map(String::as_str)).to_string(),
    }
}

fn is_list(member: &RawValue) -> bool {
    member.get().starts_with('[')
}

/// Whether a list has objects.
fn is_filled(list: &RawValue) -> bool {
    let elements = list.get().strip_prefix('[').map(str::trim_start);
    elements.is_some_and(|elements| elements.starts_with('{'))
}

/// So many objects may surround a list, such as `{"_embedded": {"users": []}}`.
const DEEPEST: usize = 4;

/// The list that contains the records. It is looked for among the members of the body, then among those of its members, and so on.
/// If one level has several lists, the records are in the list that had them in an earlier answer, or in the only list of objects.
///
/// # Errors
/// There is no list, or several of them may be it.
fn only_list<'b>(
    mut objects: Vec<(Vec<String>, &'b RawValue)>,
    seen: Option<&str>,
    identifier: &Pointer,
) -> Result<(&'b RawValue, String), String> {
    for _ in 0..DEEPEST {
        let members: Vec<(Vec<String>, &RawValue)> = objects
            .iter()
            .flat_map(|(path, object)| members_of(path, object, identifier))
            .collect();
        let lists = members.iter().filter(|(_, member)| is_list(member));
        let mut lists: Vec<(String, &RawValue)> =
            lists.map(|(path, list)| (pointer_to_name(path), *list)).collect();
        if lists.len() > 1 {
            let is_seen = lists.iter().any(|(name, _)| Some(name.as_str()) == seen);
            lists.retain(|(name, list)| match is_seen {
                true => Some(name.as_str()) == seen,
                false => is_filled(list),
            });
            if lists.len() != 1 {
                return Err(UNCLEAR.to_owned());
            }
        }
        if let Some((name, list)) = lists.pop() {
            return Ok((list, name));
        }
        objects = members;
    }
    Err(NO_LIST.to_owned())
}

/// The members of an object, each with its path; none of a record, although it may have lists.
fn members_of<'b>(
    path: &[String],
    object: &'b RawValue,
    identifier: &Pointer,
) -> Vec<(Vec<String>, &'b RawValue)> {
    let members: BTreeMap<String, &RawValue> = serde_json::from_str(object.get()).unwrap_or_default();
    let id = identifier.segments().first().and_then(|name| members.get(name));
    if id.is_some_and(|id| !is_list(id)) {
        return Vec::new();
    }
    let below = |name| path.iter().cloned().chain([name]).collect();
    members
        .into_iter()
        .map(|(name, member)| (below(name), member))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader() -> Records {
        Records::identified_by(Pointer::of(["id"]))
    }

    fn found(body: &str, envelope: Option<&str>) -> Result<(usize, Option<String>), String> {
        let found = reader().of(body, &Pointer::root(), envelope);
        found.map(|(records, name)| (records.len(), name))
    }

    #[test]
    fn an_envelope_is_found_where_only_one_member_can_be_the_list() {
        assert_eq!(found(" [{}]\n", None), Ok((1, None)));
        assert_eq!(
            found(r#"{"items":[{}],"meta":{}}"#, None),
            Ok((1, Some("items".to_owned())))
        );
        assert!(found(r#"{"items":[],"errors":[]}"#, None).is_err());
        assert_eq!(
            found(r#"{"items":[],"errors":[]}"#, Some("items")),
            Ok((0, Some("items".to_owned())))
        );
        assert!(found(r#"{"items":{}}"#, Some("items")).is_err());
        assert!(found(r#"{"id":"user_1","groups":[]}"#, None).is_err());
    }

    #[test]
    fn an_envelope_may_have_envelopes() {
        let hal =
            r#"{"_links":{"self":{"href":"/"}},"_embedded":{"users":[{"id":"a"}]},"page":{"size":"1"}}"#;
        let users = "/_embedded/users".to_owned();
        assert_eq!(found(hal, None), Ok((1, Some(users.clone()))));
        assert_eq!(found(hal, Some(&users)), Ok((1, Some(users))));
        assert_eq!(
            found(r#"{"data":{"items":[],"user":{"id":"a","roles":[{}]}}}"#, None),
            Ok((0, Some("/data/items".to_owned())))
        );
        assert_eq!(found(r#"{"data":{"a":{},"b":1}}"#, None), Err(NO_LIST.to_owned()));
        assert_eq!(
            found(r#"{"a":{"x":[]},"b":{"x":[]}}"#, None),
            Err(UNCLEAR.to_owned())
        );
        let deep = format!("{}[]{}", "{\"a\":".repeat(90), "}".repeat(90));
        assert_eq!(found(&deep, None), Err(NO_LIST.to_owned()));
    }

    #[test]
    fn of_several_lists_the_one_with_records_is_the_list_from_then_on() {
        let (records, body) = (reader(), Pointer::root());
        let member = |text: &str| records.of(text, &body, None).map(|(_, member)| member);
        assert!(member(r#"{"data":[],"errors":[]}"#).is_err());
        assert!(member(r#"{"data":[{"id":"a"}],"included":[{"id":"b"}]}"#).is_err());
        let data = Ok(Some("data".to_owned()));
        assert_eq!(member(r#"{"data":[ {"id":"a"}],"errors":[]}"#), data);
        assert_eq!(member(r#"{"data":[],"errors":[]}"#), data);
        assert_eq!(member(r#"{"data":[{"id":"a"}],"included":[{"id":"b"}]}"#), data);
    }

    #[test]
    fn what_is_no_list_of_objects_is_told_apart() {
        let why = |body: &str| found(body, None).unwrap_err();
        let deep = format!("[{}1{}]", "{\"a\":".repeat(200), "}".repeat(200));
        assert_eq!(why("[1]"), "is a list of something else than objects");
        assert_eq!(why("<html>"), NO_JSON);
        assert_eq!(why("[{}"), NO_JSON);
        assert_eq!(why("[{},]"), NO_JSON);
        assert_eq!(why(&deep), NO_JSON);
        assert_eq!(why("7"), "is neither an array nor an object");
    }

    #[test]
    fn records_are_found_where_the_contract_has_them() {
        let at = |body: &str| reader().of(body, &Pointer::of(["result", "people"]), None);
        let (records, place) = at(r#"{"result":{"people":[{"id":"a"}],"more":[]}}"#).unwrap();
        assert_eq!(
            (id_of(&records[0]), place.as_deref()),
            (Some("a"), Some("/result/people"))
        );
        for body in ["[]", r#"{"result":[]}"#, r#"{"result":{"people":{}}}"#] {
            assert_eq!(at(body).unwrap_err(), "has no list at /result/people");
        }
    }

    #[test]
    fn a_text_that_comes_again_is_the_same_record() {
        let (records, body) = (reader(), Pointer::root());
        let (first, _) = records.of(r#"[{"id":1},{"id":2}]"#, &body, None).unwrap();
        let (again, _) = records
            .of(r#"{"items":[ {"id":2}, {"id":1, "x":0}]}"#, &body, None)
            .unwrap();
        assert!(Arc::ptr_eq(&first[1], &again[0]));
        assert_ne!(first[0], again[1]);
    }
}
