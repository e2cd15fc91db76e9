//! Values of filters that are read otherwise than they are sent.

use super::{Operator, Scope, When, is_meant};
use crate::mutation::{Draw, Sample, ValueClass};
use crate::{Asked, Hooks, percent_decoded};

/// Another reading of a value; none takes the filter away.
type Reading = fn(&str) -> Option<String>;

const READINGS: &[(&str, Reading)] = &[
    ("is trimmed", |value| Some(value.trim().to_owned())),
    ("has its blanks collapsed", |value| {
        Some(value.split_whitespace().collect::<Vec<_>>().join(" "))
    }),
    ("is percent-decoded twice", |value| Some(percent_decoded(value))),
    ("has plus signs read as blanks", |value| {
        Some(value.replace('+', " "))
    }),
    ("loses its backslashes", |value| Some(value.replace('\\', ""))),
    ("loses its quotation marks", |value| {
        Some(value.replace(['\'', '"'], ""))
    }),
    ("ends at a quotation mark", |value| {
        Some(before(value, &['\'', '"']))
    }),
    ("ends at a semicolon", |value| Some(before(value, &[';']))),
    ("ends at an ampersand or number sign", |value| {
        Some(before(value, &['&', '#']))
    }),
    ("ends at a blank", |value| {
        Some(before(value.trim_start(), &[' ']))
    }),
    ("ends at an at sign", |value| Some(before(value, &['@']))),
    ("loses letters beyond ASCII", |value| {
        Some(value.chars().filter(char::is_ascii).collect())
    }),
    ("has question marks for letters beyond ASCII", |value| {
        Some(
            value
                .chars()
                .map(|letter| if letter.is_ascii() { letter } else { '?' })
                .collect(),
        )
    }),
    ("is decoded as Latin-1", |value| {
        Some(value.bytes().map(char::from).collect())
    }),
    ("loses its leading zeros", |value| {
        Some(value.trim_start_matches('0').to_owned())
    }),
    ("is read as a number", |value| {
        Some(
            value
                .parse::<f64>()
                .ok()
                .filter(|number| number.is_finite())
                .map_or(value.to_owned(), |number| number.to_string()),
        )
    }),
    ("is unescaped from HTML", |value| {
        Some(value.replace("&amp;", "&").replace("&lt;", "<"))
    }),
    ("is escaped for HTML", |value| {
        Some(
            value
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('\'', "&#39;"),
        )
    }),
    ("is cut to 10 characters", |value| {
        Some(value.chars().take(10).collect())
    }),
    ("is cut to 32 characters", |value| {
        Some(value.chars().take(32).collect())
    }),
    ("is dropped", |_| None),
    ("is dropped if it is a word for nothing", |value| {
        (!ValueClass::WordLike.has(value)).then(|| value.to_owned())
    }),
];

/// Draws a wrong reading of the value of one filter or of all.
pub(super) fn draw(draw: &mut Draw, sample: &Sample) -> Operator {
    let texts: Vec<_> = sample
        .filters()
        .into_iter()
        .filter(|(_, filter)| matches!(filter.value, rollcall_contract::ValueKind::Text { .. }))
        .map(|(name, _)| name)
        .collect();
    let only = draw.percent(60).then(|| draw.pick_copy(&texts));
    let of = only.map_or("a filter".to_owned(), str::to_owned);
    let about = only.unwrap_or_else(|| draw.pick_copy(&texts));
    if draw.percent(20) {
        let status = draw.pick_copy(&[400, 422, 500, 502, 404]);
        let class = draw.pick_copy(&ValueClass::ALL);
        let text = format!(
            "the value of {of} is refused with {status} where it {}",
            class.says()
        );
        let refused = Operator::new(
            "filter value",
            Scope::Query,
            text,
            move |hooks: &mut Hooks, when: &When| {
                let (when, texts) = (when.clone(), texts.clone());
                hooks.on_query(move |asked| {
                    let is_it = |(name, value): (&str, &str)| {
                        texts.contains(&name) && only.is_none_or(|one| one == name) && class.has(value)
                    };
                    if is_meant(asked, &when) && asked.filters().any(is_it) {
                        asked.refuse(status);
                    }
                });
            },
        );
        return Operator {
            class: Some(class),
            ..refused.about(about, "")
        };
    }
    let (says, reading) = draw.pick_copy(READINGS);
    Operator::new(
        "filter value",
        Scope::Value,
        format!("the value of {of} {says}"),
        move |hooks: &mut Hooks, when: &When| {
            let (when, texts) = (when.clone(), texts.clone());
            hooks.settings.takes_empty = true;
            hooks.on_query(move |asked| {
                if is_meant(asked, &when) {
                    read(asked, reading, |name| {
                        texts.contains(&name) && only.is_none_or(|one| one == name)
                    });
                }
            });
        },
    )
    .about(about, "")
}

fn read(asked: &mut Asked, reading: Reading, is_it: impl Fn(&str) -> bool) {
    let query = std::mem::take(&mut asked.query).into_iter();
    let read = query.filter_map(|(name, value)| match is_it(&name) {
        true => reading(&value).map(|value| (name, value)),
        false => Some((name, value)),
    });
    asked.query = read.collect();
}

fn before(value: &str, ends: &[char]) -> String {
    value.split(ends).next().unwrap_or_default().to_owned()
}
