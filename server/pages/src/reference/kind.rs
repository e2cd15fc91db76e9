//! The kinds of parameters: a form has a group for each.

use rollcall_contract::{Match, Operation, Parameter, Position, Role};

/// A kind of parameter. The order is that of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// In the path.
    Path,
    /// A filter by an equal value.
    Exact,
    /// A filter by a part of a value.
    Contains,
    /// A filter by a date.
    Dates,
    /// A filter that is true or false, or that is about soft deletion.
    Flags,
    /// The order, and the relations to include.
    Shape,
    /// Which page.
    Page,
    /// In a header.
    Headers,
    /// In the query of an operation that is no list.
    Others,
}

impl Kind {
    const ALL: [Self; 9] = [
        Self::Path,
        Self::Exact,
        Self::Contains,
        Self::Dates,
        Self::Flags,
        Self::Shape,
        Self::Page,
        Self::Headers,
        Self::Others,
    ];

    /// The heading of the group.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Path => "Path",
            Self::Exact => "Exact",
            Self::Contains => "Contains",
            Self::Dates => "Dates",
            Self::Flags => "Flags",
            Self::Shape => "Sort and include",
            Self::Page => "Page",
            Self::Headers => "Headers",
            Self::Others => "Query",
        }
    }

    fn of(parameter: &Parameter) -> Self {
        match (parameter.position, &parameter.filter, parameter.role) {
            (Position::Path, ..) => Self::Path,
            (Position::Header, ..) => Self::Headers,
            (Position::Query, Some(filter), _) => match filter.matching {
                Match::Exact => Self::Exact,
                Match::Contains => Self::Contains,
                Match::Before | Match::After => Self::Dates,
                Match::Flag | Match::Trashed => Self::Flags,
            },
            (Position::Query, None, Some(Role::Sort | Role::Include)) => Self::Shape,
            (Position::Query, None, Some(Role::Page | Role::Cursor | Role::PageSize | Role::PageTotal)) => {
                Self::Page
            }
            (Position::Query, None, None) => Self::Others,
        }
    }
}

/// The parameters of an operation by their kind, without kinds that it has none of.
pub(super) fn groups(operation: &Operation) -> Vec<(Kind, Vec<&Parameter>)> {
    let group = |kind| {
        let parameters = operation.parameters.iter();
        let of_kind: Vec<_> = parameters
            .filter(|parameter| Kind::of(parameter) == kind)
            .collect();
        (kind, of_kind)
    };
    let groups = Kind::ALL.into_iter().map(group);
    groups.filter(|(_, parameters)| !parameters.is_empty()).collect()
}
