//! How one page leads to the next: by a header `Link`, or by a cursor in its body.

use reqwest::Url;

use crate::corpus::paging::{Cursor, Paging};
use crate::http::exchange::Exchange;
use crate::http::request::Request;

/// The link to the next page.
pub struct NextLink {
    /// The request that it stands for.
    pub request: Request,
    /// Whether it repeats every parameter of the request it is an answer to, but for the page. A link that drops one leads
    /// to another list, so that nothing is judged by it (L4).
    pub repeats: bool,
}

impl Cursor {
    /// The request for the page after an answer; none after the last.
    fn next(&self, exchange: &Exchange) -> Option<NextLink> {
        let body = exchange.json()?;
        let cursor = self
            .next
            .find(&body)?
            .as_str()
            .filter(|cursor| !cursor.is_empty())?;
        let mut request = exchange.request.clone();
        request.query.retain(|(name, _)| *name != self.parameter);
        Some(NextLink {
            request: request.with(&self.parameter, cursor),
            repeats: true,
        })
    }
}

/// The link of an answer to the next page, if it stays below the base address.
pub fn next_link(exchange: &Exchange, paging: &Paging, base: &Url) -> Option<NextLink> {
    if let Some(cursor) = &paging.cursor {
        return cursor.next(exchange);
    }
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
    let repeats = sent.all(|pair| paging.page.as_ref() == Some(&pair.0) || query.contains(pair));
    let request = Request {
        query,
        path: path.to_owned(),
        redirected: None,
        ..exchange.request.clone()
    };
    (url.origin() == base.origin()).then_some(NextLink { request, repeats })
}

#[cfg(test)]
mod tests {
    use rollcall_contract::Pointer;

    use super::*;

    fn answer(link: Option<&str>, body: &str) -> Exchange {
        Exchange {
            request: Request::get("/directory/users").with("sort", "id"),
            status: 200,
            content_type: None,
            link: link.map(str::to_owned),
            location: None,
            challenge: None,
            body: body.to_owned(),
        }
    }

    fn next_of(link: &str) -> Option<NextLink> {
        let base = "http://h:1/api/v1".parse().unwrap();
        let paging = Paging {
            page: Some("page".to_owned()),
            ..Paging::default()
        };
        next_link(&answer(Some(link), ""), &paging, &base)
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

    #[test]
    fn a_cursor_leads_on_until_there_is_none() {
        let cursor = Cursor {
            parameter: "after".to_owned(),
            next: Pointer::of(["paging", "after"]),
        };
        let asked = Request::get("/titles").with("after", "a").with("order", "name");
        let line = |body: &str| {
            let exchange = Exchange {
                request: asked.clone(),
                ..answer(None, body)
            };
            cursor.next(&exchange).map(|link| link.request.line())
        };
        let next = Some("GET /titles?order=name&after=b".to_owned());
        assert_eq!(line(r#"{"paging": {"after": "b"}}"#), next);
        for end in [
            r#"{"paging": {"after": null}}"#,
            r#"{"paging": {"after": ""}}"#,
            "{}",
            "[]",
        ] {
            assert_eq!(line(end), None, "{end}");
        }
    }
}
