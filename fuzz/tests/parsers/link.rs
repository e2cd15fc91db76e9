//! The `Link` header as the runner reads it: `conformance/src/corpus/next_page.rs`. An input is the header, or a query that our server
//! links to.

use reqwest::Url;
use rollcall::http::{IntoResponse, Json, Page, page};
use rollcall::list::ListQuery;
use rollcall::lists::DirectoryUsers;
use rollcall_fuzz::target;
use rollcall_oracle::corpus::next_page::{NextLink, next_link};
use rollcall_oracle::corpus::paging::Paging;
use rollcall_oracle::http::exchange::Exchange;
use rollcall_oracle::http::request::Request;
use serde_json::Value;

target!(property);

const BASE: &str = "http://h:1/api/v1";
const PATH: &str = "/directory/users";

fn property(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Some(next) = follow(&text) {
        below_the_base_address(&next);
    }
    if let Ok(query) = ListQuery::<DirectoryUsers>::parse(&text) {
        of_our_server(&query.print());
    }
}

/// What the runner makes of an answer with this header.
fn follow(link: &str) -> Option<NextLink> {
    let request = Request::get(PATH).with("sort", "id").with("page", "1");
    let answer = Exchange {
        request,
        status: 200,
        content_type: None,
        link: Some(link.to_owned()),
        location: None,
        challenge: None,
        body: String::new(),
    };
    let paging = Paging {
        page: Some("page".to_owned()),
        ..Paging::default()
    };
    next_link(&answer, &paging, &base())
}

/// A link is followed below the base address only, and repeats the request if it says so.
fn below_the_base_address(next: &NextLink) {
    let base = base();
    let url = next.request.url(&base);
    assert_eq!(url.origin(), base.origin());
    assert!(url.path().starts_with("/api/v1/"), "{url}");
    assert!(next.request.path.starts_with('/'));
    let is_repeated = |(name, value): &(String, String)| name == "sort" && value == "id";
    assert_eq!(next.repeats, next.request.query.iter().any(is_repeated), "{url}");
    let again: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    assert_eq!(again, next.request.query);
}

/// The link that our server writes to this query is followed to this query.
fn of_our_server(query: &str) {
    let answer = page::<Value>(Page {
        records: Json::of(&Vec::new()),
        links: vec![
            ("first", format!("{BASE}{PATH}")),
            ("next", format!("{BASE}{PATH}?{query}")),
            ("last", format!("{BASE}{PATH}?page=9")),
        ],
        total: None,
    });
    let response = answer.into_response();
    let link = response.headers()["link"].to_str().unwrap();
    let next = follow(link).unwrap();
    let sent = rollcall::list::pairs(query).unwrap();
    assert_eq!(
        (next.request.path.as_str(), next.request.query),
        (PATH, sent),
        "{link}"
    );
}

fn base() -> Url {
    BASE.parse().unwrap()
}
