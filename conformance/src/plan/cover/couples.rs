//! Queries for two parameters and nothing else: one for each two kinds of parameters.

use rollcall_contract::Match;

use super::*;
use crate::corpus::record_set::RecordSet;
use crate::plan::FilterDomain;

/// A kind of parameter that is alone beside another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
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
    /// Asks for two parameters of every two kinds: what goes wrong with two need not go wrong beside a third one.
    pub(super) fn cover_couples(&mut self) {
        for (at, one) in Kind::ALL.iter().enumerate() {
            for other in Kind::ALL[at + 1..].iter().filter(|other| one.can_meet(**other)) {
                let couples = (0..TRIES).filter_map(|_| self.couple([*one, *other]));
                let couples = couples.collect();
                self.take_best(couples);
            }
        }
    }

    /// A query for two parameters of two kinds in which both matter.
    fn couple(&mut self, kinds: [Kind; 2]) -> Option<(Recipe, Vec<Token>)> {
        let record = self.choice.below(self.domain.count.max(1));
        let mut recipe = Recipe::default();
        for kind in kinds {
            self.add_kind(&mut recipe, kind, record)?;
        }
        if kinds.contains(&Kind::Page) {
            let pages = self.pages(&recipe);
            let later = 2 + self.choice.below(pages.saturating_sub(1).max(1));
            self.turn_to(&mut recipe, later)?;
        } else if self.pages(&recipe) > 1 {
            recipe.first_page = true;
        }
        let included = self.domain.included(&recipe);
        let has = |(relation, _): &(usize, usize)| self.domain.relations[*relation].has.meets(&included);
        let all_matter = (0..recipe.filters.len()).all(|at| self.domain.filter_matters(&recipe, at))
            && (0..recipe.sort.len()).all(|at| self.domain.sort_matters(&recipe, at, &included))
            && recipe.include.iter().all(has);
        all_matter.then(|| {
            let tokens = self.tokens(&recipe);
            (recipe, tokens)
        })
    }

    /// Adds a parameter of a kind that has something to do with a record.
    fn add_kind(&mut self, recipe: &mut Recipe, kind: Kind, record: usize) -> Option<()> {
        let domain = self.domain;
        match kind {
            Kind::Sort => {
                let field = self.choice.below(domain.sorts.len().max(1));
                domain.sorts.get(field)?;
                let down = self.flip();
                recipe.sort.push((field, down));
            }
            Kind::Include | Kind::Summary => {
                let form = if kind == Kind::Include {
                    0
                } else {
                    1 + self.choice.below(2)
                };
                let offered = |relation: &usize| domain.relations[*relation].forms[form].is_some();
                let offered: Vec<usize> = (0..domain.relations.len()).filter(offered).collect();
                let relation = self.choice.some(&offered, 1).pop()?;
                recipe.include.push((relation, form));
            }
            Kind::Page => {}
            Kind::Scope(place) => {
                let scope = domain.filters.iter().position(|filter| filter.is_scope)?;
                let shows = |level: &usize| !self.scoped(scope, *level).minus(&domain.usual).is_empty();
                let known = |level: &usize| domain.filters[scope].known_word(*level) == *level;
                let mut words = (0..domain.filters[scope].levels.len())
                    .filter(shows)
                    .filter(known);
                recipe.filters.push((scope, words.nth(place)?));
            }
            kind => {
                let of_kind = |filter: &usize| Kind::of(&domain.filters[*filter]) == Some(kind);
                let filters: Vec<usize> = (0..domain.filters.len()).filter(of_kind).collect();
                let filter = self.choice.some(&filters, 1).pop()?;
                let level = self.level(filter, record, true, false)?;
                recipe.filters.push((filter, level));
            }
        }
        Some(())
    }

    /// The records that a word about soft deletion shows.
    fn scoped(&self, scope: usize, level: usize) -> &RecordSet {
        &self.domain.filters[scope].levels[level].verdicts.included
    }
}
