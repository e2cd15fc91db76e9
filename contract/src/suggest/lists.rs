//! The lists of a document with their parameters, and what is suggested for them together.

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::answer::{self, Records};
use super::members::Members;
use super::name::Name;
use super::question::{List, Question, Reading};
use super::words::{CURSOR, PAGE, PAGE_SIZE};
use super::{Suggestion, Suggestions, Unclear, rules};
use crate::place::Place;
use crate::{Document, Pointer};

/// Finds the lists of a document. An operation that looks like one and that the runner cannot read is unclear.
pub(super) fn find<'d>(document: &'d Document, unclear: &mut Vec<Unclear>) -> Vec<List<'d>> {
    let (mut lists, mut known) = (Vec::new(), HashMap::new());
    let paths = document.root().child("paths").map(|paths| paths.members());
    for (path, item) in paths.unwrap_or_default() {
        let item = item.target();
        let Some(place) = item.child("get") else { continue };
        let both = [item.child("parameters"), place.child("parameters")];
        let parameters = both
            .into_iter()
            .flatten()
            .flat_map(|list| list.elements())
            .map(|one| one.target());
        let parameters: Vec<_> = parameters
            .filter(|one| one.value().get("in") == Some(&json!("query")))
            .collect();
        match read(document, path, place.clone(), parameters, &mut known) {
            Ok(list) => lists.extend(list),
            Err(why) => unclear.push(Unclear {
                at: place.at().clone(),
                name: format!("GET {path}"),
                why,
            }),
        }
    }
    lists
}

/// Reads an operation as a list; none if it looks like another operation.
fn read<'d>(
    document: &'d Document,
    path: &str,
    place: Place<'d>,
    parameters: Vec<Place<'d>>,
    known: &mut HashMap<Pointer, Rc<Members<'d>>>,
) -> Result<Option<List<'d>>, String> {
    let Some(answer) = answer::schema(&place) else {
        return Ok(None);
    };
    let name = |place: &Place<'_>| Some(Name::of_parameter(place.value().get("name")?.as_str()?).joined());
    let is_of_pages = |name: &String| [PAGE, PAGE_SIZE, CURSOR].iter().any(|names| names.has(name));
    let has_pages = parameters.iter().filter_map(name).any(|name| is_of_pages(&name));
    let found = match place.child("x-list") {
        Some(written) => annotated(&written, &answer),
        None => answer::records(path, &answer, has_pages),
    };
    let Some(Records { at, item, why }) = found else {
        return Ok(None);
    };
    let Some(record) = document.schema_name(item.value()) else {
        return Err(
            "it answers a list, but the schema of a record has no name under components/schemas".to_owned(),
        );
    };
    let members = known
        .entry(item.target().at().clone())
        .or_insert_with(|| Rc::new(Members::of(&item)));
    Ok(Some(List {
        document,
        name: format!("GET {path}"),
        records: at,
        why,
        record,
        members: Rc::clone(members),
        answer,
        parameters,
        place,
    }))
}

/// The records where the annotation says.
fn annotated<'d>(list: &Place<'d>, answer: &Place<'d>) -> Option<Records<'d>> {
    let at = list.typed("records").ok()?.unwrap_or_default();
    let item = answer.underlying().member(&at)?.target().child("items")?;
    Some(Records {
        at,
        item,
        why: String::new(),
    })
}

/// A parameter, and what each list that takes it reads in it.
struct Shared {
    name: String,
    at: Pointer,
    readings: Vec<(String, Reading)>,
}

/// Suggests an annotation for each parameter of the lists, and for each list.
pub(super) fn suggest(lists: &[List<'_>], suggestions: &mut Suggestions) {
    let (mut shared, mut places) = (Vec::<Shared>::new(), HashMap::new());
    let readings: Vec<_> = lists.iter().map(readings).collect();
    for (list, readings) in lists.iter().zip(&readings) {
        for (parameter, reading) in list.parameters.iter().zip(readings) {
            if annotation(parameter).is_some() {
                continue;
            }
            let place = *places.entry(parameter.at().clone()).or_insert_with(|| {
                let name = parameter
                    .value()
                    .get("name")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned();
                shared.push(Shared {
                    name,
                    at: parameter.at().clone(),
                    readings: Vec::new(),
                });
                shared.len() - 1
            });
            shared[place].readings.push((list.name.clone(), reading.clone()));
        }
    }
    let mut roles = HashMap::new();
    for one in shared {
        let Shared { name, at, readings } = one;
        match together(readings) {
            Reading::Filter(value, why) => suggestions.made.push(Suggestion {
                at,
                annotation: "x-filter",
                value,
                why,
            }),
            Reading::Role { role, why, .. } => {
                roles.insert(at.clone(), role);
                suggestions.made.push(Suggestion {
                    at,
                    annotation: "x-role",
                    value: json!(role),
                    why,
                });
            }
            Reading::Unclear(why) => suggestions.unclear.push(Unclear { at, name, why }),
        }
    }
    for (list, readings) in lists.iter().zip(&readings) {
        if list.place.child("x-list").is_none() {
            suggestions.made.push(of_list(list, readings, &roles));
        }
    }
}

/// What a list reads in each of its parameters. A role that is taken is not read again.
fn readings(list: &List<'_>) -> Vec<Reading> {
    let lacks = || Reading::Unclear("it has no name, or no `schema`".to_owned());
    let read =
        |parameter| Question::of(list, parameter).map_or_else(lacks, |question| rules::read(&question));
    let mut readings: Vec<_> = list.parameters.iter().map(read).collect();
    let mut taken: Vec<String> = list.parameters.iter().filter_map(written_role).collect();
    let is_cursor = |reading: &Reading| matches!(reading, Reading::Role { role: "cursor", .. });
    if readings.iter().any(is_cursor) && !taken.iter().any(|role| role == "page") {
        taken.push("page".to_owned());
    } else if taken.iter().any(|role| role == "page") {
        taken.push("cursor".to_owned());
    }
    for (parameter, reading) in list.parameters.iter().zip(&mut readings) {
        let Reading::Role { role, .. } = reading else {
            continue;
        };
        if annotation(parameter).is_some() {
            continue;
        }
        match taken.iter().any(|other| other == role) {
            true => {
                *reading = Reading::Unclear(format!(
                    "another parameter has the role `{role}`, or the list has other pages"
                ))
            }
            false => taken.push((*role).to_owned()),
        }
    }
    readings
}

/// The annotation that a parameter has.
fn annotation(parameter: &Place<'_>) -> Option<&'static str> {
    ["x-filter", "x-role"]
        .into_iter()
        .find(|key| parameter.child(key).is_some())
}

fn written_role(parameter: &Place<'_>) -> Option<String> {
    parameter.typed("x-role").ok().flatten()
}

/// What all lists that share a parameter read in it.
fn together(readings: Vec<(String, Reading)>) -> Reading {
    let mut all = readings.into_iter();
    let Some((first, reading)) = all.next() else {
        return Reading::Unclear("no list takes it".to_owned());
    };
    let says = |reading: &Reading| match reading {
        Reading::Filter(value, _) => Some(value.clone()),
        Reading::Role { role, .. } => Some(json!(role)),
        Reading::Unclear(_) => None,
    };
    match all.find(|(_, other)| says(other) != says(&reading)) {
        Some((other, Reading::Unclear(why))) => {
            Reading::Unclear(format!("several lists share it; for {other}: {why}"))
        }
        Some((other, _)) => match reading {
            Reading::Unclear(why) => Reading::Unclear(format!("several lists share it; for {first}: {why}")),
            _ => Reading::Unclear(format!("it says one thing for {first} and another for {other}")),
        },
        None => reading,
    }
}

/// The `x-list` of a list.
fn of_list(list: &List<'_>, readings: &[Reading], roles: &HashMap<Pointer, &'static str>) -> Suggestion {
    let mut value = Map::new();
    let mut why = vec![list.why.clone()];
    if list.records != Pointer::root() {
        value.insert("records".to_owned(), json!(list.records));
    }
    for (parameter, reading) in list.parameters.iter().zip(readings) {
        let Reading::Role { role, list: adds, .. } = reading else {
            continue;
        };
        let is_meant = roles.get(parameter.at()).is_some_and(|meant| meant == role)
            || written_role(parameter).is_some_and(|written| written == *role);
        if is_meant && !adds.is_empty() {
            value.extend(adds.clone());
            let name = parameter
                .value()
                .get("name")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let keys: Vec<_> = adds.keys().map(|key| format!("`{key}`")).collect();
            why.push(format!("{} from the parameter `{name}`", keys.join(" and ")));
        }
    }
    Suggestion {
        at: list.place.at().clone(),
        annotation: "x-list",
        value: Value::Object(value),
        why: why.join("; "),
    }
}
