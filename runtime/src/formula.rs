//! CSV cells that a spreadsheet would run as a formula.
//!
//! Who writes CSV for people writes `'=1+1` for the value `=1+1`; a reader takes the apostrophe away again. A value that already begins with
//! apostrophes before such a character gets one more, so that every value comes back to the letter.

use std::borrow::Cow;

/// The characters with which a spreadsheet lets a formula begin, the wide forms of East Asian keyboards included.
const BEGINS_FORMULA: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// The text of a cell for a value: with an apostrophe in front where a spreadsheet would run it.
#[must_use]
pub fn escape_formula(value: Cow<'_, str>) -> Cow<'_, str> {
    match is_formula(&value) {
        true => Cow::Owned(format!("'{value}")),
        false => value,
    }
}

/// The value of a cell: without the apostrophe of [`escape_formula`].
#[must_use]
pub fn unescape_formula(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(value) if is_formula(value) => value,
        _ => cell,
    }
}

/// Whether the text begins a formula, apostrophes in front left aside.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(BEGINS_FORMULA)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_formula_is_written_as_text() {
        for (value, cell) in [
            (
                "=HYPERLINK(\"http://x.invalid\")",
                "'=HYPERLINK(\"http://x.invalid\")",
            ),
            ("-5", "'-5"),
            ("＝1", "'＝1"),
            ("'=1", "''=1"),
            ("'quoted", "'quoted"),
            ("O'Neill", "O'Neill"),
            ("a=b", "a=b"),
            ("", ""),
        ] {
            assert_eq!(escape_formula(value.into()), cell);
            assert_eq!(unescape_formula(cell), value);
        }
    }

    proptest! {
        #[test]
        fn every_value_comes_back_and_no_cell_is_a_formula(value in "['=+@\t＝a-]{0,6}") {
            let cell = escape_formula(value.as_str().into()).into_owned();
            prop_assert_eq!(unescape_formula(&cell), value.as_str());
            prop_assert!(!cell.starts_with(BEGINS_FORMULA));
        }
    }
}
