//! `GET /`: what this is, and where to go on.

use axum::Extension;
use axum::response::Response;
use http::HeaderMap;
use maud::html;

use super::{Address, page};

/// Answers `GET /`.
pub(super) async fn front(Extension(address): Extension<Address>, headers: HeaderMap) -> Response {
    let base = address.seen_by(&headers);
    let curl = |query: &str| format!("curl -g -H \"Authorization: Bearer $TOKEN\" \"$BASE{query}\"");
    let body = html! {
        main {
            h1 { "Directory and Workspace Provisioning API" }
            p.lead {
                "A reference server, Rollcall " (env!("CARGO_PKG_VERSION")) ". It holds people, the identities they sign in \
                 with, and the policy that follows from their attributes."
            }
            p { "The address of the API is " code { (base) } "." }
            ul.doors {
                li { a href="docs" { strong { "Reference" } } " every operation, with a form that calls this server" }
                li { a href="docs/review" { strong { "Review" } }
                    " what the contract means: operations by clause, filters, sort fields, relations, and every decision" }
                li { a href="api/v1/openapi.yaml" { "openapi.yaml" } ", " a href="api/v1/openapi.json" { "openapi.json" }
                    " the contract of this server, OpenAPI 3.0.3" }
                li { a href="api/v1/openapi-open.yaml" { "openapi-open.yaml" } ", "
                    a href="api/v1/openapi-open.json" { "openapi-open.json" }
                    " the contract for callers of any server that conforms" }
                li { a href="readyz" { "readyz" } ", " a href="healthz" { "healthz" } ", " a href="metrics" { "metrics" }
                    " for operators" }
            }
            h2 { "The first request" }
            p { "A request needs a token. The demo prints one when it starts. For a directory of your own, "
                code { "rollcall-server token create" } " makes one." }
            pre { code {
                "export BASE=" (base) "\n"
                "export TOKEN=…\n\n"
                "# the first people\n" (curl("/directory/users?page[size]=2")) "\n\n"
                "# part of an email, and the manager of each person\n"
                (curl("/directory/users?filter[email_search]=an&include=manager-user&sort=last_name"))
            } }
        }
    };
    page("Rollcall", "", &body)
}
