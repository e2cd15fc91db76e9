//! Members of records that are shown otherwise than they are stored.

use serde_json::{Value, json};

use super::{Operator, Scope, When};
use crate::Hooks;
use crate::model::USERS;
use crate::mutation::{Draw, Sample};

/// A change of a value; none takes the member away.
pub(super) type Change = fn(&Value) -> Option<Value>;

/// Changes of any value.
const ANY: &[(&str, Change)] = &[
    ("is dropped", |_| None),
    ("is null", |_| Some(Value::Null)),
    ("has another type", |value| {
        Some(match value {
            Value::String(_) => json!(7),
            Value::Number(number) => json!(number.to_string()),
            Value::Bool(flag) => json!(flag.to_string()),
            Value::Object(_) => json!([]),
            _ => json!({}),
        })
    }),
];

/// Changes of texts.
const TEXTS: &[(&str, Change)] = &[
    ("loses its last character", |value| {
        text(value, |text| text[..text.len() - last(text)].to_owned())
    }),
    ("is in upper case", |value| text(value, str::to_uppercase)),
    ("is in lower case", |value| text(value, str::to_lowercase)),
    ("is cut to 6 characters", |value| {
        text(value, |text| text.chars().take(6).collect())
    }),
    ("is cut to 20 characters", |value| {
        text(value, |text| text.chars().take(20).collect())
    }),
    ("is escaped for HTML", |value| {
        text(value, |text| {
            text.replace('&', "&amp;")
                .replace('\'', "&#39;")
                .replace('<', "&lt;")
                .replace('"', "&quot;")
        })
    }),
    ("is percent-encoded", |value| {
        text(value, |text| {
            text.replace('%', "%25").replace(' ', "%20").replace('@', "%40")
        })
    }),
    ("is decoded as Latin-1", |value| {
        text(value, |text| text.bytes().map(char::from).collect())
    }),
    ("loses letters beyond ASCII", |value| {
        text(value, |text| text.chars().filter(char::is_ascii).collect())
    }),
    ("is trimmed", |value| text(value, |text| text.trim().to_owned())),
    ("has its blanks collapsed", |value| {
        text(value, |text| {
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        })
    }),
    ("loses its leading zeros", |value| {
        text(value, |text| text.trim_start_matches('0').to_owned())
    }),
    ("has its backslashes doubled", |value| {
        text(value, |text| text.replace('\\', "\\\\"))
    }),
    ("has a blank at its end", |value| {
        text(value, |text| format!("{text} "))
    }),
    ("is an old value", |value| {
        text(value, |text| format!("old-{text}"))
    }),
    ("is empty", |value| text(value, |_| String::new())),
    ("is the word null where it is missing", |value| {
        value
            .is_null()
            .then(|| json!("null"))
            .or_else(|| Some(value.clone()))
    }),
];

/// Changes of timestamps.
const TIMES: &[(&str, Change)] = &[
    ("is a second late", |value| moved(value, 1)),
    ("is an hour early", |value| moved(value, -3600)),
    ("is a day late", |value| moved(value, 86_400)),
    ("is a year old", |value| moved(value, -365 * 86_400)),
    ("has whole seconds", |value| {
        text(value, |text| format!("{}.000000Z", &text[..19]))
    }),
    ("has milliseconds", |value| {
        text(value, |text| format!("{}Z", &text[..23]))
    }),
    ("is spelled with an offset", |value| {
        text(value, |text| text.replace('Z', "+02:00"))
    }),
    ("has no offset", |value| {
        text(value, |text| text.trim_end_matches('Z').to_owned())
    }),
    ("is a date", |value| text(value, |text| text[..10].to_owned())),
    ("is the start of time", |value| {
        text(value, |_| "1970-01-01T00:00:00.000000Z".to_owned())
    }),
];

/// Changes of numbers.
const NUMBERS: &[(&str, Change)] = &[
    ("is one too many", |value| Some(json!(value.as_i64()? + 1))),
    ("is one too few", |value| {
        Some(json!((value.as_i64()? - 1).max(0)))
    }),
    ("is zero", |_| Some(json!(0))),
    ("is negative", |value| Some(json!(-1 - value.as_i64()?))),
    ("has a fraction", |value| Some(json!(value.as_f64()? + 0.5))),
    ("is at most 1", |value| Some(json!(value.as_i64()?.min(1)))),
];

/// Changes of truth values.
const FLAGS: &[(&str, Change)] = &[
    ("is negated", |value| Some(json!(!value.as_bool()?))),
    ("is a number", |value| Some(json!(u8::from(value.as_bool()?)))),
    ("is always true", |_| Some(json!(true))),
    ("is always false", |_| Some(json!(false))),
];

/// Changes of objects.
const OBJECTS: &[(&str, Change)] = &[
    ("is empty", |_| Some(json!({}))),
    ("loses its first key", |value| {
        let mut members = value.as_object()?.clone();
        let first = members.keys().next().cloned();
        first.map(|first| members.shift_remove(&first));
        Some(members.into())
    }),
    ("is a text", |value| Some(json!(value.to_string()))),
    ("has its values in upper case", |value| {
        let members = value.as_object()?.iter();
        let upper = |value: &Value| {
            value
                .as_str()
                .map_or(value.clone(), |text| json!(text.to_uppercase()))
        };
        Some(
            members
                .map(|(name, value)| (name.clone(), upper(value)))
                .collect(),
        )
    }),
];

/// Draws a change of a member of users' records.
pub(super) fn draw(draw: &mut Draw, sample: &Sample) -> Operator {
    // A member has a chance by its group: there are far more counts than anything else.
    let beginning = draw.pick_copy(&[
        "",
        "",
        "",
        "",
        "",
        "/timestamp",
        "/timestamp",
        "/count",
        "/count",
        "/links",
    ]);
    let group = |member: &&String| match beginning {
        "" => member.matches('/').count() == 1,
        _ => member.starts_with(beginning) && member.matches('/').count() == 2,
    };
    let members: Vec<_> = sample.members.iter().filter(group).collect();
    let member = draw.pick_copy(&members).clone();
    if draw.percent(12) {
        let value = sample.value(draw, &member);
        let text = format!("{member} is another record's value {value}");
        return operator(text, member, move |_| Some(value.clone()));
    }
    let value = sample.value(draw, &member);
    let (says, change) = draw_change(draw, &member, &value);
    operator(format!("{member} {says}"), member, change)
}

/// Draws a change that fits a member and a value that it may have.
pub(super) fn draw_change(draw: &mut Draw, member: &str, value: &Value) -> (&'static str, Change) {
    let special: &[(&str, Change)] = match value {
        _ if member.contains("_at") && !member.contains("alt") => TIMES,
        Value::Number(_) => NUMBERS,
        Value::Bool(_) => FLAGS,
        Value::Object(_) => OBJECTS,
        _ => TEXTS,
    };
    let table = if draw.percent(20) { ANY } else { special };
    draw.pick_copy(table)
}

fn operator(
    text: String,
    member: String,
    change: impl Fn(&Value) -> Option<Value> + Clone + Send + Sync + 'static,
) -> Operator {
    Operator::new(
        "record member",
        Scope::Record,
        text,
        move |hooks: &mut Hooks, when: &When| {
            let (when, member, change) = (when.clone(), member.clone(), change.clone());
            hooks.on_record(move |asked, row, record| {
                if asked.path.starts_with(USERS) && when.row(asked, row) {
                    put(record, &member, &change);
                }
            });
        },
    )
}

/// Changes the member at a JSON pointer.
pub(super) fn put(record: &mut Value, member: &str, change: &dyn Fn(&Value) -> Option<Value>) {
    let Some((parent, name)) = member.rsplit_once('/') else {
        return;
    };
    let Some(members) = record.pointer_mut(parent).and_then(Value::as_object_mut) else {
        return;
    };
    let Some(value) = members.get(name) else {
        return;
    };
    match change(value) {
        Some(changed) => {
            members.insert(name.to_owned(), changed);
        }
        None => {
            members.shift_remove(name);
        }
    }
}

/// Changes a text; what is none stays.
fn text(value: &Value, change: impl Fn(&str) -> String) -> Option<Value> {
    Some(match value.as_str().filter(|text| !text.is_empty()) {
        Some(text) => json!(change(text)),
        None => value.clone(),
    })
}

fn last(text: &str) -> usize {
    text.chars().next_back().map_or(0, char::len_utf8)
}

/// A timestamp so many seconds later; what is none stays.
fn moved(value: &Value, seconds: i64) -> Option<Value> {
    let at = value
        .as_str()
        .and_then(|text| text.parse::<jiff::Timestamp>().ok());
    Some(match at {
        Some(at) => json!(format!("{:.6}", at + jiff::SignedDuration::from_secs(seconds))),
        None => value.clone(),
    })
}
