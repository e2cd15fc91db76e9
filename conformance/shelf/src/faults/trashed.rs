//! §4.1, §4.4.4: faults around soft-deleted records.

use crate::{Asked, Variant, fault};

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    vec![
        fault("soft-deleted people are listed", "T1", |hooks| {
            hooks.on_query(|asked| usually(asked, "with"));
        }),
        fault(
            "a window over deleted_at lists soft-deleted people",
            "T7",
            |hooks| {
                hooks.on_query(|asked| {
                    if asked.has("filter[deleted_after]") {
                        usually(asked, "with");
                    }
                });
            },
        ),
        fault("the word without lets all records in", "T2", |hooks| {
            hooks.on_query(|asked| instead(asked, "without", "with"));
        }),
        fault("the word without is refused", "T2", |hooks| {
            hooks.on_query(|asked| {
                if word(asked) == Some("without") {
                    asked.refuse(400);
                }
            });
        }),
        fault("only means with", "T3", |hooks| {
            hooks.on_query(|asked| instead(asked, "only", "with"));
        }),
        fault("only means without", "T3", |hooks| {
            hooks.on_query(|asked| instead(asked, "only", "without"));
        }),
        fault("with means without", "T5", |hooks| {
            hooks.on_query(|asked| instead(asked, "with", "without"));
        }),
        fault("with means only", "T5", |hooks| {
            hooks.on_query(|asked| instead(asked, "with", "only"));
        }),
        fault("an unknown word lets all records in", "T6", |hooks| {
            hooks.on_query(|asked| {
                if word(asked).is_some_and(|word| !["with", "only", "without"].contains(&word)) {
                    asked.set("filter[trashed]", "with");
                }
            });
        }),
        fault("an unknown word is refused", "T6", |hooks| {
            hooks.on_query(|asked| {
                if word(asked).is_some_and(|word| !["with", "only", "without"].contains(&word)) {
                    asked.refuse(400);
                }
            });
        }),
        fault("the word true means with", "T6", |hooks| {
            hooks.on_query(|asked| instead(asked, "true", "with"));
        }),
        fault("a filter by id finds soft-deleted people", "T7", |hooks| {
            hooks.on_query(|asked| {
                if asked.has("filter[id]") {
                    usually(asked, "with");
                }
            });
        }),
        fault("a filter by last name leaves the scope", "T7", |hooks| {
            hooks.on_query(|asked| {
                if asked.has("filter[last_name]") {
                    asked.set("filter[trashed]", "with");
                }
            });
        }),
        fault("a search leaves the scope", "T7", |hooks| {
            hooks.on_query(|asked| {
                if asked.filters().any(|(name, _)| name.ends_with("_search]")) {
                    usually(asked, "with");
                }
            });
        }),
        fault("a word counts with a blank before it", "T6", |hooks| {
            hooks.on_query(|asked| {
                if let Some(word) = word(asked).map(|word| word.trim().to_owned()) {
                    asked.set("filter[trashed]", word);
                }
            });
        }),
        fault("an integration forgets its soft-deleted people", "T7", |hooks| {
            hooks.on_query(|asked| {
                if asked.has("filter[workspace_integration_id]") {
                    instead(asked, "with", "without");
                }
            });
        }),
        fault("a window is forgotten for soft-deleted people", "T7", |hooks| {
            hooks.on_query(|asked| {
                if word(asked) == Some("only") {
                    asked.drop("filter[deprovisioned_before]");
                }
            });
        }),
        fault("managers are listed though soft-deleted", "T7", |hooks| {
            hooks.on_query(|asked| {
                if asked.has("filter[manager]") {
                    instead(asked, "only", "with");
                }
            });
        }),
    ]
}

fn word(asked: &Asked) -> Option<&str> {
    asked
        .value("filter[trashed]")
        .filter(|_| asked.on("/directory/users"))
}

/// One word means another.
fn instead(asked: &mut Asked, one: &str, other: &str) {
    if word(asked) == Some(one) {
        asked.set("filter[trashed]", other);
    }
}

/// Without the word another is meant.
fn usually(asked: &mut Asked, other: &str) {
    if asked.on("/directory/users") && !asked.has("filter[trashed]") {
        asked.set("filter[trashed]", other);
    }
}
