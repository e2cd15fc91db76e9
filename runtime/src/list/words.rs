//! Errors that teach: the nearest known word, and all that is allowed.

use crate::{Fault, FaultCode};

/// The fault of naming something that does not exist.
pub fn unknown(place: &str, code: FaultCode, word: &str, what: &str, known: &[&str]) -> Fault {
    let hint = nearest(word, known)
        .map(|near| format!("; did you mean {near}?"))
        .unwrap_or_default();
    Fault {
        allowed: Some(known.iter().map(|&word| word.to_owned()).collect()),
        ..Fault::of_parameter(place, code, format!("{} is not {what}{hint}", shown(word)))
    }
}

/// Parameters of ours, with the names that other APIs give to them.
const OTHER_NAMES: [(&str, &[&str]); 6] = [
    (
        "page[size]",
        &[
            "limit",
            "per_page",
            "page_size",
            "pagesize",
            "size",
            "page[limit]",
        ],
    ),
    (
        "page",
        &[
            "offset",
            "cursor",
            "after",
            "page_token",
            "page[number]",
            "page[after]",
        ],
    ),
    ("filter", &["q", "query", "search"]),
    ("filter[name_search]", &["q", "query", "search"]),
    ("sort", &["order", "order_by", "orderby", "sort_by", "ordering"]),
    ("include", &["expand", "embed", "with", "relations"]),
];

/// The known word that has another name elsewhere, and the filter on a field whose name is given alone.
fn by_other_name<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let filter = format!("filter[{word}]");
    let ours = OTHER_NAMES.iter().filter(|(_, others)| others.contains(&word));
    let mut meant = ours.map(|(name, _)| *name).chain([filter.as_str()]);
    meant
        .find_map(|meant| known.iter().find(|known| **known == meant))
        .copied()
}

/// The known word that is meant by this one, or most like it, if any is alike at all.
pub(crate) fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    // Long words cannot be near a known one, and comparing costs their length squared.
    if word.chars().count() > 80 {
        return None;
    }
    if let Some(meant) = by_other_name(word, known) {
        return Some(meant);
    }
    let scored = known
        .iter()
        .map(|&known| (strsim::damerau_levenshtein(word, known), known));
    let (distance, near) = scored.min_by_key(|(distance, _)| *distance)?;
    (distance <= word.chars().count().max(3) / 2).then_some(near)
}

/// A word as an error shows it: quoted, and cut where it is long.
pub(crate) fn shown(word: &str) -> String {
    let mut text: String = word.chars().take(80).collect();
    if text.len() < word.len() {
        text.push('…');
    }
    format!("\"{}\"", text.escape_debug())
}

/// A sentence that quotes what was sent, cut in its middle where that is long: it ends in what was expected.
#[cfg(feature = "server")]
pub(crate) fn abridged(sentence: &str) -> String {
    const KEPT: usize = 120;
    let length = sentence.chars().count();
    if length <= 2 * KEPT {
        return sentence.to_owned();
    }
    let begin: String = sentence.chars().take(KEPT).collect();
    let end: String = sentence.chars().skip(length - KEPT).collect();
    format!("{begin} … {end}")
}

#[cfg(all(test, feature = "server"))]
mod tests {
    use super::abridged;

    #[test]
    fn a_sentence_loses_its_middle_where_it_is_long() {
        let sentence = |length: usize| -> String { ('a'..='z').cycle().take(length).collect() };
        for length in [0, 239, 240] {
            assert_eq!(abridged(&sentence(length)), sentence(length));
        }
        let long = sentence(241);
        assert_eq!(abridged(&long), format!("{} … {}", &long[..120], &long[121..]));
        let cut = abridged(&format!("invalid type: {}, expected a string", "é".repeat(5_000)));
        assert!(
            cut.starts_with("invalid type: é") && cut.ends_with("é, expected a string"),
            "{cut}"
        );
        assert_eq!(cut.chars().count(), 243);
    }
}
