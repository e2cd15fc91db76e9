//! Columns of a row with the values that a change gives them.

use crate::fold::{fold, searchable};
use crate::sql::{Name, Sql, Value};

/// Columns of a row with their values.
#[derive(Clone, Debug, Default)]
pub struct Fields(pub(super) Vec<(Name, Value)>);

impl Fields {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a column, if it is among them.
    pub fn get(&self, column: &'static str) -> Option<&Value> {
        let mut fields = self.0.iter().rev();
        fields.find_map(|(name, value)| (*name == Name::Own(column)).then_some(value))
    }

    /// Adds ` WHERE …` for the rows that have these values.
    pub fn push_where(&self, sql: &mut Sql) {
        self.push_equal(sql.push(" WHERE "), " AND ");
    }

    /// Adds `column = value` for each of them, with this text between them.
    pub(super) fn push_equal(&self, sql: &mut Sql, between: &'static str) {
        sql.push_each(between, &self.0, |sql, (column, value)| {
            sql.push(*column).push(" = ").bind(value.clone());
        });
    }

    /// A column as it is.
    pub fn set(mut self, column: impl Into<Name>, value: impl Into<Value>) -> Self {
        self.0.push((column.into(), value.into()));
        self
    }

    /// A text with its folded twin.
    pub fn text(self, column: &'static str, value: &str) -> Self {
        let folded = fold(value);
        self.set(column, value).set(Name::Folded(column), folded)
    }

    /// The same, or null.
    pub fn text_or_null(self, column: &'static str, value: Option<&str>) -> Self {
        let folded = value.map(fold);
        self.set(column, value.map(str::to_owned))
            .set(Name::Folded(column), folded)
    }

    /// JSON whose values are searched.
    pub fn values(self, column: &'static str, value: &serde_json::Value) -> Self {
        self.set(column, value.to_string())
            .set(Name::Folded(column), searchable(value))
    }
}
