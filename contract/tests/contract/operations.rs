//! Which operations a contract may have, and what the model says of their methods, answers and bodies.

use rollcall_contract::{Contract, Document, Method, Pointer, Position};
use serde_json::{Value, json};

const GET: Method = Method::Get;

#[test]
fn a_method_has_its_key_and_is_safe_or_not() {
    for (method, key, is_safe) in [
        (GET, "get", true),
        (Method::Head, "head", true),
        (Method::Post, "post", false),
        (Method::Put, "put", false),
        (Method::Patch, "patch", false),
        (Method::Delete, "delete", false),
    ] {
        assert_eq!((method.key(), method.is_safe()), (key, is_safe));
        assert_eq!(method.to_string(), key.to_uppercase());
    }
}

/// A contract with one operation, whose members `changes` replaces.
fn contract(path_item: &Value, changes: &Value) -> Result<Contract, String> {
    let mut operation = json!({"operationId": "notes", "responses": {"200": {"description": "Done."}}});
    operation
        .as_object_mut()
        .unwrap()
        .extend(changes.as_object().unwrap().clone());
    let mut item = json!({"get": operation});
    item.as_object_mut()
        .unwrap()
        .extend(path_item.as_object().unwrap().clone());
    let schemas = json!({"Note": {"type": "object", "properties": {"id": {"type": "string"}}}});
    let raw = json!({"paths": {"/notes": item}, "components": {"schemas": schemas}});
    Contract::of(Document::of(raw).unwrap()).map_err(|error| error.to_string())
}

#[test]
fn a_path_has_methods_and_what_belongs_to_all_of_them() {
    let other = json!({"operationId": "other", "responses": {"204": {}}});
    for (key, value) in [
        ("summary", json!("Notes")),
        ("description", json!("Notes.")),
        ("parameters", json!([])),
        ("x-other", json!(1)),
        ("post", other.clone()),
        ("put", other.clone()),
        ("patch", other.clone()),
        ("delete", other.clone()),
    ] {
        assert!(contract(&json!({key: value}), &json!({})).is_ok(), "{key}");
    }
    for key in ["head", "options", "trace", "servers", "Get"] {
        let error = contract(&json!({key: other}), &json!({})).unwrap_err();
        assert!(error.contains(&format!("`{key}` is no method")), "{error}");
    }
}

#[test]
fn an_operation_has_one_success() {
    for (responses, says) in [
        (json!({"404": {}}), "there is no success among the answers"),
        (
            json!({"200": {}, "404": {}, "204": {}}),
            "204 is a second success of notes, beside 200",
        ),
        (json!({"2XX": {}}), "each status is written out, as a number"),
        (
            json!({"200": {}, "default": {}}),
            "each status is written out, as a number",
        ),
    ] {
        let error = contract(&json!({}), &json!({"responses": responses})).unwrap_err();
        assert!(error.contains(says), "{error}");
    }
    let contract = contract(&json!({}), &json!({"responses": {"401": {}, "201": {}}})).unwrap();
    let operation = &contract.operations[0];
    assert_eq!(
        (operation.answer.status, operation.statuses.as_slice()),
        (201, [401, 201].as_slice())
    );
    assert_eq!(
        (operation.answer.schema.as_deref(), operation.answer.many),
        (None, false)
    );
}

/// Content of one media type with a schema.
fn content(media: &str, schema: &Value) -> Value {
    json!({"content": {media: {"schema": schema}}})
}

#[test]
fn the_body_of_an_answer_is_json_or_built_on_it() {
    let note = json!({"$ref": "#/components/schemas/Note"});
    let many = json!({"type": "array", "items": note});
    let answer = |response: &Value| {
        contract(&json!({}), &json!({"responses": {"200": response}}))
            .map(|contract| contract.operations[0].answer.clone())
    };
    for (media, schema, is_many) in [
        ("application/json", &note, false),
        ("application/json", &many, true),
        ("application/hal+json", &many, true),
    ] {
        let found = answer(&content(media, schema)).unwrap();
        assert_eq!(
            (found.schema.as_deref(), found.many),
            (Some("Note"), is_many),
            "{media}"
        );
    }
    let text = json!({"schema": {"type": "string"}});
    let both = json!({"content": {"a/b+json": text, "application/json": {"schema": note}}});
    assert_eq!(answer(&both).unwrap().schema.as_deref(), Some("Note"));
    for (response, says) in [
        (content("text/csv", &note), "`application/json` is missing"),
        (
            json!({"content": {"application/json": {}}}),
            "`schema` is missing",
        ),
    ] {
        let error = answer(&response).unwrap_err();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn the_body_of_a_request_is_a_component_in_json() {
    let body = |body: &Value| {
        contract(&json!({}), &json!({"requestBody": body}))
            .map(|contract| contract.operations[0].request_body.clone())
    };
    let note = json!({"$ref": "#/components/schemas/Note"});
    assert_eq!(
        body(&content("application/json", &note)),
        Ok(Some("Note".to_owned()))
    );
    let all = json!({"allOf": [note]});
    assert_eq!(
        body(&content("application/merge-patch+json", &all)),
        Ok(Some("Note".to_owned()))
    );
    for (wrong, says) in [
        (
            content("application/json", &json!({"type": "object"})),
            "its schema a component",
        ),
        (json!({}), "a request body is JSON"),
        (content("text/csv", &note), "`application/json` is missing"),
    ] {
        let error = body(&wrong).unwrap_err();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn the_parameters_of_the_path_come_first_and_each_has_its_place() {
    let parameter =
        |name: &str, place: &str| json!({"name": name, "in": place, "schema": {"type": "string"}});
    let contract = contract(
        &json!({"parameters": [parameter("id", "path"), parameter("a", "query")]}),
        &json!({"parameters": [parameter("b", "query"), parameter("c", "header")]}),
    )
    .unwrap();
    let operation = &contract.operations[0];
    let names = |position| {
        operation
            .parameters_in(position)
            .map(|one| one.name.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(Position::Path), ["id"]);
    assert_eq!(names(Position::Query), ["a", "b"]);
    assert_eq!(names(Position::Header), ["c"]);
    assert_eq!(operation.path_parameters().count(), 1);
    let places: Vec<_> = operation
        .parameters
        .iter()
        .map(|one| one.at.to_string())
        .collect();
    assert_eq!(
        places,
        [
            "/paths/~1notes/parameters/0",
            "/paths/~1notes/parameters/1",
            "/paths/~1notes/get/parameters/0",
            "/paths/~1notes/get/parameters/1"
        ]
    );
    assert!(!operation.parameters[0].is_shared());
    assert_eq!(operation.at, Pointer::of(["paths", "/notes", "get"]));
}
