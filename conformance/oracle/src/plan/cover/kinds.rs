//! Kinds of parameters, and parameters of a kind for a record.

use rollcall_contract::Match;

use super::*;
use crate::plan::FilterDomain;

/// A kind of parameter that is alone beside another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A filter by a whole value.
    Exact,
    /// A filter by a word of a closed list.
    Word,
    /// A filter by a part of a value.
    Partial,
    /// A filter by a bound of a timestamp.
    Bound,
    /// A filter by a flag.
    Flag,
    /// A word about soft deletion, by its place among those that show soft-deleted records.
    Scope(usize),
    /// An order by one field.
    Sort,
    /// A relation with its records.
    Include,
    /// A relation as a count or an existence.
    Summary,
    /// A later page.
    Page,
}

impl Kind {
    const ALL: [Self; 11] = [
        Self::Exact,
        Self::Word,
        Self::Partial,
        Self::Bound,
        Self::Flag,
        Self::Scope(0),
        Self::Scope(1),
        Self::Sort,
        Self::Include,
        Self::Summary,
        Self::Page,
    ];

    /// Every two kinds that can meet.
    pub(super) fn pairs() -> impl Iterator<Item = (Self, Self)> {
        let pairs = Self::ALL.into_iter().enumerate();
        let pairs = pairs.flat_map(|(at, one)| Self::ALL[at + 1..].iter().map(move |other| (one, *other)));
        pairs.filter(|(one, other)| one.can_meet(*other))
    }

    /// The kind of a filter; none of one that is about soft deletion.
    fn of(domain: &FilterDomain) -> Option<Self> {
        match domain.filter.matching {
            Match::Exact if domain.filter.is_word() => Some(Self::Word),
            Match::Exact => Some(Self::Exact),
            Match::Contains => Some(Self::Partial),
            Match::Before | Match::After => Some(Self::Bound),
            Match::Flag => Some(Self::Flag),
            Match::Trashed => None,
        }
    }

    /// Whether a query can have one of each and show both. Two relations, and all pages of an order, are asked for elsewhere.
    fn can_meet(self, other: Self) -> bool {
        !matches!(
            (self, other),
            (Self::Scope(_), Self::Scope(_)) | (Self::Include, Self::Summary) | (Self::Sort, Self::Page)
        )
    }
}

impl Planner<'_> {
    /// Adds a parameter of a kind that has something to do with a record.
    pub(super) fn add_kind(&mut self, recipe: &mut Recipe, kind: Kind, record: usize) -> Option<()> {
        let domain = self.domain;
        match kind {
            Kind::Sort => {
                let fields: Vec<usize> = (0..domain.sorts.len()).collect();
                let field = self.choice.some(&fields, 1).pop()?;
                recipe.sort.push((field, self.flip()));
            }
            Kind::Include | Kind::Summary => {
                let form = match kind {
                    Kind::Include => 0,
                    _ => 1 + self.choice.below(2),
                };
                let offered = |relation: &usize| domain.relations[*relation].forms[form].is_some();
                let offered: Vec<usize> = (0..domain.relations.len()).filter(offered).collect();
                let relation = self.choice.some(&offered, 1).pop()?;
                recipe.include.push((relation, form));
            }
            Kind::Page => {}
            Kind::Scope(place) => {
                let scope = domain.scope()?;
                let is_known =
                    |(_, level): &(usize, usize)| domain.filters[scope].known_word(*level) == *level;
                let shows = |word: &(usize, usize)| domain.found(*word).meets(&domain.deleted());
                let mut words = domain.values(scope).filter(is_known).filter(shows);
                recipe.filters.push(words.nth(place)?);
            }
            kind => {
                let filters = domain.filters(|one| Kind::of(one) == Some(kind));
                let filter = self.choice.some(&filters, 1).pop()?;
                let level = self.level(filter, record, true, false)?;
                recipe.filters.push((filter, level));
            }
        }
        Some(())
    }
}
