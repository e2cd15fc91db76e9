//! A query by places in a domain, before it has names and values.

/// A query by its places in a domain.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Recipe {
    /// Filters and values.
    pub(super) filters: Vec<(usize, usize)>,
    /// Sort fields; true for descending.
    pub(super) sort: Vec<(usize, bool)>,
    /// Relations and forms.
    pub(super) include: Vec<(usize, usize)>,
    /// The page, counted from 1; none for the first and all that follow.
    pub(super) page: Option<usize>,
    /// Whether what follows the first page is left out.
    pub(super) first_page: bool,
}

impl Recipe {
    /// A recipe for some filters and values.
    pub(super) fn by(filters: impl Into<Vec<(usize, usize)>>) -> Self {
        Self {
            filters: filters.into(),
            ..Self::default()
        }
    }

    /// Whether it has a filter.
    pub(super) fn has(&self, filter: usize) -> bool {
        self.filters.iter().any(|(known, _)| *known == filter)
    }

    /// Whether it sorts by a field.
    pub(super) fn sorts_by(&self, field: usize) -> bool {
        self.sort.iter().any(|(known, _)| *known == field)
    }

    /// Whether it includes a relation.
    pub(super) fn includes(&self, relation: usize) -> bool {
        self.include.iter().any(|(known, _)| *known == relation)
    }
}
