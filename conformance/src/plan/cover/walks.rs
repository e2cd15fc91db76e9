//! Long answers that are read to their end.

use rollcall_contract::Match;

use super::*;
use crate::plan::SortColumn;

/// So many long answers are read.
const WALKS: usize = 6;
/// They have so many pages.
const LONG: std::ops::RangeInclusive<usize> = 3..=6;
/// So many relations are asked for at most.
const RELATIONS: usize = 3;
/// So often at most another filter is added.
const FILTERS: usize = 9;
/// How the first filter of one walk after the other matches.
const WAYS: [Match; 5] = [
    Match::After,
    Match::Contains,
    Match::Flag,
    Match::Before,
    Match::Exact,
];

impl Planner<'_> {
    /// Reads some long answers to their end, by filters that all matter, in an order, with a few relations: what a page loses or
    /// shows again shows only beside the others. One walk is as long as it can be, the next ends with one record on its page, the
    /// next is long again, the next ends with a full page: at such ends code goes wrong.
    pub(super) fn cover_walks(&mut self) {
        for round in 0..WALKS {
            let walks = (0..TRIES).map(|_| self.walk(round));
            let mut walks: Vec<Recipe> = walks.collect();
            walks.retain(|walk| LONG.contains(&self.pages(walk)));
            let longest = walks.iter().map(|walk| self.pages(walk)).max();
            let on_last = |walk: &Recipe| self.domain.included(walk).len() % self.domain.page_size.max(1);
            let is_fit = |walk: &Recipe| match round % 4 {
                1 => on_last(walk) == 1,
                3 => on_last(walk) == 0,
                _ => Some(self.pages(walk)) == longest,
            };
            if walks.iter().any(is_fit) {
                walks.retain(is_fit);
            }
            self.take_best_of(walks);
        }
    }

    /// A long answer in an order that ends with a key that is unique, if there is one: so its pages have to fit each other.
    fn walk(&mut self, round: usize) -> Recipe {
        let mut recipe = Recipe::default();
        let Some(record) = self.record(&[]) else {
            return recipe;
        };
        if !round.is_multiple_of(3) {
            recipe.filters.extend(self.widest_scope());
        }
        let way = WAYS[round % WAYS.len()];
        let filters = self.domain.filters.iter().enumerate();
        let of_way = filters.filter(|(_, one)| one.filter.matching == way);
        let of_way: Vec<usize> = of_way.map(|(filter, _)| filter).collect();
        let mut first = self.choice.some(&of_way, 1).pop();
        for _ in 0..FILTERS {
            match first.take() {
                Some(filter) => self.add_broad_value(&mut recipe, record, filter),
                None => self.add_broad(&mut recipe, record),
            }
            if self.pages(&recipe) < *LONG.start() {
                recipe.filters.pop();
            }
        }
        self.add_keys(&mut recipe);
        let unique = self.domain.sorts.iter().position(SortColumn::is_unique);
        let is_new = |field: &usize| recipe.sort.iter().all(|(known, _)| known != field);
        let unique = unique.filter(is_new).map(|field| (field, round % 2 == 1));
        recipe.sort.extend(unique);
        self.add_some_relations(&mut recipe, record, RELATIONS);
        recipe
    }
}
