//! Sends the requests that a list takes, page after page, however the target pages.

use std::collections::HashSet;

use super::{ListResponse, Pages, identity};
use crate::corpus::next_page::next_link;
use crate::corpus::paging::Paging;
use crate::corpus::records::Found;
use crate::http::again::PAUSES;
use crate::http::exchange::{Exchange, shortened};
use crate::http::request::Request;
use crate::http::target::{Target, TargetError};

/// A list with more pages than this is not read to its end: the pages are a sample.
const MOST_PAGES: usize = 40;
/// A list with more pages than this is long.
pub const LONG: usize = 16;
/// An answer of a long list is read so far if it has an order of its own, or if the list cannot be sorted by the identifier.
const SOME_PAGES: usize = 4;
/// So many characters of each page's body are kept for reports.
const KEPT: usize = 1_000;

/// Reads all pages that a request begins, or the one page that it is about. Of a long list it reads the first page, and where
/// more follow the first page in the order of identifiers: up to its end nothing may be missing.
///
/// # Errors
/// A page has no answer that could be judged.
pub async fn read(target: &Target, request: &Request, paging: &Paging) -> Result<ListResponse, TargetError> {
    if !paging.is_long {
        return walk(target, request, paging, MOST_PAGES).await;
    }
    let is_free = |parameter: &Option<String>| parameter.as_ref().is_none_or(|name| !request.has(name));
    let by_id = paging
        .by_id
        .as_ref()
        .filter(|_| is_free(&paging.order) && !paging.is_selected(request));
    let Some(by_id) = by_id.filter(|_| !request.one_page) else {
        return walk(target, request, paging, SOME_PAGES).await;
    };
    let mut response = walk(target, &request.clone().for_one_page(), paging, 1).await?;
    if let ListResponse::Records(reading) = &mut response
        && !reading.complete
        && let sorted = request.clone().with(&by_id.parameter, &by_id.field)
        && let ListResponse::Records(sorted) = walk(target, &sorted, paging, 1).await?
    {
        reading.go_on_with(sorted, by_id.order);
    }
    Ok(response)
}

/// Reads page after page, `most` of them at most.
///
/// An order that was asked for may leave ties open, so that a record moves from page to page; but as long as none stands
/// on two of them, none can be missing either.
async fn walk(
    target: &Target,
    request: &Request,
    paging: &Paging,
    most: usize,
) -> Result<ListResponse, TargetError> {
    let mut request = request.clone();
    let is_sorted = paging.order.as_ref().is_some_and(|name| request.has(name));
    if let (false, Some((parameter, field))) = (is_sorted, &paging.sort) {
        request = request.with(parameter, field);
    }
    let mut overlaps = false;
    // Whether the page before links to this one.
    let mut is_promised = false;
    let mut reading = Pages {
        records: Vec::new(),
        page_of: Vec::new(),
        pages: Vec::new(),
        asked: 0,
        complete: true,
        to_end: false,
        reach: None,
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
        if number > 1 && exchange.refuses_question() {
            reading.complete &= !is_promised; // What stands past the end is open (L2).
            break;
        }
        if !exchange.is_success() {
            return Ok(ListResponse::Refused(exchange));
        }
        let (records, envelope) = match records_of(&exchange, target, paging) {
            Ok(found) => found,
            Err(why) => return Ok(ListResponse::Malformed { exchange, why }),
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
        if fresh == 0 {
            reading.goes_round = count > 0 && is_promised;
            // An empty page that leads nowhere is the end, for every caller who follows the links.
            reading.complete &= !is_promised || count == 0 && link.is_none();
            break;
        }
        if number == most {
            reading.complete &= link.is_none() && (paging.links || count < paging.at_least);
            break;
        }
        overlaps |= fresh < count;
        is_promised = link.is_some();
        // A length alone would not tell: a new record may have moved another one to the next page.
        let is_all = paging.links || count < paging.at_least || paging.all.as_deref() == Some(&seen);
        next = match (link, &paging.page) {
            (Some(link), _) if link.repeats => link.request,
            (None, _) if is_all => break,
            (_, Some(page)) => request.clone().with(page, &paging.number(number + 1).to_string()),
            (link, None) => {
                reading.complete &= link.is_none();
                break;
            }
        };
    }
    reading.to_end = reading.complete && !request.one_page;
    reading.complete &= reading.pages.len() == 1 || !overlaps || paging.stable && !is_sorted;
    reading.complete &= !paging.cut_off || reading.records.len() < paging.at_least;
    Ok(ListResponse::Records(reading))
}

/// A page after the first. One that fails is asked for again, so that all pages before it need not be read anew; whether the
/// first page fails is for the caller to judge.
async fn further_page(target: &Target, request: &Request, paging: &Paging) -> Result<Exchange, TargetError> {
    let mut exchange = target.send(request).await?;
    for pause in PAUSES {
        let is_list = exchange.is_success() && records_of(&exchange, target, paging).is_ok();
        if is_list || exchange.refuses_question() {
            break;
        }
        tokio::time::sleep(pause).await;
        exchange = target.send(request).await?;
    }
    Ok(exchange)
}

/// One answer as a list of one page, whatever it links to.
pub fn single_page(exchange: Exchange, target: &Target, paging: &Paging) -> ListResponse {
    if !exchange.is_success() {
        return ListResponse::Refused(exchange);
    }
    match records_of(&exchange, target, paging) {
        Err(why) => ListResponse::Malformed { exchange, why },
        Ok((records, envelope)) => ListResponse::Records(Pages {
            page_of: vec![0; records.len()],
            asked: 1,
            complete: records.len() < paging.at_least,
            to_end: false,
            reach: None,
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
    let (records, member) = paging.reader.of(&exchange.body, &paging.records, envelope)?;
    match &paging.linked {
        None => Ok((records, member)),
        Some(linked) => Ok((linked.join(records, exchange)?, member)),
    }
}
