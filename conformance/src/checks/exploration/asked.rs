//! A query with its answer, as the regions of the checks see it: how many parameters of each kind it has, what its filter
//! looks at, and which signs it shows.

use rollcall_contract::{Match, Test, ValueKind};
use serde_json::Value;

use crate::corpus::listing::{ListResponse, Pages, identity};
use crate::corpus::members::shown_at;
use crate::corpus::predicate::{MemberValue, Membership, ONLY, ObservableFilter, WITH, WITHOUT, folded};
use crate::corpus::query::Query;
use crate::corpus::records::Record;
use crate::corpus::{ListCorpus, Projection};
use crate::engine::region::{Area, FilterKind, Sign};
use crate::open_points::timestamp;
use crate::oracle::{self, Aspect, Facts, has_ties};
use crate::plan::sample::is_plain;
use crate::plan::{Domain, ValueRelation};

/// How many parameters of each kind a query has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ParameterCounts {
    pub(super) filters: usize,
    pub(super) scopes: usize,
    pub(super) sort: usize,
    pub(super) include: usize,
    pub(super) page: usize,
}

impl ParameterCounts {
    /// Those of a query.
    pub(super) fn of(list: &ListCorpus, query: &Query) -> Self {
        let is_scope = |(filter, _): &&(ObservableFilter, String)| list.spec.is_trashed(&filter.name);
        let scopes = query.filters.iter().filter(is_scope).count();
        Self {
            filters: query.filters.len() - scopes,
            scopes,
            sort: query.sort.len(),
            include: query.include.len(),
            page: usize::from(query.page.is_some()),
        }
    }

    /// Whether a query has at least as many parameters of each kind.
    pub(super) fn is_in(self, other: Self) -> bool {
        self.filters + self.scopes <= other.filters + other.scopes
            && self.scopes <= other.scopes
            && self.sort <= other.sort
            && self.include <= other.include
            && self.page <= other.page
    }

    /// Whether parameters of one kind alone make it, once.
    pub(super) fn is_single(self) -> bool {
        self.all() <= 1
    }

    fn all(self) -> usize {
        self.filters + self.scopes + self.sort + self.include + self.page
    }

    /// How many of sort, include and page there are.
    fn beside_filters(self) -> usize {
        let parts = [self.sort, self.include, self.page];
        parts.iter().filter(|part| **part > 0).count()
    }

    /// Whether an area has so many.
    pub(super) fn are_in(self, area: &Area) -> bool {
        area.filters.has(self.filters + self.scopes)
            && area.sort.has(self.sort)
            && area.include.has(self.include)
            && area.page.has(self.page)
            && area.beside_filters.has(self.beside_filters())
    }
}

/// A query with its answer.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    list: &'a ListCorpus,
    domain: &'a Domain,
    facts: &'a Facts,
    query: &'a Query,
    answer: &'a ListResponse,
    /// The answer to the same query without filters, where that was asked.
    unfiltered: Option<&'a ListResponse>,
    /// The filter that is looked at, with its value.
    filter: Option<(&'a ObservableFilter, &'a str)>,
    /// How the value stands to what records show, where it was made for the question.
    made_as: Option<ValueRelation>,
}

impl<'a> Asked<'a> {
    pub(super) fn of(
        list: &'a ListCorpus,
        (domain, facts): (&'a Domain, &'a Facts),
        query: &'a Query,
        answer: &'a ListResponse,
    ) -> Self {
        Self {
            list,
            domain,
            facts,
            query,
            answer,
            unfiltered: None,
            filter: None,
            made_as: None,
        }
    }

    /// The query, whose value was made to stand so to what records show.
    pub(super) fn made_as(self, made_as: Option<ValueRelation>) -> Self {
        Self { made_as, ..self }
    }

    /// The query, with the answer to the same query without filters.
    pub(super) fn beside(self, unfiltered: Option<&'a ListResponse>) -> Self {
        Self { unfiltered, ..self }
    }

    /// The query, with a look at one of its filters.
    pub(super) fn by(self, (filter, value): &'a (ObservableFilter, String)) -> Self {
        Self {
            filter: Some((filter, value)),
            ..self
        }
    }

    /// The query, with a look at its filter if it has that alone. A word about soft deletion, without which the filter finds
    /// nothing, does not count.
    pub(super) fn by_only_filter(self) -> Self {
        let is_other = |(filter, _): &&(ObservableFilter, String)| filter.matching != Match::Trashed;
        let filter = self
            .query
            .filters
            .iter()
            .find(is_other)
            .or(self.query.filters.first());
        let counts = self.counts();
        let is_alone = match counts.filters + counts.scopes {
            1 => true,
            2 => needs_scope(self.list, self.query),
            _ => false,
        };
        match filter.filter(|_| is_alone && counts.beside_filters() == 0) {
            Some(filter) => self.by(filter),
            None => self,
        }
    }

    fn counts(&self) -> ParameterCounts {
        ParameterCounts::of(self.list, self.query)
    }

    fn is_disturbed(&self) -> bool {
        !self.query.headers.is_empty() || self.query.after.is_some()
    }

    /// Whether the query, or the filter that is looked at, exercises a check in an area.
    pub(super) fn exercises(&self, area: &Area) -> bool {
        self.filter.is_none() == area.kinds.is_empty()
            && (self.is_disturbed() || !area.is_disturbed)
            && self.counts().are_in(area)
            && self.is_by_filter_of(area)
            && self.shows_all(area)
    }

    /// Whether a violation in one part of the answer lies in an area.
    pub(super) fn fails(&self, area: &Area, aspect: Aspect) -> bool {
        let counts = match self.filter {
            // A filter is counted with the word that it needs.
            Some(_) => ParameterCounts {
                filters: 1,
                ..ParameterCounts::default()
            },
            None => self.counts(),
        };
        self.is_disturbed() == area.is_disturbed
            && (area.aspects.is_empty() || area.aspects.contains(&aspect))
            && counts.are_in(area)
            && self.is_by_filter_of(area)
            && self.shows_all(area)
    }

    fn is_by_filter_of(&self, area: &Area) -> bool {
        if area.kinds.is_empty() {
            return true;
        }
        let kind = self.filter.and_then(|(filter, _)| kind(self.list, filter));
        kind.is_some_and(|kind| area.kinds.contains(&kind))
            && (area.values.is_empty()
                || self
                    .value_relation()
                    .is_some_and(|one| area.values.contains(&one)))
    }

    fn shows_all(&self, area: &Area) -> bool {
        area.signs.iter().all(|sign| self.shows(*sign))
    }

    /// How the value of the filter stands to what records show.
    fn value_relation(&self) -> Option<ValueRelation> {
        let (filter, value) = self.filter?;
        if self.made_as.is_some() {
            return self.made_as;
        }
        if let Some(level) = self.domain.level(&filter.name, value) {
            return Some(level.value.kind);
        }
        let snapshot = filter.snapshot(self.list);
        Some(match value {
            // What was put in the place of a planned value.
            _ if snapshot.is_some_and(|snapshot| filter.is_whole_in(snapshot, value)) => ValueRelation::Whole,
            value if is_plain(value) => ValueRelation::MemberValue,
            // A value in disguise that was shrunk.
            _ => ValueRelation::Disguised,
        })
    }

    fn shows(&self, sign: Sign) -> bool {
        let value = self.filter.map_or("", |(_, value)| value);
        let counts = self.counts();
        match sign {
            Sign::Is(word) => value == word,
            Sign::Plain => is_plain(value),
            Sign::Odd => !is_plain(value),
            Sign::Odds => !is_plain(value) && !value.contains(char::is_alphanumeric),
            Sign::Trimmed => value.trim() == value,
            Sign::LeadingAt => value.starts_with('@'),
            Sign::Plus => value.contains('+'),
            Sign::OtherForm => timestamp::read(value).is_some_and(|time| time.to_string() != value),
            Sign::PartOfValue => self.is_part_of_value(),
            Sign::FindsNothing => oracle::expected(self.list, self.query).is_empty(),
            Sign::UnknownWord => ![WITH, WITHOUT, ONLY].contains(&value),
            Sign::Finds => self.finds().0,
            Sign::Divides => self.finds() == (true, true),
            Sign::LongerValues => self.all_unexpected(|record| self.shows_longer_values(record)),
            Sign::OneOfTheWords => self.shows_words(),
            Sign::MemberNames => self.all_unexpected(|record| self.has_text_in_name(record)),
            Sign::OtherThanDemanded => self.shows_other_than_demanded(),
            Sign::OtherWord => self.shows_other_word(),
            Sign::Window => self.is_window(),
            Sign::FilteredRelation => is_by_included_relation(self.query),
            Sign::Scope => counts.scopes == 1,
            Sign::HidesDeleted => {
                let hides = self.query.hides_deleted && !self.query.speaks_of_deletion(self.list);
                hides && self.list.live().next().is_some()
            }
            Sign::Relations => !self.list.spec.list.relations.is_empty() && self.list.live().next().is_some(),
            Sign::Ties => {
                let reading = self.answer.reading();
                reading.is_some_and(|reading| has_ties(self.facts, self.query, reading))
            }
            Sign::Descending => self.query.sort.first().is_some_and(|key| key.descending),
            Sign::Broken => self.answer.exchange().status >= 500,
            Sign::Together => counts.all() > 1,
            Sign::Pages => self.answer.reading().is_some_and(|reading| reading.asked > 1),
            Sign::ForgetsFilters => self.forgets_filters(),
            Sign::IgnoresFilters => {
                let readings = self
                    .answer
                    .reading()
                    .zip(self.unfiltered.and_then(ListResponse::reading));
                readings.is_some_and(|(ours, others)| ours.ids() == others.ids())
            }
        }
    }

    /// Whether the value of the filter finds a record, and whether it leaves one out.
    fn finds(&self) -> (bool, bool) {
        let verdicts = self
            .filter
            .map(|(filter, value)| self.list.verdicts(filter, value));
        verdicts.map_or((false, false), |verdicts| {
            (!verdicts.included.is_empty(), !verdicts.excluded.is_empty())
        })
    }

    /// The records of the answer that do not belong to it.
    fn unexpected(&self) -> impl Iterator<Item = &'a Record> {
        let (list, query) = (self.list, self.query);
        let records = self
            .answer
            .reading()
            .into_iter()
            .flat_map(|reading| &reading.records);
        let records = records.map(|record| record.as_ref());
        records.filter(move |record| query.membership(list, record) == Membership::Excluded)
    }

    fn all_unexpected(&self, is_so: impl Fn(&Record) -> bool) -> bool {
        self.unexpected().all(is_so)
    }

    fn is_part_of_value(&self) -> bool {
        let Some((filter, text)) = self.filter else {
            return false;
        };
        let text = folded(text);
        let snapshot = filter.snapshot(self.list);
        let records = snapshot.into_iter().flat_map(|snapshot| snapshot.records());
        let mut values = records.map(|(_, record)| filter.shown(record));
        values.any(|shown| matches!(shown, MemberValue::Value(value) if folded(&value).contains(&text)))
    }

    /// Whether a record shows longer values, and no other spelling of the same number.
    fn shows_longer_values(&self, record: &Record) -> bool {
        let mut filters = self.query.filters.iter();
        filters.all(|(filter, value)| {
            let MemberValue::Value(shown) = filter.shown(record) else {
                return false;
            };
            let number = value.parse::<f64>();
            let is_same_number = number.is_ok_and(|number| shown.parse() == Ok(number));
            folded(&shown).contains(&folded(value)) && !is_same_number
        })
    }

    /// Whether a record has a free-form member with the text in its name.
    fn has_text_in_name(&self, record: &Record) -> bool {
        self.filter.is_some_and(|(filter, text)| {
            let text = folded(text);
            let members = filter.places.iter().filter_map(|place| shown_at(place, record));
            let mut objects = members.filter_map(Value::as_object);
            objects.any(|object| object.keys().any(|name| folded(name).contains(&text)))
        })
    }

    /// Whether a value is several words, and every record that does not belong to the answer shows one of them.
    fn shows_words(&self) -> bool {
        let by_words = self.query.filters.iter().flat_map(|(filter, value)| {
            let words = value.split(' ').filter(|word| !word.is_empty());
            words.map(|word| Query::by(filter, word)).collect::<Vec<_>>()
        });
        let by_words: Vec<Query> = by_words.collect();
        let has_blank = self.query.filters.iter().any(|(_, value)| value.contains(' '));
        let shows_one = |record: &Record| {
            let mut words = by_words.iter();
            words.any(|word| word.membership(self.list, record) != Membership::Excluded)
        };
        has_blank && self.all_unexpected(shows_one)
    }

    /// Whether some record that does not belong to the answer has another value than a condition demands; if none has, they
    /// lack a value.
    fn shows_other_than_demanded(&self) -> bool {
        let mut conditions = self.query.filters.iter().flat_map(|(filter, _)| &filter.all);
        let demanded = conditions.find_map(|condition| match &condition.test {
            Test::Is(wanted) => Some((&condition.field, wanted)),
            Test::Present(_) => None,
        });
        demanded.is_some_and(|(field, wanted)| {
            let mut shown = self.unexpected().filter_map(|record| shown_at(field, record));
            shown.any(|shown| shown != wanted)
        })
    }

    /// Whether a record shows another word under the filter by words than it does in the list.
    fn shows_other_word(&self) -> bool {
        let [(filter, _)] = &self.query.filters[..] else {
            return false;
        };
        let known = self.list.widest_snapshot();
        let mut records = self
            .answer
            .reading()
            .into_iter()
            .flat_map(|reading| &reading.records);
        filter.is_word()
            && self.counts().is_single()
            && records.any(|record| {
                let known = known.and_then(|known| known.record(&identity(record)));
                known.is_some_and(|known| filter.shown(known) != filter.shown(record))
            })
    }

    /// Whether the query is a window over one timestamp, and the filter, if one is looked at, its lower bound.
    fn is_window(&self) -> bool {
        let lower = window(self.query).filter(|_| self.counts().filters == 2);
        let is_it =
            |lower: &ObservableFilter| self.filter.is_none_or(|(filter, _)| filter.name == lower.name);
        lower.is_some_and(is_it)
    }

    /// Whether the pages of the answer after the first are the last ones of the same list without filters.
    fn forgets_filters(&self) -> bool {
        let ids = |answer: &'a ListResponse| answer.reading().and_then(Pages::ids_in_order);
        let Some((ours, all)) = ids(self.answer).zip(self.unfiltered.and_then(ids)) else {
            return false;
        };
        let first = self
            .answer
            .reading()
            .map_or(0, |reading| reading.on_first_page().count());
        ours.len() > first && all.ends_with(&ours[first..])
    }
}

/// What a filter looks at, and how. Of a timestamp that no record shows only answers can be compared: it is of no kind.
pub(super) fn kind(list: &ListCorpus, filter: &ObservableFilter) -> Option<FilterKind> {
    Some(match filter.matching {
        Match::Exact if filter.is_identifier() => FilterKind::Identifier,
        Match::Exact if filter.is_join(list) => FilterKind::Join,
        Match::Exact if filter.is_word() => FilterKind::Word,
        Match::Exact if matches!(filter.kind, ValueKind::Text { .. }) => FilterKind::Text,
        Match::Exact => FilterKind::Other,
        Match::Contains => FilterKind::Part,
        Match::Flag if filter.all.is_empty() => FilterKind::Flag,
        Match::Flag => FilterKind::Conditions,
        Match::Before | Match::After if filter.places.is_empty() => return None,
        Match::Before => FilterKind::Before,
        Match::After => FilterKind::After,
        Match::Trashed if filter.takes_any_word() => FilterKind::DeletionByAnyWord,
        Match::Trashed => FilterKind::Deletion,
    })
}

/// Whether a filter by a related record is asked for beside the relation.
fn is_by_included_relation(query: &Query) -> bool {
    let mut filters = query.filters.iter();
    filters.any(|(filter, _)| match &filter.projection {
        Projection::Including(relation) => query.include.contains(relation),
        _ => false,
    })
}

/// Whether a query has one filter, which finds soft-deleted records alone, and the word that shows them.
fn needs_scope(list: &ListCorpus, query: &Query) -> bool {
    let mut filters = query.filters.iter().map(|(filter, _)| filter);
    query.speaks_of_deletion(list) && filters.any(|filter| filter.is_by_deletion(list))
}

/// The filter that is the lower of two bounds of one member, if a query has no other bounds.
fn window(query: &Query) -> Option<&ObservableFilter> {
    let filters = query.filters.iter().map(|(filter, _)| filter);
    let bounds = filters.filter(|filter| filter.is_bound());
    match bounds.collect::<Vec<_>>()[..] {
        [one, other] if one.places == other.places && one.matching != other.matching => {
            Some(if one.matching == Match::After { one } else { other })
        }
        _ => None,
    }
}
