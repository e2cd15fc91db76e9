//! Classes of texts that code is known to read wrongly.

use std::collections::BTreeMap;

use super::{ClassedValue, NOTHING};
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

/// The shape of a text: a letter for each run of small letters, of capitals and of digits; any other sign, and each of several
/// blanks, as it is. No list of classes names a shape that few values have: three names, all digits, a word in small letters.
pub(super) fn shape(text: &str) -> String {
    let mut shape = String::new();
    for letter in text.chars() {
        let sign = match letter {
            letter if letter.is_numeric() => '0',
            letter if letter.is_uppercase() => 'A',
            letter if letter.is_alphabetic() => 'a',
            other => other,
        };
        if !(sign.is_alphanumeric() && shape.ends_with(sign)) {
            shape.push(sign);
        }
    }
    shape
}

/// One value of each of the rarest shapes that no other value stands for, so many at most.
pub(super) fn rarest_shapes<'v>(
    values: &[&'v String],
    taken: &[ClassedValue],
    most: usize,
) -> Vec<ClassedValue> {
    let mut shapes: BTreeMap<String, Vec<&'v String>> = BTreeMap::new();
    for value in values {
        shapes.entry(shape(value)).or_default().push(value);
    }
    taken.iter().for_each(|one| {
        shapes.remove(&shape(&one.value));
    });
    let mut shapes: Vec<_> = shapes.into_iter().collect();
    shapes.sort_by_key(|(shape, values)| (values.len(), shape.chars().count()));
    let first = shapes.iter().filter_map(|(_, values)| values.first());
    first
        .take(most)
        .map(|value| ClassedValue::shown(value, "a rare shape"))
        .collect()
}

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
    let words = ["nan", "true", "false", "yes", "no", "on", "off"];
    words.contains(&text.as_str()) || NOTHING.contains(&text.as_str())
}

/// Whether a text is digits alone.
pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_keeps_signs_and_blanks_and_forgets_letters() {
        let shapes = [
            ("Zoë van  Berg", "Aa a  Aa"),
            ("0042", "0"),
            ("null", "a"),
            ("O'Neill", "A'Aa"),
        ];
        for (text, expected) in shapes {
            assert_eq!(shape(text), expected);
        }
    }

    #[test]
    fn the_rarest_shape_that_is_not_taken_comes_first() {
        let values = ["Ann", "Bob", "Ann Lee", "Ann  Lee", "42"].map(str::to_owned);
        let values: Vec<&String> = values.iter().collect();
        let taken = [ClassedValue::shown("77", "any")];
        let rare = rarest_shapes(&values, &taken, 2);
        let rare: Vec<&str> = rare.iter().map(|one| one.value.as_str()).collect();
        assert_eq!(rare, ["Ann Lee", "Ann  Lee"]);
    }
}
