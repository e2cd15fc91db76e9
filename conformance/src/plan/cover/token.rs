//! The things that a query asks for, and which of them can meet in one query.

use crate::plan::domain::Domain;
use crate::plan::values::classes::CLASSES;

/// A thing that a query asks for. Two of them make a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Token {
    /// A filter that matters, by its place in the domain.
    Filter(usize),
    /// A filter, whether or not it matters: what else is asked for has to show beside it.
    Present(usize),
    /// A filter by a flag and one of its values: what fails for `false` need not fail for `true`.
    Flag(usize, usize),
    /// A word for soft deletion: the filter and its value.
    Scope(usize, usize),
    /// Nothing is said of soft deletion, and a soft-deleted record has the values asked for.
    Usual,
    /// A sort field that matters.
    Sort(usize),
    /// A sort field, whether or not it matters: what another field sorts has to show beside it.
    Sorted(usize),
    /// A sort key in the second or third place, or a direction: place and whether it is descending.
    Key(usize, bool),
    /// A relation in a form.
    Relation(usize, usize),
    /// The form of a relation, of this one or of another.
    Form(usize),
    /// A value of a filter that is nearly one: records that have that one must not be found.
    Near(usize),
    /// A page; [`LAST`] for the last.
    Page(usize),
    /// Some filter has a value of a class of texts.
    Class(usize),
    /// There are at least [`MANY`] filters.
    Many,
    /// There are at least [`MANY`] filters, and soft-deleted records are shown.
    ManyOfDeleted,
}

/// A query has many filters from this number on.
pub(super) const MANY: usize = 3;

impl Token {
    /// Whether it says which soft-deleted records are listed, or that they must stay hidden.
    pub(super) fn is_of_deletion(self) -> bool {
        matches!(self, Self::Scope(..) | Self::Usual)
    }

    /// The token in words.
    pub(super) fn describe(self, domain: &Domain) -> String {
        let filter = |filter: usize| domain.filters[filter].filter.name.clone();
        let relation = |relation: usize, form: usize| domain.relations[relation].forms[form].clone();
        match self {
            Self::Filter(at) => filter(at),
            Self::Present(at) => format!("{} with any value", filter(at)),
            Self::Flag(at, level) | Self::Scope(at, level) => {
                format!("{}={}", filter(at), domain.filters[at].levels[level].value.value)
            }
            Self::Usual => "soft-deleted records that must stay hidden".to_owned(),
            Self::Sort(at) => format!("sort by {}", domain.sorts[at].name),
            Self::Sorted(at) => format!("sort by {} in any place", domain.sorts[at].name),
            Self::Key(place, false) => format!("sort key {} ascending", place + 1),
            Self::Key(place, true) => format!("sort key {} descending", place + 1),
            Self::Relation(at, form) => format!("include {}", relation(at, form).unwrap_or_default()),
            Self::Near(at) => format!("{} with what is nearly a value", filter(at)),
            Self::Form(0) => "included records".to_owned(),
            Self::Form(1) => "an included count".to_owned(),
            Self::Form(_) => "an included existence".to_owned(),
            Self::Page(LAST) => "the last page".to_owned(),
            Self::Page(page) => format!("page {page}"),
            Self::Class(class) => format!("a value of the class: {}", CLASSES[class].0),
            Self::Many => format!("{MANY} filters"),
            Self::ManyOfDeleted => format!("{MANY} filters on soft-deleted records"),
        }
    }
}

/// How [`Token::Page`] calls the last page.
pub(super) const LAST: usize = 0;

/// Which pairs are covered first: what is said of soft deletion with everything, then filters with what is rarer, at last
/// what most queries cover anyway.
pub(super) fn rank((one, other): &(Token, Token)) -> usize {
    match (one, other) {
        (one, other) if one.is_of_deletion() || other.is_of_deletion() => 0,
        (Token::Filter(_) | Token::Flag(..), Token::Page(_) | Token::Form(_) | Token::Key(..)) => 1,
        (Token::Filter(_) | Token::Flag(..) | Token::Present(_), Token::Relation(..) | Token::Sort(_)) => 2,
        (Token::Filter(_) | Token::Flag(..), Token::Class(_) | Token::Many | Token::ManyOfDeleted) => 2,
        _ => 3,
    }
}

/// Whether a query can have both.
pub(super) fn can_meet(one: Token, other: Token) -> bool {
    if let (Token::Flag(filter, _), Token::Flag(same, _)) = (one, other) {
        return filter != same;
    }
    // That both are there shows nothing.
    if let (Token::Present(_), Token::Present(_)) = (one, other) {
        return false;
    }
    if let (Token::Filter(filter), Token::Present(same)) | (Token::Present(same), Token::Filter(filter)) =
        (one, other)
    {
        return filter != same;
    }
    if let (Token::Sorted(field), other) | (other, Token::Sorted(field)) = (one, other) {
        return matches!(other, Token::Sort(same) if field != same);
    }
    if one == Token::ManyOfDeleted || other == Token::ManyOfDeleted {
        return matches!(one, Token::Filter(_) | Token::Flag(..) | Token::Present(_));
    }
    !matches!(
        (one, other),
        (Token::Scope(..), Token::Scope(..) | Token::Usual)
            | (Token::Page(_), Token::Page(_))
            | (Token::Form(_), Token::Form(_) | Token::Relation(..))
            | (Token::Relation(..), Token::Form(_))
            | (Token::Key(..), Token::Key(..))
            | (Token::Class(_) | Token::Many, Token::Class(_) | Token::Many)
            | (Token::Class(_) | Token::Many, Token::Present(_))
            | (Token::Present(_), Token::Class(_) | Token::Many)
    )
}
