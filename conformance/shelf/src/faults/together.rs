//! §4.4.6: faults of parameters that are combined. Which filter is lost does not depend on their order, so that asking in
//! another order shows nothing.

use serde_json::json;

use crate::benign::transient::active_everywhere;
use crate::{Asked, Variant, fault};

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    vec![
        fault("of two filters one is lost", "K1", |hooks| {
            hooks.on_query(|asked| lose_one(asked, |asked| !is_dressed(asked) && is_pair(asked)));
        }),
        fault("of three filters one is lost", "K2", |hooks| {
            hooks.on_query(|asked| {
                lose_one(asked, |asked| !is_dressed(asked) && asked.filters().count() == 3)
            });
        }),
        fault("two filters that find nothing find a person", "K1", |hooks| {
            hooks.on_found(|asked, found| {
                if asked.on("/directory/users") && is_pair(asked) && found.rows.is_empty() {
                    found.rows.extend(found.all.iter().find(|row| !row.is_trashed()));
                }
            });
        }),
        fault(
            "of two filters one is lost under an order or beside a relation",
            "K4",
            |hooks| hooks.on_query(|asked| lose_one(asked, |asked| is_dressed(asked) && is_pair(asked))),
        ),
        fault(
            "of three filters one is lost under an order or beside a relation",
            "K5",
            |hooks| {
                hooks.on_query(|asked| {
                    lose_one(asked, |asked| is_dressed(asked) && asked.filters().count() > 2)
                });
            },
        ),
        fault("relations are empty under an order", "K6", |hooks| {
            hooks.on_record(|asked, _, record| {
                if asked.has("sort")
                    && let Some(included) = record["included"].as_object_mut()
                {
                    included.clear();
                }
            });
        }),
        fault(
            "included accounts have another email under an order, and each request is an activity",
            "K6",
            |hooks| {
                active_everywhere(hooks);
                hooks.on_record(|asked, _, record| {
                    let email = record.pointer_mut("/included/workspace_user/email");
                    if let Some(email) = email.filter(|_| asked.has("sort")) {
                        *email = json!("other@example.com");
                    }
                });
            },
        ),
        fault("an order is lost beside a relation", "K7", |hooks| {
            hooks.on_query(|asked| {
                if asked.has("include") {
                    asked.drop("sort");
                }
            });
        }),
    ]
}

/// Whether people are asked for by two filters that are not the bounds of a window, which checks of their own combine.
fn is_pair(asked: &Asked) -> bool {
    let is_bound = |name: &str| name.ends_with("_before]") || name.ends_with("_after]");
    asked.filters().count() == 2 && !asked.filters().any(|(name, _)| is_bound(name))
}

/// Whether there is an order or a relation beside the filters.
fn is_dressed(asked: &Asked) -> bool {
    asked.has("sort") || asked.has("include")
}

/// Loses the filter of people whose name comes last, where the request is so.
fn lose_one(asked: &mut Asked, is: impl Fn(&Asked) -> bool) {
    let last = asked.filters().map(|(name, _)| name.to_owned()).max();
    if let Some(last) = last.filter(|_| asked.on("/directory/users") && is(asked)) {
        asked.drop(&last);
    }
}
