//! What the generated code could not serve is refused at build time, with its place in `openapi.yaml`.

#![expect(
    clippy::unwrap_used,
    reason = "a test that unwraps fails with a trace, which is what a test is for"
)]

use rollcall_contract::{Contract, Document};
use serde_json::{Value, json};

/// What is said about the contract after one change at one place.
fn refusal(pointer: &str, change: impl FnOnce(&mut Value)) -> String {
    let yaml = include_str!("../../openapi.yaml");
    let mut document = Document::parse(yaml).unwrap().raw().clone();
    change(document.pointer_mut(pointer).unwrap());
    let yaml = serde_json::to_string(&document).unwrap();
    let contract = match Contract::parse(&yaml) {
        Ok(contract) => contract,
        Err(why) => return why.to_string(),
    };
    rollcall_generator::generate(&contract).unwrap_err().to_string()
}

fn push(array: &mut Value, element: Value) {
    array.as_array_mut().unwrap().push(element);
}

const USERS: &str = "/paths/~1directory~1users/get";

#[test]
fn a_query_parameter_of_a_list_that_is_neither_filter_nor_role() {
    let limit = json!({"name": "limit", "in": "query", "schema": {"type": "integer"}, "x-extension": true});
    let said = refusal(&format!("{USERS}/parameters"), |all| push(all, limit));
    assert_eq!(
        said,
        "GET /directory/users (listDirectoryUsers), parameter limit: nothing reads it: it has neither x-filter nor x-role"
    );
}

#[test]
fn a_query_parameter_of_an_operation_that_is_no_list() {
    let fields = json!({"name": "fields", "in": "query", "schema": {"type": "string"}, "x-extension": true});
    let place = "/paths/~1directory~1users~1{user}/get/parameters";
    let said = refusal(place, |all| push(all, fields));
    assert_eq!(
        said,
        "GET /directory/users/{user} (getDirectoryUser), parameter fields: nothing reads it: only a list \
         (x-list) has parameters in the query"
    );
}

#[test]
fn a_header_that_the_router_does_not_read() {
    let trace = json!({"name": "X-Trace", "in": "header", "schema": {"type": "string"}, "x-extension": true});
    let place = "/paths/~1directory~1users~1{user}~1activate/patch/parameters";
    let said = refusal(place, |all| push(all, trace.clone()));
    assert_eq!(
        said,
        "PATCH /directory/users/{user}/activate (activateDirectoryUser), parameter X-Trace: nothing reads it: \
         the router reads If-Match and Idempotency-Key here"
    );
    let said = refusal(&format!("{USERS}/parameters"), |all| push(all, trace));
    assert!(
        said.ends_with("parameter X-Trace: nothing reads it: the router reads no header here"),
        "{said}"
    );
}

#[test]
fn a_second_success() {
    let said = refusal(&format!("{USERS}/responses"), |all| {
        all["202"] = json!({"description": "Later.", "x-extension": true});
    });
    assert_eq!(
        said,
        "at /paths/~1directory~1users/get/responses/202: 202 is a second success of listDirectoryUsers, beside 200: an \
         operation has one"
    );
}

#[test]
fn two_fields_of_a_list_with_one_last_segment() {
    let said = refusal(&format!("{USERS}/x-list/sort/fields"), |fields| {
        fields["manager_name"] = json!("/manager/first_name");
    });
    assert_eq!(
        said,
        "GET /directory/users (listDirectoryUsers), field /manager/first_name: has the same last segment as \
         /first_name: both would be one name"
    );
}

#[test]
fn two_members_of_a_record_with_one_last_segment() {
    let said = refusal("/components/schemas/DirectoryUserTimestamps", |timestamps| {
        timestamps["properties"]["email"] = json!({"$ref": "#/components/schemas/Timestamp"});
        push(&mut timestamps["required"], json!("email"));
    });
    assert_eq!(
        said,
        "DirectoryUser/timestamp/email, a record of listDirectoryUsers: has the same last segment as /email: both would \
         be one name"
    );
}

#[test]
fn a_list_of_a_form_that_only_the_runner_knows() {
    let place = "/components/parameters/Trashed/x-filter";
    let said = refusal(place, |filter| filter["words"] = json!({"with": "all"}));
    assert_eq!(
        said,
        "listDirectoryUsers: a list with other words for soft-deleted records"
    );
}
