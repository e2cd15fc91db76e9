//! What a rule says: one type for records, relations and writes.

/// What a rule says of a record, of a relation or of a write.
#[derive(Clone, Debug)]
pub enum Ruling<V> {
    /// The rule is not about it.
    NotApplicable,
    /// The rule is about it, and something is missing to judge it; the text says what.
    Missing(String),
    /// It keeps the rule.
    Holds,
    /// It breaks the rule.
    Violated(V),
}

impl<V> Ruling<V> {
    /// What a rule says of what it is about.
    pub fn when(is_about: bool, ruling: impl FnOnce() -> Self) -> Self {
        if is_about { ruling() } else { Self::NotApplicable }
    }

    /// Whether it breaks the rule.
    pub fn is_violated(&self) -> bool {
        matches!(self, Self::Violated(_))
    }

    /// Whether the rule is not about it.
    pub fn is_not_applicable(&self) -> bool {
        matches!(self, Self::NotApplicable)
    }
}
