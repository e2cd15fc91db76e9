//! The least a record has to have by its schema: examples, zeros, nulls.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use rollcall_contract::{Contract, Count, Counted};
use serde_json::{Map, Value, json};

use super::CONTRACT;
use super::links::links;

/// What was made of each schema that was asked for.
static KNOWN: LazyLock<Mutex<HashMap<String, Arc<Known>>>> = LazyLock::new(Mutex::default);

/// What records of a schema have in common.
struct Known {
    least: Value,
    links: Vec<(String, String)>,
    counts: Vec<Count>,
}

/// The least record of a component schema with this id; what it counts outside the API depends on `seed`.
pub(super) fn blank(schema: &str, id: &str, seed: usize) -> Value {
    let known = known(schema);
    let mut record = known.least.clone();
    record["id"] = json!(id);
    if record.get("links").is_some() {
        let links = known.links.iter();
        let links = links.map(|(member, beginning)| (member.clone(), json!(format!("{beginning}{id}"))));
        record["links"] = links.collect::<Map<_, _>>().into();
    }
    for (nth, count) in known.counts.iter().enumerate() {
        let external = count.counted == Counted::External || count.member.contains("logs");
        record["count"][&count.member] = json!(if external { (seed * 7 + nth * 3) % 5 } else { 0 });
    }
    record
}

fn known(schema: &str) -> Arc<Known> {
    let mut all = KNOWN.lock().unwrap();
    let known = all.entry(schema.to_owned()).or_insert_with(|| {
        let contract = &*CONTRACT;
        Arc::new(Known {
            least: value(contract, contract.document().schema(schema).unwrap()),
            links: links(contract, schema),
            counts: contract.counts(schema).unwrap(),
        })
    });
    Arc::clone(known)
}

fn value(contract: &Contract, schema: &Value) -> Value {
    let document = contract.document();
    if schema["nullable"] == true || document.or_null(schema).is_some() {
        return Value::Null;
    }
    let schema = document.underlying(schema);
    if let Some(parts) = schema["allOf"].as_array() {
        let wholes = parts.iter().map(|part| value(contract, part));
        let members = wholes.filter_map(|part| part.as_object().cloned()).flatten();
        return members.collect::<Map<_, _>>().into();
    }
    if let Some(words) = schema["enum"].as_array() {
        return words[0].clone();
    }
    match schema["type"].as_str() {
        Some("object") => {
            let required = schema["required"].as_array().into_iter().flatten();
            let required = required.filter_map(Value::as_str);
            required
                .map(|name| (name.to_owned(), value(contract, &schema["properties"][name])))
                .collect()
        }
        Some("array") => json!([]),
        Some("integer") => json!(0),
        Some("boolean") => json!(false),
        _ if schema["format"] == "date-time" => json!("2022-06-01T09:30:00.000000Z"),
        _ => schema.get("example").cloned().unwrap_or_else(|| json!("text")),
    }
}
