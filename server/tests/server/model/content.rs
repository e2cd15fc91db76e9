//! The content of one record, and of what it includes, against the model's.

use rollcall::list::Form;
use serde_json::{Map, Value, json};

use super::compare::{Verdict, same};
use super::relations::Shape;
use super::row::{Row, get, text};
use super::view::{View, shown_timestamp};

/// Every member of a record, `links` and `included` aside, must be the model's.
pub(super) fn shows(view: &View, list: &str, row: &Row, record: &Value) -> Verdict {
    let id = text(row, "id");
    let empty = Map::new();
    for (member, value) in record.as_object().unwrap_or(&empty) {
        let place = format!("{member} of {id}");
        match member.as_str() {
            "links" | "included" => {}
            "timestamp" => {
                for (member, value) in value.as_object().unwrap_or(&empty) {
                    same(
                        &format!("{member} of {id}"),
                        value,
                        &shown_timestamp(get(row, member)),
                    )?;
                }
            }
            "count" => {
                for (member, value) in value.as_object().unwrap_or(&empty) {
                    same(
                        &format!("count.{member} of {id}"),
                        value,
                        &json!(view.count(list, row, member)),
                    )?;
                }
            }
            _ => same(&place, value, get(row, member))?,
        }
    }
    Ok(())
}

/// The most records that a relation shows (L3).
pub(super) const MOST_RELATED: usize = 200;

/// What a policy user includes when another record includes it.
const ALWAYS_INCLUDED: [(&str, Form); 3] = [
    ("directory-user", Form::Records),
    ("policy-ruleset", Form::Records),
    ("policy-rule", Form::Records),
];

/// What is included must be what was asked for, no more.
pub(super) fn includes(
    view: &View,
    list: &str,
    row: &Row,
    included: &Value,
    include: &[(&str, Form)],
) -> Verdict {
    let member = |(relation, form): &(&str, Form)| [relation, form.suffix()].concat().replace('-', "_");
    let mut wanted: Vec<String> = include.iter().map(member).collect();
    wanted.sort();
    let id = text(row, "id");
    if let Value::Array(names) = included {
        let mut names: Vec<_> = names
            .iter()
            .map(|name| name.as_str().unwrap_or_default().to_owned())
            .collect();
        names.sort();
        return same(&format!("included of {id}"), &names, &wanted);
    }
    let mut names: Vec<_> = included
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name.clone())
        .collect();
    names.sort();
    same(&format!("included of {id}"), &names, &wanted)?;
    for (relation, form) in include {
        let related = view.related(list, row, relation);
        let place = format!("{relation}{} of {id}", form.suffix());
        let value = &included[member(&(relation, *form))];
        let check = |(record, row): (&Value, &&Row)| {
            shows(view, related.list, row, record)?;
            match related.list {
                // Nobody can ask for them there, and without them it says nothing (P3).
                "policy_users" => includes(view, related.list, row, &record["included"], &ALWAYS_INCLUDED),
                _ => Ok(()),
            }
        };
        match (form, related.shape) {
            (Form::Count, _) => same(&place, value, &json!(related.records.len()))?,
            (Form::Exists, _) => same(&place, value, &json!(!related.records.is_empty()))?,
            (Form::Records, Shape::Many) => {
                let records = value.as_array().ok_or(format!("{place} is {value}"))?;
                let ids: Vec<_> = records
                    .iter()
                    .map(|record| record["id"].as_str().unwrap_or_default())
                    .collect();
                let first = related.records.iter().take(MOST_RELATED);
                same(&place, &ids, &first.map(|row| text(row, "id")).collect())?;
                records.iter().zip(&related.records).try_for_each(check)?;
            }
            (Form::Records, Shape::One | Shape::First) => {
                let first = related.records.first();
                same(
                    &place,
                    &value["id"],
                    &first.map_or(Value::Null, |row| row["id"].clone()),
                )?;
                first.map_or(Ok(()), |row| check((value, row)))?;
            }
        }
    }
    Ok(())
}
