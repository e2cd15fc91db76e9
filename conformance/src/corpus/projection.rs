//! The ways to read a list.

/// A way to read a list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Projection {
    /// Without parameters.
    Default,
    /// With soft-deleted records, if the list has them.
    Trashed,
    /// With a relation included, or with several.
    Including(String),
    /// With relations included, of soft-deleted records as well.
    IncludingOfDeleted(String),
}

impl Projection {
    /// What a target lacks if the list cannot be read in this way.
    pub(crate) fn needs(&self) -> String {
        match self {
            Self::Default => "a list that answers with records".to_owned(),
            Self::Trashed => "a list that shows soft-deleted records".to_owned(),
            Self::Including(relation) | Self::IncludingOfDeleted(relation) => {
                format!("a list that includes {relation}")
            }
        }
    }
}
