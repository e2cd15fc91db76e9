//! Candidates for a query: a record that the query is about, and the parameters that matter for it.

use super::*;

impl Planner<'_> {
    /// A query in which both tokens of a pair matter; without `both` one of them may only be there.
    pub(super) fn candidate(&mut self, pair: (Token, Token), both: bool) -> Option<(Recipe, Vec<Token>)> {
        let wanted = [pair.0, pair.1];
        let record = self.record(&wanted)?;
        let mut recipe = Recipe::default();
        // Several records have to be found where an order or a page is to show.
        let is_broad = wanted
            .iter()
            .any(|token| matches!(token, Token::Sort(_) | Token::Key(..) | Token::Page(_)));
        let is_apart = !is_broad && self.choice.below(3) == 0;
        for (at, token) in wanted.iter().enumerate() {
            self.add(&mut recipe, *token, record, (is_broad, is_apart && at == 1))?;
        }
        if !is_broad {
            self.dress(&mut recipe, record);
        } else if self.choice.below(2) == 0 {
            self.decorate(&mut recipe, record);
        }
        let pages = wanted.iter().find_map(|token| match token {
            Token::Page(page) => Some(*page),
            _ => None,
        });
        match pages {
            Some(page) => self.turn_to(&mut recipe, page)?,
            None => self.page(&mut recipe),
        }
        let tokens = self.tokens(&recipe);
        let mut matter = wanted.iter().map(|token| tokens.contains(token));
        let is_fit = if both {
            matter.all(|matters| matters)
        } else {
            matter.any(|matters| matters)
        };
        is_fit.then_some((recipe, tokens))
    }

    /// A record that a query with some tokens can find.
    pub(super) fn record(&mut self, wanted: &[Token]) -> Option<usize> {
        let mut set = self.domain.usual.clone();
        for token in wanted {
            match token {
                Token::Relation(relation) => set = set.and(&self.domain.relations[*relation].has),
                Token::Usual => set = RecordSet::of(self.domain.count, |_| true).minus(&self.domain.usual),
                Token::Scope(filter, level) => {
                    let scope = &self.domain.filters[*filter].levels[*level].included;
                    // A word that shows soft-deleted records shows them.
                    let deleted = scope.minus(&self.domain.usual);
                    set = if deleted.is_empty() {
                        set.and(scope)
                    } else {
                        deleted
                    };
                }
                _ => {}
            }
        }
        // A record that no value of a filter is known to find is of no use for it.
        for token in wanted {
            match token {
                Token::Filter(filter) => set = set.and(&self.domain.filters[*filter].findable),
                Token::Flag(filter, level) => {
                    set = set.and(&self.domain.filters[*filter].levels[*level].included);
                }
                _ => {}
            }
        }
        let records: Vec<usize> = set.iter().collect();
        let index = self.choice.below(records.len().max(1));
        records.get(index).copied()
    }

    /// Adds a token to a query for a record; `is_apart` with a value that the record does not have.
    pub(super) fn add(
        &mut self,
        recipe: &mut Recipe,
        token: Token,
        record: usize,
        (is_broad, is_apart): (bool, bool),
    ) -> Option<()> {
        match token {
            Token::Filter(filter) => {
                let level = self.level(filter, record, is_broad, is_apart)?;
                recipe.filters.push((filter, level));
            }
            Token::Scope(filter, level) | Token::Flag(filter, level) => recipe.filters.push((filter, level)),
            Token::Sort(field) => {
                let descending = self.flip();
                recipe.sort.insert(0, (field, descending));
            }
            Token::Key(place, descending) => {
                while recipe.sort.len() <= place {
                    let known: Vec<usize> = recipe.sort.iter().map(|(field, _)| *field).collect();
                    let field = self.choice.below(self.domain.sorts.len());
                    if known.contains(&field) {
                        return None;
                    }
                    let down = self.flip();
                    recipe.sort.push((field, down));
                }
                recipe.sort[place].1 = descending;
            }
            Token::Relation(relation) => {
                let offered: Vec<usize> = self.offered(relation);
                let form = offered.get(self.choice.below(offered.len().max(1))).copied()?;
                recipe.include.push((relation, form));
            }
            Token::Form(form) => match recipe.include.first_mut() {
                Some(known) => known.1 = form,
                None => {
                    let has: Vec<usize> = (0..self.domain.relations.len())
                        .filter(|relation| self.domain.relations[*relation].has.has(record))
                        .collect();
                    let relation = has.get(self.choice.below(has.len().max(1))).copied()?;
                    recipe.include.push((relation, form));
                }
            },
            Token::Page(_) | Token::Usual => {}
        }
        let forms = recipe.include.iter();
        let is_offered = forms
            .map(|(relation, form)| &self.domain.relations[*relation].forms[*form])
            .all(Option::is_some);
        is_offered.then_some(())
    }

    pub(super) fn offered(&self, relation: usize) -> Vec<usize> {
        (0..3)
            .filter(|form| self.domain.relations[relation].forms[*form].is_some())
            .collect()
    }

    /// A value of a filter that finds a record, or that certainly does not; of several the one that finds the most if that is
    /// wanted.
    pub(super) fn level(
        &mut self,
        filter: usize,
        record: usize,
        is_broad: bool,
        is_apart: bool,
    ) -> Option<usize> {
        let levels = &self.domain.filters[filter].levels;
        let fits = |level: &usize| match is_apart {
            true => levels[*level].excluded.has(record) && !levels[*level].included.is_empty(),
            false => levels[*level].included.has(record),
        };
        let fit: Vec<usize> = (0..levels.len()).filter(fits).collect();
        let draws = if is_broad { 4 } else { 1 };
        let drawn: Vec<usize> = (0..draws).map(|_| self.choice.below(fit.len().max(1))).collect();
        let size = |level: &usize| levels[*level].included.len();
        drawn
            .into_iter()
            .filter_map(|at| fit.get(at).copied())
            .max_by_key(size)
    }

    /// Adds further parameters to a query for a record, so that it covers more.
    pub(super) fn dress(&mut self, recipe: &mut Recipe, record: usize) {
        let scope = self.domain.filters.iter().position(|filter| filter.is_scope);
        let scoped = |(filter, _): &(usize, usize)| Some(*filter) == scope;
        if let (0, Some(scope), false) = (self.choice.below(2), scope, recipe.filters.iter().any(scoped)) {
            let level = self.level(scope, record, false, false);
            recipe.filters.extend(level.map(|level| (scope, level)));
        }
        if self.choice.below(2) == 0 && !self.domain.filters.is_empty() {
            let filter = self.choice.below(self.domain.filters.len());
            let is_new = recipe.filters.iter().all(|(known, _)| *known != filter);
            if let (true, Some(level)) = (is_new, self.level(filter, record, true, false)) {
                recipe.filters.push((filter, level));
            }
        }
        self.decorate(recipe, record);
    }

    /// Adds sort keys and relations, but not always: some parameters fail only alone.
    pub(super) fn decorate(&mut self, recipe: &mut Recipe, record: usize) {
        let is_small = self.domain.included(recipe).len() <= FEW;
        if is_small && self.domain.takes_everything && self.flip() {
            self.add_everything(recipe);
            return;
        }
        if self.choice.below(3) == 0 {
            return;
        }
        self.add_keys(recipe);
        if !self.domain.relations.is_empty() {
            for _ in 0..self.choice.below(7) {
                let relation = self.choice.below(self.domain.relations.len());
                let form = self.choice.below(3);
                let one = &self.domain.relations[relation];
                let is_new = recipe.include.iter().all(|(known, _)| *known != relation);
                if is_new && one.has.has(record) && one.forms[form].is_some() {
                    recipe.include.push((relation, form));
                }
            }
        }
    }

    /// Adds every sort field and every relation that the query does not have: what one of them loses is lost with all.
    fn add_everything(&mut self, recipe: &mut Recipe) {
        let mut fields: Vec<usize> = (0..self.domain.sorts.len()).collect();
        fields.retain(|field| recipe.sort.iter().all(|(known, _)| known != field));
        self.shuffle(&mut fields);
        for field in fields {
            let down = self.flip();
            recipe.sort.push((field, down));
        }
        self.add_relations(recipe);
    }

    /// Adds every relation, each in a form that is offered.
    pub(super) fn add_relations(&mut self, recipe: &mut Recipe) {
        for relation in 0..self.domain.relations.len() {
            let offered = self.offered(relation);
            let form = offered.get(self.choice.below(offered.len().max(1)));
            let is_new = recipe.include.iter().all(|(known, _)| *known != relation);
            recipe
                .include
                .extend(form.filter(|_| is_new).map(|form| (relation, *form)));
        }
    }

    /// Adds sort keys, three at most.
    pub(super) fn add_keys(&mut self, recipe: &mut Recipe) {
        if self.domain.sorts.is_empty() {
            return;
        }
        for _ in 0..self.choice.below(4) {
            let field = self.choice.below(self.domain.sorts.len());
            if recipe.sort.len() < 3 && recipe.sort.iter().all(|(known, _)| *known != field) {
                let down = self.flip();
                recipe.sort.push((field, down));
            }
        }
    }

    /// Chooses a page where the answer has many.
    pub(super) fn page(&mut self, recipe: &mut Recipe) {
        let pages = self
            .domain
            .included(recipe)
            .len()
            .div_ceil(self.domain.page_size.max(1));
        if pages <= PAGES {
            return;
        }
        if !self.domain.has_pages {
            recipe.first_page = true;
            return;
        }
        let page = match self.choice.below(4) {
            0 => {
                recipe.first_page = true;
                return;
            }
            page => page,
        };
        recipe.page = Some(if page < pages { page } else { pages });
    }

    /// Asks for a page by its number.
    pub(super) fn turn_to(&mut self, recipe: &mut Recipe, page: usize) -> Option<()> {
        let pages = self
            .domain
            .included(recipe)
            .len()
            .div_ceil(self.domain.page_size.max(1));
        let number = if page == LAST { pages } else { page };
        let is_there = (1..=pages).contains(&number) && (page != LAST || pages > 3);
        recipe.page = Some(number);
        is_there.then_some(())
    }

    /// A record that a value includes.
    pub(super) fn any_of(&mut self, filter: usize, level: usize) -> Option<usize> {
        let records: Vec<usize> = self.domain.filters[filter].levels[level]
            .included
            .iter()
            .collect();
        let index = self.choice.below(records.len().max(1));
        records.get(index).copied()
    }
}
