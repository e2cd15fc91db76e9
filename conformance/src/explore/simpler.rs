//! Simpler questions: where such a question is answered wrongly as well, the violation is about that.

use rollcall_contract::Match;
use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::members::shown_at;
use rollcall_oracle::corpus::predicate::ObservableFilter;
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::judge::Aspect;
use rollcall_oracle::open_points::timestamp;
use rollcall_oracle::plan::ValueRelation;
use rollcall_oracle::plan::sample::{is_plain, is_usable};

use crate::engine::region::Simpler;

impl Simpler {
    /// The simpler question for a query whose answer is wrong in one way, and how its value stands to what records show, if that
    /// is known; none if there is no such question.
    pub(super) fn question(
        self,
        list: &ListCorpus,
        query: &Query,
        aspect: Aspect,
    ) -> Option<(Query, Option<ValueRelation>)> {
        let as_before = |query| (query, None);
        match self {
            Self::PlainValue => {
                let plain = (aspect == Aspect::Missing).then(|| with_plain_value(list, query));
                let senseless = || with_value(query, |value| Some(without_sense(value)));
                let plain = plain.flatten().map(as_before);
                plain.or_else(|| Some((senseless()?, Some(ValueRelation::Senseless))))
            }
            Self::IsoForm => {
                let iso = with_value(query, |value| Some(timestamp::read(value)?.to_string()));
                iso.map(as_before)
            }
            Self::NoFilter => (aspect == Aspect::Alien).then(|| {
                as_before(Query {
                    hides_deleted: true,
                    ..Query::default()
                })
            }),
        }
    }
}

/// The first filter and value of a query: a word about soft deletion may stand before it.
fn asked(query: &mut Query) -> Option<&mut (ObservableFilter, String)> {
    let mut filters = query.filters.iter_mut();
    filters.find(|(filter, _)| filter.matching != Match::Trashed)
}

/// The query with another value.
fn with_value(query: &Query, other: impl FnOnce(&str) -> Option<String>) -> Option<Query> {
    let mut changed = query.clone();
    let (_, value) = asked(&mut changed)?;
    *value = other(value)?;
    (changed != *query).then_some(changed)
}

/// The query with another value, one without signs. Some record shows it in the member that shows the value of the query.
fn with_plain_value(list: &ListCorpus, query: &Query) -> Option<Query> {
    let mut plain = query.clone();
    let (filter, value) = asked(&mut plain)?;
    let snapshot = filter.snapshot(list)?;
    let texts = |place| {
        let records = snapshot.records();
        records.filter_map(move |(_, record)| shown_at(place, record)?.as_str())
    };
    let mut places = filter.places.iter();
    let place = places.find(|place| texts(*place).any(|text| text.contains(value.as_str())))?;
    let is_other = |text: &&str| is_plain(text) && is_usable(text) && text.chars().count() > 3;
    *value = texts(place).find(is_other)?.to_owned();
    Some(plain)
}

/// A value of the same form that nobody has: the beginning up to a low line, and letters without sense.
fn without_sense(value: &str) -> String {
    let parts = value
        .split_once('_')
        .filter(|(prefix, _)| prefix.chars().all(char::is_alphanumeric));
    let (prefix, rest) = parts.map_or(("", value), |(prefix, rest)| (prefix, rest));
    let letters = "qxzjvq7xkwzq".chars().cycle();
    let letters: String = letters.take(rest.chars().count().max(12)).collect();
    if prefix.is_empty() {
        letters
    } else {
        format!("{prefix}_{letters}")
    }
}
