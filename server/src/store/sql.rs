//! SQL under construction: portable text and the values bound to it. A value never becomes text.

/// A value bound to a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// No value.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number; moments are microseconds since 1970.
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
    fn from(moment: rollcall::Timestamp) -> Self {
        Self::Int(moment.micros())
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// A statement: text with the placeholders `$1`, `$2`, … in order, and their values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sql {
    text: String,
    values: Vec<Value>,
}

/// The bytes of most statements that read a record: so many are asked for at once.
const USUAL_LENGTH: usize = 2_048;

impl Sql {
    /// Begins with this text.
    pub fn new(text: &str) -> Self {
        let mut whole = String::with_capacity(USUAL_LENGTH);
        whole.push_str(text);
        Self {
            text: whole,
            values: Vec::new(),
        }
    }

    /// Adds text, which comes from this program only.
    pub fn push(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Adds a placeholder and binds its value.
    pub fn bind(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        self.text.push('$');
        self.text.push_str(&self.values.len().to_string());
        self
    }

    /// Adds `(a, b, …)` with each value bound.
    pub fn bind_all<V: Into<Value>>(&mut self, values: impl IntoIterator<Item = V>) -> &mut Self {
        self.push("(");
        for (place, value) in values.into_iter().enumerate() {
            self.push(if place == 0 { "" } else { ", " }).bind(value);
        }
        self.push(")")
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The values, in order of their placeholders.
    pub fn values(&self) -> &[Value] {
        &self.values
    }
}
