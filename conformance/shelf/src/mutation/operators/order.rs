//! Orders that are not those asked for.

use rollcall_contract::Pointer;
use serde_json::Value;

use super::{Operator, Scope, When, is_meant};
use crate::Hooks;
use crate::hooks::Found;
use crate::model::Row;
use crate::mutation::{Draw, Sample};

/// Other keys than those asked for.
type Keys = fn(&[String]) -> Vec<String>;

/// Other rows than those found, or in another order.
type Rows = for<'r> fn(&mut Found<'r>);

const KEYS: &[(&str, Keys)] = &[
    ("is ignored", |_| Vec::new()),
    ("minds its first key alone", |keys| {
        keys.iter().take(1).cloned().collect()
    }),
    ("minds its first two keys alone", |keys| {
        keys.iter().take(2).cloned().collect()
    }),
    ("minds its last key alone", |keys| {
        keys.iter().rev().take(1).cloned().collect()
    }),
    ("ignores its second key", |keys| without(keys, 1)),
    ("ignores its first key if there are more", |keys| {
        if keys.len() > 1 {
            without(keys, 0)
        } else {
            keys.to_vec()
        }
    }),
    ("ignores its third key", |keys| without(keys, 2)),
    ("applies its keys from right to left", |keys| {
        keys.iter().rev().cloned().collect()
    }),
    ("minds no direction", |keys| {
        keys.iter().map(|key| bare(key).to_owned()).collect()
    }),
    ("turns every direction", |keys| {
        keys.iter().map(|key| turned(key)).collect()
    }),
    ("gives every key the first direction", |keys| {
        signed(keys, keys.first())
    }),
    ("gives every key the last direction", |keys| {
        signed(keys, keys.last())
    }),
    ("turns the direction of its second key", |keys| turned_at(keys, 1)),
    ("turns the direction of its third key", |keys| turned_at(keys, 2)),
    ("descends by its first key", |keys| {
        let first = keys.first().map(|key| format!("-{}", bare(key)));
        first.into_iter().chain(keys.iter().skip(1).cloned()).collect()
    }),
];

const ROWS: &[(&str, Rows)] = &[
    ("swaps the first two rows", |found| swap(found, 0)),
    ("swaps two rows in the middle", |found| {
        swap(found, found.rows.len() / 2)
    }),
    ("swaps the last two rows", |found| {
        swap(found, found.rows.len().saturating_sub(2))
    }),
    ("moves the first row to the end", |found| {
        if !found.rows.is_empty() {
            found.rows.rotate_left(1);
        }
    }),
    ("turns the first page round", |found| {
        let end = found.page.min(found.rows.len());
        found.rows[..end].reverse();
    }),
    ("turns what follows the first page round", |found| {
        let start = found.page.min(found.rows.len());
        found.rows[start..].reverse();
    }),
    ("is applied page by page", |found| {
        let places: std::collections::HashMap<_, _> = found
            .rows
            .iter()
            .enumerate()
            .map(|(place, row)| (row.id(), place))
            .collect();
        found.rows.sort_by_key(|row| row.id());
        for page in found.rows.chunks_mut(found.page) {
            page.sort_by_key(|row| places[row.id()]);
        }
    }),
    ("is applied to the first 50 rows", |found| {
        let start = found.rows.len().min(50);
        found.rows[start..].sort_by_key(|row| row.id().to_owned());
    }),
    ("is lost after the first page", |found| {
        let start = found.page.min(found.rows.len());
        found.rows[start..].sort_by_key(|row| row.id().to_owned());
    }),
    ("puts soft-deleted rows last", |found| {
        found.rows.sort_by_key(|row| row.is_trashed())
    }),
];

/// What a value is taken for.
type Reading = fn(&str) -> String;

const VALUES: &[(&str, Reading)] = &[
    ("by their length", |text| format!("{:05}", text.chars().count())),
    ("by their first character", |text| text.chars().take(1).collect()),
    ("by their last character", |text| {
        text.chars().rev().take(1).collect()
    }),
    ("as numbers", |text| {
        format!("{:020.3}", text.parse::<f64>().unwrap_or(0.0))
    }),
    ("by their day", |text| text.chars().take(10).collect()),
    ("by the day of the month", |text| {
        text.chars().skip(8).take(2).collect()
    }),
];

/// Draws a wrong order.
pub(super) fn draw(draw: &mut Draw, sample: &Sample) -> Operator {
    match draw.below(10) {
        0..5 => keys(draw.pick_copy(KEYS)),
        5..7 => other_field(sample.field(draw), sample.field(draw)),
        7 => values(draw, sample),
        _ => rows(draw.pick_copy(ROWS)),
    }
}

fn keys((says, change): (&'static str, Keys)) -> Operator {
    Operator::new(
        "order",
        Scope::Query,
        format!("sort {says}"),
        move |hooks: &mut Hooks, when: &When| {
            let when = when.clone();
            hooks.on_query(move |asked| {
                let keys: Vec<String> = asked.words("sort").into_iter().map(str::to_owned).collect();
                if !keys.is_empty() && is_meant(asked, &when) {
                    match change(&keys) {
                        none if none.is_empty() => asked.drop("sort"),
                        changed => asked.set("sort", changed.join(",")),
                    }
                }
            });
        },
    )
    .about("sort", "")
}

fn other_field(field: String, other: String) -> Operator {
    let text = format!("sort by {field} sorts by {other}");
    let about = field.clone();
    Operator::new(
        "order",
        Scope::Query,
        text,
        move |hooks: &mut Hooks, when: &When| {
            let (when, field, other) = (when.clone(), field.clone(), other.clone());
            hooks.on_query(move |asked| {
                let mut keys: Vec<String> = asked.words("sort").into_iter().map(str::to_owned).collect();
                let is_there = keys.iter().any(|key| bare(key) == other);
                if !keys.is_empty() && !is_there && is_meant(asked, &when) {
                    for key in keys.iter_mut().filter(|key| bare(key) == field) {
                        *key = key.replace(&field, &other);
                    }
                    asked.set("sort", keys.join(","));
                }
            });
        },
    )
    .about("sort", &about)
}

/// An order by values that are taken for something else.
fn values(draw: &mut Draw, sample: &Sample) -> Operator {
    let (field, at) = draw.pick(&sample.list.sort);
    let (says, key) = draw.pick_copy(VALUES);
    let text = format!("values of {field} are ordered {says}");
    Operator::new(
        "order",
        Scope::Query,
        text,
        move |hooks: &mut Hooks, when: &When| {
            let when = when.clone();
            hooks.on_found(move |asked, found| {
                let keys = asked.words("sort");
                if keys.first().is_some_and(|key| bare(key) == field) && is_meant(asked, &when) {
                    found.rows.sort_by_key(|row| shown(row, at).map(key));
                    if keys[0].starts_with('-') {
                        found.rows.reverse();
                    }
                }
            });
        },
    )
    .about("sort", field)
}

fn rows((says, change): (&'static str, Rows)) -> Operator {
    Operator::new(
        "order",
        Scope::Query,
        format!("sort {says}"),
        move |hooks: &mut Hooks, when: &When| {
            let when = when.clone();
            hooks.on_found(move |asked, found| {
                if asked.has("sort") && is_meant(asked, &when) {
                    change(found);
                }
            });
        },
    )
    .about("sort", "")
}

fn shown<'r>(row: &'r Row, at: &Pointer) -> Option<&'r str> {
    at.find(&row.record).and_then(Value::as_str)
}

fn swap(found: &mut Found<'_>, at: usize) {
    if at + 1 < found.rows.len() {
        found.rows.swap(at, at + 1);
    }
}

fn bare(key: &str) -> &str {
    key.strip_prefix('-').unwrap_or(key)
}

fn turned(key: &str) -> String {
    key.strip_prefix('-')
        .map_or_else(|| format!("-{key}"), str::to_owned)
}

fn turned_at(keys: &[String], at: usize) -> Vec<String> {
    let keys = keys.iter().enumerate();
    keys.map(|(index, key)| if index == at { turned(key) } else { key.clone() })
        .collect()
}

fn without(keys: &[String], at: usize) -> Vec<String> {
    let keys = keys.iter().enumerate();
    keys.filter(|(index, _)| *index != at)
        .map(|(_, key)| key.clone())
        .collect()
}

fn signed(keys: &[String], like: Option<&String>) -> Vec<String> {
    let sign = if like.is_some_and(|key| key.starts_with('-')) {
        "-"
    } else {
        ""
    };
    keys.iter().map(|key| format!("{sign}{}", bare(key))).collect()
}
