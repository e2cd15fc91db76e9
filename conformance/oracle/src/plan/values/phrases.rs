//! Texts to search for besides parts of values: several words, addresses, names of members, and texts without sense.

use std::collections::BTreeMap;

use super::disguise::senseless_with_signs;
use super::{ClassedValue, Shown, ValueRelation};
use crate::corpus::predicate::folded;
use crate::plan::sample::{Choice, is_usable};

/// So many names of members are asked for.
const NAMES: usize = 2;
/// A text without sense has so many letters.
const SENSELESS: usize = 16;

/// The texts, given what records show.
pub(super) fn texts(shown: &Shown, choice: &mut Choice) -> Vec<ClassedValue> {
    let values: Vec<&String> = shown.values.keys().filter(|value| is_usable(value)).collect();
    // What is taken for the value of a soft-deleted record would not be shown.
    let with = |sign: char| -> Vec<&String> {
        let having = || values.iter().copied().filter(|value| value.contains(sign));
        let live: Vec<&String> = having().filter(|value| shown.live.contains(*value)).collect();
        if live.is_empty() { having().collect() } else { live }
    };
    // What a sign in one of the words does is asked by itself.
    let is_of_words = |value: &&String| {
        value
            .chars()
            .all(|letter| letter == ' ' || letter.is_alphanumeric())
    };
    let (of_words, others): (Vec<&String>, Vec<&String>) = with(' ').into_iter().partition(is_of_words);
    let spaced = choice.some(if of_words.is_empty() { &others } else { &of_words }, 1);
    let addresses = choice.some(&with('@'), 1);
    let folds: Vec<String> = values.iter().map(|value| folded(value)).collect();
    let is_shown = |text: &String| {
        let text = folded(text);
        folds.iter().any(|value| value.contains(&text))
    };
    let mut texts = Vec::new();
    let mut add = |kind, class, text: String| {
        texts.push(ClassedValue {
            kind,
            ..ClassedValue::shown(&text, class)
        });
    };
    for value in &spaced {
        phrase(value)
            .into_iter()
            .for_each(|text| add(ValueRelation::Words, "several words", text));
        let turned = turned(value).filter(|text| !is_shown(text));
        turned
            .into_iter()
            .for_each(|text| add(ValueRelation::Words, "words in another order", text));
    }
    for domain in domains(&values) {
        add(ValueRelation::Address, "a domain", domain);
    }
    let addresses = addresses.iter().map(|value| value.replacen('@', "%40", 1));
    let encoded = addresses.chain(spaced.iter().map(|value| value.replacen(' ', "+", 1)));
    for text in encoded.filter(|text| !is_shown(text)) {
        add(ValueRelation::Address, "a sign as in an address line", text);
    }
    let names = shown
        .names
        .iter()
        .filter(|name| is_usable(name) && !is_shown(name));
    for name in names.take(NAMES) {
        add(ValueRelation::MemberName, "the name of a member", name.clone());
    }
    let letters = choice.word(SENSELESS);
    let with_signs = senseless_with_signs(&letters);
    add(ValueRelation::Senseless, "without sense", letters);
    add(ValueRelation::Senseless, "signs without sense", with_signs);
    texts
}

/// The inner part of a value of several words, blanks and all.
fn phrase(value: &str) -> Option<String> {
    let letters: Vec<char> = value.chars().collect();
    let inner = letters.get(1..letters.len().checked_sub(1)?)?;
    let long: String = inner.iter().collect();
    (inner.contains(&' ') && long.trim() == long).then_some(long)
}

/// The last word of a value before the first.
fn turned(value: &str) -> Option<String> {
    let mut words = value.split(' ');
    let (first, last) = (words.next()?, words.next_back()?);
    Some(format!("{last} {first}")).filter(|text| is_usable(text))
}

/// The two rarest domains of addresses.
fn domains(values: &[&String]) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_keep_their_blanks() {
        assert_eq!(phrase("Zoë van Berg").as_deref(), Some("oë van Ber"));
        assert_eq!(phrase("Smith"), None);
        assert_eq!(turned("Ann Smith").as_deref(), Some("Smith Ann"));
    }

    #[test]
    fn a_domain_begins_with_its_sign() {
        let values = ["a@x.org", "b@y.net", "c@y.net", "@", "d@local"].map(str::to_owned);
        assert_eq!(domains(&values.iter().collect::<Vec<_>>()), ["@x.org", "@y.net"]);
    }
}
