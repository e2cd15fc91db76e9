//! Queries that are chosen by a measure of their own and not by the gain: the shortest that shows something, or the longest.

use std::cmp::Reverse;

use rollcall_contract::Match;

use super::*;
use crate::corpus::Projection;
use crate::corpus::record_set::RecordSet;
use crate::plan::goals::size::{LONG, ORDERED, SHORT, WHOLE};
use crate::plan::sample::is_plain;
use crate::plan::{FilterDomain, SortColumn, ValueRelation};

/// How the first filter of one walk after the other matches.
const WAYS: [Match; 5] = [
    Match::After,
    Match::Contains,
    Match::Flag,
    Match::Before,
    Match::Exact,
];
/// The directions of both fields of an order; true for descending.
const DIRECTIONS: [(bool, bool); 4] = [(false, false), (true, true), (false, true), (true, false)];

impl Planner<'_> {
    /// The most telling values of each filter by themselves.
    pub(super) fn alone(&mut self) -> Vec<Recipe> {
        let domain = self.domain;
        let mut alone = Vec::new();
        for (filter, one) in domain.filters.iter().enumerate() {
            let mut found: Vec<_> = domain.values(filter).collect();
            found.retain(|value| !domain.found(*value).is_empty());
            if found.len() > one.alone {
                self.shuffle(&mut found);
                let value = |value: &(usize, usize)| domain.value(*value);
                // What a filter does with a plain value tells more than what it does with an odd one, most of all with letters alone.
                found.sort_by_key(|known| {
                    let text = &value(known).value.value;
                    (!is_plain(text), !text.chars().all(char::is_alphanumeric))
                });
                // So does the value of most records, and the whole of one: they come first.
                let whole = found
                    .iter()
                    .position(|known| value(known).value.kind == ValueRelation::Whole);
                found[..=whole.unwrap_or_default()].rotate_right(1);
                let most = (0..found.len())
                    .rev()
                    .max_by_key(|at| domain.usual_of(value(&found[*at])));
                found[..=most.unwrap_or_default()].rotate_right(1);
                found.truncate(one.alone);
            }
            for value in found {
                let mut recipe = Recipe::by([value]);
                // Soft-deleted records alone have it: without the word that shows them nothing would be found.
                if !one.is_scope && !domain.found(value).meets(&domain.usual) {
                    recipe.filters.extend(domain.widest_scope());
                }
                // Each value of a word or a flag finds many records: what it loses shows in the whole answer only.
                let is_one_of_few = one.is_scope || one.is_flag() || one.filter.is_word();
                if !is_one_of_few || domain.pages(&recipe) > WHOLE {
                    self.page(&mut recipe);
                }
                alone.push(recipe);
            }
        }
        alone
    }

    /// Of the values that no record has one of each kind by itself: all of them are asked for beside everything else later.
    pub(super) fn absent(&self) -> Vec<Recipe> {
        let domain = self.domain;
        let mut kinds = BTreeSet::new();
        let values = (0..domain.filters.len()).flat_map(|filter| domain.values(filter));
        let absent = values.filter(|value| domain.found(*value).is_empty());
        let first = absent.filter(|value| kinds.insert((domain.value(*value).value.kind, value.0)));
        let recipes = first.map(|value| Recipe {
            first_page: true,
            ..Recipe::by([value])
        });
        recipes.collect()
    }

    /// For each timestamp the two bounds that both matter and find the fewest records: the answer is short.
    pub(super) fn windows(&self) -> Vec<Recipe> {
        let domain = self.domain;
        let after = domain.filters(|one| one.filter.matching == Match::After);
        let window = |after: usize| {
            let is_other = |other: &FilterDomain| {
                other.filter.matching == Match::Before
                    && other.filter.places == domain.filters[after].filter.places
            };
            let before = *domain.filters(is_other).first()?;
            let bounds = domain
                .values(after)
                .flat_map(|from| domain.values(before).map(move |to| [from, to]));
            let windows = bounds.map(|bounds| {
                let mut recipe = Recipe::by(bounds);
                if domain.included(&recipe).is_empty() {
                    recipe.filters.extend(domain.widest_scope());
                }
                recipe
            });
            let both_matter = |recipe: &Recipe| (0..2).all(|at| domain.filter_matters(recipe, at));
            let windows = windows.filter(|recipe| both_matter(recipe) && !domain.included(recipe).is_empty());
            windows.min_by_key(|recipe| domain.included(recipe).len())
        };
        after.into_iter().filter_map(window).collect()
    }

    /// Each relation alone, and so many pairs of them, by a filter that finds a page of records with the relation and without; and
    /// each alone on a page that is as full of it as can be, where joined rows would be counted as records. Two relations with
    /// records of one kind come first, since code mixes them up. Other pairs are neighbours, in both orders.
    pub(super) fn relations(&mut self, pairs: usize) -> Vec<Recipe> {
        let relations = &self.domain.relations;
        let offered: Vec<usize> = (0..relations.len())
            .filter(|at| relations[*at].forms[0].is_some())
            .collect();
        let is_of_one_kind = |pair: &[usize; 2]| {
            let [one, other] = pair.map(|at| &relations[at].record);
            one.is_some() && one == other
        };
        let others = |one| {
            offered
                .iter()
                .filter(move |other| **other > one)
                .map(move |other| [one, *other])
        };
        let two = offered.iter().flat_map(|one| others(*one));
        let alike: Vec<[usize; 2]> = two.filter(is_of_one_kind).collect();
        let mut both = self.choice.some(&alike, pairs);
        for pair in &mut both {
            if self.flip() {
                pair.reverse();
            }
        }
        let neighbours: Vec<[usize; 2]> = offered.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        let neighbours = self.choice.some(&neighbours, pairs - both.len() / 2).into_iter();
        both.extend(neighbours.flat_map(|[one, other]| [[one, other], [other, one]]));
        let both = both.into_iter().map(|pair| pair.to_vec());
        let alone = offered.iter().map(|relation| vec![*relation]);
        let full = offered.iter().filter_map(|relation| self.full_of(*relation));
        alone
            .chain(both)
            .map(|relations| self.related(&relations))
            .chain(full)
            .collect()
    }

    /// A first page, by the value that puts the most records with a relation on it; none where no value puts more there than
    /// are there without.
    fn full_of(&self, relation: usize) -> Option<Recipe> {
        let domain = self.domain;
        let has = &domain.relations[relation].has;
        let on_page = |recipe: &Recipe| {
            let included = domain.included(recipe);
            let shown = included.len().min(domain.page_size);
            (included.and(has).len() * shown).div_ceil(included.len().max(1))
        };
        let plain = domain.filters(|one| !one.is_scope).into_iter();
        let recipes = plain
            .flat_map(|filter| domain.values(filter))
            .map(|value| Recipe::by([value]));
        let (most, best) = recipes
            .map(|recipe| (on_page(&recipe), recipe))
            .max_by_key(|(records, _)| *records)?;
        (most > on_page(&Recipe::default())).then(|| Recipe {
            include: vec![(relation, 0)],
            first_page: true,
            ..best
        })
    }

    /// A query for some relations that short answers show the most of.
    fn related(&self, relations: &[usize]) -> Recipe {
        let domain = self.domain;
        let most = domain.page_size.max(SHORT);
        let score = |included: &RecordSet| {
            let having = relations.iter().fold(included.clone(), |set, relation| {
                set.and(&domain.relations[*relation].has)
            });
            let with = having.len();
            with.min(10) * 4 + (included.len() - with).min(5)
        };
        let exact = domain.filters(|one| one.filter.matching == Match::Exact);
        let values = exact.into_iter().flat_map(|filter| domain.values(filter));
        let short = values.filter_map(|value| {
            let recipe = Recipe::by([value]);
            let included = domain.included(&recipe);
            let is_short = (2..=most).contains(&included.len());
            is_short.then(|| (score(&included), recipe))
        });
        let best = short.max_by_key(|(score, _)| *score).map(|(_, recipe)| recipe);
        Recipe {
            include: relations.iter().map(|relation| (*relation, 0)).collect(),
            ..best.unwrap_or(Recipe {
                first_page: true,
                ..Recipe::default()
            })
        }
    }

    /// Every value of every flag, and the words that show few records, beside all relations, and beside an order, with all
    /// records that the value finds.
    pub(super) fn flags(&mut self) -> Vec<Recipe> {
        let domain = self.domain;
        let mut flags = Vec::new();
        for filter in domain.filters(|one| one.is_flag() || one.is_scope) {
            for value in domain.values(filter) {
                let found = domain.found(value).len();
                if found > 0 && (domain.filters[filter].is_flag() || found <= domain.count / 2) {
                    let mut queries = [(); 2].map(|()| Recipe::by([value]));
                    if domain.takes_everything {
                        self.add_relations(&mut queries[0]);
                    }
                    self.add_keys(&mut queries[1]);
                    flags.extend(queries);
                }
            }
        }
        flags
    }

    /// By the commonest related records the soft-deleted records that have one of them, and the relation.
    pub(super) fn related_of_deleted(&self, most: usize) -> Vec<Recipe> {
        let domain = self.domain;
        let Some(scope) = domain.narrowest_scope() else {
            return Vec::new();
        };
        let mut recipes = Vec::new();
        for (filter, one) in domain.filters.iter().enumerate() {
            let Projection::Including(name) = &one.filter.projection else {
                continue;
            };
            let mut relations = domain.relations.iter();
            let relation = relations.position(|relation| relation.forms[0].as_ref() == Some(name));
            let Some(relation) = relation else {
                continue;
            };
            let mut values: Vec<_> = domain.values(filter).collect();
            values.sort_by_key(|value| Reverse(domain.found(*value).len()));
            recipes.extend(values.into_iter().take(most).map(|value| Recipe {
                include: vec![(relation, 0)],
                ..Recipe::by([scope, value])
            }));
        }
        recipes
    }

    /// Some long answers, by filters that all matter, in an order, with a few relations. One walk is as long as it can be, the
    /// next ends with one record on its page, the next is long again, the next ends with a full page: at such ends code goes
    /// wrong. Every fourth order has ties: whatever their order is, the pages together have every record.
    pub(super) fn walks(&mut self, tries: usize, most: usize) -> Vec<Recipe> {
        let mut taken = Vec::new();
        for round in 0..most {
            let mut walks: Vec<Recipe> = (0..tries).filter_map(|_| self.walk(round)).collect();
            walks.retain(|walk| LONG.contains(&self.domain.pages(walk)));
            let longest = walks.iter().map(|walk| self.domain.pages(walk)).max();
            let on_last = |walk: &Recipe| self.domain.included(walk).len() % self.domain.page_size.max(1);
            let is_fit = |walk: &Recipe| match round % 4 {
                1 => on_last(walk) == 1,
                3 => on_last(walk) == 0,
                _ => Some(self.domain.pages(walk)) == longest,
            };
            if walks.iter().any(is_fit) {
                walks.retain(is_fit);
            }
            let gain = |walk: &Recipe| self.met.gain(&self.tokens(walk));
            taken.extend(walks.into_iter().max_by_key(gain));
        }
        taken
    }

    /// A long answer in an order that ends with a key that is unique, if there is one: so its pages have to fit each other.
    fn walk(&mut self, round: usize) -> Option<Recipe> {
        let domain = self.domain;
        let mut recipe = Recipe::default();
        let record = self.record(&[])?;
        if !round.is_multiple_of(3) {
            recipe.filters.extend(domain.widest_scope());
        }
        let of_way = domain.filters(|one| one.filter.matching == WAYS[round % WAYS.len()]);
        let mut first = self.choice.some(&of_way, 1).pop();
        for _ in 0..SHORT {
            match first.take() {
                Some(filter) => self.add_broad_value(&mut recipe, record, filter),
                None => self.add_broad(&mut recipe, record),
            }
            if domain.pages(&recipe) < *LONG.start() {
                recipe.filters.pop();
            }
        }
        let has_ties = round % 4 == 2;
        if has_ties {
            let fields = (0..domain.sorts.len()).filter(|field| !domain.sorts[*field].is_unique());
            let fields: Vec<usize> = fields.collect();
            let field = self.choice.some(&fields, 1).pop()?;
            let down = self.flip();
            recipe.sort.push((field, down));
        } else {
            self.add_keys(&mut recipe);
            let unique = domain.sorts.iter().position(SortColumn::is_unique);
            let unique = unique.filter(|field| !recipe.sorts_by(*field));
            recipe.sort.extend(unique.map(|field| (field, round % 2 == 1)));
        }
        self.add_some_relations(&mut recipe, record, 3);
        Some(recipe)
    }

    /// The pairs of sort fields with the most ties, in every direction.
    pub(super) fn orders(&self, most: usize) -> Vec<Recipe> {
        let narrow = self.narrow();
        let fields = 0..self.domain.sorts.len();
        // For each first field the second one and the query with the most ties.
        let pairs = fields.clone().filter_map(|first| {
            let others = fields.clone().filter(|second| *second != first);
            let pairs = others.flat_map(|second| narrow.iter().map(move |one| (second, one)));
            let pairs = pairs.map(|(second, (recipe, records))| {
                (self.ties((first, second), records), (first, second), recipe)
            });
            pairs
                .filter(|(ties, ..)| *ties > 0)
                .max_by_key(|(ties, ..)| *ties)
        });
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_by_key(|(ties, ..)| Reverse(*ties));
        let pairs = pairs.into_iter().take(most);
        let orders = pairs.flat_map(|(_, (first, second), recipe)| {
            DIRECTIONS.map(|(down, other_down)| Recipe {
                sort: vec![(first, down), (second, other_down)],
                ..recipe.clone()
            })
        });
        orders.collect()
    }

    /// Queries by one value, or by none, with few records.
    fn narrow(&self) -> Vec<(Recipe, Vec<usize>)> {
        let domain = self.domain;
        let plain = domain.filters(FilterDomain::is_plain).into_iter();
        let values = plain
            .flat_map(|filter| domain.values(filter))
            .map(|value| vec![value]);
        let most = (domain.page_size.max(*ORDERED.start()) * 3).min(*ORDERED.end());
        let narrow = values.chain([Vec::new()]).map(|filters| {
            let recipe = Recipe::by(filters);
            let records: Vec<usize> = domain.included(&recipe).iter().collect();
            (recipe, records)
        });
        let narrow = narrow.filter(|(_, records)| (*ORDERED.start()..=most).contains(&records.len()));
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
