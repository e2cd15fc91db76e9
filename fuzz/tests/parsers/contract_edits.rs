//! Edits of the real contract: what a slip of the hand in `openapi.yaml` leads to. An input is read as a series of edits, four
//! bytes each: a place, what is done there, and with what.

use std::sync::LazyLock;

use rollcall_contract::Document;
use rollcall_fuzz::target;
use serde_json::{Value, json};

use crate::contract;

target!(property);

static CONTRACT: LazyLock<Value> =
    LazyLock::new(|| Document::parse(rollcall::CONTRACT).unwrap().raw().clone());

/// The places of the contract, in document order.
static PLACES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut places = Vec::new();
    collect(&CONTRACT, String::new(), &mut places);
    places
});

/// The most edits of one input.
const MAX_EDITS: usize = 8;

fn property(input: &[u8]) {
    let mut raw = CONTRACT.clone();
    for edit in input.chunks_exact(4).take(MAX_EDITS) {
        let place = usize::from(u16::from_be_bytes([edit[0], edit[1]])) % PLACES.len();
        apply(&mut raw, &PLACES[place], edit[2], edit[3]);
    }
    match Document::of(raw.clone()) {
        Ok(document) => contract::sound(document),
        Err(error) => contract::names_a_place(&error, || raw),
    }
}

/// Removes what is at a place, or puts something else there. A place that an earlier edit took away is left alone.
fn apply(raw: &mut Value, place: &str, what: u8, with: u8) {
    let with = usize::from(with);
    let value = match what % 8 {
        0 => return remove(raw, place),
        1 => json!(null),
        2 => json!(with),
        3 => json!(["", "id", "-id", "#", "/", "~", "x-", "filter[]"][with % 8]),
        4 => json!({"$ref": format!("#{}", PLACES[with * 37 % PLACES.len()])}),
        5 => json!([{}, [], true, [[]], {"allOf": []}])[with % 5].clone(),
        6 => json!({"anyOf": [raw.pointer(place), {"enum": [null]}]}),
        // What is at another place, near this one or far away.
        _ => {
            let own = PLACES.iter().position(|one| one == place).unwrap_or_default();
            let other = &PLACES[(own + with * with) % PLACES.len()];
            raw.pointer(other).cloned().unwrap_or_default()
        }
    };
    if let Some(target) = raw.pointer_mut(place) {
        *target = value;
    }
}

fn remove(raw: &mut Value, place: &str) {
    let Some((parent, name)) = place.rsplit_once('/') else {
        return;
    };
    match raw.pointer_mut(parent) {
        Some(Value::Object(members)) => {
            members.shift_remove(&name.replace("~1", "/").replace("~0", "~"));
        }
        Some(Value::Array(items)) => {
            if let Some(place) = name.parse().ok().filter(|place| *place < items.len()) {
                items.remove(place);
            }
        }
        _ => {}
    }
}

/// Adds the pointers to a value and to everything in it.
fn collect(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                collect(member, format!("{at}/{name}"), places);
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                collect(item, format!("{at}/{place}"), places);
            }
        }
        _ => {}
    }
    places.push(at);
}
