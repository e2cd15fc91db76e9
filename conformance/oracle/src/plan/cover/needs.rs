//! What a goal needs, one need for each query that may be made for it, and which needs a query meets.

use std::collections::BTreeSet;

use super::kinds::Kind;
use super::token::{Token, rank};
use super::*;
use crate::plan::FilterDomain;
use crate::plan::goals::size::{BROAD, DEEP};
use crate::plan::sample::is_plain;
use crate::plan::values::ValueRelation;

/// In so many ways the page behind the last one is asked for: alone, in an order, beside everything.
pub(super) const WAYS: usize = 3;

/// Something that has to be asked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    /// This query as it is.
    Query(Recipe),
    /// A value beside other values that are still to be asked for.
    Beside((usize, usize)),
    /// By a filter a soft-deleted record, which must stay hidden.
    Hidden(usize),
    /// By a filter the soft-deleted records alone, some of which it excludes.
    Deleted(usize),
    /// The soft-deleted records alone in the order of a field.
    SortedDeleted(usize),
    /// A later page in an order; true for descending. So many filters at most are beside it.
    SortedPage(usize, bool, usize),
    /// The page behind the last one that a value has, in a way, and between two other filters or not.
    Behind((usize, usize), usize, bool),
    /// So many filters that all matter, beside other parameters or not.
    Conjunction(usize, bool),
    /// Two filters that no record passes, beside other parameters or not.
    Contradiction(bool),
    /// Parameters of two kinds and nothing else.
    Couple(Kind, Kind),
    /// A value that some record has, beside everything else.
    Value((usize, usize)),
    /// A value that is nearly one, beside so many filters at most.
    Near((usize, usize), usize),
    /// Two things that both matter.
    Pair(Token, Token),
    /// Anything in which many things matter.
    Any,
}

impl Need {
    /// What it is worth that a query made for another need meets it.
    pub(super) fn weight(&self) -> usize {
        let aim = match self {
            Self::Value(_) => Aim::Value,
            Self::Hidden(_) => Aim::Hidden,
            Self::Deleted(_) => Aim::Deleted,
            Self::SortedDeleted(_) => Aim::SortedDeleted,
            Self::SortedPage(..) => Aim::SortedPage,
            _ => return 0,
        };
        let goal = OF_COMBINATIONS.iter().find(|goal| goal.aim == aim);
        goal.map_or(0, |goal| goal.weight)
    }
}

impl Planner<'_> {
    /// The needs of a goal.
    pub(super) fn needs(&mut self, goal: &Goal) -> Vec<Need> {
        let queries = |recipes: Vec<Recipe>| recipes.into_iter().map(Need::Query).collect();
        let rounds = goal.most.min(self.domain.filters.len());
        match goal.aim {
            Aim::Alone => queries(self.alone()),
            Aim::Absent => queries(self.absent()),
            Aim::Window => queries(self.windows()),
            Aim::Beside => self.beside_others().into_iter().map(Need::Beside).collect(),
            Aim::Relation => queries(self.relations(goal.most)),
            Aim::Flag => queries(self.flags()),
            Aim::RelatedOfDeleted => queries(self.related_of_deleted(goal.most)),
            Aim::Walk => queries(self.walks(goal.tries, goal.most)),
            Aim::Order => queries(self.orders(goal.most)),
            Aim::Hidden => {
                let mut filters = self.domain.filters(|one| !one.is_scope);
                self.shuffle(&mut filters);
                filters.into_iter().map(Need::Hidden).collect()
            }
            Aim::Deleted => {
                let mut filters = self.domain.filters(|one| !one.is_scope);
                self.shuffle(&mut filters);
                filters.into_iter().map(Need::Deleted).collect()
            }
            Aim::SortedDeleted => (0..self.domain.sorts.len()).map(Need::SortedDeleted).collect(),
            Aim::SortedPage => self.sorted_pages(),
            Aim::Behind => self.behind(),
            // Half of them by nothing else: what is lost there need not show elsewhere.
            Aim::Conjunction => {
                let rounds = 0..rounds;
                rounds
                    .map(|round| Need::Conjunction(3 + round / 2 % 2, round % 2 == 1))
                    .collect()
            }
            Aim::Contradiction => {
                let rounds = 0..rounds;
                rounds.map(|round| Need::Contradiction(round % 2 == 1)).collect()
            }
            Aim::Couple => Kind::pairs()
                .map(|(one, other)| Need::Couple(one, other))
                .collect(),
            Aim::Value => {
                let domain = self.domain;
                let filters = 0..domain.filters.len();
                let values = filters.flat_map(|filter| domain.values(filter));
                let mut values: Vec<_> = values.filter(|value| !domain.found(*value).is_empty()).collect();
                self.shuffle(&mut values);
                values.into_iter().map(Need::Value).collect()
            }
            Aim::Near => self.near_values(),
            Aim::Pair => {
                let mut pairs = self.pairs();
                self.shuffle(&mut pairs);
                pairs.sort_by_key(|pair| rank(self.domain, pair));
                pairs
                    .into_iter()
                    .map(|(one, other)| Need::Pair(one, other))
                    .collect()
            }
            Aim::Triple => vec![Need::Any; goal.most],
        }
    }

    /// The needs that a query meets by itself.
    pub(super) fn needs_met(&self, recipe: &Recipe) -> Vec<Need> {
        let domain = self.domain;
        let filters = || recipe.filters.iter().map(|(filter, _)| *filter);
        let mut needs: Vec<Need> = recipe.filters.iter().copied().map(Need::Value).collect();
        let pages = domain.pages(recipe);
        let is_whole = pages <= 1 || recipe.page.is_none() && !recipe.first_page;
        let first_key = recipe.sort.first().copied();
        if is_whole && domain.hides_some(recipe) {
            needs.extend(filters().map(Need::Hidden));
        }
        if is_whole
            && domain
                .narrowest_scope()
                .is_some_and(|scope| recipe.filters.contains(&scope))
        {
            let mattering = filters()
                .enumerate()
                .filter(|(at, _)| domain.filter_matters(recipe, *at));
            needs.extend(mattering.map(|(_, filter)| Need::Deleted(filter)));
            if recipe.filters.len() == 1 {
                needs.extend(first_key.map(|(field, _)| Need::SortedDeleted(field)));
            }
        }
        if recipe.page.is_some_and(|page| page > 1 && page <= pages) {
            // Beside no filter, beside few and beside many are needs of their own.
            let beside = filters().filter(|filter| Some(*filter) != domain.scope()).count();
            let beside = [0, DEEP, BROAD].into_iter().find(|most| beside <= *most);
            needs.extend(
                first_key
                    .zip(beside)
                    .map(|((field, down), most)| Need::SortedPage(field, down, most)),
            );
        }
        needs
    }

    /// Every pair of tokens that can be in one query.
    pub(super) fn pairs(&self) -> Vec<(Token, Token)> {
        let mut pairs = Vec::new();
        for (at, one) in self.wanted.iter().enumerate() {
            let others = self.wanted[at + 1..].iter();
            let others = others.filter(|other| token::can_meet(*one, **other));
            pairs.extend(others.map(|other| (*one, *other)));
        }
        pairs
    }

    /// One more value of each kind of each filter, and one that is odd: all of them are asked for beside everything else later.
    fn beside_others(&mut self) -> Vec<(usize, usize)> {
        let domain = self.domain;
        let mut rest = Vec::new();
        for filter in 0..domain.filters.len() {
            let mut values: Vec<_> = domain.values(filter).collect();
            values.retain(|value| {
                !domain.found(*value).is_empty() && !self.done.contains(&Need::Value(*value))
            });
            self.shuffle(&mut values);
            let mut sorts = BTreeSet::new();
            values.retain(|value| {
                let value = &domain.value(*value).value;
                sorts.insert((value.kind, is_plain(&value.value)))
            });
            rest.extend(values);
        }
        self.shuffle(&mut rest);
        rest
    }

    /// Every sort field in both directions: records without a value are at one end, so one direction shows values early and
    /// the other late. In one direction without a filter: some faults show beside none.
    fn sorted_pages(&mut self) -> Vec<Need> {
        let mut needs = Vec::new();
        for field in (0..self.domain.sorts.len()).filter(|_| self.domain.has_pages) {
            let bare = self.flip();
            for down in [false, true] {
                let most = match down == bare {
                    true => 0,
                    false if self.flip() => BROAD,
                    false => DEEP,
                };
                needs.push(Need::SortedPage(field, down, most));
            }
        }
        needs
    }

    /// A page behind the last one by a value of every filter, of as many classes as there are, and by every word about soft
    /// deletion. An answer without records has the form of any other.
    fn behind(&mut self) -> Vec<Need> {
        let domain = self.domain;
        let mut filters = domain.filters(|_| domain.has_pages);
        self.shuffle(&mut filters);
        let mut classes = BTreeSet::new();
        let mut values = Vec::new();
        for filter in filters {
            let one = &domain.filters[filter];
            let mut levels: Vec<_> = domain.values(filter).collect();
            if one.is_scope {
                levels.retain(|(_, level)| one.known_word(*level) == *level);
            } else {
                self.shuffle(&mut levels);
                let of = |value: &(usize, usize)| classes_of(&domain.value(*value).value.value);
                let new = |value: &(usize, usize)| of(value).filter(|class| !classes.contains(class)).count();
                levels = Vec::from_iter(levels.into_iter().max_by_key(new));
                classes.extend(levels.iter().flat_map(of));
            }
            values.extend(levels);
        }
        let mut needs = Vec::new();
        for (place, value) in values.into_iter().enumerate() {
            // A word fails for few of the others, so it is asked for in each way.
            let ways = match domain.filters[value.0].is_scope {
                true => 0..WAYS,
                false => place % WAYS..place % WAYS + 1,
            };
            // What an odd text does to a link or to a query shows beside other filters.
            let is_odd = !domain.value(value).value.value.chars().all(char::is_alphanumeric);
            needs.extend(ways.map(|way| Need::Behind(value, way, is_odd || (place / WAYS + way) % 2 == 1)));
        }
        needs
    }

    /// Every value that no record is known to have and that is nearly one. The first of each kind was asked for alone. Beside
    /// every second one many filters find the record that has the value; beside the others one: what is found wrongly may be
    /// another record that has the value.
    fn near_values(&mut self) -> Vec<Need> {
        let domain = self.domain;
        let mut needs = Vec::new();
        for filter in domain.filters(FilterDomain::is_plain) {
            let mut kinds = BTreeSet::new();
            for value in domain.values(filter) {
                let kind = domain.value(value).value.kind;
                let is_near = kind <= ValueRelation::Disguised && domain.found(value).is_empty();
                if is_near && !kinds.insert(kind) {
                    let most = if self.flip() { BROAD } else { 1 };
                    needs.push(Need::Near(value, most));
                }
            }
        }
        needs
    }
}
