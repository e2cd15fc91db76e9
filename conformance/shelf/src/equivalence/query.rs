//! Queries to ask: any parameters together, with values that are stored, nearly stored, or not at all.

use jiff::Timestamp;
use rollcall_contract::{Filter, Match, ValueKind};
use serde_json::Value;

use crate::mutation::{Draw, Sample, ValueClass};

/// A query for the list of users.
#[derive(Clone, Debug, Default)]
pub(super) struct Query {
    /// Its parameters.
    pub(super) pairs: Vec<(String, String)>,
    /// Whether the specification only says that it is answered.
    pub(super) is_open: bool,
}

impl Query {
    /// Adds a parameter unless it is there.
    pub(super) fn add(&mut self, name: &str, value: String) {
        if !self.has(name) {
            self.pairs.push((name.to_owned(), value));
        }
    }

    /// Adds a word to a parameter that takes several.
    pub(super) fn add_word(&mut self, name: &str, word: &str) {
        let bare = |word: &str| word.trim_start_matches('-').to_owned();
        match self.pairs.iter_mut().find(|(one, _)| one == name) {
            Some((_, words)) if words.split(',').all(|one| bare(one) != bare(word)) => {
                words.push(',');
                words.push_str(word);
            }
            Some(_) => {}
            None => self.pairs.push((name.to_owned(), word.to_owned())),
        }
    }

    /// Adds a filter with a value.
    pub(super) fn add_filter(&mut self, draw: &mut Draw, sample: &Sample, name: &str) {
        if let Some((_, filter)) = sample.filters().into_iter().find(|(one, _)| *one == name) {
            let value = value(draw, sample, name, filter);
            self.is_open |=
                !filter.shown && filter.matching != Match::Exact && filter.matching != Match::Contains;
            self.add(name, value);
        }
    }

    /// Gives the filters on texts values of a class, or some of them.
    pub(super) fn classify(&mut self, draw: &mut Draw, sample: &Sample, class: ValueClass) {
        let filters = sample.filters();
        for (name, value) in &mut self.pairs {
            let is_text = |filter: &Filter| matches!(filter.value, ValueKind::Text { .. });
            if filters.iter().any(|(one, filter)| one == name && is_text(filter)) && !class.has(value) {
                *value = of_class(draw, value, class);
            }
        }
    }

    /// Adds a sort key.
    pub(super) fn add_sort(&mut self, draw: &mut Draw, field: &str) {
        let sign = if draw.percent(50) { "-" } else { "" };
        self.add_word("sort", &format!("{sign}{field}"));
    }

    /// Adds a word about soft-deleted records. Whether its case matters is not specified.
    pub(super) fn add_trashed(&mut self, draw: &mut Draw) {
        let word = draw.pick(&[
            "with",
            "only",
            "without",
            "with",
            "only",
            "all",
            "withal",
            "only-these",
            "true",
            "1",
            "only ",
            "none",
        ]);
        self.add("filter[trashed]", (*word).to_owned());
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.pairs.iter().any(|(one, _)| one == name)
    }
}

/// Draws a query.
pub(super) fn draw(draw: &mut Draw, sample: &Sample) -> Query {
    let mut query = Query::default();
    let filters = sample.filters();
    for _ in 0..draw.pick_copy(&[0, 1, 1, 1, 2, 2, 3]) {
        let (name, _) = draw.pick_copy(&filters);
        query.add_filter(draw, sample, name);
    }
    if draw.percent(40) {
        query.add_trashed(draw);
    }
    for _ in 0..draw.pick_copy(&[0, 0, 1, 1, 2, 3]) {
        let field = sample.field(draw);
        query.add_sort(draw, &field);
    }
    // A last key that is unique, so that pages have to fit each other.
    if draw.percent(50) {
        query.add_sort(draw, "id");
    }
    for _ in 0..draw.pick_copy(&[0, 0, 1, 2, 3]) {
        let form = draw.pick_copy(&["", "", "-count", "-exists"]);
        query.add_word("include", &format!("{}{form}", sample.relation(draw).name));
    }
    query
}

/// A value that a filter takes and whose meaning is fixed.
fn value(draw: &mut Draw, sample: &Sample, name: &str, filter: &Filter) -> String {
    match &filter.value {
        // What a flag of several conditions finds where it is false is not specified (L14).
        ValueKind::Boolean if !filter.all.is_empty() => "true".to_owned(),
        ValueKind::Boolean => draw.pick_copy(&["true", "false"]).to_owned(),
        ValueKind::Word(words) => draw.pick(words).clone(),
        ValueKind::Timestamp => timestamp(draw, sample, filter),
        _ => {
            let stored = stored(draw, sample, name, filter);
            let part = if filter.matching == Match::Contains {
                part(draw, &stored)
            } else {
                stored
            };
            let value = if draw.percent(45) {
                nearly(draw, &part)
            } else {
                part
            };
            // Commas and empty values are open (L8, L9), and so are long ones (L20).
            let value: String = value.replace(',', "").chars().take(200).collect();
            if value.is_empty() {
                "nobody".to_owned()
            } else {
                value
            }
        }
    }
}

/// A value of a class: made of another, or a usual one.
fn of_class(draw: &mut Draw, value: &str, class: ValueClass) -> String {
    let marks = match class {
        ValueClass::Blank => [" ", "  "],
        ValueClass::Quote => ["'", "\""],
        ValueClass::Percent => ["%", "%25"],
        ValueClass::Underscore => ["_", "__"],
        ValueClass::Backslash => ["\\", "\\'"],
        ValueClass::Unicode => ["\u{fc}", "\u{1f600}"],
        ValueClass::Plus => ["+", "++"],
        ValueClass::At => ["@", "@x"],
        ValueClass::Hyphen => ["-", "--"],
        ValueClass::Reserved => ["&", "*"],
        ValueClass::Margin => return format!("{value} "),
        ValueClass::Long => {
            return value
                .repeat(45 / value.len().max(1) + 1)
                .chars()
                .take(200)
                .collect();
        }
        ValueClass::LeadingZero => return format!("00{value}"),
        ValueClass::NumberLike => return draw.pick_copy(&["0", "7", "1e3", "1000", "-1", "1.0"]).to_owned(),
        ValueClass::WordLike => {
            return draw
                .pick_copy(&["null", "true", "No", "undefined", "off"])
                .to_owned();
        }
        ValueClass::Upper => return value.to_uppercase(),
        ValueClass::Short => return value.chars().take(2).collect(),
    };
    let letters: Vec<char> = value.chars().collect();
    let at = draw
        .below(letters.len() + 1)
        .max(usize::from(class == ValueClass::Blank));
    let (before, after) = letters.split_at(at.min(letters.len()));
    let text = |letters: &[char]| letters.iter().collect::<String>();
    format!("{}{}{}", text(before), draw.pick(&marks), text(after))
}

/// A value that some record has.
fn stored(draw: &mut Draw, sample: &Sample, name: &str, filter: &Filter) -> String {
    for _ in 0..20 {
        let row = draw.pick(sample.users());
        let field = draw.pick(&filter.fields);
        let shown = field.find(&row.record).and_then(|value| text(draw, value));
        let hidden = field
            .last()
            .and_then(|last| row.hidden.get(last))
            .and_then(|values| values.first());
        if let Some(value) = shown.or_else(|| hidden.cloned()) {
            return value;
        }
    }
    format!("no {name}")
}

fn text(draw: &mut Draw, value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(members) if !members.is_empty() => {
            let at = draw.below(members.len());
            members.values().nth(at)?.as_str().map(str::to_owned)
        }
        _ => None,
    }
}

fn part(draw: &mut Draw, text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.is_empty() || draw.percent(25) {
        return text.to_owned();
    }
    let from = if draw.percent(30) {
        0
    } else {
        draw.below(letters.len())
    };
    let most = letters.len() - from;
    let count = if draw.percent(30) {
        most
    } else {
        1 + draw.below(most)
    };
    letters[from..from + count].iter().collect()
}

/// A value that careless code takes for another.
fn nearly(draw: &mut Draw, text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let at = draw.below(letters.len().max(1));
    let replaced = |by: &str| {
        let mut letters: Vec<String> = letters.iter().map(char::to_string).collect();
        if let Some(letter) = letters.get_mut(at) {
            by.clone_into(letter);
        }
        letters.concat()
    };
    let other = draw.pick_copy(&[
        "\u{fc}",
        "x",
        "7",
        "'",
        "\"",
        ";",
        "&",
        "#",
        "?",
        "/",
        "<",
        "(",
        "|",
        "$",
        "{",
        "\u{0130}",
        "\u{df}",
        "\u{1f600}",
    ]);
    match draw.below(24) {
        0 => replaced("%"),
        1 => replaced("_"),
        2 => replaced("*"),
        3 => replaced(other),
        4 => format!("{text}%"),
        5 => format!("%{text}"),
        6 => format!(" {text}"),
        7 => format!("{text} "),
        8 => text.replace(' ', "+"),
        9 => text.replace(' ', "  "),
        10 => text.replace(' ', ""),
        11 => text.replace('@', "%40").replace(' ', "%20"),
        12 => text.replace('-', ""),
        13 => format!("0{text}"),
        14 => text.trim_start_matches('0').to_owned(),
        15 => format!("{text}.0"),
        16 => text.replace('\'', "\\'"),
        17 => letters.iter().take(at + 1).collect(),
        18 => letters.iter().skip(at).collect(),
        19 => format!("{text}{other}{text}"),
        20 => format!("{text};nobody"),
        21 => {
            let words: Vec<_> = text.split(' ').rev().collect();
            words.join(" ")
        }
        22 => (draw.pick_copy(&[
            "null",
            "true",
            "false",
            "0",
            "1",
            "-1",
            "1e3",
            "nan",
            "undefined",
            "None",
            "[]",
            "{}",
            "''",
            "\\",
            "%",
            "_",
            "+",
        ]))
        .to_owned(),
        _ => format!("{text}{other}"),
    }
}

/// A timestamp in one of the forms that filters take.
pub(super) fn as_timestamp(text: &str) -> Option<Timestamp> {
    let civil = || text.parse::<jiff::civil::DateTime>().ok();
    let utc = || Some(civil()?.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp());
    text.parse().ok().or_else(utc)
}

/// A bound near a timestamp that some record has, or far from all, in one of the forms that are specified.
fn timestamp(draw: &mut Draw, sample: &Sample, filter: &Filter) -> String {
    let far = [
        "0001-01-01",
        "1900-02-28",
        "1969-12-31T23:59:59Z",
        "2038-01-20 00:00:00",
        "2039-06-01T12:00:00Z",
        "2100-03-01",
        "9999-12-30",
        "2024-02-29",
        "2000-02-29 12:00:00",
        "2023-12-31T23:59:59.999999Z",
    ];
    let row = draw.pick(sample.users());
    let own = filter
        .fields
        .first()
        .and_then(|field| field.find(&row.record))
        .and_then(Value::as_str);
    let Some(at) = own.and_then(as_timestamp).filter(|_| !draw.percent(15)) else {
        return draw.pick_copy(&far).to_owned();
    };
    let days = i64::try_from(2 + draw.below(40)).unwrap_or(2) * if draw.percent(50) { 1 } else { -1 };
    let near = at
        + jiff::SignedDuration::from_hours(24 * days)
        + jiff::SignedDuration::from_mins(i64::try_from(draw.below(600)).unwrap_or(0));
    match draw.below(4) {
        0 => near.strftime("%Y-%m-%d").to_string(),
        1 => near.strftime("%Y-%m-%d %H:%M:%S").to_string(),
        2 => near.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        _ => format!("{near:.6}"),
    }
}
