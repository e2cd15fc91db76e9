//! Reads a list to its end: page after page, however the target pages.

use std::collections::HashSet;
use std::sync::Arc;

use reqwest::Url;
use serde_json::Value;

use crate::exchange::{Exchange, shortened};
use crate::patience::PAUSES;
use crate::request::Request;
use crate::subject::id_of;
use crate::target::{Target, Trouble};

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
}

impl Paging {
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
        Self {
            page_of: vec![0; records.len()],
            records: records.into_iter().map(Arc::new).collect(),
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
            envelope: self.envelope.clone(),
        })
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
        envelope: None,
    };
    let mut seen = HashSet::new();
    let mut next = request.clone();
    loop {
        let number = reading.pages.len() + 1;
        let mut exchange = match number {
            1 => target.send(&next).await?,
            _ => further_page(target, &next).await?,
        };
        reading.asked += 1;
        if number > 1 && exchange.is_refusal() {
            reading.complete &= !is_promised; // What stands past the end is open (L2).
            break;
        }
        if !exchange.is_success() {
            return Ok(Listed::Refused(exchange));
        }
        let (records, envelope) = match target
            .records()
            .of(&exchange.body, target.config().envelope.as_deref())
        {
            Ok(found) => found,
            Err(why) => return Ok(Listed::Malformed { exchange, why }),
        };
        let fresh = records
            .iter()
            .filter(|record| seen.insert(identity(record)))
            .count();
        let link = next_link(&exchange, &paging.page, &target.config().base_url);
        let count = records.len();
        if number == 1 || fresh > 0 {
            reading.page_of.extend(records.iter().map(|_| number - 1));
            reading.records.extend(records);
            reading.envelope = envelope;
            exchange.body = shortened(&exchange.body, KEPT);
            reading.pages.push(exchange);
        }
        if request.one_page {
            let is_first = paging.page.as_ref().is_none_or(|page| !request.has(page));
            reading.complete = is_first && link.is_none() && (paging.links || count < paging.at_least);
            break;
        }
        if fresh == 0 || number == MOST_PAGES {
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
async fn further_page(target: &Target, request: &Request) -> Result<Exchange, Trouble> {
    let mut exchange = target.send(request).await?;
    for pause in PAUSES {
        let envelope = target.config().envelope.as_deref();
        let is_list = exchange.is_success() && target.records().of(&exchange.body, envelope).is_ok();
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
    match target
        .records()
        .of(&exchange.body, target.config().envelope.as_deref())
    {
        Err(why) => Listed::Malformed { exchange, why },
        Ok((records, envelope)) => Listed::Records(Reading {
            page_of: vec![0; records.len()],
            asked: 1,
            complete: records.len() < paging.at_least,
            records,
            pages: vec![exchange],
            envelope,
        }),
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
