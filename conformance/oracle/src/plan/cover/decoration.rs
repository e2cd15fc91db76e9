//! What is added to a query for a record so that it covers more: further filters, sort keys, relations.

use super::*;
use crate::plan::FilterDomain;
use crate::plan::goals::size::{BROAD, FEW, FORMS, HARMLESS, LEVELS, PLACES, RELATIONS};

impl Planner<'_> {
    /// Adds further parameters to a query for a record, so that it covers more.
    pub(super) fn dress(&mut self, recipe: &mut Recipe, record: usize) {
        if self.flip() {
            self.add_scope(recipe, record);
        }
        for _ in 0..self.choice.below(BROAD) {
            self.add_broad(recipe, record);
        }
        self.add_flags(recipe, record);
        self.add_harmless(recipe);
        self.decorate(recipe, record);
    }

    /// Adds sort keys and relations, but not always: some parameters fail only alone.
    pub(super) fn decorate(&mut self, recipe: &mut Recipe, record: usize) {
        // A large answer with everything takes both sides long.
        let chance = match self.domain.included(recipe).len() {
            0..=FEW => 3,
            _ if recipe.first_page || recipe.page.is_some() => 2,
            _ => 0,
        };
        if self.domain.takes_everything && self.choice.below(4) < chance {
            self.add_everything(recipe);
            return;
        }
        if self.choice.below(6) == 0 {
            return;
        }
        self.add_keys(recipe);
        let most = RELATIONS[self.choice.below(RELATIONS.len())];
        let relations = self.choice.below(most);
        self.add_some_relations(recipe, record, relations);
    }

    /// Adds some relations that a record has.
    pub(super) fn add_some_relations(&mut self, recipe: &mut Recipe, record: usize, draws: usize) {
        if self.domain.relations.is_empty() {
            return;
        }
        for _ in 0..draws {
            let relation = self.choice.below(self.domain.relations.len());
            let form = self.choice.below(3);
            let one = &self.domain.relations[relation];
            if !recipe.includes(relation) && one.has.has(record) && one.forms[form].is_some() {
                recipe.include.push((relation, form));
            }
        }
    }

    /// Adds every sort field and every relation that the query does not have: what one of them loses is lost with all. Every
    /// second query gets only some of the fields: a field that sorts by another one does not show it beside that one.
    pub(super) fn add_everything(&mut self, recipe: &mut Recipe) {
        let mut fields: Vec<usize> = (0..self.domain.sorts.len()).collect();
        fields.retain(|field| !recipe.sorts_by(*field));
        self.shuffle(&mut fields);
        if self.flip() {
            fields.truncate(1 + self.choice.below(fields.len().max(1)));
        }
        for field in fields {
            recipe.sort.push((field, self.flip()));
        }
        self.add_relations(recipe);
    }

    /// Adds every relation, each in a form that is offered.
    pub(super) fn add_relations(&mut self, recipe: &mut Recipe) {
        for relation in 0..self.domain.relations.len() {
            let offered: Vec<usize> = self.domain.relations[relation].offered().collect();
            let is_new = !recipe.includes(relation);
            // Of its records more can be lost than of their number. A relation in two forms must show both.
            let mut forms = match self.flip() {
                true => offered.iter().take(1).copied().collect(),
                false => self.choice.some(&offered, 1),
            };
            if self.choice.below(4) == 0 {
                forms = self.choice.some(&offered, FORMS);
            }
            recipe
                .include
                .extend(forms.into_iter().filter(|_| is_new).map(|form| (relation, form)));
        }
    }

    /// Adds sort keys, three at most.
    pub(super) fn add_keys(&mut self, recipe: &mut Recipe) {
        if self.domain.sorts.is_empty() {
            return;
        }
        let included = self.domain.included(recipe);
        let wanted = 1 + self.choice.below(PLACES);
        for _ in 0..LEVELS * PLACES {
            let field = self.choice.below(self.domain.sorts.len());
            if recipe.sort.len() >= wanted || recipe.sorts_by(field) {
                continue;
            }
            recipe.sort.push((field, self.flip()));
            // One that is unique leaves nothing to the next.
            if !self.domain.sort_matters(recipe, recipe.sort.len() - 1, &included) && self.flip() {
                recipe.sort.pop();
            }
        }
    }

    /// Adds filters that all records of the answer pass, but not always: what else is asked for shows beside them as without
    /// them.
    pub(super) fn add_harmless(&mut self, recipe: &mut Recipe) {
        let included = self.domain.included(recipe);
        if included.is_empty() || self.domain.filters.is_empty() {
            return;
        }
        let domain = self.domain;
        for _ in 0..self.choice.below(HARMLESS) {
            let filter = self.choice.below(domain.filters.len());
            if !recipe.has(filter) && domain.filters[filter].is_plain() {
                let passes = |value: &(usize, usize)| included.minus(domain.found(*value)).is_empty();
                let fit: Vec<_> = domain.values(filter).filter(passes).collect();
                recipe.filters.extend(self.choice.some(&fit, 1));
            }
        }
    }

    /// Adds flags that a record has, but not always. One that all records have changes nothing, and must not.
    fn add_flags(&mut self, recipe: &mut Recipe, record: usize) {
        for filter in self.domain.filters(FilterDomain::is_flag) {
            if !recipe.has(filter) && self.choice.below(3) == 0 {
                let level = self.level(filter, record, false, false);
                recipe.filters.extend(level.map(|level| (filter, level)));
            }
        }
    }

    /// Adds all sort keys and relations that fit.
    pub(super) fn add_all_that_fits(&mut self, recipe: &mut Recipe, record: usize) {
        match self.domain.takes_everything {
            true => self.add_everything(recipe),
            false => self.decorate(recipe, record),
        }
    }
}
