//! What is judged first: who may, then whether it exists, then what was sent (A2).

use http::StatusCode;
use rollcall::operations;

use super::{DEPRECATE, RESTORE, get, patch, send};
use crate::CONTRACT;

const HOPELESS: &[u8] = b"{{{";

#[test]
fn every_operation_of_the_contract_is_routed_and_asks_for_its_scope_first() {
    assert_eq!(operations::ALL.len(), CONTRACT.operations.len());
    for operation in &CONTRACT.operations {
        let served = operations::ALL.iter().find(|one| one.id == operation.id).unwrap();
        assert_eq!(
            (served.path, Some(served.scope)),
            (operation.path.as_str(), operation.scope.as_deref())
        );
        let method = operation.method.to_string();
        // The id is of no resource, the query has no such parameter and the body is no JSON: permission comes first.
        let address = operation.path.replace('{', "x").replace('}', "") + "?x=%";
        for (token, status) in [("", 401), ("Bearer none", 403), ("bearer", 401)] {
            let answer = send(
                &method,
                &address,
                &[("authorization", token), ("accept", "text/html")],
                HOPELESS,
            );
            assert_eq!(answer.status, status, "{method} {address} with {token:?}");
        }
        let token = format!("Bearer {}", served.scope);
        let answer = send(&method, &address, &[("authorization", &token)], HOPELESS);
        assert!(
            answer.status.is_client_error(),
            "{method} {address}: {}",
            answer.status
        );
    }
}

#[test]
fn the_id_of_another_resource_is_not_found_whatever_the_body() {
    for id in [
        "wsusr_1",
        "dratr_",
        "dratr_A",
        "dratr_%C3%A9",
        "dratr_1%0A",
        "x",
        "%20dratr_1",
        "%FF",
        "dratr_1%2F2",
    ] {
        let answer = patch(&format!("/directory/attributes/{id}/deprecate"), HOPELESS);
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{id}");
    }
    let answer = get("/directory/users/dratr_1");
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    let detail = answer.json()["detail"].to_string();
    assert!(
        detail.contains("not the id of a directory user: that is drusr_ followed by"),
        "{detail}"
    );
}

#[test]
fn another_method_and_another_path_reach_no_operation() {
    assert_eq!(
        send("DELETE", "/directory/users/drusr_1", &[], "").status,
        StatusCode::METHOD_NOT_ALLOWED
    );
    assert_eq!(
        send("GET", DEPRECATE, &[], "").status,
        StatusCode::METHOD_NOT_ALLOWED
    );
    for path in [
        "/",
        "/directory",
        "/directory/users/",
        "/directory/users/drusr_1/",
        "/directory/people",
        "/directory/users//restore",
    ] {
        assert_eq!(get(path).status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[test]
fn an_answer_that_is_not_wanted_as_json_is_refused() {
    for (accept, status) in [
        ("application/json", 200),
        ("*/*", 200),
        ("application/*", 200),
        ("Application/JSON; charset=utf-8", 200),
        ("text/html, */*;q=0.1", 200),
        ("text/html", 406),
        ("application/problem+json", 406),
        ("application/json;q=0", 406),
        ("application/json; q=0.0, text/plain", 406),
        ("application/json;q=0, */*", 406),
        ("text/*, application/xml", 406),
        ("application/*;q=0.5, application/json;q=0", 406),
        ("*/*;q=0, application/json", 200),
        ("rubbish", 406),
    ] {
        assert_eq!(
            send("GET", "/directory/users/drusr_1", &[("accept", accept)], "").status,
            status,
            "{accept}"
        );
    }
}

#[test]
fn an_operation_without_parameters_takes_none() {
    let answer = get("/directory/users/drusr_1?include=manager-user");
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert_eq!(
        answer.faults(),
        [("include".to_owned(), "unknown_parameter".to_owned())]
    );
    assert_eq!(
        patch(&format!("{RESTORE}?dry=1"), "{\"roles\":true}").status,
        StatusCode::BAD_REQUEST
    );
    assert_eq!(get("/directory/users/drusr_1?").status, StatusCode::OK);
}

#[test]
fn an_idempotency_key_is_visible_ascii() {
    let long = "k".repeat(256);
    for (key, status) in [
        ("7f9c2ba4", 200),
        (&long[1..], 200),
        (&long, 400),
        ("a b", 400),
        ("é", 400),
    ] {
        let headers = [("content-type", "application/json"), ("idempotency-key", key)];
        assert_eq!(
            send("PATCH", RESTORE, &headers, "{\"roles\":true}").status,
            status,
            "{key}"
        );
    }
}
