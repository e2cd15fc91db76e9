//! Classes of texts that code is known to read wrongly.

use crate::plan::sample::is_usable;

/// A class of texts: its name, and whether a text is in it.
pub(crate) type Class = (&'static str, fn(&str) -> bool);

/// The classes of texts. A text of such a class is read as something else by some query language, URL parser, number parser
/// or pattern, or is changed by folding, trimming or cutting.
pub(crate) const CLASSES: &[Class] = &[
    ("single quote", |text| text.contains('\'')),
    ("double quote", |text| text.contains('"')),
    ("percent", |text| text.contains('%')),
    ("underscore", |text| text.contains('_')),
    ("backslash", |text| text.contains('\\')),
    ("ampersand", |text| text.contains('&')),
    ("plus", |text| text.contains('+')),
    ("hash", |text| text.contains('#')),
    ("semicolon", |text| text.contains(';')),
    ("equals sign", |text| text.contains('=')),
    ("question mark", |text| text.contains('?')),
    ("slash", |text| text.contains('/')),
    ("colon", |text| text.contains(':')),
    ("bracket", |text| {
        text.contains(['[', ']', '(', ')', '{', '}', '<', '>'])
    }),
    ("asterisk", |text| text.contains('*')),
    ("bar, caret, dollar, tilde", |text| {
        text.contains(['|', '^', '$', '~', '`', '!'])
    }),
    ("at sign", |text| text.contains('@')),
    ("dot", |text| text.contains('.')),
    ("hyphen", |text| text.contains('-')),
    ("blank", |text| text.contains(' ')),
    ("blank at an end", |text| text.trim() != text),
    ("two blanks", |text| text.contains("  ")),
    ("leading zero", |text| {
        text.len() > 1 && text.starts_with('0') && is_number(text)
    }),
    ("word for a truth value or for nothing", is_word),
    ("number", is_number),
    ("number in another form", |text| {
        !is_number(text) && text.parse::<f64>().is_ok()
    }),
    ("capitals", |text| {
        text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase)
    }),
    ("non-ASCII letter", |text| {
        text.chars()
            .any(|letter| letter.is_alphabetic() && !letter.is_ascii())
    }),
    ("beyond the basic plane", |text| {
        text.chars().any(|letter| u32::from(letter) > 0xffff)
    }),
    ("combining mark", |text| {
        text.chars()
            .any(|letter| ('\u{300}'..'\u{370}').contains(&letter))
    }),
    ("case that does not fold one to one", |text| {
        text.chars().any(|letter| {
            letter.to_uppercase().count() > 1
                || letter.to_lowercase().count() > 1
                || "ıſKΣςẞ".contains(letter)
        })
    }),
    ("capital letter", |text| text.chars().any(char::is_uppercase)),
    ("fewer than three characters", |text| text.chars().count() < 3),
    ("more than 40 characters", |text| text.chars().count() > 40),
];

/// The classes that a text is in, by their place.
pub(crate) fn classes_of(text: &str) -> impl Iterator<Item = usize> {
    let classes = CLASSES.iter().enumerate();
    classes.filter(|(_, (_, is_in))| is_in(text)).map(|(at, _)| at)
}

/// Whether a value that some record shows can be asked for: what a word is taken for is not open where a record has it.
pub(super) fn can_be_asked(text: &str) -> bool {
    is_usable(text) || is_word(text)
}

/// Whether code is known to take a text for a truth value or for nothing.
fn is_word(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let words = [
        "null",
        "nil",
        "none",
        "undefined",
        "nan",
        "true",
        "false",
        "yes",
        "no",
        "on",
        "off",
    ];
    words.contains(&text.as_str())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
