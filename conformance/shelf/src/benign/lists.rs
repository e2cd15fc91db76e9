//! Other lists (L1 to L20).

use serde_json::{Value, json};

use crate::model::Row;
use crate::settings::Repeated;
use crate::{Hooks, Variant, accepted, benign};

/// The variants of this section.
pub fn variants() -> Vec<Variant> {
    [pages(), orders(), parameters(), values()]
        .into_iter()
        .flatten()
        .collect()
}

/// Other ways to page.
pub fn pages() -> Vec<Variant> {
    let envelope = |member: &'static str| {
        accepted(
            "L1",
            "envelope",
            format!("an envelope with {member}"),
            move |hooks| {
                hooks.on_answer(move |_, reply| {
                    if let Some(records) = reply.records().map(std::mem::take) {
                        *reply.body() = json!({member: records, "meta": {"page": 1}});
                    }
                });
            },
        )
    };
    let size = |size: usize| {
        accepted("L3", "any-size", format!("pages of {size}"), move |hooks| {
            hooks.settings.page_size = Some(size)
        })
    };
    vec![
        envelope("data"),
        envelope("items"),
        accepted("L1", "envelope", "an envelope within an envelope", |hooks| {
            hooks.on_answer(|asked, reply| {
                let name = asked.path.rsplit('/').next().unwrap_or_default().to_owned();
                if let Some(records) = reply.records().map(std::mem::take) {
                    *reply.body() =
                        json!({"_links": {}, "_embedded": {name: records}, "page": {"size": "50"}});
                }
            });
        }),
        accepted("L2", "from-zero", "pages are numbered from 0", |hooks| {
            hooks.settings.pages_from_zero = true
        }),
        accepted(
            "L2",
            "from-zero",
            "pages are numbered from 0, and links lead on",
            |hooks| {
                hooks.settings.pages_from_zero = true;
                hooks.settings.links_pages = true;
            },
        ),
        accepted(
            "L2",
            "refused-past-the-end",
            "a page past the end is missing",
            |hooks| hooks.settings.past_end = Some(404),
        ),
        size(1),
        size(5),
        size(1000),
        accepted("L3", "everything", "a single page", |hooks| {
            hooks.settings.one_page = true
        }),
        accepted(
            "L3",
            "bounded-relation",
            "a relation to many shows its first 100",
            |hooks| {
                hooks.settings.one_manager = true;
                hooks.settings.relation_size = Some(100);
            },
        ),
        accepted("L4", "links", "links to the next page", |hooks| {
            hooks.settings.links_pages = true
        }),
        accepted("L4", "cursors", "links with opaque cursors", |hooks| {
            hooks.settings.links_pages = true;
            hooks.settings.opaque_cursors = true;
        }),
        accepted("L4", "lossy-links", "links that drop the query", |hooks| {
            hooks.settings.links_pages = true;
            hooks.settings.lossy_links = true;
        }),
        accepted("L4", "lossy-links", "cursors that drop the query", |hooks| {
            hooks.settings.links_pages = true;
            hooks.settings.lossy_links = true;
            hooks.settings.opaque_cursors = true;
        }),
        benign("links whose addresses have commas", |hooks| {
            hooks.settings.links_pages = true;
            hooks.on_answer(|_, reply| {
                if let Some((_, link)) = reply.headers.iter_mut().find(|(name, _)| name == "link") {
                    *link = link.replace("%2C", ",");
                }
            });
        }),
    ]
}

/// Refuses every order but that by some fields.
fn sorts_by(hooks: &mut Hooks, known: &'static [&'static str]) {
    hooks.on_query(|asked| {
        let is_known = |word: &&str| known.contains(&word.trim_start_matches('-'));
        if !asked.words("sort").iter().all(is_known) {
            asked.refuse(400);
        }
    });
}

/// Other orders.
pub fn orders() -> Vec<Variant> {
    vec![
        accepted("L5", "any-order", "another usual order", |hooks| {
            hooks.settings.default_sort = Some("-created_at")
        }),
        accepted("L5", "no-order", "another order each time", |hooks| {
            hooks.settings.random_order = true
        }),
        accepted("L5", "fewer-fields", "few fields to sort by", |hooks| {
            sorts_by(hooks, &["id", "last_name", "created_at", "name"]);
        }),
        benign("another order each time, pages from 0, no order by id", |hooks| {
            hooks.settings.random_order = true;
            hooks.settings.pages_from_zero = true;
            sorts_by(hooks, &["last_name", "created_at"]);
        }),
        benign(
            "another order each time, pages from 0, no order at all",
            |hooks| {
                hooks.settings.random_order = true;
                hooks.settings.pages_from_zero = true;
                sorts_by(hooks, &[]);
            },
        ),
        accepted("L5", "nulls-first", "nulls first", |hooks| {
            hooks.settings.nulls_first = true
        }),
        accepted("L5", "nulls-lowest", "nulls are the lowest", |hooks| {
            hooks.settings.nulls_lowest = true
        }),
        accepted("L19", "bytes", "texts ordered by bytes", |hooks| {
            hooks.settings.sorts_bytes = true
        }),
        accepted(
            "L19",
            "accents-folded",
            "accents do not matter in the order",
            |hooks| {
                hooks.settings.sorts_without_accents = true;
                // Beside Müller, so that it shows.
                hooks.on_rows(|rows| rename(rows.of("/directory/users"), 5, "last_name", "Muntz"));
            },
        ),
    ]
}

/// Other answers to parameters that the specification does not know.
pub fn parameters() -> Vec<Variant> {
    vec![
        accepted("L6", "ignored", "unknown parameters are ignored", |hooks| {
            hooks.settings.ignores_unknown = true
        }),
        accepted(
            "L7",
            "first",
            "of a repeated parameter the first counts",
            |hooks| hooks.settings.repeated = Repeated::First,
        ),
        accepted("L7", "last", "of a repeated parameter the last counts", |hooks| {
            hooks.settings.repeated = Repeated::Last
        }),
        accepted("L8", "unfiltered", "empty filters are ignored", |hooks| {
            hooks.settings.ignores_empty = true
        }),
        accepted("L8", "nothing", "empty filters find nothing", |hooks| {
            hooks.settings.takes_empty = true
        }),
        accepted("L11", "unnamed", "no searches of id, org and metadata", |hooks| {
            refuse_if(hooks, |name, _| {
                [
                    "filter[id_search]",
                    "filter[org_search]",
                    "filter[metadata_search]",
                ]
                .contains(&name)
            });
        }),
        accepted("L12", "refused", "the bare filter is refused", |hooks| {
            refuse_if(hooks, |name, _| name == "filter");
        }),
        benign("an unknown sort field is an error of the server", |hooks| {
            hooks.on_answer(|asked, reply| {
                let mut keys = asked.words("sort").into_iter();
                if keys.any(|key| !key.contains(['a', 'e', 'i', 'o', 'u'])) {
                    reply.status = 500;
                }
            });
        }),
        benign("strange ids are refused", |hooks| {
            hooks.on_query(|asked| {
                let is_strange = |id: &str| !id.starts_with("drusr_k");
                if asked.on("/directory/users") && asked.value("filter[id]").is_some_and(is_strange) {
                    asked.refuse(422);
                }
            });
        }),
    ]
}

/// Other ways to read values.
pub fn values() -> Vec<Variant> {
    vec![
        accepted("L9", "any-case", "exact filters ignore case", |hooks| {
            hooks.settings.folds_case = true;
            twins(hooks);
        }),
        accepted(
            "L9",
            "any-case",
            "exact filters ignore case and partial ones mind it",
            |hooks| {
                hooks.settings.folds_case = true;
                hooks.settings.minds_case = true;
                twins(hooks);
            },
        ),
        accepted("L10", "exact-case", "partial filters mind case", |hooks| {
            hooks.settings.minds_case = true;
            twins(hooks);
        }),
        accepted("L13", "nothing", "an unknown state finds nothing", |hooks| {
            hooks.settings.takes_any_word = true
        }),
        accepted("L14", "more-words", "booleans have more words", |hooks| {
            hooks.on_query(|asked| {
                for (name, value) in &mut asked.query {
                    match value.as_str() {
                        _ if !["filter[manager]", "filter[deprovisioned_pending_deactivation]"]
                            .contains(&name.as_str()) => {}
                        "1" | "TRUE" | "yes" => "true".clone_into(value),
                        "0" | "FALSE" | "no" => "false".clone_into(value),
                        _ => {}
                    }
                }
            });
        }),
        benign("a flag of two conditions is ignored where it is false", |hooks| {
            hooks.on_query(|asked| {
                let is_negated = |(name, value): &(String, String)| {
                    name == "filter[deprovisioned_pending_deactivation]" && value == "false"
                };
                asked.query.retain(|parameter| !is_negated(parameter));
            });
        }),
        accepted("L15", "three-forms", "dates have three forms", |hooks| {
            refuse_if(hooks, |name, value| {
                let is_bound = name.ends_with("_before]") || name.ends_with("_after]");
                let (day, time) = value.split_once(['T', ' ']).unwrap_or((value, ""));
                let digits = |text: &str| {
                    text.bytes()
                        .all(|byte| byte.is_ascii_digit() || b"-:.".contains(&byte))
                };
                is_bound && !(day.len() == 10 && digits(day) && digits(time.trim_end_matches('Z')))
            });
        }),
        accepted("L15", "whole-days", "whole days are compared", |hooks| {
            hooks.settings.compares_days = true
        }),
        benign("whole days are compared, bounds among them", |hooks| {
            hooks.settings.compares_days = true;
            hooks.settings.includes_bounds = true;
        }),
        benign("dates with time are read in the zone of the target", |hooks| {
            hooks.on_query(|asked| {
                for (name, value) in &mut asked.query {
                    let is_bound = name.ends_with("_before]") || name.ends_with("_after]");
                    if is_bound && value.contains(' ') {
                        *value = format!("{}+02:00", value.replace(' ', "T"));
                    }
                }
            });
        }),
        accepted("L16", "inclusive", "bounds belong to their window", |hooks| {
            hooks.settings.includes_bounds = true
        }),
        benign("what has no time yet is later than any bound", |hooks| {
            hooks.on_match(|matching, verdict| {
                verdict || matching.name.ends_with("_after]") && matching.own().is_none()
            });
        }),
        accepted(
            "L17",
            "nothing",
            "windows that no record shows find nothing",
            |hooks| {
                hooks.on_match(|matching, verdict| {
                    let is_hidden = |x: &str| matching.name.starts_with(&format!("filter[{x}_"));
                    verdict && !is_hidden("expired") && !is_hidden("deactivated")
                });
            },
        ),
        accepted("L21", "cut", "blanks around values are cut off", |hooks| {
            cut_blanks(hooks, |_| true);
        }),
        benign(
            "blanks around values are cut off, but not around words",
            |hooks| {
                cut_blanks(hooks, |name| !name.contains("trashed") && !name.contains("state"));
            },
        ),
        accepted("L20", "matched", "values may be of any length", |hooks| {
            hooks.settings.longest = Some(usize::MAX)
        }),
    ]
}

/// Cuts off the blanks around the values of some filters.
fn cut_blanks(hooks: &mut Hooks, is_cut: impl Fn(&str) -> bool + Send + Sync + 'static) {
    hooks.on_query(move |asked| {
        for (name, value) in &mut asked.query {
            if name.starts_with("filter") && is_cut(name) {
                *value = value.trim().to_owned();
            }
        }
    });
}

/// People whose values differ from another's by case alone: of names, of emails, of badges; by letters that fold to two;
/// and people whose value is a part of another's but for its case.
fn twins(hooks: &mut Hooks) {
    hooks.on_rows(|rows| {
        let people = rows.of("/directory/users");
        for (index, member, value) in [
            (1, "last_name", "Straße"),
            (2, "last_name", "STRASSE"),
            (4, "last_name", "strasse"),
            (5, "first_name", "Ann"),
            (8, "first_name", "ANN"),
            (9, "first_name", "ann"),
            (10, "first_name", "Annabel"),
            (11, "badge_id", "b-1"),
            (12, "badge_id", "B-1"),
            (13, "employee_id", "ab-7"),
            (14, "employee_id", "AB-7"),
            (15, "username", "Σίσυφος"),
            (17, "username", "ΣΊΣΥΦΟΣ"),
            (18, "email", "Mixed.Case@Example.net"),
            (19, "email", "mixed.case@example.net"),
        ] {
            rename(people, index, member, value);
        }
        let copies: Vec<(String, Value)> = people
            .iter()
            .map(|row| (row.id().to_owned(), row.record.clone()))
            .collect();
        // Identities and workspace users repeat names of people.
        for record in rows.others.values_mut() {
            let owner = record["directory_user_id"].as_str().map(str::to_owned);
            if let Some((_, person)) = copies.iter().find(|(id, _)| Some(id) == owner.as_ref()) {
                record["full_name"] = person["full_name"].clone();
                record["email"] = person["email"].clone();
            }
        }
    });
}

/// Gives a person another value; the full name follows.
fn rename(people: &mut [Row], index: usize, member: &str, value: &str) {
    if let Some(row) = people.get_mut(index) {
        row.record[member] = json!(value);
        let name = |member: &str| row.record[member].as_str().unwrap_or_default().to_owned();
        row.record["full_name"] = json!(format!("{} {}", name("first_name"), name("last_name")));
    }
}

/// Refuses requests with a parameter that is so.
fn refuse_if(hooks: &mut Hooks, is: impl Fn(&str, &str) -> bool + Send + Sync + 'static) {
    hooks.on_query(move |asked| {
        if asked.query.iter().any(|(name, value)| is(name, value)) {
            asked.refuse(400);
        }
    });
}
