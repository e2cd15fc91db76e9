//! Values that are no value, and that careless code takes for one: cut off at a sign, without a sign, as a pattern, decoded.

use super::{ClassedValue, ValueRelation};
use crate::plan::sample::Choice;

/// Signs of names, and of URLs, markup, patterns and query languages; a blank among them.
const SIGNS: &str = "-.+'\"_@& =#;:/?!*|^$~<>()[]{}\\%`";
/// Signs at which code is known to cut a value off, each kind by itself: the quotation mark of SQL and others, separators of
/// statements and of lists, what ends a part of a URL or an address, what ends a word.
const ENDS: [&str; 5] = ["'", "\"`", ";", "&#?@", " "];
/// So many kinds of disguise are asked for in a round; other filters are asked for others.
const KINDS: [usize; 2] = [2, 1];
/// The class of a value with a blank before it.
pub(crate) const BLANK_BEFORE: &str = "blank before a value";
/// So many signs stand for the end of a value.
const PERCENTS: usize = 41;
/// Letters with an accent, and the letter without it.
const ACCENTED: [(&str, char); 13] = [
    ("áàâãäå", 'a'),
    ("ç", 'c'),
    ("éèêë", 'e'),
    ("íìîï", 'i'),
    ("ñ", 'n'),
    ("óòôõö", 'o'),
    ("úùûü", 'u'),
    ("ÁÀÂÃÄÅ", 'A'),
    ("Ç", 'C'),
    ("ÉÈÊË", 'E'),
    ("Ñ", 'N'),
    ("ÓÒÔÕÖ", 'O'),
    ("ÚÙÛÜ", 'U'),
];
/// Signs within names.
const SIGNS_OF_NAMES: &str = "-_.'";

/// Letters without sense after a zero, with all signs among them: no text is too strange to search for.
pub(super) fn senseless_with_signs(letters: &str) -> String {
    let (before, after) = letters.split_at(letters.len() / 2);
    format!("0{before}{SIGNS}{after}")
}

/// A value with all signs after it, for each kind of end with one of these first: code that cuts it off there, or after so many
/// characters, finds the value. The text has signs of every other kind and is long, for code that does so in such texts alone.
pub(super) fn cut_off(value: &str, choice: &mut Choice) -> Vec<ClassedValue> {
    let variants = ENDS.iter().map(|ends| {
        let ends: Vec<char> = ends.chars().collect();
        let end = ends[choice.below(ends.len())];
        let rest: String = SIGNS.chars().filter(|sign| *sign != end).collect();
        // Many servers trim a blank at an end.
        let text = format!("{value}{end}{rest}É");
        disguised(value, text, "signs after a value")
    });
    variants.collect()
}

/// A value with what code leaves out, or reads as something else in place of a letter. Of some kinds of disguise one form each;
/// the kinds of two rounds are different ones.
pub(super) fn disguises(value: &str, round: usize, choice: &mut Choice) -> Vec<ClassedValue> {
    let letters: Vec<char> = value.chars().collect();
    let (inner, end) = (letters.len() / 2, letters.len() - 1);
    let text = |letters: &[char]| letters.iter().collect::<String>();
    let (before, letter, rest) = (
        text(&letters[..inner]),
        letters[inner],
        text(&letters[inner + 1..]),
    );
    let within = |sign: &str| format!("{before}{sign}{letter}{rest}");
    let in_place = |sign: &str| format!("{before}{sign}{rest}");
    let bytes: String = letter
        .to_string()
        .bytes()
        .map(|byte| format!("%{byte:02X}"))
        .collect();
    let percents = [
        ("%".to_owned(), "percent alone"),
        // A long one: code may look at such texts in another way.
        (
            text(&letters[..end]) + &"%".repeat(PERCENTS),
            "percents for the end",
        ),
        (in_place("%"), "percent for a letter"),
    ];
    let statements = [
        (format!("{value}' OR '1'='1"), "quotes after a value"),
        (format!("{value}\\"), "backslash after a value"),
        (within("'"), "quote within a value"),
    ];
    let one_of =
        |forms: &[(String, &'static str)], choice: &mut Choice| forms[choice.below(forms.len())].clone();
    let kinds = match round {
        0 => vec![
            one_of(&statements, choice),
            (within(SIGNS_OF_NAMES), "signs of names within a value"),
            (in_place(&bytes), "a letter as in a URL"),
            (within("\""), "double quote within a value"),
        ],
        _ => vec![
            (within("\\"), "backslash within a value"),
            (within(" "), "blank within a value"),
            (within("ü"), "letter beyond ASCII within a value"),
            (format!("{value}.0"), "a fraction after a value"),
            (in_place("*"), "asterisk for a letter"),
        ],
    };
    // The patterns of SQL, and a blank or a zero first: every filter is asked for all of them.
    let always = match round {
        0 => vec![one_of(&percents, choice), (format!(" {value}"), BLANK_BEFORE)],
        _ => vec![
            (in_place("_"), "underscore for a letter"),
            (format!("0{value}"), "a zero before a value"),
        ],
    };
    let kinds = choice.some(&kinds, KINDS[round]);
    always
        .into_iter()
        .chain(kinds)
        .map(|(text, class)| disguised(value, text, class))
        .collect()
}

/// A value without its accents; none if it has none. Some databases do not tell letters apart that differ by an accent.
pub(super) fn without_accents(value: &str) -> Option<ClassedValue> {
    let plain = |letter: char| {
        let base = ACCENTED.iter().find(|(accented, _)| accented.contains(letter));
        base.map_or(letter, |(_, base)| *base)
    };
    let text: String = value.chars().map(plain).collect();
    (text != value).then(|| disguised(value, text, "letters without their accents"))
}

fn disguised(value: &str, text: String, class: &'static str) -> ClassedValue {
    ClassedValue {
        kind: ValueRelation::Disguised,
        near: Some(value.to_owned()),
        ..ClassedValue::shown(&text, class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_what_stands_before_each_end() {
        let variants = cut_off("Smith", &mut Choice::new(1, "x"));
        for ends in ENDS {
            let is_cut = |one: &ClassedValue| {
                one.value.split(|sign: char| ends.contains(sign)).next() == Some("Smith")
            };
            assert!(variants.iter().any(is_cut), "{ends}");
        }
    }

    #[test]
    fn an_accent_is_left_out_where_there_is_one() {
        let plain = |value| without_accents(value).map(|one| one.value);
        assert_eq!(plain("São Zoë").as_deref(), Some("Sao Zoe"));
        assert_eq!(plain("Smith"), None);
    }

    #[test]
    fn a_disguise_is_another_text() {
        for round in 0..2 {
            let mut variants = disguises("Zoë", round, &mut Choice::new(1, "x")).into_iter();
            assert!(variants.all(|one| one.value != "Zoë"));
        }
    }
}
