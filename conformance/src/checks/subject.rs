//! What a check is about, as far as the contract says it: requests with its parameters, and the open points of these
//! elements. The values of a request come from the records of a target, so they are not here.

use rollcall_contract::{Contract, Operation, Pointer};
use serde_json::Value;

use super::Check;
use super::scope::{is_about_writes, parameters, section};
use crate::cases::writes::writes;

/// The requests of a check, and the open points that they touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// The requests, such as `GET /directory/users with filter[email]`.
    pub requests: Vec<String>,
    /// The open points, such as `L8 Empty values.`, in the order of the contract.
    pub open_points: Vec<String>,
}

impl Subject {
    /// The subject of a check under a contract.
    pub fn of(check: &Check, contract: &Contract) -> Self {
        let parts = match is_about_writes(check) {
            true => writes_of(contract),
            false => lists_of(check, contract),
        };
        let touches = |id: &String| parts.iter().any(|part| part.open_points.contains(id));
        let points = contract.open_points.iter().filter(|point| touches(&point.id));
        let points = points.map(|point| format!("{} {}", point.id, point.says));
        Self {
            open_points: points.collect(),
            requests: parts.into_iter().map(|part| part.request).collect(),
        }
    }
}

/// A request with the numbers of the open points that it touches.
struct Part {
    request: String,
    open_points: Vec<String>,
}

fn writes_of(contract: &Contract) -> Vec<Part> {
    let parts = writes(contract).into_iter().map(|operation| {
        let body = schema(operation.request_body.as_deref().unwrap_or_default());
        let mut open_points = below(contract, &operation.at);
        open_points.extend(below(contract, &body));
        Part {
            request: line(&operation),
            open_points,
        }
    });
    parts.collect()
}

/// The lists of the specification that have parameters that the check is about; all of them, if it is about no parameter.
fn lists_of(check: &Check, contract: &Contract) -> Vec<Part> {
    let lists = contract.lists().filter(|(list, _)| !list.origin.extension);
    let (mut plain, mut meant) = (Vec::new(), Vec::new());
    for (operation, list) in lists {
        let parameters = parameters(check, &operation.parameters);
        let parameters: Vec<_> = parameters.filter(|one| !one.origin.extension).collect();
        let request = line(operation);
        if parameters.is_empty() {
            let open_points = match section(check) {
                // The points of a list are not about access.
                "A" => Vec::new(),
                "S" | "F" | "C" => below(contract, &schema(&list.record)),
                _ => operation.origin.open_points.clone(),
            };
            plain.push(Part { request, open_points });
        } else {
            let names: Vec<_> = parameters.iter().map(|one| one.name.as_str()).collect();
            let points = parameters.iter().flat_map(|one| one.origin.open_points.clone());
            meant.push(Part {
                request: format!("{request} with {}", names.join(", ")),
                open_points: points.collect(),
            });
        }
    }
    if meant.is_empty() { plain } else { meant }
}

fn line(operation: &Operation) -> String {
    format!("{} {}", operation.method, operation.path)
}

fn schema(name: &str) -> Pointer {
    Pointer::of(["components", "schemas", name])
}

/// The open points of an element and of all below it, those of the schemas that it refers to among them.
fn below(contract: &Contract, element: &Pointer) -> Vec<String> {
    let mut elements = vec![element.clone()];
    let mut read = 0;
    while let Some(element) = elements.get(read) {
        let value = element.find(contract.document().raw());
        for name in value.iter().flat_map(|value| references(value)) {
            let schema = schema(name);
            if !elements.contains(&schema) {
                elements.push(schema);
            }
        }
        read += 1;
    }
    let is_inside = |at: &Pointer| {
        let mut elements = elements.iter();
        elements.any(|element| at.segments().starts_with(element.segments()))
    };
    let marks = contract.marks.iter().filter(|mark| is_inside(&mark.at));
    marks.flat_map(|mark| mark.origin.open_points.clone()).collect()
}

/// The names of the schemas that a value refers to.
fn references(value: &Value) -> Vec<&str> {
    match value {
        Value::Object(members) => {
            let own = members.get("$ref").and_then(Value::as_str);
            let own = own.and_then(|text| text.strip_prefix("#/components/schemas/"));
            let inner = members.values().flat_map(references);
            own.into_iter().chain(inner).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::{all, find};

    fn subject(id: &str) -> Subject {
        Subject::of(find(id).unwrap(), &rollcall_oracle::our_contract().unwrap())
    }

    #[test]
    fn every_check_has_requests() {
        let contract = rollcall_oracle::our_contract().unwrap();
        let silent = all().filter(|check| Subject::of(check, &contract).requests.is_empty());
        assert_eq!(silent.map(|check| check.id).collect::<Vec<_>>(), [""; 0]);
    }

    #[test]
    fn a_check_has_the_parameters_and_open_points_of_its_section() {
        let dates = subject("D1");
        let mut requests = dates.requests.iter();
        let users = requests.find(|request| request.contains("/directory/users"));
        let users = users.unwrap();
        assert!(
            users.contains("filter[created_before]") && !users.contains("filter[email]"),
            "{users}"
        );
        let touches = |subject: &Subject, id: &str| {
            let begin = format!("{id} ");
            subject.open_points.iter().any(|point| point.starts_with(&begin))
        };
        assert!(touches(&dates, "L16") && !touches(&dates, "L10"), "{dates:?}");
        let writes = subject("W7");
        let is_patch = |request: &String| request.starts_with("PATCH ");
        assert!(writes.requests.iter().all(is_patch), "{writes:?}");
        assert!(touches(&writes, "O4"), "{writes:?}");
        let (access, records) = (subject("A1"), subject("S1"));
        assert_eq!(access.requests, records.requests);
        assert!(
            access.open_points.is_empty() && touches(&records, "R1"),
            "{records:?}"
        );
    }
}
