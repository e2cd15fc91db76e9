//! Where the answer of a list has its records and its next cursor, as far as suggestions find them.

use rollcall_contract::Document;
use rollcall_contract::suggest::{Suggestions, suggest};
use serde_json::{Value, json};

use crate::suggesting::{agrees, document, list, object, outcome, parameter};

const NOTE: &str = "{id: string, title: string, created_at: date-time}";

fn notes() -> Value {
    json!({"type": "array", "items": {"$ref": "#/components/schemas/Note"}})
}

/// An object with members whose schemas are given in short; `NOTES` stands for the array of records.
fn answer(members: &str) -> Value {
    object(&members.replace(
        "NOTES",
        "{type: array, items: {$ref: '#/components/schemas/Note'}}",
    ))
}

/// Where the records of an answer are found; none if the operation is taken for no list.
fn records(members: &str, parameters: &[&str]) -> Option<String> {
    let parameters: Vec<_> = parameters.iter().map(|one| parameter(one)).collect();
    let found = suggest(&document(&object(NOTE), &answer(members), &parameters));
    list(&found).map(|list| list["records"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn the_records_are_in_the_array_that_the_path_or_its_usual_name_tells() {
    for (members, expected) in [
        ("{data: NOTES}", Some("/data")),
        ("{data: NOTES, notes: NOTES}", Some("/notes")),
        ("{others: NOTES, items: NOTES}", Some("/items")),
        ("{others: NOTES}", Some("/others")),
        ("{others: NOTES, further: NOTES}", None),
        ("{data: array}", None),
        (
            "{data: {items: {$ref: '#/components/schemas/Note'}}}",
            Some("/data"),
        ),
        (
            "{data: {type: object, items: {$ref: '#/components/schemas/Note'}}}",
            None,
        ),
        // One level below a usual name.
        (
            "{result: {type: object, properties: {items: NOTES}}}",
            Some("/result/items"),
        ),
        ("{more: {type: object, properties: {items: NOTES}}}", None),
    ] {
        assert_eq!(records(members, &[]).as_deref(), expected, "{members}");
    }
}

#[test]
fn an_object_with_many_members_is_no_envelope_unless_its_array_is_called_as_the_path() {
    let five = "a: string, b: string, c: string, d: string, e: string";
    for (members, expected) in [
        ("data: NOTES", Some("/data")),
        ("others: NOTES", Some("/others")),
        ("f: string, data: NOTES", None),
        ("f: string, others: NOTES", None),
        ("f: string, notes: NOTES", Some("/notes")),
    ] {
        assert_eq!(
            records(&format!("{{{five}, {members}}}"), &[]).as_deref(),
            expected,
            "{members}"
        );
    }
    // Pages tell that it is one.
    let wide = format!("{{{five}, f: string, data: NOTES}}");
    for (parameter, expected) in [
        ("page: integer", Some("/data")),
        ("limit: integer", Some("/data")),
        ("cursor: string", Some("/data")),
        ("title: string", None),
    ] {
        assert_eq!(records(&wide, &[parameter]).as_deref(), expected, "{parameter}");
    }
}

#[test]
fn records_may_be_written_as_one_of_several_schemas_but_are_no_texts() {
    let is_list = |record: Value| list(&suggest(&document(&record, &answer("{data: NOTES}"), &[]))).is_some();
    assert!(is_list(object(NOTE)));
    assert!(is_list(json!({"oneOf": [object(NOTE), object("{id: string}")]})));
    assert!(is_list(json!({"anyOf": [object(NOTE), object("{id: string}")]})));
    assert!(!is_list(json!({"type": "string"})));
}

/// The suggestions for an operation at `path` with these responses.
fn of_responses(path: &str, responses: &Value, parameters: &[Value]) -> Suggestions {
    let mut raw = document(&object(NOTE), &Value::Null, parameters).raw().clone();
    let mut item = raw["paths"]
        .as_object_mut()
        .unwrap()
        .shift_remove("/notes")
        .unwrap();
    item["get"]["responses"] = responses.clone();
    raw["paths"][path] = item;
    suggest(&Document::of(raw).unwrap())
}

#[test]
fn the_answer_of_a_list_is_its_success_in_json() {
    let (notes, text) = (json!({"schema": notes()}), json!({"schema": {"type": "string"}}));
    let of = |media: &str| json!({"content": {media: notes}});
    for (responses, is_list) in [
        (json!({"200": of("application/json")}), true),
        (json!({"2XX": of("application/vnd.api+json")}), true),
        (json!({"404": {}, "204": {}, "206": of("application/json")}), true),
        (
            json!({"200": {"content": {"text/csv": text, "application/hal+json": notes}}}),
            true,
        ),
        (
            json!({"200": {"content": {"text/json": text, "application/json": notes}}}),
            true,
        ),
        (json!({"200": of("text/csv")}), false),
        (json!({"404": of("application/json")}), false),
        (json!({"default": of("application/json")}), false),
    ] {
        let found = of_responses("/notes", &responses, &[]);
        assert_eq!(list(&found).is_some(), is_list, "{responses}");
    }
}

#[test]
fn an_operation_on_one_record_is_a_list_only_if_it_has_pages() {
    let responses = json!({"200": {"content": {"application/json": {"schema": answer("{data: NOTES}")}}}});
    let page = [parameter("page: integer")];
    for (path, parameters, is_list) in [
        ("/notes", &[] as &[Value], true),
        ("/notes/", &[], true),
        ("/notes/{id}", &[], false),
        ("/notes/{id}/", &[], false),
        ("/notes/{id}", &page, true),
        ("/notes/{id}/versions", &[], true),
    ] {
        let found = of_responses(path, &responses, parameters);
        assert_eq!(list(&found).is_some(), is_list, "{path}");
    }
}

/// Where an answer with records and these members shows the next cursor that a parameter takes.
fn next(members: &str, name: &str) -> Option<String> {
    let answer = answer(&format!("{{data: NOTES, {members}}}"));
    let found = suggest(&document(
        &object(NOTE),
        &answer,
        &[parameter(&format!("{name}: string"))],
    ));
    let next = list(&found).and_then(|list| Some(list["next"].as_str()?.to_owned()));
    assert_eq!(
        outcome(&found, 0) == Ok("role cursor".to_owned()),
        next.is_some(),
        "{members}"
    );
    next
}

/// The same, where the members are in an object called `around`.
fn next_in(around: &str, members: &str, name: &str) -> Option<String> {
    next(
        &format!("{around}: {{type: object, properties: {{{members}}}}}"),
        name,
    )
}

#[test]
fn the_next_cursor_is_the_text_whose_name_says_so_most_clearly() {
    for (members, name, expected) in [
        ("cursor: string", "cursor", Some("/cursor")),
        ("cursor: string, next: string", "cursor", Some("/next")),
        (
            "next: string, next_cursor: string",
            "cursor",
            Some("/next_cursor"),
        ),
        ("next_offset: string", "offset", Some("/next_offset")),
        ("marker: string", "cursor", None),
        ("next: integer", "cursor", None),
    ] {
        assert_eq!(next(members, name).as_deref(), expected, "{members}");
    }
    let three = "after: {type: string}, next: {type: string}, next_cursor: {type: string}";
    assert_eq!(
        next_in("paging", three, "cursor").as_deref(),
        Some("/paging/next_cursor")
    );
    let two = "after: {type: string}, next: {type: string}";
    assert_eq!(next_in("paging", two, "cursor").as_deref(), Some("/paging/next"));
}

#[test]
fn a_text_is_the_next_cursor_by_the_name_of_the_object_around_it() {
    for (around, member, name, expected) in [
        ("next", "cursor", "cursor", Some("/next/cursor")),
        ("next_chunk", "cursor", "cursor", Some("/next_chunk/cursor")),
        ("info", "next_page_token", "cursor", Some("/info/next_page_token")),
        ("paging", "token", "cursor", Some("/paging/token")),
        ("meta", "bookmark", "bookmark", Some("/meta/bookmark")),
        ("meta", "offset", "offset", Some("/meta/offset")),
        ("meta", "token", "offset", None),
        ("meta", "bookmark", "cursor", None),
        ("info", "token", "cursor", None),
        ("info", "cursor", "cursor", None),
        ("info", "text", "cursor", None),
        ("next", "text", "cursor", None),
    ] {
        let found = next_in(around, &format!("{member}: {{type: string}}"), name);
        assert_eq!(found.as_deref(), expected, "{around}/{member}, {name}");
    }
}

#[test]
fn an_address_is_no_cursor() {
    for schema in [
        "format: uri",
        "format: url",
        "format: uri-reference",
        "example: 'https://example.org/?page=2'",
        "default: /notes",
    ] {
        assert_eq!(
            next(&format!("next: {{type: string, {schema}}}"), "cursor"),
            None,
            "{schema}"
        );
    }
    for around in ["links", "next_url", "next_uri", "href"] {
        assert_eq!(
            next_in(around, "next: {type: string}", "cursor"),
            None,
            "{around}"
        );
    }
    let opaque = "next: {type: string, format: byte, example: abc}";
    assert_eq!(next(opaque, "cursor").as_deref(), Some("/next"));
}

#[test]
fn the_next_cursor_is_found_to_the_third_depth() {
    let deeper = |name: &str, inner: &str| format!("{name}: {{type: object, properties: {{{inner}}}}}");
    let third = deeper("b", "next: {type: string}");
    assert_eq!(next_in("a", &third, "cursor").as_deref(), Some("/a/b/next"));
    assert_eq!(
        next_in("a", &deeper("b", &deeper("c", "next: {type: string}")), "cursor"),
        None
    );
}

#[test]
fn a_cursor_is_a_text_and_its_name_says_so() {
    for (members, written, expected) in [
        ("next_cursor: string", "cursor: string", "role cursor"),
        ("next_cursor: string", "page_token: string", "role cursor"),
        ("next_cursor: string", "cursor: {}", "role cursor"),
        ("next_cursor: string", "cursor: integer", "unclear: no member"),
        ("next_cursor: string", "cursor: date-time", "unclear: no member"),
        (
            "next_cursor: string",
            "filter[cursor]: string",
            "exact /cursor, not shown",
        ),
        ("next_cursor: string", "colour: string", "unclear: no member"),
        (
            "number: integer",
            "cursor: string",
            "unclear: the name says a cursor",
        ),
        ("number: integer", "position: string", "exact /position"),
    ] {
        let record = object("{id: string, position: string}");
        let answer = answer(&format!("{{data: NOTES, {members}}}"));
        let found = suggest(&document(&record, &answer, &[parameter(written)]));
        agrees(&outcome(&found, 0), expected, written);
    }
}
