//! What every record of a directory user has to be by the specification, whatever it says of whom (§2.1).

use jiff::Timestamp;
use serde_json::Value;

/// What is broken in a record that a target always shows, held against the record of the model.
pub(super) fn broken(model: &Value, shown: &Value) -> Option<String> {
    shape("", model, shown).or_else(|| meaning(model, shown))
}

/// Members that may be null.
const NULLABLE: [&str; 4] = ["/manager_id", "/badge_id", "/employee_id", "/employee_alt_id"];

fn shape(at: &str, model: &Value, shown: &Value) -> Option<String> {
    let is_time = at.starts_with("/timestamp/");
    match (model, shown) {
        // What metadata holds is free.
        (Value::Object(_), Value::Object(_)) if ["/org", "/metadata"].contains(&at) => None,
        (Value::Object(model), Value::Object(shown)) => model.iter().find_map(|(name, value)| {
            let at = format!("{at}/{name}");
            match shown.get(name) {
                None if at.starts_with("/timestamp/") => None,
                None => Some(format!("{at} is missing")),
                Some(shown) => shape(&at, value, shown),
            }
        }),
        (_, Value::Null) if is_time || NULLABLE.contains(&at) => None,
        (_, Value::String(text)) if is_time => {
            (!is_utc(text)).then(|| format!("{at} is no timestamp in UTC: {text}"))
        }
        (Value::Null | Value::String(_), Value::String(_)) => None,
        (Value::Number(_), Value::Number(number)) if number.is_u64() => None,
        (Value::Bool(_), Value::Bool(_)) => None,
        _ => Some(format!("{at} has another type: {shown}")),
    }
}

fn is_utc(text: &str) -> bool {
    text.parse::<Timestamp>().is_ok() && (text.ends_with('Z') || text.ends_with("+00:00"))
}

/// Members that follow from others, and enumerations.
fn meaning(model: &Value, shown: &Value) -> Option<String> {
    let text = |name: &str| shown[name].as_str().unwrap_or_default();
    if text("full_name") != format!("{} {}", text("first_name"), text("last_name")) {
        return Some("full_name is not the first and the last name".to_owned());
    }
    if ![
        "staged",
        "active",
        "expiring",
        "expired",
        "suspended",
        "deactivated",
    ]
    .contains(&text("state"))
    {
        return Some(format!("state is {}", text("state")));
    }
    let is_id = |id: &str| {
        id.strip_prefix("drusr_").is_some_and(|rest| {
            !rest.is_empty()
                && rest
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        })
    };
    if !is_id(text("id")) || shown["manager_id"].as_str().is_some_and(|id| !is_id(id)) {
        return Some("an id has another form".to_owned());
    }
    let expires = shown["timestamp"]["expires_at"]
        .as_str()
        .and_then(|text| text.parse::<Timestamp>().ok());
    match text("state") {
        "expiring" if expires.is_none_or(|at| at < Timestamp::now()) => {
            return Some("it is expiring and has no expiry to come".to_owned());
        }
        "expired" if expires.is_none_or(|at| at > Timestamp::now()) => {
            return Some("it has expired and has no expiry that has passed".to_owned());
        }
        _ => {}
    }
    // What other answers prove: relations are compared with the model's, and their numbers have to go with them.
    for name in ["is_manager", "manager_id"] {
        if shown[name] != model[name] {
            return Some(format!("{name} contradicts the relations"));
        }
    }
    let relations = &crate::mutation::Sample::get().list.relations;
    let counts = relations.iter().filter_map(|relation| relation.count.as_deref());
    counts
        .filter(|count| shown["count"][count] != model["count"][count])
        .map(|count| format!("count/{count} contradicts the relation"))
        .next()
}
