//! Queries for a page behind the last one: it has no records, but it would have some if a filter were forgotten there.

use super::*;

/// In so many ways the page behind the last one is asked for.
const WAYS: usize = 3;
/// So many filters are drawn for one that many records pass.
const DRAWN: usize = 6;

impl Planner<'_> {
    /// Asks for the page behind the last one, by every filter and by every word about soft deletion. An answer without records
    /// has the form of any other.
    pub(super) fn cover_pages_past_the_end(&mut self) {
        if !self.domain.has_pages {
            return;
        }
        let mut filters: Vec<usize> = (0..self.domain.filters.len()).collect();
        self.shuffle(&mut filters);
        let mut classes = BTreeSet::new();
        let mut values = Vec::new();
        for filter in filters {
            let one = &self.domain.filters[filter];
            let known_words = (0..one.levels.len()).filter(|level| one.known_word(*level) == *level);
            let levels: Vec<usize> = match one.is_scope {
                true => known_words.collect(),
                false => self.of_new_class(filter, &mut classes).into_iter().collect(),
            };
            values.extend(levels.into_iter().map(|level| (filter, level)));
        }
        for (place, value) in values.into_iter().enumerate() {
            let is_scope = self.domain.filters[value.0].is_scope;
            // A word fails for few of the others, so it is asked for in each way.
            let ways = if is_scope {
                0..WAYS
            } else {
                place % WAYS..place % WAYS + 1
            };
            for way in ways {
                let beside_another = (place / WAYS + way) % 2 == 1;
                let pages = (0..CANDIDATES).map(|_| self.page_past_the_end(value, way, beside_another));
                let pages = pages.collect();
                self.take_best_of(pages);
            }
        }
    }

    /// A value of a filter in which the most classes of texts are new.
    fn of_new_class(&mut self, filter: usize, classes: &mut BTreeSet<usize>) -> Option<usize> {
        let domain = self.domain;
        let mut levels: Vec<usize> = (0..domain.filters[filter].levels.len()).collect();
        self.shuffle(&mut levels);
        let of = |level: &usize| classes_of(&domain.filters[filter].levels[*level].value.value);
        let new = |level: &usize| of(level).filter(|class| !classes.contains(class)).count();
        let level = levels.into_iter().max_by_key(new)?;
        classes.extend(of(&level));
        Some(level)
    }

    /// The page behind the last one that a value has: alone, in an order, or beside everything. `beside_another` with another
    /// filter before it or after it, which many records pass: one of the two may be forgotten.
    fn page_past_the_end(&mut self, value: (usize, usize), way: usize, beside_another: bool) -> Recipe {
        let mut recipe = Recipe {
            filters: vec![value],
            ..Recipe::default()
        };
        // Up to the last page that the list has without the filter.
        let mut last = self.domain.count.div_ceil(self.domain.page_size.max(1));
        if let Some(other) = self.broadest(value.0).filter(|_| beside_another) {
            let alone = Recipe {
                filters: vec![other],
                ..Recipe::default()
            };
            last = self.pages(&alone);
            let place = self.choice.below(2);
            recipe.filters.insert(place, other);
        }
        let own = self.pages(&recipe).max(1);
        let further = if way == 0 {
            1
        } else {
            last.saturating_sub(own).max(1)
        };
        recipe.page = Some(own + 1 + self.choice.below(further));
        match way {
            0 => {}
            1 => self.add_keys(&mut recipe),
            _ => {
                let record = self.choice.below(self.domain.count.max(1));
                self.add_all_that_fits(&mut recipe, record);
            }
        }
        recipe
    }

    /// A filter and a value that many records pass: the best of some filters that are drawn.
    fn broadest(&mut self, other_than: usize) -> Option<(usize, usize)> {
        let domain = self.domain;
        let filters = domain.filters.iter().enumerate();
        let plain = filters.filter(|(at, one)| *at != other_than && !one.is_scope);
        let plain: Vec<usize> = plain.map(|(at, _)| at).collect();
        let drawn = self.choice.some(&plain, DRAWN).into_iter();
        let values = drawn
            .flat_map(|filter| (0..domain.filters[filter].levels.len()).map(move |level| (filter, level)));
        values.max_by_key(|(filter, level)| domain.usual_of(&domain.filters[*filter].levels[*level]))
    }
}
