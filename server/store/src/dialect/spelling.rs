//! Words of a statement that databases spell differently. They stand in braces in the text of a statement.
//!
//! `{serial}` is the type of a key that numbers the rows of a table, `{by_key}` behind a table keeps its rows in the order of
//! its primary key, `{row}` is the column that names a row of any other table,
//! `{unused}` keeps a database from finding rows by the column that follows, `{contains a, b}` says whether the text `a`
//! has the part `b`, `{least a, b}` is the smaller of two values, `{join}` looks up rows of a table for each row of what stands
//! before it. `{cells}` and `{end}` stand around columns that are handed over together.

use std::borrow::Cow;

/// What names a row of a table, whatever its columns; not of one that is kept `{by_key}`.
pub const ROW: &str = "{row}";

/// Stands before a column that the database should not find rows by, because too many have the value.
pub const UNUSED: &str = "{unused}";

/// Stands before columns that a row hands over together: [`super::Cells::group`] takes them.
pub const CELLS: &str = "{cells}";

/// Stands behind them.
pub const END: &str = "{end}";

/// The text with each word in braces spelled as `spell` says, from its name and what stands behind it.
pub(super) fn spelled(text: &str, spell: impl Fn(&str, &str) -> Option<String>) -> Cow<'_, str> {
    if !text.contains('{') {
        return Cow::Borrowed(text);
    }
    let mut spelled = String::with_capacity(text.len() + 32);
    let mut rest = text;
    while let Some((before, word)) = rest.split_once('{') {
        spelled.push_str(before);
        let Some((word, behind)) = word.split_once('}') else {
            spelled.push('{');
            rest = word;
            continue;
        };
        let (name, argument) = word.split_once(' ').unwrap_or((word, ""));
        match spell(name, argument) {
            Some(text) => spelled.push_str(&text),
            None => {
                spelled.push('{');
                spelled.push_str(word);
                spelled.push('}');
            }
        }
        rest = behind;
    }
    spelled.push_str(rest);
    Cow::Owned(spelled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upper(name: &str, argument: &str) -> Option<String> {
        (!name.is_empty()).then(|| format!("{}({argument})", name.to_uppercase()))
    }

    #[test]
    fn words_in_braces_are_spelled_and_all_else_stays() {
        for (text, wanted) in [
            ("SELECT 1", "SELECT 1"),
            ("{row} = 1", "ROW() = 1"),
            ("a {contains t.a, $1} b {row}", "a CONTAINS(t.a, $1) b ROW()"),
            ("DEFAULT '{}'", "DEFAULT '{}'"),
            ("open { brace", "open { brace"),
        ] {
            assert_eq!(spelled(text, upper), wanted);
        }
    }
}
