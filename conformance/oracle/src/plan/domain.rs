//! What can be asked of a list, and which records each value includes and excludes.

use std::cmp::Reverse;
use std::sync::Arc;

use rollcall_contract::{Match, SortKey};

use super::goals::size::{ALONE, FORMS};
use super::recipe::Recipe;
use super::sort_column::SortColumn;
use super::values::{ClassedValue, NO_WORD, ValueRelation};
use crate::corpus::predicate::ObservableFilter;
use crate::corpus::query::Query;
use crate::corpus::record_set::RecordSet;
use crate::corpus::verdicts::Verdicts;

/// What can be asked of a list.
#[derive(Clone, Debug, Default)]
pub struct Domain {
    /// The filters, that of soft deletion too.
    pub filters: Vec<FilterDomain>,
    /// The fields that sort.
    pub sorts: Vec<SortColumn>,
    /// The relations.
    pub relations: Vec<Relations>,
    /// The records that are listed where nothing is said of soft deletion.
    pub usual: RecordSet,
    /// How many records there are, soft-deleted ones included.
    pub count: usize,
    /// A page has so many records.
    pub page_size: usize,
    /// Whether pages can be asked for by number.
    pub has_pages: bool,
    /// Whether all sort fields and all relations can be asked for at once: how many a request may have is not specified.
    pub takes_everything: bool,
}

/// A filter with its values.
#[derive(Clone, Debug)]
pub struct FilterDomain {
    /// The filter.
    pub filter: ObservableFilter,
    /// Its values.
    pub levels: Vec<PlannedValue>,
    /// Whether it says which soft-deleted records are listed.
    pub is_scope: bool,
    /// The records that some value includes.
    pub findable: RecordSet,
    /// So many of its values that records have are asked for alone.
    pub alone: usize,
}

impl FilterDomain {
    /// A filter with its values, over so many records.
    pub fn new(filter: ObservableFilter, levels: Vec<PlannedValue>, count: usize) -> Self {
        let includes = |record| {
            levels
                .iter()
                .any(|level: &PlannedValue| level.verdicts.included.has(record))
        };
        Self {
            is_scope: filter.matching == Match::Trashed,
            findable: RecordSet::of(count, includes),
            alone: if filter.matching == Match::Trashed {
                levels.len()
            } else {
                ALONE
            },
            filter,
            levels,
        }
    }

    /// The place of a word for soft deletion; of one that is none, of the first such.
    pub(super) fn known_word(&self, level: usize) -> usize {
        let is_none = |level: &PlannedValue| level.value.class == NO_WORD;
        match is_none(&self.levels[level]) {
            true => self.levels.iter().position(is_none).unwrap_or(level),
            false => level,
        }
    }

    /// Whether it is a filter neither by a flag nor by soft deletion.
    pub(super) fn is_plain(&self) -> bool {
        !self.is_flag() && !self.is_scope
    }

    /// Whether it is a filter by a flag.
    pub(super) fn is_flag(&self) -> bool {
        self.filter.matching == Match::Flag
    }
}

/// A value of a filter, and which records it is certain of.
#[derive(Clone, Debug)]
pub struct PlannedValue {
    /// The value with its class.
    pub value: ClassedValue,
    /// The records that it includes and those that it excludes.
    pub verdicts: Arc<Verdicts>,
    /// The records whose value it nearly is, if it is none.
    pub near: RecordSet,
}

/// A relation, and the records that have it.
#[derive(Clone, Debug)]
pub struct Relations {
    /// What to ask for: the records, their number, whether there are any; none where a form is not offered.
    pub forms: [Option<String>; 3],
    /// The component schema of a related record, if the contract names one.
    pub record: Option<String>,
    /// The records that have it.
    pub has: RecordSet,
}

impl Relations {
    /// The forms that it is offered in.
    pub(super) fn offered(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.forms.len()).filter(|form| self.forms[*form].is_some())
    }
}

impl Domain {
    /// A value of a filter.
    pub(super) fn value(&self, (filter, level): (usize, usize)) -> &PlannedValue {
        &self.filters[filter].levels[level]
    }

    /// The records that a value includes.
    pub(super) fn found(&self, value: (usize, usize)) -> &RecordSet {
        &self.value(value).verdicts.included
    }

    /// Every value of a filter.
    pub(super) fn values(&self, filter: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        (0..self.filters[filter].levels.len()).map(move |level| (filter, level))
    }

    /// The filters of a kind.
    pub(super) fn filters(&self, is_it: impl Fn(&FilterDomain) -> bool) -> Vec<usize> {
        let filters = 0..self.filters.len();
        filters.filter(|filter| is_it(&self.filters[*filter])).collect()
    }

    /// The filter that says which soft-deleted records are listed.
    pub(super) fn scope(&self) -> Option<usize> {
        self.filters.iter().position(|filter| filter.is_scope)
    }

    /// The word about soft deletion that shows the most records.
    pub(super) fn widest_scope(&self) -> Option<(usize, usize)> {
        let words = self.values(self.scope()?);
        words.max_by_key(|word| self.found(*word).len())
    }

    /// The word that shows the soft-deleted records alone.
    pub(super) fn narrowest_scope(&self) -> Option<(usize, usize)> {
        let is_narrow = |word: &(usize, usize)| {
            let found = self.found(*word);
            !found.is_empty() && !found.meets(&self.usual)
        };
        self.values(self.scope()?).find(is_narrow)
    }

    /// The soft-deleted records.
    pub(super) fn deleted(&self) -> RecordSet {
        RecordSet::of(self.count, |_| true).minus(&self.usual)
    }

    /// How many pages an answer has.
    pub(super) fn pages(&self, recipe: &Recipe) -> usize {
        self.included(recipe).len().div_ceil(self.page_size.max(1))
    }

    /// How many requests an answer takes.
    pub(super) fn requests(&self, recipe: &Recipe) -> usize {
        match recipe.page.is_some() || recipe.first_page {
            true => 1,
            false => self.pages(recipe).max(1),
        }
    }

    /// Whether every filter of a recipe matters.
    pub(super) fn all_matter(&self, recipe: &Recipe) -> bool {
        (0..recipe.filters.len()).all(|at| self.filter_matters(recipe, at))
    }

    /// The records that a recipe is certain to include.
    pub(super) fn included(&self, recipe: &Recipe) -> RecordSet {
        self.without(recipe, None)
    }

    /// The records that all filters of a recipe include, but for one that is left out.
    fn without(&self, recipe: &Recipe, left_out: Option<usize>) -> RecordSet {
        let scoped = |at: usize| Some(at) != left_out && self.filters[recipe.filters[at].0].is_scope;
        let mut set = match (0..recipe.filters.len()).any(scoped) {
            true => RecordSet::of(self.count, |_| true),
            false => self.usual.clone(),
        };
        for (at, (filter, level)) in recipe.filters.iter().enumerate() {
            if Some(at) != left_out {
                set = set.and(&self.filters[*filter].levels[*level].verdicts.included);
            }
        }
        set
    }

    /// The filter of a query that asks for what is nearly a value, and the records that have the value and pass the other
    /// filters.
    pub(super) fn nearly_included(&self, recipe: &Recipe) -> Option<(usize, RecordSet)> {
        let (at, (filter, level)) = recipe.filters.iter().enumerate().find(|(_, (filter, level))| {
            let level = &self.filters[*filter].levels[*level];
            level.verdicts.included.is_empty() && !level.near.is_empty()
        })?;
        let near = &self.filters[*filter].levels[*level].near;
        let near = near.and(&self.without(recipe, Some(at)));
        (!near.is_empty()).then_some((*filter, near))
    }

    /// Whether the answer would be another without a filter.
    pub(super) fn filter_matters(&self, recipe: &Recipe, at: usize) -> bool {
        let (filter, level) = recipe.filters[at];
        if self.filters[filter].is_scope {
            // Another word would show other records: there are soft-deleted ones to show or hide, and others.
            let all = self.regardless_of_deletion(recipe);
            return all.meets(&self.usual) && !all.minus(&self.usual).is_empty();
        }
        let excluded = &self.filters[filter].levels[level].verdicts.excluded;
        self.without(recipe, Some(at)).meets(excluded)
    }

    /// The filter with a name.
    fn by_name(&self, name: &str) -> Option<&FilterDomain> {
        self.filters.iter().find(|known| known.filter.name == name)
    }

    /// A value of a filter, if it was planned.
    pub fn level(&self, filter: &str, value: &str) -> Option<&PlannedValue> {
        self.by_name(filter)?
            .levels
            .iter()
            .find(|level| level.value.value == value)
    }

    /// The first planned value of a filter that has the letters and digits of another value, in the same order.
    pub fn level_with_letters_of(&self, filter: &str, value: &str) -> Option<&PlannedValue> {
        let known = self.by_name(filter)?;
        let letters = |text: &str| {
            text.chars()
                .filter(|letter| letter.is_alphanumeric())
                .collect::<String>()
        };
        let meant = letters(value);
        let mut levels = known.levels.iter();
        levels.find(|level| letters(&level.value.value) == meant)
    }

    /// The values of a filter that tell most of it, the best first: those of letters and digits alone, and those that part the
    /// records most evenly.
    pub fn telling_values(&self, filter: &str) -> Vec<&str> {
        let Some(filter) = self.by_name(filter) else {
            return Vec::new();
        };
        let is_bound = filter.filter.is_bound();
        let is_telling = |level: &&PlannedValue| match filter.filter.matching {
            Match::Exact | Match::Contains => level.value.kind == ValueRelation::MemberValue,
            _ => is_bound,
        };
        let is_odd = |value: &str| !is_bound && !value.chars().all(char::is_alphanumeric);
        let mut levels: Vec<&PlannedValue> = filter.levels.iter().filter(is_telling).collect();
        levels.retain(|level| level.verdicts.included.meets(&self.usual));
        levels.sort_by_cached_key(|level| {
            let parted = self.usual_of(level).min(level.verdicts.excluded.len());
            (is_odd(&level.value.value), Reverse(parted))
        });
        levels
            .into_iter()
            .map(|level| level.value.value.as_str())
            .collect()
    }

    /// How many records a value includes where nothing is said of soft deletion.
    pub(super) fn usual_of(&self, level: &PlannedValue) -> usize {
        level.verdicts.included.and(&self.usual).len()
    }

    /// The records that all filters of a recipe include, but for what they say of soft deletion.
    fn regardless_of_deletion(&self, recipe: &Recipe) -> RecordSet {
        let filters = recipe.filters.iter();
        let values = filters.filter(|(filter, _)| !self.filters[*filter].is_scope);
        values.fold(RecordSet::of(self.count, |_| true), |set, (filter, level)| {
            set.and(&self.filters[*filter].levels[*level].verdicts.included)
        })
    }

    /// Whether nothing is said of soft deletion, and a soft-deleted record has every value.
    pub(super) fn hides_some(&self, recipe: &Recipe) -> bool {
        if recipe
            .filters
            .iter()
            .any(|(filter, _)| self.filters[*filter].is_scope)
        {
            return false;
        }
        !self.regardless_of_deletion(recipe).minus(&self.usual).is_empty()
    }

    /// Whether the order would be another without a key.
    pub(super) fn sort_matters(&self, recipe: &Recipe, at: usize, included: &RecordSet) -> bool {
        let mut groups = vec![included.iter().collect::<Vec<_>>()];
        for (field, _) in &recipe.sort[..at] {
            let column = &self.sorts[*field];
            groups = groups
                .into_iter()
                .flat_map(|group| column.split(&group))
                .collect();
        }
        let column = &self.sorts[recipe.sort[at].0];
        groups.iter().any(|group| column.is_discriminating(group))
    }

    /// The query for all sort fields and all relations, as long as a query of a plan can be.
    pub fn everything(&self) -> Query {
        let relations = self.relations.iter().enumerate();
        let longest = relations.flat_map(|(at, relation)| {
            let forms: Vec<usize> = relation.offered().collect();
            let last = forms.into_iter().rev().take(FORMS);
            last.map(move |form| (at, form))
        });
        self.query(&Recipe {
            sort: (0..self.sorts.len()).map(|field| (field, true)).collect(),
            include: longest.collect(),
            first_page: true,
            ..Recipe::default()
        })
    }

    /// The query that a recipe stands for.
    pub(super) fn query(&self, recipe: &Recipe) -> Query {
        let filters = recipe.filters.iter().map(|(filter, level)| {
            let filter = &self.filters[*filter];
            (filter.filter.clone(), filter.levels[*level].value.value.clone())
        });
        let sort = recipe.sort.iter().map(|(field, descending)| SortKey {
            field: self.sorts[*field].name.clone(),
            descending: *descending,
        });
        let include = recipe.include.iter();
        let include = include.filter_map(|(relation, form)| self.relations[*relation].forms[*form].clone());
        Query {
            filters: filters.collect(),
            sort: sort.collect(),
            include: include.collect(),
            page: recipe.page,
            first_page: recipe.first_page,
            ..Query::default()
        }
    }
}
