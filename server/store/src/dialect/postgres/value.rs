//! Values on the way to the server and cells on the way back, in the binary form of the protocol.

use std::error::Error as StdError;

use postgres::types::private::BytesMut;
use postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use crate::dialect::cell::Cell;
use crate::error::{Error, Result};
use crate::sql::Value;

type Failure = Box<dyn StdError + Sync + Send>;

/// What is in a cell of a row.
pub(in crate::dialect) fn cell(row: &postgres::Row, place: usize) -> Result<Cell<'_>> {
    row.try_get(place).map_err(|why| Error::Corrupt(why.to_string()))
}

impl<'c> FromSql<'c> for Cell<'c> {
    fn from_sql(kind: &Type, raw: &'c [u8]) -> std::result::Result<Self, Failure> {
        Ok(match *kind {
            Type::BOOL => Self::Bool(bool::from_sql(kind, raw)?),
            Type::INT8 => Self::Int(i64::from_sql(kind, raw)?),
            Type::INT4 => Self::Int(i32::from_sql(kind, raw)?.into()),
            _ => Self::Text(<&str>::from_sql(kind, raw)?),
        })
    }

    fn from_sql_null(_: &Type) -> std::result::Result<Self, Failure> {
        Ok(Self::Null)
    }

    fn accepts(kind: &Type) -> bool {
        matches!(*kind, Type::BOOL | Type::INT8 | Type::INT4) || <&str as FromSql<'_>>::accepts(kind)
    }
}

impl ToSql for Value {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> std::result::Result<IsNull, Failure> {
        match (self, kind) {
            (Self::Null, _) => Ok(IsNull::Yes),
            (Self::Bool(flag), &Type::BOOL) => flag.to_sql(kind, out),
            (Self::Int(number), &Type::BOOL) => (*number != 0).to_sql(kind, out),
            (Self::Int(number), &Type::INT8) => number.to_sql(kind, out),
            (Self::Int(number), &Type::INT4) => i32::try_from(*number)?.to_sql(kind, out),
            (Self::Text(text), _) if is_text(kind) => without_nul(text).to_sql(kind, out),
            (Self::Needle(needle), _) if is_text(kind) => pattern(needle).to_sql(kind, out),
            _ => Err(format!("a value of another type where {kind} is stored").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

fn is_text(kind: &Type) -> bool {
    <&str as ToSql>::accepts(kind) || *kind == Type::JSON
}

/// The server takes no zero byte. No stored text has one, so nothing equals the text; the character after it has its place
/// in every order.
fn without_nul(text: &str) -> std::borrow::Cow<'_, str> {
    match text.contains('\0') {
        true => text.replace('\0', "\u{1}").into(),
        false => text.into(),
    }
}

/// A pattern of LIKE for texts that contain the needle.
fn pattern(needle: &str) -> String {
    let mut pattern = String::with_capacity(needle.len() + 2);
    pattern.push('%');
    for letter in without_nul(needle).chars() {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_needle_is_looked_for_letter_by_letter() {
        assert_eq!(pattern("a_b%c\\d"), "%a\\_b\\%c\\\\d%");
    }
}
