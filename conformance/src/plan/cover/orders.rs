//! Orders by two fields, in every direction.

use std::cmp::Reverse;

use super::*;
use crate::plan::SortColumn;

/// So many pairs of fields are asked for.
const PAIRS: usize = 3;
/// So many records show an order by two fields; more would take more pages.
const RECORDS: std::ops::RangeInclusive<usize> = 3..=60;
/// The directions of both fields; true for descending.
const DIRECTIONS: [(bool, bool); 4] = [(false, false), (true, true), (false, true), (true, false)];

/// Two fields, of which the second tells apart what the first leaves equal, and a query that shows it.
struct Pair {
    ties: usize,
    fields: (usize, usize),
    recipe: Recipe,
}

impl Planner<'_> {
    /// Asks for the pairs of fields with the most ties in every direction.
    pub(super) fn cover_orders(&mut self) {
        let narrow = self.narrow();
        let fields = 0..self.domain.sorts.len();
        let pairs = fields.filter_map(|first| {
            let others = (0..self.domain.sorts.len()).filter(|second| *second != first);
            let pairs = others.flat_map(|second| narrow.iter().map(move |one| (second, one)));
            let pairs = pairs.map(|(second, (recipe, records))| Pair {
                ties: self.ties((first, second), records),
                fields: (first, second),
                recipe: recipe.clone(),
            });
            pairs.filter(|pair| pair.ties > 0).max_by_key(|pair| pair.ties)
        });
        let mut pairs: Vec<Pair> = pairs.collect();
        pairs.sort_by_key(|pair| Reverse(pair.ties));
        for pair in pairs.into_iter().take(PAIRS) {
            for directions in DIRECTIONS {
                let recipe = Recipe {
                    sort: vec![(pair.fields.0, directions.0), (pair.fields.1, directions.1)],
                    ..pair.recipe.clone()
                };
                let tokens = self.tokens(&recipe);
                self.take(&recipe, &tokens);
            }
        }
    }

    /// Queries by one value, or by none, with few records.
    fn narrow(&self) -> Vec<(Recipe, Vec<usize>)> {
        let filters = self.domain.filters.iter().enumerate();
        let plain = filters.filter(|(_, one)| one.is_plain());
        let values =
            plain.flat_map(|(filter, one)| (0..one.levels.len()).map(move |level| vec![(filter, level)]));
        let recipes = values.chain([Vec::new()]).map(|filters| Recipe {
            filters,
            ..Recipe::default()
        });
        let most = self.domain.page_size.max(*RECORDS.start()) * 3;
        let narrow = recipes.map(|recipe| {
            let records: Vec<usize> = self.domain.included(&recipe).iter().collect();
            (recipe, records)
        });
        let narrow = narrow.filter(|(_, records)| RECORDS.contains(&records.len()) && records.len() <= most);
        narrow.collect()
    }

    /// How many records the second field tells from another that is the same in the first, while there is more than one
    /// value of the first.
    fn ties(&self, (first, second): (usize, usize), records: &[usize]) -> usize {
        let [first, second]: [&SortColumn; 2] = [first, second].map(|field| &self.domain.sorts[field]);
        match first.is_discriminating(records) {
            true => first.told_apart(second, records),
            false => 0,
        }
    }
}
