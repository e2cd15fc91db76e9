//! What to ask partial filters for: parts of values that records show, and texts that are nearly such.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::corpus::predicate::{ObservableFilter, folded};
use crate::engine::Engine;
use crate::plan::sample::{is_plain, is_usable};

/// So many values are taken apart, of each filter.
const VALUES: usize = 2;
/// The shortest needle.
const SHORTEST: usize = 3;

/// What to ask a partial filter for.
#[derive(Debug)]
pub(crate) struct Needles {
    /// Texts of several words, each with a part of it.
    pub(super) phrases: Vec<(String, String)>,
    /// The words of values in another order; no value contains them.
    pub(super) turned: Vec<String>,
    /// Domains of addresses, from the @ on.
    pub(super) domains: Vec<String>,
    /// Parts of values with a character in the form it has in an address line; no value contains them.
    pub(super) encoded: Vec<String>,
    /// A text without sense; no value contains it.
    pub(super) nonsense: String,
}

impl Needles {
    /// Chooses for a filter from what live records show; none if there is no value to take apart.
    pub(super) fn of(engine: &Engine, filter: &ObservableFilter) -> Option<Self> {
        let values = texts(engine, filter);
        let long: Vec<&String> = values
            .iter()
            .filter(|value| value.chars().count() > SHORTEST)
            .collect();
        let mut fit: Vec<&String> = long.iter().copied().filter(|value| is_plain(value)).collect();
        if fit.is_empty() {
            fit.clone_from(&long);
        }
        let mut choice = engine.choice(&filter.name);
        let chosen = choice.some(&fit, VALUES);
        let spaced: Vec<&String> = long.iter().copied().filter(|value| value.contains(' ')).collect();
        let spaced = choice.some(&spaced, 1);
        let known = |text: &String| values.iter().any(|value| folded(value).contains(&folded(text)));
        if chosen.is_empty() {
            return None;
        }
        let turned = spaced.iter().filter_map(|value| turned(value));
        let encoded = chosen.iter().chain(&spaced).filter_map(|value| encoded(value));
        Some(Self {
            phrases: spaced.iter().filter_map(|value| phrase(value)).collect(),
            turned: turned.filter(|text| !known(text)).collect(),
            domains: domains(&values),
            encoded: encoded.filter(|text| !known(text)).collect(),
            nonsense: choice.word(16),
        })
    }
}

/// The texts a filter looks at, of all live records: usable ones, each once.
fn texts(engine: &Engine, filter: &ObservableFilter) -> Vec<String> {
    let mut texts = BTreeSet::new();
    for (_, record) in engine.list(filter.list).live() {
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

/// The names of members of free-form objects that no value contains.
pub(super) fn member_names(engine: &Engine, filter: &ObservableFilter) -> Vec<String> {
    let records = engine.list(filter.list).live().map(|(_, record)| record);
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
