//! Folding of letters: the same on every store, because it is done here (L10, L19).
//!
//! Three folds, from wide to narrow: [`fold`] finds texts in a search, [`letter_case`] compares names as a directory server does,
//! [`identity`] compares addresses and usernames. The narrow fold keeps people apart: `admin@x` is not `admın@x`.

use unicode_normalization::UnicodeNormalization as _;

/// `text` with case taken out, also of letters beyond ASCII, in the composed form (NFC): `é` is the same whether it is written as one
/// character or as `e` with a mark. Works letter by letter, so that a part of a text folds to a part of the folded text: what
/// contains-filters rely on. A letter and its marks are one letter.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Through upper case first: ß and ẞ, σ and ς have one upper case but several lower ones.
    let folded = text
        .nfc()
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase);
    composed(folded)
}

/// The end of [`fold`], by itself for texts that an older version folded.
pub(super) fn composed(folded: impl Iterator<Item = char>) -> String {
    let mut composed: String = folded.nfc().collect();
    // The lower case of `İ` is an i with a second dot: as people type it, a plain i.
    while composed.contains(SECOND_DOT) {
        composed = composed.replace(SECOND_DOT, "i").nfc().collect();
    }
    composed
}

const SECOND_DOT: &str = "i\u{307}";

/// `text` with the case of its letters taken out, and nothing else: a letter is changed only where its lower case leads back to
/// it. So `É` is `é`, but the Kelvin sign is no `k`, `ſ` is no `s`, and `ß` is not `ss`.
pub fn letter_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let lower = |letter: char| {
        let mut lower = letter.to_lowercase();
        let one = lower.next().filter(|_| lower.next().is_none())?;
        one.to_uppercase().eq([letter]).then_some(one)
    };
    text.chars()
        .map(|letter| lower(letter).unwrap_or(letter))
        .collect()
}

/// `text` as addresses and usernames are compared: the case of ASCII letters does not count, everything else does.
pub fn identity(text: &str) -> String {
    text.to_ascii_lowercase()
}

/// Stands between the values of `org` and `metadata` where they are searched: no value contains it, so no needle matches
/// across two of them (L11).
pub const SEPARATOR: char = '\u{1f}';

/// All texts within a JSON value, folded, for searching: values only, never keys.
pub fn searchable(value: &serde_json::Value) -> String {
    fn collect(value: &serde_json::Value, into: &mut String) {
        match value {
            serde_json::Value::Null => {}
            serde_json::Value::String(text) => push(&fold(text), into),
            serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
            serde_json::Value::Object(members) => members.values().for_each(|member| collect(member, into)),
            other => push(&other.to_string(), into),
        }
    }
    fn push(text: &str, into: &mut String) {
        into.push(SEPARATOR);
        into.push_str(text);
    }
    let mut text = String::new();
    collect(value, &mut text);
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization as _;

    use super::{composed, fold, identity, letter_case};

    proptest! {
        #[test]
        fn one_text_in_two_forms_folds_to_the_same(text in "\\PC{0,8}", more in "[a-zéİıßſǰΐᾳ\u{300}-\u{308}\u{345}가각ậ]{0,8}") {
            for text in [&text, &more] {
                let (one, other): (String, String) = (text.nfc().collect(), text.nfd().collect());
                prop_assert_eq!(fold(&one), fold(&other));
                prop_assert_eq!(fold(&fold(&one)), fold(&one));
                prop_assert_eq!(composed(fold(&one).chars()), fold(&one));
            }
        }
    }

    #[test]
    fn each_fold_is_narrower_than_the_one_before() {
        let alike: [(&str, &str, [bool; 3]); 10] = [
            ("Ann@X", "ann@x", [true, true, true]),
            ("ÉMILE", "émile", [true, true, false]),
            ("Straße", "STRASSE", [true, false, false]),
            ("\u{212a}im", "kim", [true, false, false]),
            ("ſam", "sam", [true, false, false]),
            ("admın", "admin", [true, false, false]),
            ("İsmail", "ismail", [true, false, false]),
            ("I\u{307}smail", "İsmail", [true, false, false]),
            ("René", "Rene\u{301}", [true, false, false]),
            ("ann", "bob", [false, false, false]),
        ];
        for (one, other, expected) in alike {
            let folds = [fold, letter_case, identity].map(|fold| fold(one) == fold(other));
            assert_eq!(folds, expected, "{one} and {other}");
        }
    }
}
