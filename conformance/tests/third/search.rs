//! What the filters and the order of a question find.

use std::cmp::Ordering;

use serde_json::Value;

use crate::model::{Board, Quirk};
use crate::query::{Query, Refused, contains, shown, timestamp};

/// What is asked of a record.
type Test<'q> = Box<dyn Fn(&Value) -> bool + 'q>;

impl Board {
    /// The records that a question finds, in order.
    pub(crate) fn found<'r>(&self, records: &'r [Value], query: &Query) -> Result<Vec<&'r Value>, Refused> {
        let is_task = records[0]["attributes"]["name"].is_null();
        let mut tests = Vec::new();
        for (name, value) in &query.0 {
            match self.test(is_task, name, value) {
                Ok(test) => tests.extend(test),
                Err(_) if self.is(Quirk::UnknownIsIgnored) && !name.starts_with("filter[") => {}
                Err(refused) => return Err(refused),
            }
        }
        let scope = self.scope(query.get("filter[archived]").unwrap_or("none"))?;
        let found = records.iter().filter(|record| {
            let passes = match self.is(Quirk::EitherFilter) && tests.len() > 1 {
                true => tests.iter().any(|test| test(record)),
                false => tests.iter().all(|test| test(record)),
            };
            passes && (!is_task || scope(record))
        });
        let mut found: Vec<&Value> = found.collect();
        let usual = if is_task { "created" } else { "joined" };
        self.order(&mut found, query.get("sort").unwrap_or(usual), is_task)?;
        Ok(found)
    }

    /// What a parameter asks of a record; none if it is no filter.
    fn test<'q>(&'q self, is_task: bool, name: &'q str, value: &'q str) -> Result<Option<Test<'q>>, Refused> {
        let refused = || Refused(name.to_owned());
        let quirk = self.quirk;
        fn attribute<'r>(record: &'r Value, name: &str) -> &'r Value {
            &record["attributes"][name]
        }
        let part = move |member: &Value| match quirk {
            Quirk::StrictCase => member.as_str().unwrap_or_default().contains(value),
            Quirk::TextIsPrefix => {
                let text = member.as_str().unwrap_or_default().to_lowercase();
                text.starts_with(&value.to_lowercase())
            }
            _ => contains(member, value),
        };
        let bound = || timestamp(value).ok_or_else(refused);
        Ok(Some(match (is_task, name) {
            (_, "sort" | "include" | "page[number]") | (true, "page[size]" | "filter[archived]") => {
                return Ok(None);
            }
            (_, "filter[id]") => Box::new(move |record| record["id"] == value),
            (false, "filter[name]") => Box::new(move |person| attribute(person, "name") == value),
            (true, "filter[title]") => Box::new(move |task| attribute(task, "title") == value),
            (true, "filter[text]") => {
                Box::new(move |task| part(attribute(task, "title")) || part(attribute(task, "notes")))
            }
            (true, "filter[status]") => match ["planned", "open", "overdue", "done"].contains(&value) {
                _ if quirk == Quirk::StatusIsIgnored => Box::new(|_| true),
                true => Box::new(move |task| attribute(task, "status") == value),
                false if quirk == Quirk::UnknownStatusIsNoFilter => Box::new(|_| true),
                false => return Err(refused()),
            },
            (true, "filter[priority]") => {
                let priority: i64 = value.parse().map_err(|_| refused())?;
                Box::new(move |task| match quirk {
                    Quirk::PriorityIsLeast => attribute(task, "priority").as_i64() >= Some(priority),
                    _ => *attribute(task, "priority") == priority,
                })
            }
            (true, "filter[composite]") => {
                let composite: bool = value.parse().map_err(|_| refused())?;
                let composite = composite || quirk == Quirk::CompositeIsAlwaysTrue;
                Box::new(move |task| *attribute(task, "composite") == composite)
            }
            (true, "filter[assignee]") => Box::new(move |task| {
                quirk == Quirk::AssigneeIsIgnored || reference(task, "assignee")["id"] == value
            }),
            (true, "filter[parent]") => Box::new(move |task| {
                let own = quirk == Quirk::ParentIsAncestor && task["id"] == value;
                own || reference(task, "parent")["id"] == value
            }),
            (true, "filter[assignee.email]") => {
                let person = self
                    .people
                    .iter()
                    .find(|person| attribute(person, "email") == value);
                let id = person.map(|person| person["id"].clone());
                Box::new(move |task| {
                    let assignee = &reference(task, "assignee")["id"];
                    quirk == Quirk::EmailIsIgnored || id.as_ref().is_some_and(|id| id == assignee)
                })
            }
            (true, "filter[created-after]") => {
                let bound = bound()?;
                Box::new(move |task| match quirk {
                    Quirk::CreatedAfterIsBefore => shown(&task["attributes"], "created") < Some(bound),
                    _ => shown(&task["attributes"], "created") > Some(bound),
                })
            }
            (true, "filter[due-before]") => {
                let bound = bound()?;
                Box::new(move |task| {
                    let due = shown(&task["attributes"], "due");
                    quirk == Quirk::DueIsIgnored || due.is_some_and(|due| due < bound)
                })
            }
            _ => return Err(refused()),
        }))
    }

    /// Whether a record is shown, by the word for archived ones.
    fn scope(&self, word: &str) -> Result<Test<'static>, Refused> {
        let is_archived = |record: &Value| record["attributes"]["archived"].is_string();
        Ok(match word {
            "all" => Box::new(|_| true),
            "only" if self.is(Quirk::OnlyIsAll) => Box::new(|_| true),
            "only" => Box::new(is_archived),
            "none" if self.is(Quirk::ArchivedByDefault) => Box::new(|_| true),
            "none" => Box::new(move |record| !is_archived(record)),
            _ => return Err(Refused("filter[archived]".to_owned())),
        })
    }

    fn order(&self, records: &mut [&Value], order: &str, is_task: bool) -> Result<(), Refused> {
        let fields: &[&str] = match is_task {
            true => &["created", "title", "priority"],
            false => &["joined", "name"],
        };
        let mut keys = Vec::new();
        for word in order.split(',') {
            let name = word.trim_start_matches('-');
            if !fields.contains(&name) {
                return Err(Refused("sort".to_owned()));
            }
            let name = if self.is(Quirk::SortsByTitle) && name == "priority" {
                "title"
            } else {
                name
            };
            keys.push((
                name,
                word.starts_with('-') && !self.is(Quirk::DescendingIsAscending),
            ));
        }
        keys.push((fields[0], false));
        records.sort_by(|one, other| {
            let mut orders = keys.iter().map(|(name, is_descending)| {
                let order = compare(&one["attributes"][name], &other["attributes"][name]);
                if *is_descending { order.reverse() } else { order }
            });
            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
        Ok(())
    }
}

/// What a record refers to.
pub(crate) fn reference<'r>(record: &'r Value, relation: &str) -> &'r Value {
    &record["relationships"][relation]["data"]
}

fn compare(one: &Value, other: &Value) -> Ordering {
    match (one.as_str(), other.as_str()) {
        (Some(one), Some(other)) => one.cmp(other),
        _ => one.as_i64().cmp(&other.as_i64()),
    }
}
