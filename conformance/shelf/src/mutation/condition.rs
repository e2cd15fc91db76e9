//! When a mutant differs from the model.

use std::fmt;

use axum::http::Method;

use super::{Draw, Sample, Scope, ValueClass};
use crate::Asked;
use crate::model::Row;

/// When a mutant differs.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// At every request.
    Always,
    /// For these records alone.
    Record(RecordClass),
    /// Only where the request has all these parameters.
    Parameters(Vec<ParameterClass>),
    /// Only where the value of some filter is of a class.
    Value(ValueClass),
    /// Only at this place in the order of requests, or with such a header.
    Request(RequestClass),
}

/// Some records.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordClass {
    /// One record.
    Id(String),
    /// Every record whose id ends with a digit.
    Digit(char),
    /// Records in a state.
    State(String),
    /// Soft-deleted records.
    Trashed,
    /// Records whose member is null.
    Null(String),
    /// Records whose member is of a class.
    Value(&'static str, ValueClass),
}

/// A parameter that a request has.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterClass {
    /// It is sorted.
    Sort,
    /// One of its sort keys.
    SortBy(String),
    /// One of its sort keys descends.
    Descending,
    /// It has at least so many sort keys.
    SortKeys(usize),
    /// It includes relations.
    Include,
    /// It includes a relation in any form.
    Relation(String),
    /// It includes the number or the existence of a relation.
    CountForm,
    /// It includes at least so many relations.
    Relations(usize),
    /// It has a filter.
    Filter(String),
    /// It has at least so many filters.
    Filters(usize),
    /// It has no filter.
    NoFilter,
    /// It has a partial filter.
    Search,
    /// It has a bound of a date window.
    Bound,
    /// It asks for this page or a later one.
    PageFrom(usize),
    /// It says how to treat soft-deleted records.
    Trashed(&'static str),
}

/// A place in the order of requests, or what a request carries beside its parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum RequestClass {
    /// Every so many requests.
    Every(usize),
    /// The request before was refused.
    AfterRefusal,
    /// The request before had no right to be answered.
    AfterUnauthorized,
    /// The request before was a write.
    AfterWrite,
    /// The request before had a filter.
    AfterFilter,
    /// The request before was for a later page.
    AfterLaterPage,
    /// The request before was the same.
    Repeated,
    /// It is the first on its connection.
    FirstOnConnection,
    /// It is not the first on its connection.
    LaterOnConnection,
    /// It has a header that does not matter.
    Header(&'static str),
}

impl Condition {
    /// The kind of condition, for tables.
    pub const fn class(&self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Record(_) => "record",
            Self::Parameters(classes) if classes.len() > 1 => "two parameters",
            Self::Parameters(_) => "parameter",
            Self::Value(_) => "value of a filter",
            Self::Request(RequestClass::Header(_)) => "header",
            Self::Request(RequestClass::FirstOnConnection | RequestClass::LaterOnConnection) => "connection",
            Self::Request(_) => "order of requests",
        }
    }

    /// Whether the request is so; which record it is about is not asked.
    pub fn asked(&self, asked: &Asked) -> bool {
        match self {
            Self::Always | Self::Record(_) => true,
            Self::Parameters(classes) => classes.iter().all(|class| class.has(asked)),
            Self::Value(class) => sent(asked).any(|(_, value)| class.has(value)),
            Self::Request(class) => class.has(asked),
        }
    }

    /// Whether the request and the record are so.
    pub fn row(&self, asked: &Asked, row: &Row) -> bool {
        match self {
            Self::Record(class) => class.has(row),
            _ => self.asked(asked),
        }
    }
}

/// The filters of a request as it was sent.
pub fn sent(asked: &Asked) -> impl Iterator<Item = (&str, &str)> {
    let filters = asked
        .sent
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()));
    filters.filter(|(name, _)| name.starts_with("filter[") && *name != "filter[trashed]")
}

fn words<'a>(asked: &'a Asked, name: &str) -> Vec<&'a str> {
    let value = asked.sent.iter().find(|(one, _)| one == name);
    let words = value.map_or("", |(_, value)| value.as_str()).split(',');
    words.filter(|word| !word.is_empty()).collect()
}

impl RecordClass {
    /// Whether a record is of the class.
    pub fn has(&self, row: &Row) -> bool {
        match self {
            Self::Id(id) => row.id() == id,
            Self::Digit(digit) => row.id().ends_with(*digit),
            Self::State(state) => row.text_of("state") == Some(state),
            Self::Trashed => row.is_trashed(),
            Self::Null(member) => row.record.pointer(member).is_some_and(serde_json::Value::is_null),
            Self::Value(member, class) => row.text_of(member).is_some_and(|text| class.has(text)),
        }
    }
}

impl ParameterClass {
    fn has(&self, asked: &Asked) -> bool {
        let is_bound = |name: &str| name.ends_with("_before]") || name.ends_with("_after]");
        match self {
            Self::Sort => !words(asked, "sort").is_empty(),
            Self::SortBy(field) => words(asked, "sort")
                .iter()
                .any(|key| key.trim_start_matches('-') == field),
            Self::Descending => words(asked, "sort").iter().any(|key| key.starts_with('-')),
            Self::SortKeys(count) => words(asked, "sort").len() >= *count,
            Self::Include => !words(asked, "include").is_empty(),
            Self::Relation(name) => words(asked, "include").iter().any(|word| {
                word.strip_prefix(name.as_str())
                    .is_some_and(|form| ["", "-count", "-exists"].contains(&form))
            }),
            Self::CountForm => words(asked, "include")
                .iter()
                .any(|word| word.ends_with("-count") || word.ends_with("-exists")),
            Self::Relations(count) => words(asked, "include").len() >= *count,
            Self::Filter(name) => asked.sent.iter().any(|(one, _)| one == name),
            Self::Filters(count) => sent(asked).count() >= *count,
            Self::NoFilter => sent(asked).next().is_none(),
            Self::Search => sent(asked).any(|(name, _)| name.ends_with("_search]")),
            Self::Bound => sent(asked).any(|(name, _)| is_bound(name)),
            Self::PageFrom(page) => words(asked, "page")
                .first()
                .is_some_and(|word| word.parse::<usize>().is_ok_and(|number| number >= *page)),
            Self::Trashed(word) => asked
                .sent
                .iter()
                .any(|(name, value)| name == "filter[trashed]" && value == word),
        }
    }
}

impl RequestClass {
    fn has(&self, asked: &Asked) -> bool {
        let previous = asked.previous.as_deref();
        match self {
            Self::Every(count) => asked.number % count == count - 1,
            Self::AfterRefusal => previous.is_some_and(|one| (400..500).contains(&one.status)),
            Self::AfterUnauthorized => previous.is_some_and(|one| [401, 403].contains(&one.status)),
            Self::AfterWrite => previous.is_some_and(|one| one.asked.method == Method::PATCH),
            Self::AfterFilter => previous.is_some_and(|one| sent(&one.asked).next().is_some()),
            Self::AfterLaterPage => previous.is_some_and(|one| ParameterClass::PageFrom(2).has(&one.asked)),
            Self::Repeated => {
                previous.is_some_and(|one| one.asked.path == asked.path && one.asked.sent == asked.sent)
            }
            Self::FirstOnConnection => asked.on_connection == 0,
            Self::LaterOnConnection => asked.on_connection > 0,
            Self::Header(name) => asked.headers.iter().any(|one| one == name),
        }
    }
}

/// Headers that clients send and that change nothing the specification fixes.
pub const HEADERS: [&str; 6] = [
    "accept-language",
    "x-request-id",
    "if-none-match",
    "cache-control",
    "x-forwarded-for",
    "range",
];

/// Draws a condition that makes sense for an operator.
pub(super) fn draw(draw: &mut Draw, sample: &Sample, scope: Scope) -> Condition {
    let sorts: &[usize] = match scope {
        Scope::Record => &[0, 1, 1, 1, 2, 2, 2, 4],
        Scope::Filter => &[0, 1, 2, 2, 3, 3, 3, 4],
        Scope::Value => &[0, 3, 3, 3, 3, 2],
        Scope::Query => &[0, 2, 2, 2, 2, 3, 4],
        Scope::Write => &[0, 0, 0, 4],
        Scope::Access => &[0, 2, 2, 4, 4],
    };
    match draw.pick(sorts) {
        0 => Condition::Always,
        1 => Condition::Record(record(draw, sample)),
        2 => {
            let count = 1 + usize::from(draw.percent(40));
            let mut classes: Vec<ParameterClass> = Vec::new();
            while classes.len() < count {
                let class = parameter(draw, sample);
                let excludes = |one: &ParameterClass| {
                    matches!(one, ParameterClass::Trashed(_) | ParameterClass::NoFilter)
                };
                if !(classes.contains(&class) || excludes(&class) && classes.iter().any(excludes)) {
                    classes.push(class);
                }
            }
            Condition::Parameters(classes)
        }
        3 => Condition::Value(draw.pick_copy(&ValueClass::ALL)),
        _ => Condition::Request(request(draw, scope)),
    }
}

fn record(draw: &mut Draw, sample: &Sample) -> RecordClass {
    let texts = [
        "first_name",
        "last_name",
        "email",
        "username",
        "badge_id",
        "employee_id",
        "employee_alt_id",
    ];
    let nulls = [
        "/manager_id",
        "/badge_id",
        "/employee_id",
        "/employee_alt_id",
        "/timestamp/expires_at",
    ];
    match draw.below(8) {
        0 | 1 => RecordClass::Id(draw.pick(sample.users()).id().to_owned()),
        2 => RecordClass::Digit(draw.pick_copy(&['0', '3', '7', '8'])),
        3 => RecordClass::State(
            draw.pick(sample.users())
                .text_of("state")
                .unwrap_or_default()
                .to_owned(),
        ),
        4 => RecordClass::Trashed,
        5 => RecordClass::Null(draw.pick_copy(&nulls).to_owned()),
        _ => RecordClass::Value(draw.pick_copy(&texts), draw.pick_copy(&ValueClass::ALL)),
    }
}

fn parameter(draw: &mut Draw, sample: &Sample) -> ParameterClass {
    match draw.below(18) {
        0 => ParameterClass::Sort,
        1 => ParameterClass::SortBy(sample.field(draw)),
        2 => ParameterClass::Descending,
        3 => ParameterClass::SortKeys(2 + draw.below(2)),
        4 => ParameterClass::Include,
        5 | 6 => ParameterClass::Relation(sample.relation(draw).name.clone()),
        7 => ParameterClass::CountForm,
        8 => ParameterClass::Relations(2 + draw.below(2)),
        9 | 10 => ParameterClass::Filter(draw.pick(&sample.filters()).0.to_owned()),
        11 => ParameterClass::Filters(2 + draw.below(2)),
        12 => ParameterClass::NoFilter,
        13 => ParameterClass::Search,
        14 => ParameterClass::Bound,
        15 | 16 => ParameterClass::PageFrom(2 + draw.below(3)),
        _ => ParameterClass::Trashed(draw.pick_copy(&["with", "only"])),
    }
}

fn request(draw: &mut Draw, scope: Scope) -> RequestClass {
    if scope == Scope::Write {
        return RequestClass::AfterWrite;
    }
    match draw.below(12) {
        0 | 1 => RequestClass::Every(3 + draw.below(38)),
        2 => RequestClass::AfterRefusal,
        3 => RequestClass::AfterUnauthorized,
        4 => RequestClass::AfterWrite,
        5 => RequestClass::AfterFilter,
        6 => RequestClass::AfterLaterPage,
        7 => RequestClass::Repeated,
        8 => RequestClass::FirstOnConnection,
        9 => RequestClass::LaterOnConnection,
        _ => RequestClass::Header(draw.pick_copy(&HEADERS)),
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Always => f.write_str("always"),
            Self::Record(class) => write!(f, "for records {class:?}"),
            Self::Parameters(classes) => write!(f, "with {classes:?}"),
            Self::Value(class) => write!(f, "where a filter's value {}", class.says()),
            Self::Request(class) => write!(f, "at requests {class:?}"),
        }
    }
}
