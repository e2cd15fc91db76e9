//! §4.1, §4.4.2: faults of exact filters.

use std::collections::HashMap;
use std::sync::Mutex;

use rollcall_contract::Match;
use serde_json::{Value, json};

use crate::hooks::Matching;
use crate::model::CONTRACT;
use crate::{Asked, Variant, fault};

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    [
        ignored(),
        compared_otherwise(),
        rows_lost(),
        part_of_a_query(),
        against_others(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Each exact filter of the specification, ignored.
fn ignored() -> Vec<Variant> {
    let (users, _) = CONTRACT.lists().next().unwrap();
    let exact = users
        .filters()
        .filter(|(parameter, filter)| filter.matching == Match::Exact && !parameter.origin.extension);
    let ignored = exact.map(|(parameter, _)| {
        let name = parameter.name.clone();
        // What is said of one filter in particular is not said of it once more in general.
        let finds = match name.as_str() {
            "filter[id]" => "E7",
            "filter[manager_id]" => "E8",
            "filter[state]" => "ST1",
            _ => "E1",
        };
        fault(format!("{name} is ignored"), finds, move |hooks| {
            let name = name.clone();
            hooks.settings.takes_any_word = true;
            hooks.on_query(move |asked| {
                if asked.on("/directory/users") {
                    asked.drop(&name);
                }
            });
        })
    });
    ignored.collect()
}

fn compared(
    name: &'static str,
    check: &'static str,
    filter: &'static str,
    how: fn(&Matching<'_>, &str) -> bool,
) -> Variant {
    fault(name, check, move |hooks| {
        hooks.settings.takes_any_word = true;
        hooks.on_filter(filter, move |matching, _| {
            matching.own().is_some_and(|own| how(matching, own))
        });
    })
}

fn compared_otherwise() -> Vec<Variant> {
    vec![
        fault("words for nothing find people without a badge", "E1", |hooks| {
            hooks.on_filter("badge_id", |m, verdict| {
                let is_word = ["null", "none", "nil", "undefined"].contains(&m.value);
                verdict || is_word && m.own().is_none()
            });
        }),
        fault("zero finds people without a badge", "E1", |hooks| {
            hooks.on_filter("badge_id", |m, verdict| {
                verdict || m.value == "0" && m.own().is_none()
            });
        }),
        compared("a part of the email is enough", "E3", "email", |m, own| {
            own.contains(m.value)
        }),
        compared("a part of the state is enough", "E3", "state", |m, own| {
            own.contains(m.value)
        }),
        compared(
            "a word of the last name is enough",
            "E3",
            "last_name",
            |m, own| own == m.value || own.split(' ').any(|word| word == m.value),
        ),
        compared("the username only begins so", "E3", "username", |m, own| {
            own.starts_with(m.value)
        }),
        compared("the username looks at the email", "E2", "username", |m, _| {
            let email = m.row.text_of("email").unwrap_or_default();
            email.split('@').next() == Some(m.value)
        }),
        compared(
            "the full name is cut at its first blank",
            "E2",
            "full_name",
            |m, _| {
                let names = ["first_name", "last_name"].map(|name| m.row.text_of(name));
                m.value
                    .split_once(' ')
                    .map(|(first, last)| [Some(first), Some(last)])
                    == Some(names)
            },
        ),
        fault("who has no other id has the employee id", "E1", |hooks| {
            hooks.on_filter("employee_alt_id", |m, verdict| {
                verdict || m.own().is_none() && m.row.text_of("employee_id") == Some(m.value)
            });
        }),
        compared("the employee id only ends so", "E1", "employee_id", |m, own| {
            own.ends_with(m.value)
        }),
        compared("wildcards in the badge id", "E10", "badge_id", |m, own| {
            like(m.value, own)
        }),
        compared("wildcards in the email", "E10", "email", |m, own| {
            like(m.value, own)
        }),
        compared("the first name looks at the last", "E2", "first_name", |m, _| {
            m.row.text_of("last_name") == Some(m.value)
        }),
        compared(
            "the other id looks at the badge",
            "E2",
            "employee_alt_id",
            |m, _| m.row.text_of("badge_id") == Some(m.value),
        ),
        compared("ids are compared in part", "E7", "id", |m, own| {
            own.get(..9) == m.value.get(..9)
        }),
        compared(
            "the manager is found instead of the reports",
            "E8",
            "manager_id",
            |m, _| m.row.id() == m.value,
        ),
        compared(
            "reports of reports are found as well",
            "E8",
            "manager_id",
            |m, own| {
                own == m.value
                    || m.row_of(own)
                        .is_some_and(|manager| manager.text_of("manager_id") == Some(m.value))
            },
        ),
    ]
}

fn rows_lost() -> Vec<Variant> {
    vec![
        fault("filter[last_name] loses the last row", "E2", |hooks| {
            hooks.on_found(|asked, found| {
                if asked.has("filter[last_name]") {
                    found.rows.pop();
                }
            });
        }),
        fault("filter[parent_id] loses the last row", "E2", |hooks| {
            hooks.on_found(|asked, found| {
                if asked.has("filter[parent_id]") {
                    found.rows.pop();
                }
            });
        }),
        fault("no value beyond ASCII is found", "E2", |hooks| {
            hooks.on_match(|matching, verdict| verdict && matching.value.is_ascii());
        }),
        fault("a value counts without the blanks around it", "E1", |hooks| {
            hooks.on_query(|asked| {
                if let Some(value) = asked
                    .value("filter[username]")
                    .map(|value| value.trim().to_owned())
                {
                    asked.set("filter[username]", value);
                }
            });
        }),
        fault("the commonest state is refused", "ST3", |hooks| {
            hooks.on_query(|asked| {
                if asked.value("filter[state]") == Some("active") {
                    asked.refuse(400);
                }
            });
        }),
        fault("a value that no record has finds all records", "E1", |hooks| {
            hooks.settings.takes_any_word = true;
            hooks.on_found(|asked, found| {
                let exact = |name: &str| !name.ends_with("_search]") && name != "filter[manager]";
                if found.rows.is_empty() && asked.filters().any(|(name, _)| exact(name)) {
                    found.rows = found.all.iter().filter(|row| !row.is_trashed()).collect();
                }
            });
        }),
        fault("every third answer to a request lacks a row", "E11", |hooks| {
            let counts: Mutex<HashMap<String, usize>> = Mutex::default();
            hooks.on_found(move |asked, found| {
                if asked.filters().next().is_some() {
                    let mut counts = counts.lock().unwrap();
                    let count = counts.entry(format!("{:?}", asked.query)).or_default();
                    *count += 1;
                    if count.is_multiple_of(3) {
                        found.rows.pop();
                    }
                }
            });
        }),
    ]
}

fn part_of_a_query() -> Vec<Variant> {
    let fails = |letter: char| {
        move |hooks: &mut crate::Hooks| {
            hooks.on_query(move |asked| {
                if asked.filters().any(|(_, value)| value.contains(letter)) {
                    asked.refuse(500);
                }
            });
        }
    };
    vec![
        fault("an apostrophe fails", "E10", fails('\'')),
        fault("a backslash fails", "E10", fails('\\')),
        fault("an apostrophe ends the value", "E10", |hooks| {
            hooks.on_match(|matching, verdict| verdict || matching.value.contains("' OR '"));
        }),
    ]
}

fn against_others() -> Vec<Variant> {
    vec![
        fault("the first filter wins", "E9", |hooks| {
            hooks.on_query(|asked| asked.keep_only_first_filter());
        }),
        fault("the last filter wins", "E9", |hooks| {
            hooks.on_query(|asked| asked.keep_only_last_filter());
        }),
        fault("an unknown id of the right form is ignored", "E1", |hooks| {
            hooks.on_found(|asked, found| {
                let id = asked.value("filter[parent_id]").unwrap_or_default();
                let is_whole =
                    id.starts_with("drusr_") && found.all.iter().all(|row| row.id().len() <= id.len());
                if asked.on("/directory/users") && is_whole && found.rows.is_empty() {
                    found
                        .rows
                        .extend(found.all.iter().filter(|row| !row.is_trashed()));
                }
            });
        }),
        fault("the parent is found beside its secondary users", "E1", |hooks| {
            hooks.on_found(|asked, found| {
                let id = asked.value("filter[parent_id]").map(str::to_owned);
                let parent = found.all.iter().find(|row| Some(row.id()) == id.as_deref());
                if asked.on("/directory/users") && !found.rows.is_empty() {
                    found.rows.extend(parent);
                }
            });
        }),
        fault("one person shows the value that is asked for", "S9", |hooks| {
            hooks.on_person(1, |record| record["metadata"] = json!({"guest": true}));
            hooks.on_found(|asked, found| {
                if named(asked).is_some() && !found.rows.is_empty() {
                    found.rows.retain(|row| !is_guest(&row.record));
                    found
                        .rows
                        .extend(found.all.iter().filter(|row| is_guest(&row.record)));
                }
            });
            hooks.on_record(|asked, _, record| {
                if let Some((name, value)) = named(asked).filter(|_| is_guest(record)) {
                    record[name] = json!(value);
                }
            });
        }),
        fault(
            "an answer that is asked for again lacks a row now and then",
            "E11",
            |hooks| {
                let counts: Mutex<HashMap<String, usize>> = Mutex::default();
                hooks.on_found(move |asked, found| {
                    if let ("/directory/users", [(name, value)]) =
                        (asked.path.as_str(), asked.query.as_slice())
                        && name == "filter[last_name]"
                    {
                        let mut counts = counts.lock().unwrap();
                        let count = counts.entry(value.clone()).or_default();
                        *count += 1;
                        // The first, so that every page lacks its own.
                        if count.is_multiple_of(3) && !found.rows.is_empty() {
                            found.rows.remove(0);
                        }
                    }
                });
            },
        ),
    ]
}

/// Whether a record is that of somebody who comes along.
fn is_guest(record: &Value) -> bool {
    record["metadata"]["guest"] == true
}

/// The member and the value of the one filter that people are asked for by, if it is one of these members.
fn named(asked: &Asked) -> Option<(&str, &str)> {
    let [(name, value)] = asked.query.as_slice() else {
        return None;
    };
    let name = name.strip_prefix("filter[")?.strip_suffix(']')?;
    let is_text = ["first_name", "last_name", "badge_id", "employee_id"].contains(&name);
    (is_text && asked.on("/directory/users")).then_some((name, value))
}

/// The LIKE of SQL, without an escape character.
pub fn like(pattern: &str, text: &str) -> bool {
    match pattern.chars().next() {
        None => text.is_empty(),
        Some('%') => (0..=text.len())
            .filter(|at| text.is_char_boundary(*at))
            .any(|at| like(&pattern[1..], &text[at..])),
        Some(letter) => text.chars().next().is_some_and(|other| {
            (letter == '_' || letter == other)
                && like(&pattern[letter.len_utf8()..], &text[other.len_utf8()..])
        }),
    }
}
