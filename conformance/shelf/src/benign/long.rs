//! Lists of so many pages that a run does not read them to their end. Each of these has records beyond, of which something
//! holds that does not hold of the records that are read.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::model::{Row, Rows, USERS};
use crate::{Hooks, Variant, benign};

/// The variants of this section.
pub fn variants() -> Vec<Variant> {
    vec![
        benign("ids with numbers of any length, on short pages", |hooks| {
            hooks.settings.page_size = Some(SHORT);
            numbered_ids(hooks);
        }),
        benign(
            "a date without a time is the whole day, on short pages",
            |hooks| {
                hooks.settings.page_size = Some(SHORT);
                hooks.on_rows(beside_the_only_gap);
                hooks.on_filter("created_after", |matching, verdict| {
                    let day = matching.own().unwrap_or_default().get(..10);
                    verdict && !(matching.value.len() == 10 && day == Some(matching.value))
                });
            },
        ),
        benign("a soft-deleted report makes a manager, on short pages", |hooks| {
            hooks.settings.page_size = Some(SHORT);
            hooks.on_rows(managed_beyond);
        }),
        benign(
            "people with one timestamp in any order, on short pages",
            |hooks| {
                hooks.settings.page_size = Some(SHORT);
                hooks.on_rows(|rows| {
                    for row in unread(rows) {
                        row.record["timestamp"]["created_at"] = json!("2010-01-01T00:00:00.000000Z");
                    }
                });
                hooks.on_found(|asked, found| {
                    let created = |row: &Row| row.record["timestamp"]["created_at"].clone();
                    if matches!(asked.words("sort")[..], ["created_at" | "-created_at"]) {
                        for group in found.rows.chunk_by_mut(|one, next| created(one) == created(next)) {
                            group.rotate_left(asked.number % group.len());
                        }
                    }
                });
            },
        ),
    ]
}

/// The number of records on a short page: a run reads less than two thirds of the people on the shelf.
pub(super) const SHORT: usize = 3;

/// The last third of the people by id, whom a run does not read.
fn unread(rows: &mut Rows) -> Vec<&mut Row> {
    let mut people: Vec<&mut Row> = rows.of(USERS).iter_mut().collect();
    people.sort_by(|one, other| one.id().cmp(other.id()));
    let read = people.len() * 2 / 3;
    people.split_off(read)
}

/// Of the people who are read, few were created early and all others late; the others were created at noon of each day in
/// the middle.
fn beside_the_only_gap(rows: &mut Rows) {
    let day = |from: &str, days: usize| {
        let from: jiff::Timestamp = from.parse().unwrap();
        json!((from + jiff::SignedDuration::from_hours(24 * days as i64)).to_string())
    };
    let mut ids: Vec<String> = rows.of(USERS).iter().map(|row| row.id().to_owned()).collect();
    ids.sort();
    let read = ids.len() * 2 / 3;
    for row in rows.of(USERS) {
        let rank = ids.iter().position(|id| id == row.id()).unwrap();
        row.record["timestamp"]["created_at"] = match rank {
            0..10 => day("2014-01-01T09:00:00Z", rank),
            _ if rank < read => day("2020-01-01T09:00:00Z", rank),
            _ => day("2016-12-05T12:00:00Z", rank - read),
        };
    }
}

/// A soft-deleted person beyond reports to somebody without other reports, who is a manager by that.
fn managed_beyond(rows: &mut Rows) {
    let people = rows.of(USERS).iter();
    let of_nobody = people.filter(|row| !row.is_trashed() && row.record["is_manager"] == json!(false));
    let Some(manager) = of_nobody.map(|row| row.id().to_owned()).min() else {
        return;
    };
    if let Some(report) = unread(rows).into_iter().find(|row| row.is_trashed()) {
        report.record["manager_id"] = json!(manager);
        report
            .related
            .insert("manager_user".to_owned(), vec![manager.clone()]);
    }
    let manager = rows.of(USERS).iter_mut().find(|row| row.id() == manager);
    if let Some(row) = manager {
        row.record["is_manager"] = json!(true);
    }
}

/// Calls people by their rank, so that the order by id is the order of the numbers: `drusr_9` before `drusr_10`.
fn numbered_ids(hooks: &mut Hooks) {
    let names: Arc<Mutex<BTreeMap<String, String>>> = Arc::default();
    let made = Arc::clone(&names);
    hooks.on_rows(move |rows| {
        let mut ids: Vec<String> = rows.of(USERS).iter().map(|row| row.id().to_owned()).collect();
        ids.sort();
        let numbered = ids
            .into_iter()
            .zip(1..)
            .map(|(id, number)| (id, format!("drusr_{number}")));
        *made.lock().unwrap() = numbered.collect();
    });
    let known = Arc::clone(&names);
    hooks.on_request(move |asked| {
        let known = known.lock().unwrap();
        let own = |text: &str| {
            known
                .iter()
                .find(|(_, number)| *number == text)
                .map(|(id, _)| id.clone())
        };
        // A search by id is compared with the numbered ids below.
        let whole = asked
            .query
            .iter_mut()
            .filter(|(name, _)| !name.contains("id_search"));
        for (_, value) in whole {
            if let Some(id) = own(value) {
                *value = id;
            }
        }
        let named = asked
            .path
            .rsplit_once('/')
            .and_then(|(list, id)| Some((list.to_owned(), own(id)?)));
        if let Some((list, id)) = named {
            asked.path = format!("{list}/{id}");
        }
    });
    let shown = Arc::clone(&names);
    hooks.on_filter("id_search", move |matching, _| {
        shown.lock().unwrap()[matching.row.id()].contains(&matching.value.to_lowercase())
    });
    hooks.on_answer(move |_, reply| {
        let text = reply.text();
        let mut parts = text.split(OWN);
        let mut numbered = parts.next().unwrap_or_default().to_owned();
        let names = names.lock().unwrap();
        for part in parts {
            let own = part.get(..OWN_LENGTH).map(|rest| format!("{OWN}{rest}"));
            match own.and_then(|own| names.get(&own)) {
                Some(number) => {
                    numbered.push_str(number);
                    numbered.push_str(&part[OWN_LENGTH..]);
                }
                None => {
                    numbered.push_str(OWN);
                    numbered.push_str(part);
                }
            }
        }
        let body: Value = serde_json::from_str(&numbered).unwrap_or_default();
        *reply.body() = body;
    });
}

/// What the ids of the model's people begin with.
const OWN: &str = "drusr_k";
/// How many letters follow.
const OWN_LENGTH: usize = 11;
