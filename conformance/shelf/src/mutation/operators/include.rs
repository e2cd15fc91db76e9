//! Relations that are shown otherwise than they are.

use serde_json::{Value, json};

use super::member::{draw_change, put};
use super::{Operator, Scope, When, is_meant};
use crate::Hooks;
use crate::model::{Row, USERS};
use crate::mutation::{Draw, Sample};

/// A change of a relation's records: its own record, what is included, another record of that kind.
type Change = fn(&Row, &mut Value, &Value);

/// Changes of a relation to one record.
const ONE: &[(&str, Change)] = &[
    ("is null", |_, value, _| *value = Value::Null),
    ("is an array", |_, value, _| *value = json!([value.take()])),
    ("is the id alone", |_, value, _| *value = value["id"].take()),
    ("is another record", |_, value, other| *value = other.clone()),
    ("is the record itself", |row, value, _| {
        let own = row.record.as_object().unwrap();
        for (name, member) in value.as_object_mut().into_iter().flatten() {
            if let Some(own) = own.get(name) {
                *member = own.clone();
            }
        }
    }),
    ("has the id of another record", |_, value, other| {
        value["id"] = other["id"].clone()
    }),
    ("has the rest of another record", |_, value, other| {
        let id = value["id"].take();
        *value = other.clone();
        value["id"] = id;
    }),
    ("is an empty object", |_, value, _| *value = json!({})),
];

/// Changes of a relation to many records.
const MANY: &[(&str, Change)] = &[
    ("is empty", |_, value, _| *value = json!([])),
    ("is null", |_, value, _| *value = Value::Null),
    ("is its first record", |_, value, _| *value = value[0].take()),
    ("loses its first record", |_, value, _| {
        edit(value, |all| drop(all.remove(0)))
    }),
    ("loses its last record", |_, value, _| {
        edit(value, |all| drop(all.pop()))
    }),
    ("shows 1 record at most", |_, value, _| {
        edit(value, |all| all.truncate(1))
    }),
    ("shows 3 records at most", |_, value, _| {
        edit(value, |all| all.truncate(3))
    }),
    ("shows 5 records at most", |_, value, _| {
        edit(value, |all| all.truncate(5))
    }),
    ("shows its first record twice", |_, value, _| {
        edit(value, |all| all.push(all[0].clone()))
    }),
    ("has another record, too", |_, value, other| {
        let other = other.clone();
        edit(value, |all| all.push(other.clone()));
    }),
    ("has another record in place of the first", |_, value, other| {
        edit(value, |all| all[0] = other.clone())
    }),
    ("shows ids alone", |_, value, _| {
        edit(value, |all| {
            all.iter_mut().for_each(|one| *one = one["id"].take())
        })
    }),
    ("is an object by ids", |_, value, _| {
        let all = value.as_array().cloned().unwrap_or_default();
        let named = all
            .into_iter()
            .map(|one| (one["id"].as_str().unwrap_or_default().to_owned(), one));
        *value = named.collect::<serde_json::Map<_, _>>().into();
    }),
];

/// What is shown in place of a number.
type Counted = fn(u64) -> Value;
/// What is shown in place of an existence.
type Existing = fn(bool) -> Value;
/// The relations that are loaded in place of those asked for.
type Words = fn(&[String]) -> Vec<String>;

/// Changes of the number of a relation's records.
const COUNT: &[(&str, Counted)] = &[
    ("is one too many", |count| json!(count + 1)),
    ("is one too few", |count| json!(count.saturating_sub(1))),
    ("is zero", |_| json!(0)),
    ("is 1 at most", |count| json!(count.min(1))),
    ("is doubled", |count| json!(count * 2)),
    ("is a text", |count| json!(count.to_string())),
    ("is a truth value", |count| json!(count > 0)),
    ("is null where it is zero", |count| {
        if count == 0 { Value::Null } else { json!(count) }
    }),
    ("is 3 at most", |count| json!(count.min(3))),
];

/// Changes of the existence of a relation.
const EXISTS: &[(&str, Existing)] = &[
    ("is negated", |exists| json!(!exists)),
    ("is always true", |_| json!(true)),
    ("is always false", |_| json!(false)),
    ("is a number", |exists| json!(u8::from(exists))),
    ("is a text", |exists| json!(exists.to_string())),
    ("is null where it is false", |exists| {
        if exists { json!(true) } else { Value::Null }
    }),
];

/// Changes of what is asked for.
const WORDS: &[(&str, Words)] = &[
    ("the first alone is loaded", |words| {
        words.iter().take(1).cloned().collect()
    }),
    ("the last alone is loaded", |words| {
        words.iter().rev().take(1).cloned().collect()
    }),
    ("the second is not loaded", |words| dropped(words, 1)),
    ("the third is not loaded", |words| dropped(words, 2)),
    ("two are loaded at most", |words| {
        words.iter().take(2).cloned().collect()
    }),
    ("none is loaded", |_| Vec::new()),
    ("numbers are not loaded", |words| {
        words
            .iter()
            .filter(|word| !word.ends_with("-count"))
            .cloned()
            .collect()
    }),
    ("existence is not loaded", |words| {
        words
            .iter()
            .filter(|word| !word.ends_with("-exists"))
            .cloned()
            .collect()
    }),
    ("a number hides the records", |words| {
        let counted = |word: &String| words.contains(&format!("{word}-count"));
        words.iter().filter(|word| !counted(word)).cloned().collect()
    }),
    ("the manager comes along", |words| {
        let mut words = words.to_vec();
        if !words.iter().any(|word| word == "manager-user") {
            words.push("manager-user".to_owned());
        }
        words
    }),
];

/// Draws a wrong relation.
pub(super) fn draw(draw: &mut Draw, sample: &Sample) -> Operator {
    let relation = sample.relation(draw);
    match draw.below(10) {
        0..4 => {
            // What is shown as one although there may be several is left out: its shape is open (R10).
            let (says, change) = draw.pick_copy(if relation.many { MANY } else { ONE });
            let others: Vec<_> = sample
                .users()
                .iter()
                .flat_map(|row| row.related_ids(&relation.member))
                .collect();
            let other = if others.is_empty() {
                String::new()
            } else {
                draw.pick_copy(&others).clone()
            };
            let text = format!(
                "{} {says}{}",
                relation.name,
                if says.contains("another") {
                    format!(": {other}")
                } else {
                    String::new()
                }
            );
            let other = summary(sample, relation.record.as_deref().unwrap_or_default(), &other);
            member(
                text,
                &relation.name,
                relation.member.clone(),
                move |row, value| {
                    if !value.is_null() && value.as_array().is_none_or(|all| !all.is_empty()) {
                        change(row, value, &other);
                    }
                },
            )
        }
        4 | 5 => summary_member(draw, sample),
        6 => {
            let (says, change) = draw.pick_copy(COUNT);
            member(
                format!("{}-count {says}", relation.name),
                &format!("{}-count", relation.name),
                format!("{}_count", relation.member),
                move |_, value| {
                    *value = value.as_u64().map_or_else(|| value.clone(), change);
                },
            )
        }
        7 => {
            let (says, change) = draw.pick_copy(EXISTS);
            member(
                format!("{}-exists {says}", relation.name),
                &format!("{}-exists", relation.name),
                format!("{}_exists", relation.member),
                move |_, value| {
                    *value = value.as_bool().map_or_else(|| value.clone(), change);
                },
            )
        }
        _ => words(draw.pick_copy(WORDS)),
    }
}

/// A member of the related records.
fn summary_member(draw: &mut Draw, sample: &Sample) -> Operator {
    let relation = sample.relation(draw);
    let shown = sample
        .users()
        .iter()
        .find_map(|row| row.related_ids(&relation.member).first())
        .map_or(Value::Null, |id| {
            summary(sample, relation.record.as_deref().unwrap_or_default(), id)
        });
    let names: Vec<String> = shown
        .as_object()
        .map(|members| members.keys().cloned().collect())
        .unwrap_or_default();
    let name = if names.is_empty() {
        "id".to_owned()
    } else {
        draw.pick(&names).clone()
    };
    let (says, change) = draw_change(draw, &name, &shown[&name]);
    let text = format!("{name} of the records of {} {says}", relation.name);
    member(text, &relation.name, relation.member.clone(), move |_, value| {
        let at = format!("/{name}");
        match value {
            Value::Array(all) => all.iter_mut().for_each(|one| put(one, &at, &change)),
            one => put(one, &at, &change),
        }
    })
}

fn member(
    text: String,
    word: &str,
    name: String,
    change: impl Fn(&Row, &mut Value) + Clone + Send + Sync + 'static,
) -> Operator {
    Operator::new(
        "include",
        Scope::Record,
        text,
        move |hooks: &mut Hooks, when: &When| {
            let (when, name, change) = (when.clone(), name.clone(), change.clone());
            hooks.on_record(move |asked, row, record| {
                if asked.on(USERS)
                    && when.row(asked, row)
                    && let Some(value) = record["included"].get_mut(&name)
                {
                    change(row, value);
                }
            });
        },
    )
    .about("include", word)
}

fn words((says, change): (&'static str, Words)) -> Operator {
    Operator::new(
        "include",
        Scope::Query,
        format!("of the relations {says}"),
        move |hooks: &mut Hooks, when: &When| {
            let when = when.clone();
            hooks.on_query(move |asked| {
                let words: Vec<String> = asked.words("include").into_iter().map(str::to_owned).collect();
                if !words.is_empty() && is_meant(asked, &when) {
                    match change(&words) {
                        none if none.is_empty() => asked.drop("include"),
                        changed => asked.set("include", changed.join(",")),
                    }
                }
            });
        },
    )
    .about("include", "")
}

/// A record as it stands among the included ones.
fn summary(sample: &Sample, schema: &str, id: &str) -> Value {
    crate::model::summary(USERS, schema, &sample.rows, id).unwrap_or_default()
}

fn edit(value: &mut Value, change: impl Fn(&mut Vec<Value>)) {
    if let Some(all) = value.as_array_mut().filter(|all| !all.is_empty()) {
        change(all);
    }
}

fn dropped(words: &[String], at: usize) -> Vec<String> {
    let words = words.iter().enumerate();
    words
        .filter(|(index, _)| *index != at)
        .map(|(_, word)| word.clone())
        .collect()
}
