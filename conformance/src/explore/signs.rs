//! Which signs a query and its answer show: a method of [`Asked`] for each sign that takes more than a line.

use rollcall_contract::{Match, Test};
use rollcall_oracle::corpus::Projection;
use rollcall_oracle::corpus::listing::{ListResponse, Pages, identity};
use rollcall_oracle::corpus::members::shown_at;
use rollcall_oracle::corpus::predicate::{
    MemberValue, Membership, ONLY, ObservableFilter, WITH, WITHOUT, folded,
};
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::corpus::records::Record;
use rollcall_oracle::judge::{self, has_ties};
use rollcall_oracle::open_points::timestamp;
use rollcall_oracle::plan::sample::is_plain;
use serde_json::Value;

use super::asked::Asked;
use crate::engine::region::Sign;

impl<'a> Asked<'a> {
    /// Whether it shows a sign.
    pub(super) fn shows(&self, sign: Sign) -> bool {
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
            Sign::FindsNothing => judge::expected(self.list, self.query).is_empty(),
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

    pub(super) fn is_part_of_value(&self) -> bool {
        let Some((filter, text)) = self.filter else {
            return false;
        };
        let text = folded(text);
        let snapshot = filter.snapshot(self.list);
        let records = snapshot.into_iter().flat_map(|snapshot| snapshot.records());
        let mut values = records.map(|(_, record)| filter.member_value(record));
        values.any(|shown| matches!(shown, MemberValue::Value(value) if folded(&value).contains(&text)))
    }

    /// Whether a record shows longer values, and no other spelling of the same number.
    fn shows_longer_values(&self, record: &Record) -> bool {
        let mut filters = self.query.filters.iter();
        filters.all(|(filter, value)| {
            let MemberValue::Value(shown) = filter.member_value(record) else {
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
                known.is_some_and(|known| filter.member_value(known) != filter.member_value(record))
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

/// Whether a filter by a related record is asked for beside the relation.
fn is_by_included_relation(query: &Query) -> bool {
    let mut filters = query.filters.iter();
    filters.any(|(filter, _)| match &filter.projection {
        Projection::Including(relation) => query.include.contains(relation),
        _ => false,
    })
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
