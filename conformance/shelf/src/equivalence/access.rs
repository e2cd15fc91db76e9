//! Requests without a right to be answered, which have to be refused, and requests with it.

use axum::http::Method;
use serde_json::json;

use super::question::GRANTED;
use crate::model::USERS;
use crate::mutation::Sample;
use crate::{Asked, Hooks, Model};

/// What a target shows or grants to whom it should not; none if nothing.
pub(super) fn violation(hooks: &dyn Fn() -> Hooks) -> Option<String> {
    let target = Model::of(Sample::get().rows.clone(), hooks());
    for request in requests() {
        for credentials in wrong() {
            for is_after in [false, true] {
                if is_after {
                    let granted = Asked::get(&request.path, &[], GRANTED);
                    _ = target.ask(granted);
                }
                let mut reply = target.ask(Asked {
                    credentials: credentials.clone(),
                    on_connection: usize::from(is_after),
                    ..request.clone()
                });
                let shows = reply.body().to_string().contains("drusr_");
                if reply.is_success() || shows || reply.status >= 500 {
                    let token = credentials
                        .as_deref()
                        .map_or("none".to_owned(), |text| text.replace(GRANTED, "TOKEN"));
                    let (method, path, query) = (&request.method, &request.path, &request.query);
                    return Some(format!(
                        "{method} {path}?{query:?} with credentials {token}: {}",
                        reply.status
                    ));
                }
            }
        }
    }
    None
}

fn requests() -> Vec<Asked> {
    let queries: [&[(&str, &str)]; 7] = [
        &[],
        &[("page", "2")],
        &[("page", "3"), ("sort", "-last_name,first_name,id")],
        &[
            ("include", "manager-user,direct-report-users-count"),
            ("sort", "id"),
        ],
        &[("filter[state]", "active"), ("filter[trashed]", "with")],
        &[
            ("filter[email_search]", "a"),
            ("filter[created_after]", "2015-01-01"),
            ("filter[manager]", "true"),
        ],
        &[("filter[trashed]", "only")],
    ];
    let mut requests: Vec<_> = queries
        .iter()
        .map(|query| Asked::get(USERS, query, GRANTED))
        .collect();
    requests.push(Asked::get(USERS, &[("access_token", GRANTED)], GRANTED));
    requests.push(Asked::get("/directory/dimensions", &[], GRANTED));
    let ids = Sample::get().writable();
    for (prefix, path, body) in [
        ("wsusr_", "/workspace/users/ID/restore", json!({"roles": true})),
        (
            "dratr_",
            "/directory/attributes/ID/deprecate",
            json!({"expires_after_days": 9}),
        ),
    ] {
        if let Some(id) = ids.iter().find(|id| id.starts_with(prefix)) {
            requests.push(Asked {
                method: Method::PATCH,
                content_type: Some("application/json".to_owned()),
                body: Some(body),
                ..Asked::get(&path.replace("ID", id), &[], GRANTED)
            });
        }
    }
    requests
}

fn wrong() -> Vec<Option<String>> {
    let token = GRANTED;
    let other: String = token
        .chars()
        .map(|letter| if letter.is_ascii_digit() { '9' } else { 'x' })
        .collect();
    let wrong = [
        "Bearer ".to_owned(),
        "Bearer wrong".to_owned(),
        format!("Bearer {other}"),
        format!("Bearer {token}x"),
        format!("Bearer {}", &token[..token.len() - 1]),
        format!("Bearer {}", &token[..token.len() / 2]),
        format!("Bearer {}", &token[token.len() / 2..]),
        format!("Bearer {}", token.to_uppercase()),
        format!("Bearer {}", token.to_lowercase()),
        format!("Basic {token}"),
        format!("Token {token}"),
        token.to_owned(),
    ];
    std::iter::once(None).chain(wrong.into_iter().map(Some)).collect()
}
