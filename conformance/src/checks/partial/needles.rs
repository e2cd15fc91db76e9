//! What to ask partial filters for: parts of values that records show, and texts that are nearly such.
//!
//! Needles are chosen so that they find few records where that is possible.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rollcall_contract::Match;
use serde_json::Value;

use crate::context::Context;
use crate::oracle;
use crate::query::Query;
use crate::sample::is_usable;
use crate::seen::{SeenFilter, Shown, folded};

/// A needle that finds more records than a page has, or than this, is made longer, if it can be.
const MANY: usize = 60;
/// However short pages are, a needle may find so many.
const FEW: usize = 10;
/// So many values are taken apart, of each filter.
const VALUES: usize = 2;
/// So many members that look alike are tried.
const FOREIGN: usize = 3;
/// The shortest needle.
const SHORTEST: usize = 3;

/// What to ask a partial filter for.
#[derive(Debug)]
pub(crate) struct Needles {
    /// Beginnings, middles and ends of values, without blanks.
    pub(super) parts: Vec<String>,
    /// Words of members that look alike, which no value of the own member contains.
    pub(super) foreign: Vec<String>,
    /// Whole values.
    pub(super) wholes: Vec<String>,
    /// Texts of several words, each with a part of it.
    pub(super) phrases: Vec<(String, String)>,
    /// The words of values in another order; no value contains them.
    pub(super) turned: Vec<String>,
    /// Parts of values around the characters that some query languages read as something else.
    pub(super) odd: Vec<String>,
    /// Domains of addresses, from the @ on.
    pub(super) domains: Vec<String>,
    /// Parts of values with a character in the form it has in an address line; no value contains them.
    pub(super) encoded: Vec<String>,
    /// A text without sense; no value contains it.
    pub(super) nonsense: String,
}

impl Needles {
    /// Chooses for a filter from what live records show; none if there is no value to take apart.
    pub(super) fn of(context: &Context, filter: &SeenFilter) -> Option<Self> {
        let values = texts(context, filter);
        let long: Vec<&String> = values
            .iter()
            .filter(|value| value.chars().count() > SHORTEST)
            .collect();
        let mut fit: Vec<&String> = long.iter().copied().filter(|value| is_plain(value)).collect();
        if fit.is_empty() {
            fit.clone_from(&long);
        }
        let mut choice = context.choice(&filter.name);
        let chosen = choice.some(&fit, VALUES);
        let spaced: Vec<&String> = long.iter().copied().filter(|value| value.contains(' ')).collect();
        let spaced = choice.some(&spaced, 1);
        let known = |text: &String| values.iter().any(|value| folded(value).contains(&folded(text)));
        let list = context.list(filter.list);
        let many = list.paging.at_least.clamp(FEW, MANY);
        let few = |needle: &str| oracle::expected(list, &Query::by(filter, needle)).len() <= many;
        let mut parts: Vec<_> = chosen.iter().flat_map(|value| parts(value, &few)).collect();
        parts.retain(|part| is_usable(part));
        parts.dedup();
        if parts.is_empty() {
            return None;
        }
        let turned = spaced.iter().filter_map(|value| turned(value));
        let encoded = chosen.iter().chain(&spaced).filter_map(|value| encoded(value));
        Some(Self {
            parts,
            foreign: foreign(context, filter, &values),
            wholes: chosen
                .iter()
                .chain(&spaced)
                .take(VALUES)
                .map(|value| (*value).clone())
                .collect(),
            phrases: spaced.iter().filter_map(|value| phrase(value)).collect(),
            turned: turned.filter(|text| !known(text)).collect(),
            odd: odd(&values),
            domains: domains(&values),
            encoded: encoded.filter(|text| !known(text)).collect(),
            nonsense: choice.word(16),
        })
    }
}

/// Whether no query language reads a character of a text as something else.
fn is_plain(text: &str) -> bool {
    !text.contains(['%', '_', '\\', '\''])
}

/// The texts a filter looks at, of all live records: usable ones, each once.
fn texts(context: &Context, filter: &SeenFilter) -> Vec<String> {
    let mut texts = BTreeSet::new();
    for (_, record) in context.list(filter.list).live() {
        for member in filter.places.iter().filter_map(|place| place.find(record)) {
            match member {
                Value::String(text) => _ = texts.insert(text.clone()),
                Value::Object(values) => {
                    texts.extend(values.values().filter_map(Value::as_str).map(str::to_owned));
                }
                _ => {}
            }
        }
    }
    texts.into_iter().filter(|text| is_usable(text)).collect()
}

/// Of the members that look most like a filter's own, each a word that no value of its own contains: such members are
/// the ones that get mixed up.
fn foreign(context: &Context, filter: &SeenFilter, values: &[String]) -> Vec<String> {
    let list = context.list(filter.list);
    let others = list.subject.matching(Match::Contains);
    let others = others.filter_map(|other| SeenFilter::of(filter.list, other));
    let mut near: Vec<_> = others
        .filter(|other| other.places != filter.places)
        .map(|other| {
            let count = list
                .live()
                .filter(|(_, record)| alike(record, filter, &other))
                .count();
            (count, other)
        })
        .collect();
    near.sort_by_key(|(count, _)| Reverse(*count));
    let own: Vec<_> = values.iter().map(|value| folded(value)).collect();
    let unknown = |text: &String| {
        let text = folded(text);
        !own.iter().any(|value| value.contains(&text))
    };
    let last_word = |text: String| text.rsplit(' ').next().unwrap_or_default().to_owned();
    let words = near
        .into_iter()
        .take(FOREIGN)
        .map(|(_, other)| texts(context, &other));
    let foreign = words.filter_map(|texts| {
        let fit = |word: &String| is_usable(word) && unknown(word);
        let mut words = texts.into_iter().map(last_word).filter(fit).peekable();
        let first = words.peek().cloned();
        words.find(|word| is_plain(word)).or(first)
    });
    foreign.collect()
}

/// Whether one of two members of a record contains the other.
fn alike(record: &Value, one: &SeenFilter, other: &SeenFilter) -> bool {
    let (Shown::Value(one), Shown::Value(other)) = (one.shown(record), other.shown(record)) else {
        return false;
    };
    let (one, other) = (folded(&one), folded(&other));
    one.contains(&other) || other.contains(&one)
}

/// The names of members of free-form objects that no value contains.
pub(super) fn member_names(context: &Context, filter: &SeenFilter) -> Vec<String> {
    let records = context.list(filter.list).live().map(|(_, record)| record);
    let objects: Vec<_> = records
        .flat_map(|record| {
            filter
                .places
                .iter()
                .filter_map(|place| place.find(record)?.as_object())
        })
        .collect();
    let texts: BTreeSet<String> = objects
        .iter()
        .flat_map(|object| object.values().map(|value| folded(&value.to_string())))
        .collect();
    let names: BTreeSet<_> = objects.iter().flat_map(|object| object.keys()).collect();
    let unseen = names
        .into_iter()
        .filter(|name| is_usable(name) && !texts.iter().any(|text| text.contains(&folded(name))));
    unseen.take(VALUES).cloned().collect()
}

/// The beginning, the middle and the end of a value, each without blanks and as short as it may be.
fn parts(value: &str, few: &dyn Fn(&str) -> bool) -> Vec<String> {
    let letters: Vec<char> = value.chars().collect();
    let length = letters.len();
    let text = |from: usize, to: usize| letters[from..to].iter().collect::<String>();
    let lengths = || SHORTEST.max(length / 2)..length;
    let beginning = grown(lengths().map(|count| text(0, count)), few);
    let end = grown(lengths().map(|count| text(length - count, length)), few);
    let middle = text(1, length - 1);
    let middle = middle
        .split(' ')
        .max_by_key(|word| word.chars().count())
        .unwrap_or_default();
    let beginning = beginning.split(' ').next().unwrap_or_default();
    let end = end.rsplit(' ').next().unwrap_or_default();
    // A domain with its sign has a check of its own.
    let parts = [beginning, middle, end]
        .into_iter()
        .map(|part| part.trim_start_matches('@'));
    parts
        .filter(|part| part.chars().count() > 1)
        .map(str::to_owned)
        .collect()
}

/// The first needle that finds few records; if none does, the last.
fn grown(needles: impl Iterator<Item = String>, few: &dyn Fn(&str) -> bool) -> String {
    let mut last = String::new();
    for needle in needles {
        last = needle;
        if few(&last) {
            break;
        }
    }
    last
}

/// The inner part of a value of several words, blanks and all, and a part of that.
fn phrase(value: &str) -> Option<(String, String)> {
    let letters: Vec<char> = value.chars().collect();
    let inner = letters.get(1..letters.len().checked_sub(1)?)?;
    let long: String = inner.iter().collect();
    let blank = inner.iter().position(|letter| *letter == ' ')?;
    // The part ends right behind the blank's next letter, so that it still has two words.
    let short: String = inner.get(..blank + 2)?.iter().collect();
    (long.trim() == long && short.trim() == short && short.len() < long.len()).then_some((long, short))
}

/// The last word of a value before the first.
fn turned(value: &str) -> Option<String> {
    let mut words = value.split(' ');
    let (first, last) = (words.next()?, words.next_back()?);
    Some(format!("{last} {first}")).filter(|text| is_usable(text))
}

/// Parts around odd characters, one for each of them that a value has within.
fn odd(values: &[String]) -> Vec<String> {
    let mut odd = BTreeMap::new();
    for sign in ['%', '_', '\\', '\''] {
        let found = values.iter().find_map(|value| {
            let letters: Vec<char> = value.chars().collect();
            let at = letters.iter().position(|letter| *letter == sign)?;
            let part: String = letters[at.saturating_sub(4)..letters.len().min(at + 5)]
                .iter()
                .collect();
            is_usable(&part).then_some(part)
        });
        if let Some(part) = found {
            odd.insert(sign, part);
        }
    }
    odd.into_values().collect()
}

/// The two rarest domains of addresses.
fn domains(values: &[String]) -> Vec<String> {
    let mut domains: BTreeMap<&str, usize> = BTreeMap::new();
    for value in values {
        // Anything else with an @ in it is no address.
        let Some(at) = value
            .rfind('@')
            .filter(|at| *at > 0 && value[*at..].contains('.'))
        else {
            continue;
        };
        *domains.entry(&value[at..]).or_insert(0) += 1;
    }
    let mut domains: Vec<_> = domains.into_iter().collect();
    domains.sort_by_key(|(_, count)| *count);
    domains
        .into_iter()
        .take(2)
        .map(|(domain, _)| domain.to_owned())
        .collect()
}

/// A part of a value with a blank or an @ written as in an address line.
fn encoded(value: &str) -> Option<String> {
    let written = [(' ', "+"), ('@', "%40")];
    let (sign, code) = written.into_iter().find(|(sign, _)| value.contains(*sign))?;
    Some(value.replacen(sign, code, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_no_blanks_and_stand_in_the_value() {
        let all = parts("Mary Jane O'Neill", &|_| true);
        assert_eq!(all, ["Mary", "O'Neil", "O'Neill"]);
        assert_eq!(parts("Smith", &|_| true), ["Smi", "mit", "ith"]);
        assert_eq!(parts("Smith", &|_| false), ["Smit", "mit", "mith"]);
    }

    #[test]
    fn phrases_keep_their_blanks() {
        assert_eq!(
            phrase("Zoë van Berg"),
            Some(("oë van Ber".to_owned(), "oë v".to_owned()))
        );
        assert_eq!(phrase("Smith"), None);
        assert_eq!(turned("Ann Smith").as_deref(), Some("Smith Ann"));
    }

    #[test]
    fn a_domain_begins_with_its_sign() {
        let values = ["a@x.org", "b@y.net", "c@y.net", "@", "d@local"].map(str::to_owned);
        assert_eq!(domains(&values), ["@x.org", "@y.net"]);
        assert_eq!(encoded("a@x.org").as_deref(), Some("a%40x.org"));
    }
}
