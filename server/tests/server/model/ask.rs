//! Random list queries: every filter, sort field, include form and page, with values that occur, parts of them, near misses
//! and impossible ones. A query is chosen without the data and filled in from it, so that both shrink on their own.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use rollcall::list::{Filter, Form, List, Match, ValueKind};
use serde_json::Value;

use super::answer::ANY;
use super::home::at;
use super::row::{Row, get, text};
use super::values::{DAY, NOW, name};
use super::view::View;

/// Names and values of a query, before they are encoded.
pub(super) type Pairs = Vec<(String, String)>;

/// What is asked of a list.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    filters: Vec<(Index, Needle)>,
    trashed: Option<&'static str>,
    sort: Vec<(Index, bool)>,
    include: Vec<Index>,
    /// Records on a page.
    pub(super) size: u16,
}

/// How the value of a filter is made.
#[derive(Clone, Debug)]
struct Needle {
    from: Index,
    part: (Index, Index),
    twist: Twist,
}

#[derive(Clone, Debug)]
enum Twist {
    Whole,
    Part,
    Lower,
    Upper,
    /// A piece of a name put behind it.
    Longer(String),
    /// A text that need not occur.
    Any(String),
}

pub(super) fn ask() -> impl Strategy<Value = Ask> {
    let twist = prop_oneof![
        4 => Just(Twist::Whole),
        4 => Just(Twist::Part),
        1 => Just(Twist::Lower),
        1 => Just(Twist::Upper),
        1 => name().prop_map(Twist::Longer),
        1 => prop_oneof![name(), "[\u{0}-\u{24f}]{1,5}".boxed()].prop_map(Twist::Any),
    ];
    let needle = (any::<Index>(), any::<(Index, Index)>(), twist);
    let needle = needle.prop_map(|(from, part, twist)| Needle { from, part, twist });
    let trashed = select(&["with", "with", "only", "without", "yes", ""][..]);
    (
        prop_oneof![4 => prop::collection::vec((any::<Index>(), needle.clone()), 0..2), 1 => prop::collection::vec((any::<Index>(), needle), 0..4)],
        prop::option::of(trashed),
        prop::collection::vec(any::<(Index, bool)>(), 0..4),
        prop::collection::vec(any::<Index>(), 0..4),
        prop_oneof![4 => 1_u16..5, 1 => 1_u16..=200],
    )
        .prop_map(|(filters, trashed, sort, include, size)| Ask { filters, trashed, sort, include, size })
}

impl Ask {
    /// The query for a list, pages aside, with values out of the data.
    pub(super) fn pairs<L: List>(&self, list: &str, view: &View) -> Pairs {
        let mut pairs = Pairs::new();
        for (filter, needle) in &self.filters {
            let filter = filter.get(L::FILTERS);
            let known = pairs.iter().any(|(name, _)| name == filter.name);
            if !known && filter.matching != Match::Trashed {
                pairs.push((filter.name.to_owned(), value::<L>(filter, needle, list, view)));
            }
        }
        let offers = |matching| L::FILTERS.iter().find(|filter| filter.matching == matching);
        let trashed = offers(Match::Trashed).zip(self.trashed);
        pairs.extend(trashed.map(|(filter, word)| (filter.name.to_owned(), word.to_owned())));
        let mut sort: Vec<(&str, bool)> = Vec::new();
        for (field, descending) in &self.sort {
            let (field, _) = field.get(L::SORT);
            if sort.iter().all(|(known, _)| known != field) {
                sort.push((field, *descending));
            }
        }
        let sort: Vec<_> = sort
            .into_iter()
            .map(|(field, down)| [if down { "-" } else { "" }, field].concat())
            .collect();
        if !sort.is_empty() {
            pairs.push(("sort".to_owned(), sort.join(",")));
        }
        let include = self.includes::<L>();
        if !include.is_empty() {
            let words: Vec<_> = include
                .iter()
                .map(|(relation, form)| [relation, form.suffix()].concat())
                .collect();
            pairs.push(("include".to_owned(), words.join(",")));
        }
        pairs
    }

    /// The relations asked for, with their forms, none twice.
    pub(super) fn includes<L: List>(&self) -> Vec<(&'static str, Form)> {
        let mut include = Vec::new();
        let forms = L::RELATIONS
            .iter()
            .flat_map(|spec| Form::ALL.map(|form| (spec.name, form)));
        let forms: Vec<_> = forms.collect();
        let wanted = self.include.iter().filter(|_| !forms.is_empty());
        for wanted in wanted.map(|index| *index.get(&forms)) {
            if !include.contains(&wanted) {
                include.push(wanted);
            }
        }
        include
    }
}

fn value<L: List>(filter: &Filter<L::Field>, needle: &Needle, list: &str, view: &View) -> String {
    match filter.value {
        ValueKind::Boolean => (needle.from.index(2) == 0).to_string(),
        ValueKind::Word(words) => (*needle.from.get(words)).to_owned(),
        ValueKind::Timestamp { .. } => timestamp(filter.name, needle, list, view),
        ValueKind::Text { .. } | ValueKind::Trashed { .. } => {
            let pool = pool(filter.name, list, view);
            let found = if pool.is_empty() {
                "x"
            } else {
                needle.from.get(&pool).as_str()
            };
            let twisted = twisted(found, needle);
            // An empty value is refused, whatever the filter (L8).
            if twisted.is_empty() {
                "x".to_owned()
            } else {
                twisted
            }
        }
    }
}

fn twisted(found: &str, needle: &Needle) -> String {
    let letters: Vec<char> = found.chars().collect();
    match &needle.twist {
        Twist::Whole => found.to_owned(),
        Twist::Part if letters.is_empty() => String::new(),
        Twist::Part => {
            let start = needle.part.0.index(letters.len());
            let length = 1 + needle.part.1.index(letters.len() - start);
            letters[start..start + length].iter().collect()
        }
        Twist::Lower => found.to_lowercase(),
        Twist::Upper => found.to_uppercase(),
        Twist::Longer(more) => [found, more].concat(),
        Twist::Any(text) => text.clone(),
    }
}

/// Values that a filter could find: those of the member it names, or ids of anything.
fn pool(name: &str, list: &str, view: &View) -> Vec<String> {
    let member = name
        .trim_start_matches("filter[")
        .trim_end_matches(']')
        .trim_end_matches("_search");
    let members = if name == "filter" { &ANY[..] } else { &[member][..] };
    let mut pool = Vec::new();
    for row in view.rows(list) {
        members
            .iter()
            .for_each(|member| texts(get(row, member), &mut pool));
    }
    if pool.is_empty() {
        let ids = |row: &Row| Some(text(row, "id").to_owned()).filter(|id| !id.is_empty());
        pool.extend(view.tables.values().flatten().filter_map(ids));
    }
    pool
}

fn texts(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Null => {}
        Value::String(text) => into.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, into)),
        Value::Object(members) => members.values().for_each(|item| texts(item, into)),
        other => into.push(other.to_string()),
    }
}

/// A timestamp of a record or near the present, in one of the forms that are read (L15).
fn timestamp(name: &str, needle: &Needle, list: &str, view: &View) -> String {
    let member = name
        .trim_start_matches("filter[")
        .trim_end_matches("_before]")
        .trim_end_matches("_after]");
    let member = format!("{member}_at");
    let known = view
        .rows(list)
        .iter()
        .filter_map(|row| get(row, &member).as_i64());
    let known: Vec<i64> = known.chain([NOW, NOW - DAY / 2, NOW + 2 * DAY]).collect();
    let timestamp = at(needle.from.get(&known) + [0, 0, -1, 1][needle.part.0.index(4)]);
    let text = timestamp.to_string();
    let bare = &text[..26];
    match needle.part.1.index(6) {
        0 => bare.to_owned(),
        1 => bare.replace('T', " "),
        2 => text[..10].to_owned(),
        3 => format!(
            "{}+05:30",
            &at(timestamp.micros() + 19_800_000_000).to_string()[..26]
        ),
        _ => text,
    }
}

/// A query as text, every letter that could be misunderstood encoded.
pub(super) fn encoded(pairs: &[(String, String)]) -> String {
    let encode = |text: &str| {
        let byte = |byte: u8| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        };
        text.bytes().map(byte).collect::<String>()
    };
    let pairs = pairs
        .iter()
        .map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    pairs.collect::<Vec<_>>().join("&")
}
