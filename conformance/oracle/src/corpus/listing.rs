//! The answer to a request for a list: its records, page by page, and how much of the list they are.

mod read;

use std::collections::HashSet;
use std::sync::Arc;

pub use read::read;
pub use read::{LONG, single_page};
#[cfg(test)]
use rollcall_contract::Pointer;
#[cfg(test)]
use serde_json::Value;

use crate::corpus::id_order::{IdOrder, Reach};
use crate::corpus::records::{Record, id_of};
use crate::http::exchange::Exchange;

/// The answer to a request for a list.
#[derive(Clone, Debug)]
pub enum ListResponse {
    /// Records, of all pages.
    Records(Pages),
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
pub struct Pages {
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
    /// Whether every page was read, whatever stands on them.
    pub to_end: bool,
    /// How far the answer was read in the order of identifiers, where the end was not reached.
    pub reach: Option<Reach>,
    /// Whether the last page that was read leads to another.
    pub leads_on: bool,
    /// Whether a page led on to one that has only records of pages before.
    pub goes_round: bool,
    /// The member the list was found in, if it was inside an object.
    pub envelope: Option<String>,
}

impl ListResponse {
    /// The records, if there are any to speak of.
    pub fn reading(&self) -> Option<&Pages> {
        match self {
            Self::Records(reading) => Some(reading),
            Self::Refused(_) | Self::Malformed { .. } => None,
        }
    }

    /// Whether the question was refused.
    pub fn is_refused(&self) -> bool {
        matches!(self, Self::Refused(exchange) if exchange.refuses_question())
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

impl Pages {
    /// Records on one page, as if a target had answered with them.
    #[cfg(test)]
    pub fn of_one_page(records: Vec<Value>, page: Exchange) -> Self {
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
            to_end: true,
            reach: None,
            envelope: None,
        }
    }

    /// Whether a record with this identifier would have been read if it were in the answer.
    pub fn reaches(&self, id: &str) -> bool {
        self.complete || self.reach.as_ref().is_some_and(|reach| reach.includes(id))
    }

    /// Whether nothing follows from the absence of any record.
    pub fn is_sample(&self) -> bool {
        !self.complete && self.reach.is_none()
    }

    /// Adds pages of the same answer that were read in the order of identifiers.
    fn go_on_with(&mut self, sorted: Self, order: IdOrder) {
        let before = self.pages.len();
        let known: HashSet<String> = self.records.iter().map(|record| identity(record)).collect();
        self.complete = sorted.complete;
        self.reach = sorted.ids_in_order().and_then(|ids| order.reach(ids.into_iter()));
        self.asked += sorted.asked;
        self.pages.extend(sorted.pages);
        for (record, page) in sorted.records.into_iter().zip(sorted.page_of) {
            if !known.contains(&identity(&record)) {
                self.records.push(record);
                self.page_of.push(before + page);
            }
        }
    }

    /// The identifiers in the order of the records; none if a record has no identifier.
    pub fn ids_in_order(&self) -> Option<Vec<&str>> {
        self.records.iter().map(|record| id_of(record)).collect()
    }

    /// The identifiers of the records.
    pub fn ids(&self) -> HashSet<&str> {
        self.records.iter().filter_map(|record| id_of(record)).collect()
    }

    /// The records of the first page.
    pub fn on_first_page(&self) -> impl Iterator<Item = &Record> {
        let paged = self.records.iter().zip(&self.page_of);
        paged
            .filter(|(_, page)| **page == 0)
            .map(|(record, _)| record.as_ref())
    }

    /// The first page alone, if more were read.
    pub fn first_page(&self) -> Option<Self> {
        (self.pages.len() > 1).then(|| self.page(0))
    }

    /// One of the pages alone.
    pub fn page(&self, page: usize) -> Self {
        let of_page = self.records.iter().zip(&self.page_of);
        let records = of_page.filter(|(_, own)| **own == page);
        let records: Vec<_> = records.map(|(record, _)| Arc::clone(record)).collect();
        Self {
            page_of: vec![0; records.len()],
            records,
            pages: self.pages[page..=page].to_vec(),
            asked: 1,
            complete: false,
            to_end: false,
            reach: None,
            leads_on: true,
            goes_round: false,
            envelope: self.envelope.clone(),
        }
    }
}

/// What makes a record this one and no other.
pub fn identity(record: &Record) -> String {
    id_of(record).map_or_else(|| record.to_string(), str::to_owned)
}
