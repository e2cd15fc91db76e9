//! Which records a page has. On a page of so many records, each record stands where the order puts it; where an open point can
//! put it elsewhere, nothing follows (L2, L3, L5).

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::membership::{describe, expected};
use super::{Facts, Law};
use crate::corpus::ListCorpus;
use crate::corpus::listing::{ListResponse, Pages, identity};
use crate::corpus::order::{Key, SortField};
use crate::corpus::query::Query;
use crate::corpus::records::{Record, id_of};
use crate::judge::Violation;
use crate::judge::violation::named;

/// The order of a page is compared with so many pairs of records at most.
const PAIRS: usize = 50_000;

/// Records that stand twice on one page: however the data changes, one answer has no reason to repeat a record (§2).
pub(super) fn twice(reading: &Pages) -> Option<Violation> {
    let mut seen = HashSet::new();
    let placed = reading.records.iter().zip(&reading.page_of);
    let placed = placed.filter_map(|(record, page)| Some((id_of(record)?, page)));
    let twice = placed.filter(|placed| !seen.insert(*placed));
    let twice: BTreeSet<String> = twice.map(|(id, _)| id.to_owned()).collect();
    let expected = "each record once on a page";
    Violation::of_records(twice, expected, |names| format!("{names} twice on one page"))
}

/// Records that stand on two pages of an answer although the order has no ties.
pub(super) fn repeated(facts: &Facts, query: &Query, reading: &Pages) -> Option<Violation> {
    if reading.pages.len() < 2 || !has_no_ties(facts, query, reading) {
        return None;
    }
    let mut pages: HashMap<String, usize> = HashMap::new();
    let placed = reading.records.iter().zip(&reading.page_of);
    let twice = placed.filter_map(|(record, page)| {
        let id = identity(record);
        let first = *pages.entry(id.clone()).or_insert(*page);
        (first != *page).then_some(id)
    });
    let expected = format!("each record on one page: {}", describe(query));
    Violation::of_records(twice.collect(), expected, |names| {
        format!("{names} on two pages, in an order without ties")
    })
}

/// Records that are on none of the pages of an answer while others are on two: however records that are equal in the order stand,
/// each belongs on exactly one page (L5).
pub fn scattered(list: &ListCorpus, query: &Query, answer: &ListResponse) -> Option<Violation> {
    let reading = answer.reading()?;
    if query.sort.is_empty() || reading.pages.len() < 2 || !reading.to_end {
        return None;
    }
    let expected = expected(list, query);
    let mut pages: HashMap<String, usize> = HashMap::new();
    let placed = reading.records.iter().zip(&reading.page_of);
    let twice = placed.filter_map(|(record, page)| {
        let id = identity(record);
        let first = *pages.entry(id.clone()).or_insert(*page);
        (first != *page).then_some(id)
    });
    let twice: BTreeSet<String> = twice.collect();
    let lost: BTreeSet<String> = expected
        .into_iter()
        .filter(|id| !pages.contains_key(id))
        .collect();
    let (repeated, missing) = named(&twice).zip(named(&lost))?;
    let positions = reading.records.len();
    let wanted = format!("each record on exactly one page: {}", describe(query));
    Some(Violation {
        actual: format!(
            "{positions} records on {} pages: {missing} on none of them, {repeated} on two",
            reading.pages.len()
        ),
        ..Violation::of_answer(wanted, answer)
    })
}

/// Whether a page has too few records, or one that stands on another page. It may be right nevertheless: the target may
/// fill pages of this answer otherwise. The whole answer tells.
pub fn is_suspicious(facts: &Facts, list: &ListCorpus, query: &Query, answer: &ListResponse) -> bool {
    let page = query.page.or(query.first_page.then_some(1));
    let (Some(page), Some(reading), Some(snapshot)) = (page, answer.reading(), list.widest_snapshot()) else {
        return false;
    };
    let is_whole = snapshot.response.reading().is_some_and(|all| all.complete);
    if !is_whole {
        return false;
    }
    let size = list.paging.at_least;
    // Of texts nothing follows, and a full page lacks nothing: most answers need no further look.
    let order = Order::of(facts, query).filter(|order| order.0[0].0.is_strict());
    if reading.records.len() >= size && order.is_none() {
        return false;
    }
    let verdicts = query.verdicts(list);
    let records = snapshot.records().enumerate();
    let included = records.filter(|(place, _)| verdicts.included.has(*place));
    let included: Vec<&Record> = included.map(|(_, (_, record))| record).collect();
    let possible = snapshot.len() - verdicts.excluded.len();
    let (begin, end) = ((page - 1) * size, page * size);
    // What stands past the end is open (L2).
    if begin >= included.len() {
        return false;
    }
    if reading.records.len() < (included.len() - begin).min(size) {
        return true;
    }
    let Some(order) = order else {
        return false;
    };
    if reading.records.len() * included.len() > PAIRS {
        return false;
    }
    let others: Vec<Vec<Option<Key>>> = included.iter().map(|record| order.keys(record)).collect();
    reading.records.iter().any(|record| {
        let own = order.keys(record);
        let placed = |wanted| {
            others
                .iter()
                .filter(|other| order.compare(other, &own) == Some(wanted))
                .count()
        };
        let (before, after) = (placed(Ordering::Less), placed(Ordering::Greater));
        before >= end || possible <= begin + after
    })
}

/// Another page than the whole answer has in its place, in an order without ties.
pub fn differs_from_whole(
    facts: &Facts,
    list: &ListCorpus,
    query: &Query,
    (page, whole): (&ListResponse, &ListResponse),
) -> Option<Violation> {
    let (number, reading, whole) = (query.page?, page.reading()?, whole.reading()?);
    let sizes = (0..number).map(|page| whole.page_of.iter().filter(|own| **own == page).count());
    let are_full = sizes.take(number - 1).all(|size| size == list.paging.at_least);
    if !whole.complete || whole.pages.len() < number || !are_full || !has_no_ties(facts, query, whole) {
        return None;
    }
    let expected = format!("page {number} as it is among all pages: {}", describe(query));
    Law::Same.violation(&[reading, &whole.page(number - 1)], &expected)
}

/// Whether an answer shows the order of its second key: some of its records are the same in the first and not in the second.
/// They are not all the same in the first, so that it shows which key comes first, too.
pub fn has_ties(facts: &Facts, query: &Query, reading: &Pages) -> bool {
    let Some(Order(fields)) = Order::of(facts, query) else {
        return false;
    };
    let [(first, _), (second, _), ..] = fields[..] else {
        return false;
    };
    let records = reading.records.iter();
    let keys = records.filter_map(|record| Some((first.key(record)?, second.key(record)?)));
    let keys: Vec<(Key, Key)> = keys.collect();
    let mut neighbours = keys.windows(2);
    let is_tie = |pair: &[(Key, Key)]| pair[0].0 == pair[1].0 && pair[0].1.differs(&pair[1].1);
    neighbours.any(is_tie) && keys.iter().any(|(key, _)| key.differs(&keys[0].0))
}

/// Whether no two records of an answer are the same in all keys of its order, under any collation.
fn has_no_ties(facts: &Facts, query: &Query, reading: &Pages) -> bool {
    let Some(order) = Order::of(facts, query) else {
        return false;
    };
    let mut ids = HashSet::new();
    let mut known = HashSet::new();
    let mut records = reading
        .records
        .iter()
        .filter(|record| ids.insert(identity(record)));
    records.all(|record| id_of(record).is_some() && known.insert(order.spelled(record)))
}

/// The order of a query, all keys of which are known to sort.
struct Order<'f>(Vec<(&'f SortField, bool)>);

impl<'f> Order<'f> {
    fn of(facts: &'f Facts, query: &Query) -> Option<Self> {
        let fields = query.sort.iter().map(|key| {
            let field = facts.sorts.iter().find(|field| field.name == key.field)?;
            Some((field, key.descending))
        });
        let fields: Vec<_> = fields.collect::<Option<_>>()?;
        (!fields.is_empty()).then_some(Self(fields))
    }

    fn keys(&self, record: &Record) -> Vec<Option<Key>> {
        self.0.iter().map(|(field, _)| field.key(record)).collect()
    }

    /// Which of two records comes first; none if that is open, as between texts.
    fn compare(&self, one: &[Option<Key>], other: &[Option<Key>]) -> Option<Ordering> {
        for ((_, descending), keys) in self.0.iter().zip(one.iter().zip(other)) {
            let (Some(one), Some(other)) = keys else {
                return None;
            };
            if one == other {
                continue;
            }
            let order = one.strict_order(other)?;
            return Some(if *descending { order.reverse() } else { order });
        }
        None
    }

    /// The keys of a record, spelled so that only what is different under every collation is spelled differently.
    fn spelled(&self, record: &Record) -> Vec<String> {
        self.keys(record)
            .iter()
            .map(|key| key.as_ref().map_or_else(String::new, Key::distinct))
            .collect()
    }
}
