//! SQL under construction: portable text and the values bound to it. Only constants of this program become text: the type
//! of a statement takes no other, so no value can.

use std::fmt::{self, Display, Write as _};

/// A value bound to a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// No value.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number; timestamps are microseconds since 1970.
    Int(i64),
    /// Text.
    Text(String),
    /// Text that is looked for in others (`{contains}` in `dialect/spelling.rs`).
    Needle(String),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<rollcall::Timestamp> for Value {
    fn from(timestamp: rollcall::Timestamp) -> Self {
        Self::Int(timestamp.micros())
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// The text of a statement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statement(String);

impl Statement {
    /// Adds a constant; no other text can be added.
    pub fn push(&mut self, text: &'static str) {
        self.0.push_str(text);
    }
}

/// What a statement is made of: constants of this program.
pub trait Text {
    /// Adds it to a statement.
    fn push_to(self, statement: &mut Statement);
}

impl Text for &'static str {
    fn push_to(self, statement: &mut Statement) {
        statement.push(self);
    }
}

impl Text for &&'static str {
    fn push_to(self, statement: &mut Statement) {
        statement.push(self);
    }
}

impl<T: Text, const PARTS: usize> Text for [T; PARTS] {
    fn push_to(self, statement: &mut Statement) {
        for part in self {
            part.push_to(statement);
        }
    }
}

/// A word that a column has, in quotes: for a condition that an index is made for, which a bound value does not meet.
#[derive(Clone, Copy, Debug)]
pub struct Word(pub &'static str);

impl Text for Word {
    fn push_to(self, statement: &mut Statement) {
        ["'", self.0, "'"].push_to(statement);
    }
}

/// The name of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    /// This one.
    Own(&'static str),
    /// `<name>_folded`, where the text or the values of the column of this name are folded.
    Folded(&'static str),
}

impl From<&'static str> for Name {
    fn from(name: &'static str) -> Self {
        Self::Own(name)
    }
}

impl Name {
    fn parts(self) -> [&'static str; 2] {
        match self {
            Self::Own(name) => [name, ""],
            Self::Folded(name) => [name, "_folded"],
        }
    }
}

impl Text for Name {
    fn push_to(self, statement: &mut Statement) {
        self.parts().push_to(statement);
    }
}

impl Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts().iter().try_for_each(|part| f.write_str(part))
    }
}

/// A statement: text with the placeholders `$1`, `$2`, … in order, and their values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sql {
    text: Statement,
    values: Vec<Value>,
}

/// The bytes of most statements that read a record: so many are asked for at once.
const USUAL_LENGTH: usize = 2_048;

impl Sql {
    /// Begins with this text.
    pub fn new(text: impl Text) -> Self {
        let mut sql = Self {
            text: Statement(String::with_capacity(USUAL_LENGTH)),
            values: Vec::new(),
        };
        sql.push(text);
        sql
    }

    /// Changes columns of text in many rows: each of `rows` has an id and a value for each column. More conditions may follow,
    /// with the values under the names `v.column2`, `v.column3`, …
    pub fn update_rows(table: &'static str, columns: &[&'static str], rows: Vec<Vec<Value>>) -> Self {
        let mut sql = Self::new(["UPDATE ", table, " SET "]);
        sql.push_each(", ", (2..).zip(columns), |sql, (number, column)| {
            sql.push([column, " = v.column"]).push_number(number);
        });
        sql.push(" FROM (VALUES ");
        sql.push_each(", ", rows, |sql, row| {
            sql.bind_all(row);
        });
        sql.push([") AS v WHERE ", table, ".id = v.column1"]);
        sql
    }

    /// Adds text.
    pub fn push(&mut self, text: impl Text) -> &mut Self {
        text.push_to(&mut self.text);
        self
    }

    /// Adds each of several items, with this text between them.
    pub fn push_each<T>(
        &mut self,
        between: &'static str,
        items: impl IntoIterator<Item = T>,
        mut push: impl FnMut(&mut Self, T),
    ) -> &mut Self {
        for (place, item) in items.into_iter().enumerate() {
            self.push(if place == 0 { "" } else { between });
            push(self, item);
        }
        self
    }

    /// Adds texts with a comma between them.
    pub fn push_list(&mut self, items: impl IntoIterator<Item = impl Text>) -> &mut Self {
        self.push_each(", ", items, |sql, item| {
            sql.push(item);
        })
    }

    /// Adds a placeholder and binds its value.
    pub fn bind(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        let number = self.values.len();
        self.push("$").push_number(number)
    }

    /// Adds `(a, b, …)` with each value bound.
    pub fn bind_all<V: Into<Value>>(&mut self, values: impl IntoIterator<Item = V>) -> &mut Self {
        self.push("(").push_each(", ", values, |sql, value| {
            sql.bind(value);
        });
        self.push(")")
    }

    fn push_number(&mut self, number: usize) -> &mut Self {
        // Writing to memory does not fail.
        let _ = write!(self.text.0, "{number}");
        self
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text.0
    }

    /// The values, in order of their placeholders.
    pub fn values(&self) -> &[Value] {
        &self.values
    }
}
