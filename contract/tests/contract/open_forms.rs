//! The open form of a contract leaves extensions out, and relaxes schemas.

use rollcall_contract::Document;
use serde_json::{Value, json};

const CONTRACT: &str = "
openapi: 3.0.3
info: {title: Notes, version: '1', description: Ours.}
tags: [{name: notes}, {name: ours}]
x-clauses: {'§1': {operations: [notes], parameters: [q, page]}}
paths:
  /notes:
    parameters: []
    get:
      operationId: notes
      tags: [notes]
      x-source: '§1'
      x-scope: notes:read
      x-list: {sort: {fields: {id: /id}}}
      parameters:
        - {name: q, in: query, schema: {type: string, x-accepts: {type: integer}}, x-source: '§1', x-filter: {field: /id, match: exact}}
        - {name: own, in: query, schema: {$ref: '#/components/schemas/Own'}, x-extension: true, x-filter: {field: /id, match: exact}}
        - {$ref: '#/components/parameters/page'}
      responses:
        '200': {content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Note'}}, example: {x-kept: 1}}}}
        '404': {$ref: '#/components/responses/Missing'}
    post: {operationId: add, tags: [ours], x-extension: true, responses: {'201': {$ref: '#/components/responses/Added'}}}
  /ours:
    get: {operationId: ours, x-extension: true, responses: {'204': {description: None.}}}
components:
  securitySchemes: {token: {type: http}}
  parameters:
    page: {name: page, in: query, schema: {type: integer}, x-source: '§1', x-role: page}
  responses:
    Missing: {description: Missing.}
    Added: {description: Added.}
  schemas:
    Own: {type: string}
    Kind: {type: string, description: The kind., enum: [a, b], x-extensible: true, x-enum-varnames: [A, B], x-source: '§1'}
    Fixed: {type: string, description: Fixed., enum: [a, b], x-enum-varnames: [A, B]}
    Note:
      type: object
      additionalProperties: false
      required: [id, own, kinds]
      properties:
        id: {type: string, x-accepts: {type: integer, maximum: 9}, description: Its id., example: a, x-made-of: [/own]}
        own: {type: object, x-extension: true, description: Own., properties: {a: {type: string}}}
        kinds: {type: array, items: {$ref: '#/components/schemas/Kind'}}
        closed: {type: object, additionalProperties: {type: object, additionalProperties: false}}
        other: {not: {type: object, additionalProperties: false}}
        one: {oneOf: [{type: object, additionalProperties: false}, {type: string, x-link: {operation: ours}}]}
        fixed: {$ref: '#/components/schemas/Fixed'}
        wrapped: {allOf: [{$ref: '#/components/schemas/Fixed'}], x-made-of: [/id]}
        free: {type: object, x-optional-members: true, required: [a], properties: {a: {type: string}}}
        extra: {type: object, required: [a], properties: {a: {type: string, x-extension: true}}}
";

fn open() -> Value {
    Document::parse(CONTRACT)
        .unwrap()
        .open_form()
        .unwrap()
        .raw()
        .clone()
}

fn at<'v>(value: &'v Value, place: &str) -> &'v Value {
    value.pointer(place).unwrap_or(&Value::Null)
}

/// What the open form has of a member of a note.
fn member(name: &str) -> Value {
    at(&open(), &format!("/components/schemas/Note/properties/{name}")).clone()
}

#[test]
fn operations_and_parameters_that_are_extensions_are_left_out_with_all_that_only_they_use() {
    let open = open();
    let keys =
        |place: &str| -> Vec<String> { at(&open, place).as_object().unwrap().keys().cloned().collect() };
    assert_eq!(keys("/paths"), ["/notes"]);
    assert_eq!(keys("/paths/~1notes"), ["parameters", "get"]);
    assert_eq!(at(&open, "/tags"), &json!([{"name": "notes"}]));
    assert_eq!(keys("/components"), ["securitySchemes", "parameters", "schemas"]);
    assert_eq!(keys("/components/schemas"), ["Kind", "Fixed", "Note"]);
    let parameters = at(&open, "/paths/~1notes/get/parameters").as_array().unwrap();
    assert_eq!(parameters.len(), 2);
    assert_eq!(
        (&parameters[0]["name"], &parameters[1]["$ref"]),
        (&json!("q"), &json!("#/components/parameters/page"))
    );
}

#[test]
fn an_operation_has_any_success_and_any_refusal() {
    let open = open();
    let responses = at(&open, "/paths/~1notes/get/responses").as_object().unwrap();
    assert_eq!(responses.keys().collect::<Vec<_>>(), ["2XX", "4XX", "5XX"]);
    let notes = at(&responses["2XX"], "/content/application~1json/schema/items/$ref");
    assert_eq!(notes, "#/components/schemas/Note");
    for (status, description) in [("4XX", "The request was refused."), ("5XX", "The server failed.")] {
        assert_eq!(responses[status], json!({"description": description}));
    }
}

#[test]
fn annotations_are_left_out_wherever_they_are_but_for_origins_and_names() {
    let open = open();
    let mut left = Vec::new();
    annotations(&open, &mut left);
    left.sort();
    left.dedup();
    assert_eq!(left, ["x-enum-varnames", "x-kept", "x-source"]);
    assert_eq!(
        at(
            &open,
            "/paths/~1notes/get/responses/2XX/content/application~1json/example"
        ),
        &json!({"x-kept": 1})
    );
}

/// The names of annotations in a value.
fn annotations(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            found.extend(members.keys().filter(|key| key.starts_with("x-")).cloned());
            members.values().for_each(|member| annotations(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| annotations(item, found)),
        _ => {}
    }
}

#[test]
fn a_schema_is_replaced_by_what_others_may_answer() {
    assert_eq!(
        member("id"),
        json!({"type": "integer", "maximum": 9, "description": "Its id.", "example": "a"})
    );
    assert_eq!(member("own"), json!({"description": "Own."}));
    assert_eq!(
        at(&open(), "/paths/~1notes/get/parameters/0/schema"),
        &json!({"type": "integer"})
    );
}

#[test]
fn no_object_is_closed_however_deep_it_is() {
    let object = json!({"type": "object"});
    assert_eq!(
        at(&open(), "/components/schemas/Note/additionalProperties"),
        &Value::Null
    );
    assert_eq!(
        member("closed"),
        json!({"type": "object", "additionalProperties": object})
    );
    assert_eq!(member("other"), json!({"not": object}));
    assert_eq!(member("one"), json!({"oneOf": [object, {"type": "string"}]}));
}

#[test]
fn members_that_others_need_not_have_are_not_required() {
    assert_eq!(
        at(&open(), "/components/schemas/Note/required"),
        &json!(["id", "kinds"])
    );
    assert_eq!(
        member("free"),
        json!({"type": "object", "properties": {"a": {"type": "string"}}})
    );
    assert_eq!(
        member("extra"),
        json!({"type": "object", "properties": {"a": {}}})
    );
}

#[test]
fn an_enum_that_others_may_extend_takes_any_text_and_says_what_is_known() {
    let open = open();
    assert_eq!(
        at(&open, "/components/schemas/Kind"),
        &json!({"type": "string", "description": "The kind. Known values: a, b; a server may have others.", "x-source": "§1"})
    );
    assert_eq!(
        at(&open, "/components/schemas/Fixed"),
        &json!({"type": "string", "description": "Fixed.", "enum": ["a", "b"], "x-enum-varnames": ["A", "B"]})
    );
}

#[test]
fn an_all_of_that_made_room_for_annotations_is_the_reference_alone() {
    assert_eq!(member("wrapped"), json!({"$ref": "#/components/schemas/Fixed"}));
    assert_eq!(member("fixed"), member("wrapped"));
}
