//! The answer to a request for a list: its records, page by page, and how much of the list they are.

mod id_order;
mod read;

use std::collections::HashSet;
use std::sync::Arc;

pub(crate) use id_order::IdOrder;
use id_order::Reach;
pub use read::read;
pub(crate) use read::{LONG, single_page};
use reqwest::Url;
use serde_json::Value;

use crate::exchange::Exchange;
use crate::request::Request;
use crate::subject::id_of;

/// What was learned about the paging of a list, so that short answers need no second request.
#[derive(Clone, Debug, Default)]
pub struct Paging {
    /// The parameter that selects a page.
    pub page: Option<String>,
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
    /// Whether the list is too long for every query to be read to its end.
    pub is_long: bool,
    /// How a long list is sorted by the identifier, if it can be sorted so.
    pub(crate) by_id: Option<SortById>,
}

/// How a list is sorted by the identifier.
#[derive(Clone, Debug)]
pub(crate) struct SortById {
    /// The parameter that takes an order.
    pub(crate) parameter: String,
    /// The field that is the identifier.
    pub(crate) field: String,
    /// The order.
    pub(crate) order: IdOrder,
}

impl Paging {
    /// The same for a reading that ends at the last page, however long the list is.
    #[must_use]
    pub(crate) fn whole(&self) -> Self {
        Self {
            is_long: false,
            ..self.clone()
        }
    }

    /// The number that selects a page; the first page is the first, however the target numbers it.
    pub(crate) fn number(&self, page: usize) -> usize {
        page - usize::from(self.from_zero)
    }
}

/// The link to the next page.
pub struct NextLink {
    /// The request that it stands for.
    pub request: Request,
    /// Whether it repeats every parameter of the request it is an answer to, but for the page. A link that drops one leads
    /// to another list, so that nothing is judged by it (L4).
    pub repeats: bool,
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
    pub records: Vec<Arc<Value>>,
    /// For each record, the page that it stands on, as an index into `pages`.
    pub page_of: Vec<usize>,
    /// The answers, page by page, with the beginning of their bodies.
    pub pages: Vec<Exchange>,
    /// How many pages were asked for; what stands past the end is asked for too, where nothing else tells the end.
    pub asked: usize,
    /// Whether nothing can have been left out: the end was reached, over one page, or in a stable order, or without a
    /// record that stood on two pages.
    pub complete: bool,
    /// How far the answer was read in the order of identifiers, where the end was not reached.
    pub(crate) reach: Option<Reach>,
    /// The member the list was found in, if it was inside an object.
    pub envelope: Option<String>,
}

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
        Self {
            page_of: vec![0; records.len()],
            records: records.into_iter().map(Arc::new).collect(),
            pages: vec![page],
            asked: 1,
            complete: true,
            reach: None,
            envelope: None,
        }
    }

    /// Whether a record with this identifier would have been read if it were in the answer.
    pub fn reaches(&self, id: &str) -> bool {
        self.complete || self.reach.as_ref().is_some_and(|reach| reach.includes(id))
    }

    /// Whether nothing follows from the absence of any record.
    pub(crate) fn is_sample(&self) -> bool {
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
    pub(crate) fn ids_in_order(&self) -> Option<Vec<&str>> {
        self.records.iter().map(|record| id_of(record)).collect()
    }

    /// The identifiers of the records.
    pub fn ids(&self) -> HashSet<&str> {
        self.records.iter().filter_map(|record| id_of(record)).collect()
    }

    /// The records of the first page.
    pub(crate) fn on_first_page(&self) -> impl Iterator<Item = &Value> {
        let paged = self.records.iter().zip(&self.page_of);
        paged
            .filter(|(_, page)| **page == 0)
            .map(|(record, _)| record.as_ref())
    }

    /// The first page alone, if more were read.
    pub(crate) fn first_page(&self) -> Option<Self> {
        let count = self.on_first_page().count();
        (self.pages.len() > 1).then(|| Self {
            records: self.records[..count].to_vec(),
            page_of: vec![0; count],
            pages: self.pages[..1].to_vec(),
            asked: 1,
            complete: false,
            reach: None,
            envelope: self.envelope.clone(),
        })
    }
}

/// What makes a record this one and no other.
pub(crate) fn identity(record: &Value) -> String {
    id_of(record).map_or_else(|| record.to_string(), str::to_owned)
}

/// The link of an answer to the next page, if it stays below the base address. `page` is the parameter that selects a page.
pub fn next_link(exchange: &Exchange, page: &Option<String>, base: &Url) -> Option<NextLink> {
    let link = exchange.link.as_deref()?;
    // A comma parts links, but an address may have commas, too.
    let target = link.split('<').skip(1).find_map(|one| {
        let (target, parameters) = one.split_once('>')?;
        let next = parameters
            .trim()
            .trim_end_matches(',')
            .split(';')
            .any(|parameter| {
                let value = parameter
                    .trim()
                    .strip_prefix("rel=")
                    .unwrap_or_default()
                    .trim_matches('"');
                value
                    .split_ascii_whitespace()
                    .any(|relation| relation.eq_ignore_ascii_case("next"))
            });
        next.then_some(target)
    })?;
    let url = exchange.request.url(base).join(target).ok()?;
    let root = base.path().trim_end_matches('/');
    let path = url
        .path()
        .strip_prefix(root)
        .filter(|path| path.starts_with('/'))?;
    let query: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    let mut sent = exchange.request.query.iter();
    let repeats = sent.all(|pair| page.as_ref() == Some(&pair.0) || query.contains(pair));
    let request = Request {
        query,
        path: path.to_owned(),
        ..exchange.request.clone()
    };
    (url.origin() == base.origin()).then_some(NextLink { request, repeats })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(link: Option<&str>, body: &str) -> Exchange {
        Exchange {
            request: Request::get("/directory/users").with("sort", "id"),
            status: 200,
            content_type: None,
            link: link.map(str::to_owned),
            challenge: None,
            body: body.to_owned(),
        }
    }

    fn next_of(link: &str) -> Option<NextLink> {
        let base = "http://h:1/api/v1".parse().unwrap();
        next_link(&answer(Some(link), ""), &Some("page".to_owned()), &base)
    }

    fn next(link: &str) -> Option<String> {
        next_of(link).map(|link| link.request.line())
    }

    #[test]
    fn a_link_repeats_the_request_or_drops_a_part_of_it() {
        for (link, repeats) in [
            ("<?sort=id&page=2>; rel=next", true),
            ("<?page=2&sort=id&page%5Bsize%5D=50>; rel=next", true),
            ("<?page=2>; rel=next", false),
            ("<?sort=email&page=2>; rel=next", false),
            ("</api/v1/directory/users?cursor=abc>; rel=next", false),
        ] {
            assert_eq!(next_of(link).unwrap().repeats, repeats, "{link}");
        }
    }

    #[test]
    fn a_link_is_followed_below_the_base_address_only() {
        let followed = Some("GET /directory/users?page=abc".to_owned());
        assert_eq!(
            next("<http://h:1/api/v1/directory/users?page=abc>; rel=\"next\""),
            followed
        );
        assert_eq!(next("</api/v1/x>; rel=first, <?page=abc>; rel=next"), followed);
        assert_eq!(
            next("<http://elsewhere/api/v1/directory/users?page=abc>; rel=next"),
            None
        );
        assert_eq!(
            next("<https://h:1/api/v1/directory/users?page=abc>; rel=next"),
            None
        );
        assert_eq!(next("<http://h:1/admin?page=abc>; rel=next"), None);
        assert_eq!(next("<?page=abc>; rel=prev"), None);
        assert_eq!(
            next("<?sort=id,email&page=1>; rel=\"prev\", <?sort=id,email&page=3>; rel=\"next\""),
            Some("GET /directory/users?sort=id,email&page=3".to_owned())
        );
    }
}
