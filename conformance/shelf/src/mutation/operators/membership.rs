//! Filters that find too much, too little, or something else.

use jiff::Timestamp;
use rollcall_contract::Match;

use super::predicate::{like, matches, plain, texts};
use super::{Operator, Scope, When};
use crate::Hooks;
use crate::hooks::Matching;
use crate::model::USERS;
use crate::mutation::{Draw, Sample};

/// Another verdict on whether a record matches.
type Verdict = fn(&Matching<'_>, bool) -> bool;

/// What can be wrong with any filter.
const ANY: &[(&str, Verdict)] = &[
    ("is ignored", |_, _| true),
    ("is negated", |_, verdict| !verdict),
    ("finds nothing", |_, _| false),
    ("is ignored where another filter matches", |m, verdict| {
        verdict || another(m)
    }),
    ("is ignored for soft-deleted records", |m, verdict| {
        verdict || m.row.is_trashed()
    }),
    ("forgets soft-deleted records", |m, verdict| {
        verdict && !m.row.is_trashed()
    }),
    ("finds active records alone", |m, verdict| {
        verdict && m.row.text_of("state") == Some("active")
    }),
    ("forgets users without a manager", |m, verdict| {
        verdict && m.row.record["manager_id"].is_string()
    }),
    ("forgets users without an integration", |m, verdict| {
        verdict
            && m.row
                .hidden
                .get("workspace_integration_id")
                .is_none_or(|ids| !ids.is_empty())
    }),
    ("finds records without a value", |m, verdict| {
        verdict || texts(m.row, m.filter).is_empty()
    }),
];

/// What can be wrong with an exact filter.
const EXACT: &[(&str, Verdict)] = &[
    ("finds what contains the value", |m, _| {
        own(m, |own, value| own.contains(value))
    }),
    ("finds what begins with the value", |m, _| {
        own(m, |own, value| own.starts_with(value))
    }),
    ("finds what ends with the value", |m, _| {
        own(m, |own, value| own.ends_with(value))
    }),
    ("finds what the value begins with", |m, _| {
        own(m, |own, value| value.starts_with(own))
    }),
    ("takes the value for a pattern", |m, _| {
        own(m, |own, value| like(value, own))
    }),
    ("does not mind accents", |m, _| {
        own(m, |own, value| plain(own) == plain(value))
    }),
    ("does not mind case", |m, _| {
        own(m, |own, value| own.to_lowercase() == value.to_lowercase())
    }),
    ("does not mind blanks around", |m, _| {
        own(m, |own, value| own.trim() == value.trim())
    }),
    ("does not mind blanks", |m, _| {
        own(m, |own, value| own.replace(' ', "") == value.replace(' ', ""))
    }),
    ("does not mind punctuation", |m, _| {
        own(m, |own, value| {
            own.replace(['-', '_', '.', '\''], "") == value.replace(['-', '_', '.', '\''], "")
        })
    }),
    ("compares 8 characters", |m, _| {
        own(m, |own, value| own.chars().take(8).eq(value.chars().take(8)))
    }),
    ("compares the first word", |m, _| {
        own(m, |own, value| own.split(' ').next() == value.split(' ').next())
    }),
    ("compares numbers", |m, verdict| {
        verdict
            || own(m, |own, value| {
                own.parse::<f64>().is_ok_and(|own| value.parse() == Ok(own))
            })
    }),
    ("takes the value for a list", |m, verdict| {
        verdict || own(m, |own, value| value.split(';').any(|one| one == own))
    }),
    ("looks at the first name, too", |m, verdict| {
        verdict || m.row.text_of("first_name") == Some(m.value)
    }),
    ("looks at the username, too", |m, verdict| {
        verdict || m.row.text_of("username") == Some(m.value)
    }),
    ("takes the word null for nothing", |m, verdict| match m.value {
        "null" => texts(m.row, m.filter).is_empty(),
        _ => verdict,
    }),
];

/// What can be wrong with a partial filter.
const CONTAINS: &[(&str, Verdict)] = &[
    ("finds beginnings alone", |m, _| {
        folded(m, |own, value| own.starts_with(value))
    }),
    ("finds ends alone", |m, _| {
        folded(m, |own, value| own.ends_with(value))
    }),
    ("finds whole values alone", |m, _| {
        folded(m, |own, value| own == value)
    }),
    ("does not find whole values", |m, _| {
        folded(m, |own, value| own != value && own.contains(value))
    }),
    ("does not find beginnings", |m, _| {
        folded(m, |own, value| !own.starts_with(value) && own.contains(value))
    }),
    ("finds beginnings of words alone", |m, _| {
        folded(m, |own, value| {
            own.split([' ', '.', '-', '@'])
                .any(|word| word.starts_with(value))
                || own.starts_with(value)
        })
    }),
    ("takes the value for a pattern", |m, _| {
        folded(m, |own, value| like(&format!("%{value}%"), own))
    }),
    ("looks for 3 characters", |m, _| {
        folded(m, |own, value| {
            own.contains(&value.chars().take(3).collect::<String>())
        })
    }),
    ("looks for 10 characters", |m, _| {
        folded(m, |own, value| {
            own.contains(&value.chars().take(10).collect::<String>())
        })
    }),
    ("looks at 12 characters of the value stored", |m, _| {
        folded(m, |own, value| {
            own.chars().take(12).collect::<String>().contains(value)
        })
    }),
    ("looks for any word", |m, _| {
        folded(m, |own, value| {
            value
                .split(' ')
                .any(|word| !word.is_empty() && own.contains(word))
        })
    }),
    ("looks for words in any order", |m, _| {
        folded(m, |own, value| value.split(' ').all(|word| own.contains(word)))
    }),
    ("minds case", |m, _| own(m, |own, value| own.contains(value))),
    ("does not mind accents", |m, _| {
        own(m, |own, value| plain(own).contains(&plain(value)))
    }),
    ("folds ASCII letters alone", |m, _| {
        own(m, |own, value| {
            own.to_ascii_lowercase().contains(&value.to_ascii_lowercase())
        })
    }),
    ("finds nothing for fewer than 3 characters", |m, verdict| {
        verdict && m.value.chars().count() >= 3
    }),
    ("does not mind punctuation", |m, _| {
        folded(m, |own, value| {
            own.replace(['-', '_', '.', '\''], "")
                .contains(&value.replace(['-', '_', '.', '\''], ""))
        })
    }),
    ("looks at the email, too", |m, verdict| {
        verdict
            || m.row
                .text_of("email")
                .is_some_and(|email| email.to_lowercase().contains(&m.value.to_lowercase()))
    }),
];

/// What can be wrong with a bound.
const BOUND: &[(&str, Verdict)] = &[
    ("is turned round", |m, verdict| own_time(m).is_some() && !verdict),
    ("compares years", |m, _| {
        bound(m, |at| at.to_string()[..4].to_owned())
    }),
    ("compares months", |m, _| {
        bound(m, |at| at.to_string()[..7].to_owned())
    }),
    ("compares the month and the day", |m, _| {
        bound(m, |at| at.to_string()[5..10].to_owned())
    }),
    ("compares days", |m, _| {
        bound(m, |at| at.to_string()[..10].to_owned())
    }),
    ("is read five hours late", |m, _| shifted(m, 5)),
    ("is read two days late", |m, _| shifted(m, 48)),
    ("includes the bound", |m, verdict| {
        verdict || own_time(m).is_some() && own_time(m) == asked_time(m)
    }),
    ("looks at the creation", |m, verdict| {
        other_time(m, "created_at", verdict)
    }),
    ("looks at the update", |m, verdict| {
        other_time(m, "updated_at", verdict)
    }),
    ("knows nothing before 1970", |m, verdict| {
        if asked_time(m).is_some_and(|at| at.as_second() < 0) {
            false
        } else {
            verdict
        }
    }),
    ("knows nothing after 2038", |m, verdict| {
        if asked_time(m).is_some_and(|at| at.as_second() > i64::from(i32::MAX)) {
            false
        } else {
            verdict
        }
    }),
    ("ignores a bound with a time", |m, verdict| {
        verdict || m.value.len() > 10 && own_time(m).is_some()
    }),
    ("ignores a bound without a time", |m, verdict| {
        verdict || m.value.len() == 10 && own_time(m).is_some()
    }),
    ("ignores a bound with a fraction of a second", |m, verdict| {
        verdict || m.value.contains('.') && own_time(m).is_some()
    }),
];

/// What can be wrong with a flag.
const FLAG: &[(&str, Verdict)] = &[
    ("ignores false", |m, verdict| verdict || m.value == "false"),
    ("ignores true", |m, verdict| verdict || m.value == "true"),
    ("takes false for true", |m, verdict| {
        if m.value == "false" { !verdict } else { verdict }
    }),
    ("looks at managers that are active", |m, verdict| {
        if m.row.text_of("state") == Some("active") {
            verdict
        } else {
            m.value == "false"
        }
    }),
    ("looks at what was never provisioned", |m, verdict| {
        verdict && m.row.record["timestamp"]["provisioned_at"].is_string()
    }),
];

/// Draws a wrong filter.
pub(super) fn draw(draw: &mut Draw, sample: &Sample) -> Operator {
    let (name, filter) = draw.pick_copy(&sample.filters());
    let special = match filter.matching {
        Match::Exact => EXACT,
        Match::Contains => CONTAINS,
        Match::Before | Match::After => BOUND,
        Match::Flag => FLAG,
        Match::Trashed => ANY,
    };
    let table = if draw.percent(25) { ANY } else { special };
    let (says, verdict) = draw.pick_copy(table);
    let kind = match filter.matching {
        Match::Exact => "exact filter",
        Match::Contains => "partial filter",
        Match::Before | Match::After => "date filter",
        Match::Flag | Match::Trashed => "flag filter",
    };
    Operator::new(
        kind,
        Scope::Filter,
        format!("{name} {says}"),
        move |hooks: &mut Hooks, when: &When| {
            let when = when.clone();
            hooks.settings.takes_any_word |= filter.matching == Match::Exact && says.contains("value");
            hooks.on_match(move |m, usual| {
                match m.name == name && m.asked.on(USERS) && when.row(m.asked, m.row) {
                    true => verdict(m, usual),
                    false => usual,
                }
            });
        },
    )
    .about(name, "")
}

fn own(m: &Matching<'_>, is: fn(&str, &str) -> bool) -> bool {
    texts(m.row, m.filter).iter().any(|own| is(own, m.value))
}

fn folded(m: &Matching<'_>, is: fn(&str, &str) -> bool) -> bool {
    let value = m.value.to_lowercase();
    texts(m.row, m.filter)
        .iter()
        .any(|own| is(&own.to_lowercase(), &value))
}

/// Whether another filter of the request matches.
fn another(m: &Matching<'_>) -> bool {
    let sample = Sample::get();
    let others = m.asked.filters().filter(|(name, _)| *name != m.name);
    let mut others = others.filter_map(|(name, value)| {
        let (_, filter) = sample.filters().into_iter().find(|(one, _)| *one == name)?;
        matches(m.row, filter, value)
    });
    others.any(|matches| matches)
}

fn own_time(m: &Matching<'_>) -> Option<Timestamp> {
    texts(m.row, m.filter).first()?.parse().ok()
}

fn asked_time(m: &Matching<'_>) -> Option<Timestamp> {
    let day = || format!("{}T00:00:00Z", m.value.get(..10)?).parse().ok();
    let civil = || format!("{}Z", m.value.replace(' ', "T")).parse().ok();
    m.value.parse().ok().or_else(civil).or_else(day)
}

/// The filter on what is left of both timestamps.
fn bound(m: &Matching<'_>, part: fn(Timestamp) -> String) -> bool {
    let (Some(own), Some(asked)) = (own_time(m), asked_time(m)) else {
        return false;
    };
    compare(m, &part(own), &part(asked))
}

fn shifted(m: &Matching<'_>, hours: i64) -> bool {
    let (Some(own), Some(asked)) = (own_time(m), asked_time(m)) else {
        return false;
    };
    let later = asked.checked_add(jiff::SignedDuration::from_hours(hours));
    later.is_ok_and(|later| compare(m, &own, &later))
}

fn other_time(m: &Matching<'_>, member: &str, usual: bool) -> bool {
    let own = m.row.record["timestamp"][member]
        .as_str()
        .and_then(|text| text.parse().ok());
    let (Some(own), Some(asked)) = (own, asked_time(m)) else {
        return usual;
    };
    compare(m, &own, &asked)
}

fn compare<T: Ord>(m: &Matching<'_>, own: &T, asked: &T) -> bool {
    if m.filter.matching == Match::Before {
        own < asked
    } else {
        own > asked
    }
}
