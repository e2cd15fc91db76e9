//! What a caller meets first: pages, the contract, other methods, other origins, and hints.

use std::collections::BTreeSet;

use reqwest::{Method, RequestBuilder};
use rollcall_contract::{Contract, Document};
use serde_json::Value;

use crate::harness::{Answer, Running, TOKEN};

/// A request to a path of the server, without a token.
fn at_root(server: &Running, method: Method, path: &str) -> RequestBuilder {
    let root = server.base.strip_suffix("/api/v1").unwrap();
    server.client.request(method, format!("{root}{path}"))
}

async fn fetch(server: &Running, path: &str) -> Answer {
    server.send(at_root(server, Method::GET, path)).await
}

#[tokio::test]
async fn every_page_is_whole_and_loads_nothing_from_elsewhere() {
    let server = Running::start().await;
    for path in ["/", "/docs", "/docs/review"] {
        let page = fetch(&server, path).await;
        assert_eq!(page.status, 200, "{path}");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        let policy = page.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none';") && !policy.contains("unsafe"),
            "{policy}"
        );
        let root = path.trim_end_matches(|letter| letter != '/');
        let links = ["src=\"", "href=\""]
            .into_iter()
            .flat_map(|attribute| page.text.split(attribute).skip(1));
        // The part behind # is a place of the page.
        let files: BTreeSet<_> = links.filter_map(|rest| rest.split(['"', '#']).next()).collect();
        for file in files.iter().filter(|file| !file.is_empty()) {
            assert!(!file.contains("//"), "{path}: {file}");
            let answer = fetch(&server, &[root, file].concat()).await;
            assert_eq!(answer.status, 200, "{path}: {file}");
        }
        assert!(files.len() >= 2, "{path}: {files:?}");
    }
}

#[tokio::test]
async fn the_contract_names_the_server_that_the_request_was_sent_to() {
    let server = Running::start().await;
    let published = Document::parse(rollcall::CONTRACT).unwrap().raw().clone();
    for path in ["/openapi.yaml", "/openapi.json"] {
        for (host, expected) in [
            ("directory.example.net", "http://directory.example.net/api/v1"),
            ("[::1]:8080", "http://[::1]:8080/api/v1"),
            // A host with other signs is no name of a server, and is not repeated.
            ("a'b.example.net", server.base.as_str()),
        ] {
            let request = server.bare(Method::GET, path).header("host", host);
            let served = Document::parse(&server.send(request).await.text)
                .unwrap()
                .raw()
                .clone();
            let mut own = published.clone();
            own["servers"][0]["url"] = Value::from(expected);
            assert_eq!(served, own, "{path}, {host}");
        }
    }
}

#[tokio::test]
async fn the_open_form_is_a_contract_without_extensions() {
    let server = Running::start().await;
    let own = Contract::parse(rollcall::CONTRACT).unwrap();
    let specified = own
        .operations
        .iter()
        .filter(|operation| !operation.origin.extension);
    let specified: Vec<_> = specified
        .map(|operation| (operation.path.as_str(), operation.method.key()))
        .collect();
    assert_eq!(specified.len(), 4);
    for path in ["/openapi-open.yaml", "/openapi-open.json"] {
        let open = Document::parse(&server.raw(path).await.text).unwrap();
        let paths = open.raw()["paths"].as_object().unwrap();
        let found = paths.iter().flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().keys();
            methods.map(move |method| (path.as_str(), method.as_str()))
        });
        let found: Vec<_> = found.collect();
        assert!(
            found.len() == specified.len() && specified.iter().all(|one| found.contains(one)),
            "{found:?}"
        );
        let text = open.to_json().unwrap();
        for of_ours in [
            "x-extension",
            "x-filter",
            "page[size]",
            "Idempotency-Key",
            "\"additionalProperties\": false",
        ] {
            assert!(!text.contains(of_ours), "{of_ours}");
        }
        let schemas = &open.raw()["components"]["schemas"];
        assert_eq!(schemas["IntegrationVendor"].get("enum"), None);
        assert_eq!(schemas["PolicyRuleId"].get("pattern"), None);
        assert_eq!(schemas["DirectoryUserId"]["pattern"], "^drusr_[0-9a-z]+$");
    }
}

#[tokio::test]
async fn head_answers_as_get_does_and_sends_no_body() {
    let server = Running::start().await;
    let id = server.get("/directory/users", &[]).await.ids()[0].clone();
    for path in [
        "/".to_owned(),
        "/docs/review".to_owned(),
        "/readyz".to_owned(),
        "/api/v1/openapi.json".to_owned(),
        "/api/v1/directory/users?page[total]=true".to_owned(),
        format!("/api/v1/directory/users/{id}"),
        "/api/v1/directory/users/drusr_0".to_owned(),
        "/api/v1/directory/users?filter[nonsense]=1".to_owned(),
    ] {
        let [get, head] =
            [Method::GET, Method::HEAD].map(|method| at_root(&server, method, &path).bearer_auth(TOKEN));
        let (get, head) = (server.send(get).await, server.send(head).await);
        assert_eq!(get.status, head.status, "{path}");
        assert_eq!(head.text, "", "{path}");
        for header in [
            "content-type",
            "content-length",
            "etag",
            "link",
            "x-total-count",
            "cache-control",
        ] {
            assert_eq!(get.header(header), head.header(header), "{path}: {header}");
        }
    }
}

/// What a cache may keep, of every kind of answer: pages and documents, which show no record, and people's data.
/// The id that a proxy has given is in the answer and in a problem; one that is no plain word is replaced.
#[tokio::test]
async fn the_id_of_a_proxy_is_taken_if_it_is_plain() {
    let server = Running::start().await;
    let ask = |id: &str| {
        let request = server.bare(Method::GET, "/directory/nobody").bearer_auth(TOKEN);
        server.send(request.header("x-request-id", id))
    };
    let taken = ask("0a9f-7.proxy").await;
    assert_eq!(taken.header("x-request-id"), "0a9f-7.proxy");
    assert_eq!(taken.json()["request_id"], "0a9f-7.proxy");
    for id in ["a b", "<script>", &"x".repeat(129)] {
        let replaced = ask(id).await;
        assert_ne!(replaced.header("x-request-id"), id);
        assert_eq!(replaced.json()["request_id"], replaced.header("x-request-id"));
    }
}

#[tokio::test]
async fn every_answer_says_what_caches_may_keep() {
    let server = Running::start().await;
    let id = server.get("/directory/users", &[]).await.ids()[0].clone();
    let (user, ask_again, nothing) = (
        format!("/api/v1/directory/users/{id}"),
        "public, no-cache",
        "private, no-store",
    );
    for (path, kept) in [
        ("/", ask_again),
        ("/docs", ask_again),
        ("/docs/review", ask_again),
        ("/docs/page.css", "public, max-age=600"),
        ("/api/v1/openapi.yaml", ask_again),
        ("/api/v1/openapi-open.json", ask_again),
        (&user, "private, no-cache"),
        ("/api/v1/directory/users", nothing),
        ("/api/v1/directory/users/drusr_0", nothing),
        ("/api/v1/directory/users?nonsense=1", nothing),
        ("/api/v1/nothing", nothing),
        ("/readyz", nothing),
        ("/metrics", nothing),
    ] {
        let get = || at_root(&server, Method::GET, path).bearer_auth(TOKEN);
        let answer = server.send(get()).await;
        assert_eq!(answer.header("cache-control"), kept, "{path}");
        // What is kept can be asked for again without being sent again.
        assert_eq!(answer.headers.contains_key("etag"), kept != nothing, "{path}");
        if kept != nothing {
            let held = get().header("if-none-match", answer.header("etag"));
            let same = server.send(held).await;
            assert_eq!((same.status.as_u16(), same.text.as_str()), (304, ""), "{path}");
            for header in ["etag", "cache-control", "content-security-policy"] {
                assert_eq!(same.header(header), answer.header(header), "{path}: {header}");
            }
            let other = server.send(get().header("if-none-match", "\"other\"")).await;
            assert_eq!(other.status, 200, "{path}");
        }
    }
    let unauthorized = server.send(at_root(&server, Method::GET, &user)).await;
    assert_eq!(unauthorized.header("cache-control"), nothing);
}

#[tokio::test]
async fn options_names_the_methods_of_a_path() {
    let server = Running::start().await;
    for (path, methods) in [
        ("/api/v1/directory/users", "GET,HEAD"),
        ("/api/v1/directory/attributes/dratr_1/deprecate", "PATCH"),
        ("/readyz", "GET,HEAD"),
        ("/docs", "GET,HEAD"),
    ] {
        let answer = server.send(at_root(&server, Method::OPTIONS, path)).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("allow")),
            (204, methods),
            "{path}"
        );
        let refused = server.send(at_root(&server, Method::DELETE, path)).await;
        refused.assert_problem(405, "method_not_allowed");
        assert_eq!(refused.header("allow"), methods);
    }
    let nowhere = server.send(at_root(&server, Method::OPTIONS, "/nowhere")).await;
    nowhere.assert_problem(404, "not_found");
}

/// What a browser sends before a page of `origin` may change a record.
fn preflight(server: &Running, origin: &str) -> RequestBuilder {
    at_root(
        server,
        Method::OPTIONS,
        "/api/v1/directory/attributes/dratr_1/deprecate",
    )
    .header("origin", origin)
    .header("access-control-request-method", "PATCH")
    .header(
        "access-control-request-headers",
        "authorization,content-type,idempotency-key",
    )
}

#[tokio::test]
async fn pages_of_other_origins_are_let_in_by_name_only() {
    let server = Running::for_origins(&["https://app.example.net"]).await;
    let allowed = server.send(preflight(&server, "https://app.example.net")).await;
    assert_eq!(
        allowed.header("access-control-allow-origin"),
        "https://app.example.net"
    );
    assert!(allowed.header("access-control-allow-methods").contains("PATCH"));
    assert!(
        allowed
            .header("access-control-allow-headers")
            .contains("idempotency-key")
    );
    assert_eq!(allowed.header("access-control-allow-credentials"), "");
    let other = server.send(preflight(&server, "https://evil.example.org")).await;
    assert_eq!(other.header("access-control-allow-origin"), "");
    // A page reads refusals too, and the headers of a list.
    for (path, status) in [("/directory/users", 200), ("/directory/users?nonsense=1", 400)] {
        let request = server
            .bare(Method::GET, path)
            .bearer_auth(TOKEN)
            .header("origin", "https://app.example.net");
        let answer = server.send(request).await;
        assert_eq!(answer.status.as_u16(), status);
        assert_eq!(
            answer.header("access-control-allow-origin"),
            "https://app.example.net"
        );
        assert!(answer.header("access-control-expose-headers").contains("link"));
    }
    let closed = Running::start().await;
    let answer = closed.send(preflight(&closed, "https://app.example.net")).await;
    assert_eq!(answer.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn a_refusal_names_what_was_meant() {
    let server = Running::start().await;
    for (query, meant) in [
        ("limit=10", "page[size]"),
        ("per_page=10", "page[size]"),
        ("q=zoe", "filter"),
        ("offset=10", "page"),
        ("order_by=email", "sort"),
        ("expand=manager-user", "include"),
        ("email=zoe@example.net", "filter[email]"),
        ("filter[emial]=zoe@example.net", "filter[email]"),
    ] {
        let answer = server.raw(&format!("/directory/users?{query}")).await;
        let problem = answer.assert_problem(400, "unknown_parameter");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.ends_with(&format!("did you mean {meant}?")), "{detail}");
    }
    let answer = server.raw("/directory/dimensions?q=part").await;
    assert!(
        answer.text.contains("did you mean filter[name_search]?"),
        "{}",
        answer.text
    );
    for (path, meant) in [
        ("/directory/users", "/api/v1/directory/users"),
        ("/api/v1/directory/users/", "/api/v1/directory/users"),
        ("/api/v1/directory/user", "/api/v1/directory/users"),
    ] {
        let problem = fetch(&server, path).await.assert_problem(404, "not_found");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.ends_with(&format!("Did you mean {meant}?")), "{detail}");
    }
    for base in ["/api/v1", "/api/v1/"] {
        let problem = fetch(&server, base).await.assert_problem(404, "not_found");
        let detail = problem["detail"].as_str().unwrap();
        assert!(
            detail.contains("is the base address") && detail.contains("/docs"),
            "{detail}"
        );
    }
    let request = server
        .bare(Method::GET, "/directory/users")
        .header("authorization", TOKEN);
    let problem = server.send(request).await.assert_problem(401, "unauthorized");
    assert!(
        problem["detail"]
            .as_str()
            .unwrap()
            .contains("Authorization: Bearer <token>"),
        "{problem}"
    );
    assert!(!problem.to_string().contains(TOKEN), "the token is not repeated");
}
