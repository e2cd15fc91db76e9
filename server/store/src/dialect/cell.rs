//! What both databases give for a cell of a row.

/// What is in a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell<'c> {
    Null,
    Bool(bool),
    Int(i64),
    Text(&'c str),
}
