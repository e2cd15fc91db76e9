//! §4.4.8: faults of pages.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::model::Row;
use crate::{Asked, Variant, fault};

/// Whether a request is for a later page of people in some order.
fn is_later(asked: &Asked) -> bool {
    asked.on("/directory/users") && asked.page() > 1 && asked.has("sort")
}

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    vec![
        fault("the page is ignored", "G2", |hooks| {
            hooks.on_query(|asked| asked.drop("page"));
        }),
        fault("later pages are refused", "G2", |hooks| {
            hooks.on_query(|asked| {
                if asked.on("/directory/users") && asked.page() > 1 {
                    asked.refuse(400);
                }
            });
        }),
        fault("the page is ignored under an order", "G2", |hooks| {
            hooks.on_query(|asked| {
                if asked.has("sort") {
                    asked.drop("page");
                }
            });
        }),
        fault("a page by its number is the one before", "G2", |hooks| {
            hooks.settings.links_pages = true;
            hooks.settings.opaque_cursors = true;
            hooks.on_query(|asked| {
                if let Some(number) = asked.value("page").and_then(|page| page.parse::<usize>().ok()) {
                    asked.set("page", number.saturating_sub(1).max(1).to_string());
                }
            });
        }),
        fault(
            "equal records stand in another order on each page",
            "G8",
            |hooks| {
                hooks.on_found(|asked, found| {
                    let keys = asked.words("sort");
                    if let ([key], true) = (&keys[..], asked.on("/directory/users")) {
                        let member = key.trim_start_matches('-').to_owned();
                        let (mut at, page) = (0, asked.page());
                        while at < found.rows.len() {
                            let same = |row: &&Row| row.record[&member] == found.rows[at].record[&member];
                            let end = at + found.rows[at..].iter().take_while(|row| same(row)).count();
                            let length = end - at;
                            // Members that records do not show under this name are left alone.
                            if !found.rows[at].record[&member].is_null() {
                                found.rows[at..end].rotate_left(page * 7 % length);
                            }
                            at = end;
                        }
                    }
                });
            },
        ),
        fault("the second page repeats the end of the first", "G1", |hooks| {
            hooks.on_found(|asked, found| {
                if is_later(asked)
                    && let Some(first) = found.rows.first().copied()
                {
                    found.rows.insert(0, first);
                }
            });
        }),
        fault("every page is sorted by itself", "G3", |hooks| {
            hooks.on_found(|asked, found| {
                if asked.on("/directory/users") && asked.has("sort") && asked.filters().next().is_none() {
                    let sorted = found.rows.iter().enumerate();
                    let places: HashMap<_, _> = sorted.map(|(place, row)| (row.id(), place)).collect();
                    found.rows.sort_by_key(|row| row.id());
                    for page in found.rows.chunks_mut(found.page) {
                        page.sort_by_key(|row| places[row.id()]);
                    }
                }
            });
        }),
        fault("an order is lost on the second page", "G3", |hooks| {
            hooks.on_found(|asked, found| {
                if is_later(asked) {
                    let first = found.rows.len().min(found.page);
                    found.rows[first..].sort_by_key(|row| row.id().to_owned());
                }
            });
        }),
        fault("a record is lost between pages", "G4", |hooks| {
            hooks.on_found(|asked, found| {
                if is_later(asked) && !found.rows.is_empty() {
                    found.rows.remove(0);
                }
            });
        }),
        fault("a record is lost between descending pages", "G4", |hooks| {
            hooks.on_found(|asked, found| {
                let descends = asked.words("sort").iter().any(|key| key.starts_with('-'));
                if is_later(asked) && descends && !found.rows.is_empty() {
                    found.rows.remove(0);
                }
            });
        }),
        fault("the second page loses the filter under an order", "G5", |hooks| {
            hooks.on_query(|asked| {
                if is_later(asked) {
                    asked.drop_filters();
                }
            });
        }),
        fault("later pages of a filtered list lose a record", "G5", |hooks| {
            hooks.on_found(|asked, found| {
                let is_later = asked.on("/directory/users") && asked.page() > 1;
                if is_later && asked.filters().next().is_some() && !found.rows.is_empty() {
                    found.rows.remove(0);
                }
            });
        }),
        fault(
            "after the last page of soft-deleted people comes the rest of the list",
            "G5",
            |hooks| {
                hooks.on_query(|asked| {
                    if is_later(asked) && asked.words("filter[trashed]") == ["only"] {
                        asked.drop("filter[trashed]");
                    }
                });
            },
        ),
        fault(
            "later pages keep the first filter alone where one has a backslash",
            "K4",
            |hooks| {
                hooks.on_query(|asked| {
                    if asked.page() > 1 && asked.filters().any(|(_, value)| value.contains('\\')) {
                        asked.keep_only_first_filter();
                    }
                });
            },
        ),
        fault("a later page is another every second time", "G6", |hooks| {
            let counts: Mutex<HashMap<String, usize>> = Mutex::default();
            hooks.on_found(move |asked, found| {
                if is_later(asked) && !found.rows.is_empty() {
                    let mut counts = counts.lock().unwrap();
                    let count = counts.entry(format!("{:?}", asked.query)).or_default();
                    *count += 1;
                    if count.is_multiple_of(2) {
                        found.rows.remove(0);
                    }
                }
            });
        }),
    ]
}
