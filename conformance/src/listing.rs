//! Reads a list to its end: page after page, however the target pages.

use std::collections::HashSet;
use std::sync::Arc;

use rollcall_contract::Pointer;
#[cfg(test)]
use serde_json::Value;

use crate::exchange::{Exchange, shortened};
use crate::next_page::{Cursor, next_link};
use crate::patience::PAUSES;
use crate::records::{Found, Record, id_of};
use crate::request::Request;
use crate::target::{Target, Trouble};

/// What was learned about the paging of a list, so that short answers need no second request.
#[derive(Clone, Debug, Default)]
pub struct Paging {
    /// Where the records are in an answer.
    pub records: Pointer,
    /// The parameter that selects a page by its number.
    pub page: Option<String>,
    /// How a page is selected by a cursor, where that is how.
    pub cursor: Option<Cursor>,
    /// The parameter that takes an order.
    pub order: Option<String>,
    /// A page holds at least this many records if there are so many.
    pub at_least: usize,
    /// Whether the target links to the next page where there is one.
    pub links: bool,
    /// Whether the same request gives the same order.
    pub stable: bool,
    /// The parameter and field that make the order stable where it is not without.
    pub sort: Option<(String, String)>,
    /// Whether the first page has the number 0 (L2).
    pub from_zero: bool,
}

impl Paging {
    /// The number that selects a page; the first page is the first, however the target numbers it.
    pub(crate) fn number(&self, page: usize) -> usize {
        page - usize::from(self.from_zero)
    }

    /// Whether a request selects a page.
    fn is_selected(&self, request: &Request) -> bool {
        let cursor = self.cursor.as_ref().map(|cursor| &cursor.parameter);
        self.page.iter().chain(cursor).any(|name| request.has(name))
    }
}

/// The answer to a request for a list.
#[derive(Clone, Debug)]
pub enum Listed {
    /// Records, of all pages.
    Records(Reading),
    /// No success.
    Refused(Exchange),
    /// A success that is no list of JSON objects.
    Malformed {
        /// The answer.
        exchange: Exchange,
        /// What is wrong with it.
        why: String,
    },
}

/// The records of a list.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The records in the order they came, repetitions included.
    pub records: Vec<Arc<Record>>,
    /// For each record, the page that it stands on, as an index into `pages`.
    pub page_of: Vec<usize>,
    /// The answers, page by page, with the beginning of their bodies.
    pub pages: Vec<Exchange>,
    /// How many pages were asked for; what stands past the end is asked for too, where nothing else tells the end.
    pub asked: usize,
    /// Whether nothing can have been left out: the end was reached, over one page, or in a stable order, or without a
    /// record that stood on two pages.
    pub complete: bool,
    /// Whether the last page that was read leads to another.
    pub leads_on: bool,
    /// Whether a page led on to one that has only records of pages before.
    pub goes_round: bool,
    /// The member the list was found in, if it was inside an object.
    pub envelope: Option<String>,
}

/// A list with more pages than this is not read to its end: what was read is a sample, and nothing follows from absence.
const MOST_PAGES: usize = 250;
/// So many characters of each page's body are kept for reports.
const KEPT: usize = 1_000;

impl Listed {
    /// The records, if there are any to speak of.
    pub fn reading(&self) -> Option<&Reading> {
        match self {
            Self::Records(reading) => Some(reading),
            Self::Refused(_) | Self::Malformed { .. } => None,
        }
    }

    /// The first exchange.
    pub fn exchange(&self) -> &Exchange {
        match self {
            Self::Records(reading) => &reading.pages[0],
            Self::Refused(exchange) | Self::Malformed { exchange, .. } => exchange,
        }
    }

    /// The exchange of the page that a record stands on; without the record, the first.
    pub fn page_with(&self, id: Option<&str>) -> &Exchange {
        let page = id.and_then(|id| {
            let reading = self.reading()?;
            let at = reading
                .records
                .iter()
                .position(|record| id_of(record) == Some(id))?;
            reading.pages.get(*reading.page_of.get(at)?)
        });
        page.unwrap_or_else(|| self.exchange())
    }

    /// What came back, in a few words.
    pub fn describe(&self) -> String {
        match self {
            Self::Records(reading) => match reading.records.len() {
                0 => "no records".to_owned(),
                1 => "1 record".to_owned(),
                count => format!("{count} records"),
            },
            Self::Refused(exchange) => format!("status {}", exchange.status),
            Self::Malformed { exchange, why } => format!("status {} and a body that {why}", exchange.status),
        }
    }
}

impl Reading {
    /// Records on one page, as if a target had answered with them.
    #[cfg(test)]
    pub(crate) fn of_one_page(records: Vec<Value>, page: Exchange) -> Self {
        let id = Pointer::of(["id"]);
        Self {
            leads_on: false,
            goes_round: false,
            page_of: vec![0; records.len()],
            records: records
                .into_iter()
                .map(|record| Arc::new(Record::new(record, &id)))
                .collect(),
            pages: vec![page],
            asked: 1,
            complete: true,
            envelope: None,
        }
    }

    /// The identifiers of the records.
    pub fn ids(&self) -> HashSet<&str> {
        self.records.iter().filter_map(|record| id_of(record)).collect()
    }

    /// The records of the first page.
    pub(crate) fn on_first_page(&self) -> impl Iterator<Item = &Record> {
        let paged = self.records.iter().zip(&self.page_of);
        paged
            .filter(|(_, page)| **page == 0)
            .map(|(record, _)| record.as_ref())
    }

    /// The first page alone, if more were read.
    pub(crate) fn first_page(&self) -> Option<Self> {
        (self.pages.len() > 1).then(|| self.page(0))
    }

    /// One of the pages alone.
    pub(crate) fn page(&self, page: usize) -> Self {
        let of_page = self.records.iter().zip(&self.page_of);
        let records = of_page.filter(|(_, own)| **own == page);
        let records: Vec<_> = records.map(|(record, _)| Arc::clone(record)).collect();
        Self {
            page_of: vec![0; records.len()],
            records,
            pages: self.pages[page..=page].to_vec(),
            asked: 1,
            complete: false,
            leads_on: true,
            goes_round: false,
            envelope: self.envelope.clone(),
        }
    }
}

/// Reads all pages that a request begins, or the one page that it is about.
///
/// An order that was asked for may leave ties open, so that a record moves from page to page; but as long as none stands
/// on two of them, none can be missing either.
///
/// # Errors
/// A page has no answer that could be judged.
pub async fn read(target: &Target, request: &Request, paging: &Paging) -> Result<Listed, Trouble> {
    let mut request = request.clone();
    let is_sorted = paging.order.as_ref().is_some_and(|name| request.has(name));
    if let (false, Some((parameter, field))) = (is_sorted, &paging.sort) {
        request = request.with(parameter, field);
    }
    let mut overlaps = false;
    // Whether the page before links to this one.
    let mut is_promised = false;
    let mut reading = Reading {
        records: Vec::new(),
        page_of: Vec::new(),
        pages: Vec::new(),
        asked: 0,
        complete: true,
        leads_on: false,
        goes_round: false,
        envelope: None,
    };
    let mut seen = HashSet::new();
    let mut next = request.clone();
    loop {
        let number = reading.pages.len() + 1;
        let mut exchange = match number {
            1 => target.send(&next).await?,
            _ => further_page(target, &next, paging).await?,
        };
        reading.asked += 1;
        if number > 1 && exchange.is_refusal() {
            reading.complete &= !is_promised; // What stands past the end is open (L2).
            break;
        }
        if !exchange.is_success() {
            return Ok(Listed::Refused(exchange));
        }
        let (records, envelope) = match records_of(&exchange, target, paging) {
            Ok(found) => found,
            Err(why) => return Ok(Listed::Malformed { exchange, why }),
        };
        let fresh = records
            .iter()
            .filter(|record| seen.insert(identity(record)))
            .count();
        let link = next_link(&exchange, paging, &target.config().base_url);
        reading.leads_on = link.is_some();
        let count = records.len();
        if number == 1 || fresh > 0 {
            reading.page_of.extend(records.iter().map(|_| number - 1));
            reading.records.extend(records);
            reading.envelope = envelope;
            exchange.body = shortened(&exchange.body, KEPT);
            reading.pages.push(exchange);
        }
        if request.one_page {
            reading.complete =
                !paging.is_selected(&request) && link.is_none() && (paging.links || count < paging.at_least);
            break;
        }
        if fresh == 0 || number == MOST_PAGES {
            reading.goes_round = fresh == 0 && count > 0 && is_promised;
            reading.complete &= number < MOST_PAGES && !is_promised;
            break;
        }
        overlaps |= fresh < count;
        is_promised = link.is_some();
        next = match (link, &paging.page) {
            (Some(link), _) if link.repeats => link.request,
            (None, _) if paging.links || count < paging.at_least => break,
            (_, Some(page)) => request.clone().with(page, &paging.number(number + 1).to_string()),
            (link, None) => {
                reading.complete &= link.is_none();
                break;
            }
        };
    }
    reading.complete &= reading.pages.len() == 1 || !overlaps || paging.stable && !is_sorted;
    Ok(Listed::Records(reading))
}

/// A page after the first. One that fails is asked for again, so that all pages before it need not be read anew; whether the
/// first page fails is for the caller to judge.
async fn further_page(target: &Target, request: &Request, paging: &Paging) -> Result<Exchange, Trouble> {
    let mut exchange = target.send(request).await?;
    for pause in PAUSES {
        let is_list = exchange.is_success() && records_of(&exchange, target, paging).is_ok();
        if is_list || exchange.is_refusal() {
            break;
        }
        tokio::time::sleep(pause).await;
        exchange = target.send(request).await?;
    }
    Ok(exchange)
}

/// One answer as a list of one page, whatever it links to.
pub(crate) fn single_page(exchange: Exchange, target: &Target, paging: &Paging) -> Listed {
    if !exchange.is_success() {
        return Listed::Refused(exchange);
    }
    match records_of(&exchange, target, paging) {
        Err(why) => Listed::Malformed { exchange, why },
        Ok((records, envelope)) => Listed::Records(Reading {
            page_of: vec![0; records.len()],
            asked: 1,
            complete: records.len() < paging.at_least,
            leads_on: next_link(&exchange, paging, &target.config().base_url).is_some(),
            goes_round: false,
            records,
            pages: vec![exchange],
            envelope,
        }),
    }
}

/// The records of an answer, and the member they are in if something surrounds them.
fn records_of(exchange: &Exchange, target: &Target, paging: &Paging) -> Result<Found, String> {
    let envelope = target.config().envelope.as_deref();
    target.records().of(&exchange.body, &paging.records, envelope)
}

/// What makes a record this one and no other.
pub(crate) fn identity(record: &Record) -> String {
    id_of(record).map_or_else(|| record.to_string(), str::to_owned)
}
