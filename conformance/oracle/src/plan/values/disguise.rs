//! Values that are no value, and that careless code takes for one: cut off at a sign, without a sign, as a pattern, decoded.

use super::classes::is_number;
use super::{ClassedValue, ValueRelation};
use crate::plan::sample::Choice;

/// Signs of names, and of URLs, markup, patterns and query languages; a blank among them.
const SIGNS: &str = "-.+'\"_@& =#;:/?!*|^$~<>()[]{}\\%`";
/// Signs at which code is known to cut a value off, each kind by itself: the quotation mark of SQL and others, separators of
/// statements and of lists, what ends a part of a URL or an address, what ends a word.
const ENDS: [&str; 5] = ["'", "\"`", ";", "&#?@", " "];
/// So many kinds of disguise are drawn for a filter.
const KINDS: usize = 2;
/// So many kinds of ends are drawn for a filter beside the first one, which every query language in SQL has.
const CUTS: usize = 1;
/// The class of a value with a blank before it.
pub const BLANK_BEFORE: &str = "blank before a value";
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

/// A value with all signs after it, for some kinds of ends with one of these first: code that cuts it off there, or after so many
/// characters, finds the value. The text has signs of every other kind and is long, for code that does so in such texts alone.
pub(super) fn cut_off(value: &str, choice: &mut Choice) -> Vec<ClassedValue> {
    let (first, others) = ENDS.split_at(1);
    let ends = first.iter().copied().chain(choice.some(others, CUTS));
    let variants = ends.map(|ends| {
        let ends: Vec<char> = ends.chars().collect();
        let end = ends[choice.below(ends.len())];
        let rest: String = SIGNS.chars().filter(|sign| *sign != end).collect();
        // Many servers trim a blank at an end.
        let text = format!("{value}{end}{rest}É");
        disguised(value, text, "signs after a value")
    });
    variants.collect()
}

/// Whether a part of a value, or a change of a letter, leaves the value to be seen.
pub(super) fn is_long(value: &str) -> bool {
    value.chars().count() > 3
}

/// A way to write a value that is another text, and that careless code takes for the value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disguise {
    class: &'static str,
    /// Whether the disguise of a value is one that code falls for.
    pub(super) fits: fn(&str) -> bool,
    text: fn(&str) -> String,
}

impl Disguise {
    /// A disguise of any text that is long enough to be seen in it.
    const fn of_any(class: &'static str, text: fn(&str) -> String) -> Self {
        Self {
            class,
            fits: is_long,
            text,
        }
    }

    /// A disguise of digits, however few.
    const fn of_number(class: &'static str, text: fn(&str) -> String) -> Self {
        Self {
            class,
            fits: is_number,
            text,
        }
    }

    /// The value in this disguise.
    pub(super) fn dress(self, value: &str) -> ClassedValue {
        disguised(value, (self.text)(value), self.class)
    }
}

/// Every filter is asked for one disguise of each of these: the patterns of SQL and of regular expressions, what is trimmed, and
/// what numbers are read from.
const ALWAYS: [&[Disguise]; 7] = [
    &[
        Disguise::of_any("percent alone", |_| "%".to_owned()),
        // A long one: code may look at such texts in another way.
        Disguise::of_any("percents for the end", |value| {
            let end = value.char_indices().next_back().map_or(0, |(at, _)| at);
            value[..end].to_owned() + &"%".repeat(PERCENTS)
        }),
        Disguise::of_any("percent for a letter", |value| in_place(value, "%")),
    ],
    &[Disguise::of_any(BLANK_BEFORE, |value| format!(" {value}"))],
    &[Disguise::of_any("underscore for a letter", |value| {
        in_place(value, "_")
    })],
    &[
        Disguise::of_any("dot for a letter", |value| in_place(value, ".")),
        Disguise::of_any("asterisk for a letter", |value| in_place(value, "*")),
    ],
    &[Disguise::of_number("a zero before a number", |value| {
        format!("0{value}")
    })],
    &[Disguise {
        fits: |value| value.starts_with('0') && is_number(value) && value.len() > 1,
        ..Disguise::of_number("a number without its first zero", |value| value[1..].to_owned())
    }],
    &[Disguise::of_number("a fraction after a number", |value| {
        format!("{value}.0")
    })],
];

/// Every filter is asked for some of these, other filters for others.
const SOMETIMES: [&[Disguise]; 7] = [
    &[
        Disguise::of_any("quotes after a value", |value| format!("{value}' OR '1'='1")),
        Disguise::of_any("backslash after a value", |value| format!("{value}\\")),
        Disguise::of_any("quote within a value", |value| within(value, "'")),
    ],
    &[Disguise::of_any("signs of names within a value", |value| {
        within(value, SIGNS_OF_NAMES)
    })],
    &[Disguise::of_any("a letter as in a URL", |value| {
        let letter = halves(value).1.bytes();
        in_place(
            value,
            &letter.map(|byte| format!("%{byte:02X}")).collect::<String>(),
        )
    })],
    &[Disguise::of_any("double quote within a value", |value| {
        within(value, "\"")
    })],
    &[Disguise::of_any("backslash within a value", |value| {
        within(value, "\\")
    })],
    &[Disguise::of_any("blank within a value", |value| {
        within(value, " ")
    })],
    &[Disguise::of_any("letter beyond ASCII within a value", |value| {
        within(value, "ü")
    })],
];

/// The kinds of disguise that a filter is asked for, in each kind one.
pub(super) fn disguises(choice: &mut Choice) -> Vec<Disguise> {
    let sometimes = choice.some(&SOMETIMES, KINDS);
    let kinds = ALWAYS.into_iter().chain(sometimes);
    kinds.map(|kind| kind[choice.below(kind.len())]).collect()
}

/// A value in two parts with a letter between them.
fn halves(value: &str) -> (&str, &str, &str) {
    let inner = value.chars().count() / 2;
    let mut from = value.char_indices().skip(inner).map(|(at, _)| at);
    let (start, end) = (
        from.next().unwrap_or(value.len()),
        from.next().unwrap_or(value.len()),
    );
    (&value[..start], &value[start..end], &value[end..])
}

/// A value with a text in place of an inner letter.
fn in_place(value: &str, text: &str) -> String {
    let (before, _, rest) = halves(value);
    format!("{before}{text}{rest}")
}

/// A value with a text before an inner letter.
fn within(value: &str, text: &str) -> String {
    let (before, letter, rest) = halves(value);
    format!("{before}{text}{letter}{rest}")
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
    fn a_value_is_what_stands_before_an_end() {
        let variants = cut_off("Smith", &mut Choice::new(1, "x"));
        assert_eq!(variants.len(), 1 + CUTS);
        for one in variants {
            let is_cut =
                |ends: &&str| one.value.split(|sign: char| ends.contains(sign)).next() == Some("Smith");
            assert!(ENDS.iter().any(is_cut), "{one:?}");
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
        for disguise in ALWAYS.iter().chain(&SOMETIMES).copied().flatten() {
            for value in ["Zoë", "ëß", "042", "1234567"]
                .into_iter()
                .filter(|value| (disguise.fits)(value))
            {
                assert_ne!(disguise.dress(value).value, value, "{disguise:?}");
            }
        }
    }
}
