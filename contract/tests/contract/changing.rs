//! A small pair of documents that differ in one place, and what `Document::changes` says of it: for the tests of changes.

use std::sync::LazyLock;

use rollcall_contract::Document;
use rollcall_contract::diff::Change;
use serde_json::Value;

/// A document in which `Sent` is in requests, `Received` in answers, `Both` in both, and `Unused` in neither.
const OLD: &str = "
openapi: 3.0.3
info: {title: Notes, version: '1'}
servers: [{url: /v1}]
tags: [{name: notes}]
x-rules: {safe: {says: It is safe.}}
x-open-points: {L1: {says: Open., accepts: {any: Any.}}}
x-clauses: {'§1': {operations: [notes], parameters: [q]}}
x-unheard: {list: [1, 2], maximum: 5}
paths:
  /notes:
    get:
      operationId: notes
      x-scope: notes
      x-list: {sort: {fields: {id: /id}}, relations: {author: {many: false}}}
      parameters:
        - {name: q, in: query, required: false, schema: {$ref: '#/components/schemas/Sent'}, x-filter: {field: /id}}
        - {name: id, in: query, required: true, schema: {type: string, maxLength: 5}}
        - {$ref: '#/components/parameters/page'}
      responses:
        '200':
          headers: {X-Total: {schema: {type: integer, maximum: 5}}}
          content: {application/json: {schema: {type: array, maxItems: 5, items: {$ref: '#/components/schemas/Received'}}}}
        '404': {$ref: '#/components/responses/Missing'}
    post:
      operationId: add
      requestBody: {required: false, content: {application/json: {schema: {$ref: '#/components/schemas/Both'}}}}
      responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/Both'}}}}}
  /others:
    get: {operationId: others, responses: {'204': {description: None.}}}
components:
  parameters: {page: {name: page, in: query, schema: {type: integer}, example: {$ref: '#/components/schemas/Unused'}}}
  responses: {Missing: {description: None., headers: {X-Why: {schema: {type: string}}}}}
  headers: {Other: {schema: {type: integer, maximum: 5}}}
  schemas:
    'Null': {type: string, nullable: true, enum: [null]}
    Sent: &schema
      type: object
      required: [a, b]
      properties:
        a: {type: string, enum: [x, y], x-enum-varnames: [X, Y]}
        b: {type: integer, maximum: 5, minimum: 2}
        c: {oneOf: [{type: string}, {type: integer}]}
        d: {anyOf: [{type: string}, {$ref: '#/components/schemas/Null'}]}
        pattern: {type: string}
        properties: {type: object, description: Its own name., properties: {e: {type: string}}}
        headers: {type: object, description: Its own name., title: Headers}
    Received: *schema
    Both: *schema
    Unused: *schema
    Parts: {allOf: [{type: object, properties: {f: {type: string}}}, {type: object}]}
";

/// The document before the change.
pub(crate) fn old() -> Document {
    static PARSED: LazyLock<Document> = LazyLock::new(|| Document::parse(OLD).unwrap());
    PARSED.clone()
}

/// The document after a change, written `+ /place: value` for a part that is new, `- /place` for one that is gone, and
/// `~ /place: value` for one that is another.
pub(crate) fn changed(written: &str) -> Document {
    let (sign, change) = written.split_at(1);
    let (at, value) = change.trim().split_once(": ").unwrap_or((change.trim(), "null"));
    let value: Value = yaml_serde::from_str(value).unwrap();
    let (parent, name) = at.trim().rsplit_once('/').unwrap();
    let name = name.replace("~1", "/");
    let mut raw = old().raw().clone();
    match (
        sign,
        raw.pointer_mut(parent)
            .unwrap_or_else(|| panic!("there is no {parent}")),
    ) {
        ("+", Value::Array(items)) => items.push(value),
        ("-", Value::Array(items)) => drop(items.remove(name.parse().unwrap())),
        ("~", Value::Array(items)) => items[name.parse::<usize>().unwrap()] = value,
        ("+", Value::Object(members)) => assert_eq!(members.insert(name, value), None, "{written}"),
        ("-", Value::Object(members)) => drop(members.shift_remove(&name).expect(written)),
        ("~", Value::Object(members)) => drop(members.insert(name, value).expect(written)),
        _ => panic!("{written}"),
    }
    Document::of(raw).unwrap()
}

/// The one difference that such a change makes.
pub(crate) fn change(written: &str) -> Change {
    let mut found = old().changes(&changed(written));
    assert_eq!(found.len(), 1, "{written}: {found:#?}");
    found.remove(0)
}

/// Holds changes against a table. A line has a change, after `=>` its reason, and after a further `=>` the element and the
/// difference, if they matter.
pub(crate) fn means(table: &str) {
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let mut parts = line.split(" => ").map(str::trim);
        let change = change(parts.next().unwrap());
        assert_eq!(
            format!("{:?}", change.reason),
            parts.next().unwrap(),
            "{line}: {change:?}"
        );
        if let Some(text) = parts.next() {
            assert_eq!(
                format!("{}: {}", change.element, change.difference),
                text,
                "{line}"
            );
        }
    }
}
