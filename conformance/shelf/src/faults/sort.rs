//! §4.4.5: faults of sorting.

use crate::hooks::Found;
use crate::model::Row;
use crate::{Asked, Variant, fault};

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    [one_field(), several_fields(), with_filters()]
        .into_iter()
        .flatten()
        .collect()
}

/// A fault of how a `sort` is read.
fn read(
    name: &str,
    check: &'static str,
    rewrite: impl Fn(Vec<&str>) -> Vec<String> + Clone + Send + Sync + 'static,
) -> Variant {
    fault(name, check, move |hooks| {
        let rewrite = rewrite.clone();
        hooks.on_query(move |asked| {
            if asked.has("sort") {
                let keys = rewrite(asked.words("sort"));
                asked.set("sort", keys.join(","));
            }
        });
    })
}

/// A fault of what a sorted list holds.
fn found(
    name: &str,
    check: &'static str,
    change: impl for<'r> Fn(&Asked, &mut Found<'r>) + Clone + Send + Sync + 'static,
) -> Variant {
    fault(name, check, move |hooks| {
        let change = change.clone();
        hooks.on_found(move |asked, found| {
            if asked.has("sort") {
                change(asked, found);
            }
        });
    })
}

fn without_sign(key: &str) -> &str {
    key.strip_prefix('-').unwrap_or(key)
}

fn owned(keys: Vec<&str>) -> Vec<String> {
    keys.into_iter().map(str::to_owned).collect()
}

fn turned(key: &str) -> String {
    key.strip_prefix('-')
        .map_or_else(|| format!("-{key}"), str::to_owned)
}

fn is_null(row: &Row, place: &[&str]) -> bool {
    place
        .iter()
        .fold(&row.record, |value, name| &value[*name])
        .is_null()
}

fn one_field() -> Vec<Variant> {
    vec![
        fault("sort is ignored", "O8", |hooks| {
            hooks.on_query(|asked| asked.drop("sort"));
        }),
        read("no direction is heeded", "O3", |keys| {
            keys.into_iter().map(|key| without_sign(key).to_owned()).collect()
        }),
        read("the direction of the state is ignored", "O3", |keys| {
            let keys = keys
                .into_iter()
                .map(|key| if key == "-state" { "state" } else { key });
            keys.map(str::to_owned).collect()
        }),
        read("the state is taken and sorts nothing", "O2", |keys| {
            let others = keys.into_iter().filter(|key| without_sign(key) != "state");
            others.map(str::to_owned).collect()
        }),
        read("every order is the other way round", "O2", |keys| {
            keys.into_iter().map(turned).collect()
        }),
        read("the last name sorts by the first", "O2", |keys| {
            keys.into_iter()
                .map(|key| key.replace("last_name", "first_name"))
                .collect()
        }),
        read("the deletion sorts by the creation", "O2", |keys| {
            keys.into_iter()
                .map(|key| key.replace("deleted_at", "created_at"))
                .collect()
        }),
        read("the update sorts by the creation", "O2", |keys| {
            keys.into_iter()
                .map(|key| key.replace("updated_at", "created_at"))
                .collect()
        }),
        fault("a descending order is refused", "O3", |hooks| {
            hooks.on_query(|asked| {
                if asked.words("sort").iter().any(|key| key.starts_with('-')) {
                    asked.refuse(400);
                }
            });
        }),
        fault("an order by badges fails", "O1", |hooks| {
            hooks.on_query(|asked| {
                if asked.words("sort").contains(&"badge_id") {
                    asked.refuse(500);
                }
            });
        }),
        found("who has no manager is joined away", "O1", |asked, found| {
            if asked
                .words("sort")
                .iter()
                .any(|key| without_sign(key) == "manager_id")
            {
                found.rows.retain(|row| !is_null(row, &["manager_id"]));
            }
        }),
        found("who never expires is left out", "O1", |asked, found| {
            if asked
                .words("sort")
                .iter()
                .any(|key| without_sign(key) == "expires_at")
            {
                found
                    .rows
                    .retain(|row| !is_null(row, &["timestamp", "expires_at"]));
            }
        }),
        found("states are torn apart", "O2", |asked, found| {
            if asked.words("sort").first() == Some(&"state") && found.rows.len() > 4 {
                let last = found.rows.len() - 1;
                found.rows.swap(0, last);
            }
        }),
        found("nulls stand in the middle", "O2", |asked, found| {
            if asked.words("sort").first() == Some(&"provisioned_at") {
                let middle = found.rows.len() / 2;
                found.rows.rotate_right(middle);
            }
        }),
    ]
}

fn several_fields() -> Vec<Variant> {
    let apart = |keys: Vec<&str>, both: fn(&str, &str) -> [String; 2]| match keys.as_slice() {
        [first, second] => both(first, second).into(),
        _ => owned(keys),
    };
    vec![
        read("only the first field sorts", "O4", |keys| {
            keys.into_iter().take(1).map(str::to_owned).collect()
        }),
        read("only the last field sorts", "O4", |keys| {
            let last = keys.last().copied();
            last.into_iter().map(str::to_owned).collect()
        }),
        read("fields apply from right to left", "O4", |keys| {
            keys.into_iter().rev().map(str::to_owned).collect()
        }),
        read(
            "the direction of the first field is that of all",
            "O4",
            move |keys| {
                apart(keys, |first, second| {
                    let sign = if first.starts_with('-') { "-" } else { "" };
                    [first.to_owned(), format!("{sign}{}", without_sign(second))]
                })
            },
        ),
        read(
            "the direction of the last field is that of all",
            "O4",
            move |keys| {
                apart(keys, |first, second| {
                    let sign = if second.starts_with('-') { "-" } else { "" };
                    [format!("{sign}{}", without_sign(first)), second.to_owned()]
                })
            },
        ),
        fault(
            "the token is not taken where people are ordered by a timestamp",
            "O1",
            |hooks| {
                hooks.on_query(|asked| {
                    if asked.words("sort").iter().any(|key| key.ends_with("expires_at")) {
                        asked.refuse(401);
                    }
                });
            },
        ),
        fault("two fields are refused", "O4", |hooks| {
            hooks.on_query(|asked| {
                if asked.words("sort").len() > 1 {
                    asked.refuse(400);
                }
            });
        }),
    ]
}

fn with_filters() -> Vec<Variant> {
    let with = |name: &'static str, change: fn(&mut Asked)| {
        fault(name, "O7", move |hooks| {
            hooks.on_query(move |asked| {
                if asked.has("sort") {
                    change(asked);
                }
            });
        })
    };
    vec![
        with("an order loses the partial filters", |asked| {
            asked.drop_if(|name, _| name.ends_with("_search]"));
        }),
        with("an order loses the word about soft deletion", |asked| {
            asked.drop("filter[trashed]");
        }),
        with(
            "the order by an address is lost among soft-deleted people",
            |asked| {
                if asked.words("sort")[0].ends_with("email") && asked.words("filter[trashed]") == ["only"] {
                    asked.drop("sort");
                }
            },
        ),
        with("an order loses the flags", |asked| {
            asked.drop("filter[manager]");
        }),
        fault("an order is lost under a partial filter", "O7", |hooks| {
            hooks.on_query(|asked| {
                if asked.filters().any(|(name, _)| name.ends_with("_search]")) {
                    asked.drop("sort");
                }
            });
        }),
    ]
}
