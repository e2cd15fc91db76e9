//! §4.1, §4.4.3: faults of date windows.

use jiff::Timestamp;

use crate::hooks::Matching;
use crate::{Asked, Variant, fault};

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    [forms(), bounds(), windows()].into_iter().flatten().collect()
}

/// Forms that are refused, or accepted and not understood.
fn forms() -> Vec<Variant> {
    vec![
        refused("a bare date is refused", |value| value.len() == 10),
        refused("a date with time is refused", |value| value.contains(' ')),
        refused("ISO 8601 is refused", |value| value.ends_with('Z')),
        fault("one window takes no date with time", "D8", |hooks| {
            hooks.on_query(|asked| {
                if asked
                    .value("filter[deactivated_after]")
                    .is_some_and(|value| value.contains(' '))
                {
                    asked.refuse(422);
                }
            });
        }),
        fault("a bare date is ignored", "D9", |hooks| {
            hooks.on_query(|asked| {
                asked.drop_if(|name, value| is_bound(name) && value.len() == 10);
            });
        }),
        fault("a date with time is read as its year", "D9", |hooks| {
            hooks.on_query(|asked| {
                rewrite(asked, |value| match value.contains(' ') {
                    true => format!("{}-01-01", first(value, 4)),
                    false => value.to_owned(),
                });
            });
        }),
        fault("the year 1 is out of range and ignored", "D10", |hooks| {
            hooks.on_query(|asked| {
                asked.drop_if(|name, value| is_bound(name) && value.starts_with("0001"));
            });
        }),
        fault("bounds are read in another zone", "D11", |hooks| {
            hooks.on_query(|asked| {
                rewrite(asked, |value| match value.strip_suffix('Z') {
                    Some(civil) => format!("{civil}-05:00"),
                    None => value.to_owned(),
                });
            });
        }),
        fault(
            "one bound reads a date with time in another zone",
            "D11",
            |hooks| {
                hooks.on_query(|asked| {
                    for (name, value) in &mut asked.query {
                        if name.ends_with("_before]") && value.contains(' ') {
                            *value = format!("{}+02:00", value.replace(' ', "T"));
                        }
                    }
                });
            },
        ),
    ]
}

/// One of the two bounds is wrong.
fn bounds() -> Vec<Variant> {
    vec![
        one(
            "filter[created_before] is ignored",
            "D1",
            "created_before",
            |_, _| true,
        ),
        one(
            "filter[expires_before] is turned round",
            "D1",
            "expires_before",
            |_, verdict| !verdict,
        ),
        fault("no timestamp is before every bound", "D1", |hooks| {
            hooks.on_match(|m, verdict| {
                verdict || is_bound(m.name) && m.name.contains("before") && m.own().is_none()
            });
        }),
        fault("before and after are swapped", "D1", |hooks| {
            hooks.on_match(|m, verdict| match is_bound(m.name) && m.own().is_some() {
                true => !verdict,
                false => verdict,
            });
        }),
        one(
            "updated_before looks at the creation",
            "D1",
            "updated_before",
            |m, _| timestamp(m, "created_at") < read(m.value),
        ),
        one(
            "filter[provisioned_after] is ignored",
            "D2",
            "provisioned_after",
            |_, _| true,
        ),
        one(
            "created_after looks at the update",
            "D2",
            "created_after",
            |m, _| timestamp(m, "updated_at") > read(m.value),
        ),
        one(
            "created_before forgets earlier years",
            "D3",
            "created_before",
            |m, verdict| {
                verdict
                    && timestamp(m, "created_at")
                        .is_some_and(|at| first(&at.to_string(), 7) == first(m.value, 7))
            },
        ),
        one(
            "deprovisioned_after finds active people only",
            "D3",
            "deprovisioned_after",
            |m, verdict| verdict && m.row.text_of("state") == Some("active"),
        ),
        fault("the first second of the clock is no bound", "D1", |hooks| {
            hooks.on_query(|asked| {
                asked.drop_if(|name, value| {
                    name == "filter[created_before]" && value.starts_with("1970-01-01")
                });
            });
        }),
        fault("deleted_before finds the live only", "D3", |hooks| {
            hooks.on_filter("deleted_before", |m, verdict| verdict && !m.row.is_trashed());
        }),
    ]
}

/// Two answers contradict each other.
fn windows() -> Vec<Variant> {
    vec![
        one(
            "expired_before is turned round",
            "D4",
            "expired_before",
            |m, verdict| m.own().is_some() && !verdict,
        ),
        one(
            "deactivated_after is turned round",
            "D5",
            "deactivated_after",
            |m, verdict| m.own().is_some() && !verdict,
        ),
        one(
            "filter[expired_before] is ignored",
            "D6",
            "expired_before",
            |_, _| true,
        ),
        one(
            "filter[deactivated_after] is ignored",
            "D6",
            "deactivated_after",
            |_, _| true,
        ),
        fault("the second bound is dropped", "D7", |hooks| {
            hooks.on_query(|asked| {
                let bounds: Vec<_> = asked
                    .query
                    .iter()
                    .filter(|(name, _)| is_bound(name))
                    .cloned()
                    .collect();
                for (name, _) in bounds.iter().skip(1) {
                    asked.drop(name);
                }
            });
        }),
        fault("either bound is enough", "D7", |hooks| {
            hooks.on_match(|m, verdict| {
                let mut bounds = m.asked.filters().filter(|(name, _)| is_bound(name));
                let others = bounds.any(|(name, _)| name != m.name);
                verdict || is_bound(m.name) && others && m.own().is_some()
            });
        }),
        fault("a window over hidden timestamps drops its end", "D7", |hooks| {
            hooks.on_query(|asked| {
                for name in ["expired", "deactivated"] {
                    if asked.has(&format!("filter[{name}_after]")) {
                        asked.drop(&format!("filter[{name}_before]"));
                    }
                }
            });
        }),
    ]
}

fn is_bound(name: &str) -> bool {
    name.ends_with("_before]") || name.ends_with("_after]")
}

fn refused(name: &'static str, form: fn(&str) -> bool) -> Variant {
    fault(name, "D8", move |hooks| {
        hooks.on_query(move |asked| {
            if asked.filters().any(|(name, value)| is_bound(name) && form(value)) {
                asked.refuse(400);
            }
        });
    })
}

fn one(
    name: &'static str,
    check: &'static str,
    filter: &'static str,
    how: fn(&Matching<'_>, bool) -> bool,
) -> Variant {
    fault(name, check, move |hooks| hooks.on_filter(filter, how))
}

fn rewrite(asked: &mut Asked, how: impl Fn(&str) -> String) {
    for (name, value) in &mut asked.query {
        if is_bound(name) {
            *value = how(value);
        }
    }
}

fn timestamp(matching: &Matching<'_>, member: &str) -> Option<Timestamp> {
    read(matching.row.record["timestamp"][member].as_str()?)
}

fn read(text: &str) -> Option<Timestamp> {
    let civil = |text: &str| format!("{}T00:00:00Z", first(text, 10));
    text.parse().ok().or_else(|| civil(text).parse().ok())
}

/// The first bytes of a text; all of it where it cannot be cut there.
fn first(text: &str, length: usize) -> &str {
    text.get(..length).unwrap_or(text)
}
