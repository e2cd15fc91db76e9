//! Compressed answers: the same content, a tag for each coding, and nothing compressed that need not be.

use std::io::Read as _;

use flate2::read::GzDecoder;
use http::{HeaderMap, StatusCode};
use reqwest::{Method, RequestBuilder};
use serde_json::json;

use crate::harness::{Running, TOKEN};

/// An answer as it came over the wire.
struct Raw {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Raw {
    async fn of(request: RequestBuilder) -> Self {
        let answer = request.send().await.unwrap();
        Self {
            status: answer.status(),
            headers: answer.headers().clone(),
            body: answer.bytes().await.unwrap().to_vec(),
        }
    }

    fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    fn decoded(&self) -> Vec<u8> {
        assert_eq!(self.header("content-encoding"), "gzip");
        let mut decoded = Vec::new();
        GzDecoder::new(&*self.body).read_to_end(&mut decoded).unwrap();
        decoded
    }
}

/// A request of the operator to a path below the root, under an id of its own.
fn request(server: &Running, method: Method, path: &str) -> RequestBuilder {
    let root = server.base.strip_suffix("/api/v1").unwrap();
    let request = server.client.request(method, format!("{root}{path}"));
    request.bearer_auth(TOKEN).header("x-request-id", "coding")
}

fn get(server: &Running, path: &str) -> RequestBuilder {
    request(server, Method::GET, path)
}

const USERS: &str = "/api/v1/directory/users";

#[tokio::test]
async fn a_compressed_answer_is_the_answer_as_it_is() {
    let server = Running::start().await;
    let id = server.get("/directory/users", &[]).await.ids()[0].clone();
    for path in [
        format!("{USERS}?page[size]=200&include=manager-user"),
        format!("{USERS}?page[size]=3"),
        format!("{USERS}/{id}"),
        format!("{USERS}?filter[nonsense]=1&filter[other]=2"),
        "/".to_owned(),
        "/docs/review".to_owned(),
        "/docs/page.css".to_owned(),
        "/api/v1/openapi.json".to_owned(),
        "/api/v1/openapi-open.yaml".to_owned(),
    ] {
        let plain = Raw::of(get(&server, &path)).await;
        assert!(plain.header("content-encoding").is_empty(), "{path}");
        // The second time, a page is one that was kept.
        for _ in 0..2 {
            let packed = Raw::of(get(&server, &path).header("accept-encoding", "gzip, br")).await;
            assert_eq!(packed.status, plain.status, "{path}");
            assert!(packed.decoded() == plain.body, "{path}");
            assert!(packed.body.len() < plain.body.len(), "{path}");
            for header in ["content-type", "link", "cache-control", "vary"] {
                assert_eq!(packed.header(header), plain.header(header), "{path}: {header}");
            }
            assert_eq!(packed.header("vary"), "accept-encoding", "{path}");
            let [tag, packed_tag] = [&plain, &packed].map(|answer| answer.header("etag"));
            match tag.strip_suffix('"') {
                Some(tag) => assert_eq!(packed_tag, format!("{tag}-gzip\""), "{path}"),
                None => assert_eq!(packed_tag, "", "{path}"),
            }
        }
    }
}

#[tokio::test]
async fn the_answer_to_head_has_the_headers_of_a_compressed_answer_and_no_body() {
    let server = Running::start().await;
    for path in [USERS, "/docs/review", "/api/v1/openapi.json"] {
        let gzip = |method| request(&server, method, path).header("accept-encoding", "gzip");
        let (body, head) = (
            Raw::of(gzip(Method::GET)).await,
            Raw::of(gzip(Method::HEAD)).await,
        );
        assert!(head.body.is_empty() && head.status == 200, "{path}");
        for header in ["content-type", "content-encoding", "etag", "vary", "link"] {
            assert_eq!(head.header(header), body.header(header), "{path}: {header}");
        }
        assert_eq!(head.header("content-length"), "", "{path}");
    }
}

#[tokio::test]
async fn each_form_of_a_record_has_a_tag_and_both_tags_allow_a_change() {
    let server = Running::start().await;
    let path = "/api/v1/directory/attributes";
    let id = super::writes::some(&server, "/directory/attributes", "active").await;
    let record = format!("{path}/{id}");
    // A record is small, so it is compressed only where nothing else is accepted.
    let packed_only = "gzip, identity;q=0";
    let ask = |coding: &str, held: &str| {
        let request = get(&server, &record).header("accept-encoding", coding);
        Raw::of(request.header("if-none-match", held))
    };
    let (plain, packed) = (ask("identity", "\"x\"").await, ask(packed_only, "\"x\"").await);
    assert!(packed.decoded() == plain.body);
    let [tag, packed_tag] = [&plain, &packed].map(|answer| answer.header("etag").to_owned());
    assert_eq!(packed_tag, format!("\"{}-gzip\"", tag.trim_matches('"')));
    for (coding, held, is_held) in [
        ("identity", &*tag, true),
        ("gzip", &*tag, true),
        ("gzip", &*packed_tag, true),
        (packed_only, &*packed_tag, true),
        // The sender cannot read the form that it names.
        ("identity", &*packed_tag, false),
        (packed_only, &*tag, false),
    ] {
        let answer = ask(coding, held).await;
        assert_eq!(answer.status, if is_held { 304 } else { 200 }, "{coding}, {held}");
        if is_held {
            assert_eq!((answer.header("etag"), answer.body.len()), (held, 0));
            assert_eq!(answer.header("vary"), "accept-encoding");
        }
    }
    let change = |tag: String| {
        let change = request(&server, Method::PATCH, &format!("{record}/deprecate"));
        Raw::of(
            change
                .header("if-match", tag)
                .json(&json!({"expires_after_days": 30})),
        )
    };
    assert_eq!(change(format!("W/{packed_tag}")).await.status, 412);
    assert_eq!(change(packed_tag.replace("-gzip", "-br")).await.status, 412);
    assert_eq!(change(packed_tag).await.status, 200);
    let now = ask("identity", "\"x\"").await.header("etag").to_owned();
    assert_ne!(now, tag);
    assert_eq!(change(tag).await.status, 412);
}

#[tokio::test]
async fn a_page_is_not_sent_twice_in_either_form() {
    let server = Running::start().await;
    for coding in ["gzip", "identity"] {
        let ask = || get(&server, "/docs/review").header("accept-encoding", coding);
        let tag = Raw::of(ask()).await.header("etag").to_owned();
        assert_eq!(tag.ends_with("-gzip\""), coding == "gzip");
        let again = Raw::of(ask().header("if-none-match", &tag)).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
        assert_eq!(
            (again.header("etag"), again.header("vary")),
            (&*tag, "accept-encoding")
        );
    }
}

#[tokio::test]
async fn small_bodies_are_left_as_they_are_and_files_are_not() {
    let server = Running::start().await;
    let small = Raw::of(get(&server, "/healthz").header("accept-encoding", "gzip")).await;
    assert_eq!((small.header("content-encoding"), small.header("vary")), ("", ""));
    let file = "/docs/reference.js";
    let plain = Raw::of(get(&server, file)).await;
    let asked = Raw::of(get(&server, file).header("accept-encoding", "gzip")).await;
    assert_eq!(asked.header("content-encoding"), "gzip");
    assert_eq!(asked.decoded(), plain.body);
    assert_eq!(asked.headers.get_all("vary").iter().count(), 1);
}

#[tokio::test]
async fn an_answer_has_the_coding_that_is_wanted_most() {
    let server = Running::start().await;
    for (accepted, coding) in [
        ("gzip;q=0.5", "gzip"),
        ("*", "gzip"),
        ("identity;q=0.9, gzip;q=0.8", ""),
        ("gzip;q=0", ""),
        ("br", ""),
        ("", ""),
        ("identity;q=0, *;q=0.1", "gzip"),
    ] {
        let answer = Raw::of(get(&server, USERS).header("accept-encoding", accepted)).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("content-encoding")),
            (200, coding),
            "{accepted}"
        );
        assert_eq!(answer.header("vary"), "accept-encoding", "{accepted}");
    }
    // There are no parts of an answer, so the whole is sent.
    let part = get(&server, USERS)
        .header("range", "bytes=0-9")
        .header("accept-encoding", "gzip");
    let whole = Raw::of(part).await;
    assert_eq!((whole.status.as_u16(), whole.header("accept-ranges")), (200, ""));
    assert!(whole.decoded().ends_with(b"]"));
}

#[tokio::test]
async fn a_request_that_refuses_every_coding_changes_nothing() {
    let server = Running::start().await;
    let id = super::writes::some(&server, "/directory/attributes", "active").await;
    let record = format!("/directory/attributes/{id}");
    let before = server.raw(&record).await.text;
    for refused in ["identity;q=0", "*;q=0", "br, identity;q=0"] {
        let change = server
            .bare(Method::PATCH, &format!("{record}/deprecate"))
            .bearer_auth(TOKEN);
        let change = change.header("accept-encoding", refused).json(&json!({}));
        server.send(change).await.assert_problem(406, "not_acceptable");
    }
    assert_eq!(server.raw(&record).await.text, before);
}

#[tokio::test]
async fn a_server_without_compression_sends_every_body_as_it_is() {
    let server = Running::uncompressed().await;
    for accepted in ["gzip", "identity;q=0"] {
        let answer = Raw::of(get(&server, USERS).header("accept-encoding", accepted)).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("content-encoding")),
            (200, "")
        );
        assert_eq!(answer.header("vary"), "");
    }
}

/// Compression can tell something of a secret that is in one body with text of an attacker. No answer of the API has a secret.
/// If this fails, send the new member in an answer that is not compressed, and tell of it in SECURITY.md.
#[test]
fn no_answer_has_a_secret() {
    let contract = rollcall_contract::Document::parse(rollcall::CONTRACT).unwrap();
    let schemas = contract.raw()["components"]["schemas"].as_object().unwrap();
    let members = schemas
        .values()
        .filter_map(|schema| schema["properties"].as_object());
    let members: Vec<_> = members.flat_map(|members| members.keys()).collect();
    assert!(members.len() > 100, "{members:?}");
    let secrets = ["secret", "token", "password", "hash", "credential"];
    let is_secret = |member: &&&String| member.split('_').any(|word| secrets.contains(&word));
    assert_eq!(members.iter().find(is_secret), None);
}
