//! The forms of lists that ours do not have: records in an object, pages by cursor, another identifier, other words.

use rollcall_contract::{Contract, Document, Error, Frame, Pointer, Role, ValueKind, lint};
use serde_json::{Value, json};

use crate::SMALL;

const LIST: &str = "/paths/~1people/get";

/// The small contract with its list in an object that shows the next cursor.
fn raw() -> Value {
    let mut raw = Document::parse(SMALL).unwrap().raw().clone();
    raw["x-identifier"] = json!("/name");
    let list = raw.pointer_mut(LIST).unwrap();
    let body = &mut list["responses"]["200"]["content"]["application/json"]["schema"];
    *body = json!({"type": "object", "properties": {
        "found": {"type": "object", "properties": {"people": body.take()}},
        "next": {"type": "string"},
    }});
    list["x-list"]["records"] = json!("/found/people");
    list["x-list"]["next"] = json!("/next");
    let cursor = json!({"name": "from", "in": "query", "schema": {"type": "string"}, "x-role": "cursor"});
    list["parameters"].as_array_mut().unwrap().push(cursor);
    raw
}

fn contract(raw: Value) -> Result<Contract, Error> {
    Contract::of(Document::of(raw).unwrap())
}

#[test]
fn a_list_in_an_object_with_pages_by_cursor() {
    let contract = contract(raw()).unwrap();
    assert_eq!(lint::soundness(&contract), []);
    let (operation, list) = contract.lists().next().unwrap();
    assert_eq!(list.record, "Person");
    assert_eq!(list.records, Pointer::of(["found", "people"]));
    assert_eq!(list.next, Some(Pointer::of(["next"])));
    assert_eq!(operation.role(Role::Cursor).unwrap().name, "from");
    assert!(operation.answer.many);
    assert_eq!(contract.identifier, Pointer::of(["name"]));
}

#[test]
fn a_place_that_the_answer_does_not_have_is_named() {
    let mut wrong = raw();
    wrong.pointer_mut(LIST).unwrap()["x-list"]["records"] = json!("/people");
    let error = contract(wrong).unwrap_err().to_string();
    let says = "at /paths/~1people/get/responses/200: the answer has no member /people";
    assert!(error.starts_with(says), "{error}");
}

#[test]
fn soft_deletion_has_words_of_its_own() {
    let mut raw = raw();
    let words = json!({"with": "all", "only": "gone", "without": "here"});
    raw["components"]["parameters"]["trashed"]["x-filter"]["words"] = words;
    raw["components"]["schemas"]["Trashed"]["enum"] = json!(["all", "gone", "here"]);
    let contract = contract(raw).unwrap();
    assert_eq!(lint::soundness(&contract), []);
    let (operation, _) = contract.lists().next().unwrap();
    let filter = operation.filter("filter[trashed]").unwrap();
    assert_eq!(filter.words.all(), ["all", "gone", "here"]);
}

/// The small contract with a frame.
fn framed(frame: Value) -> Result<Contract, Error> {
    let mut raw = Document::parse(SMALL).unwrap().raw().clone();
    raw["x-frame"] = frame;
    contract(raw)
}

#[test]
fn the_usual_frame_may_be_written_out() {
    let written = json!({
        "members": null, "related": "/included/{member}", "number": "/included/{member}_count",
        "existence": "/included/{member}_exists", "count": "/count/{member}", "links": "/links/{member}",
        "timestamps": "/timestamp/{member}", "created": "/timestamp/created_at",
        "updated": "/timestamp/updated_at", "state": "/state",
    });
    assert_eq!(framed(written).unwrap().frame, Frame::default());
}

#[test]
fn a_place_of_the_frame_that_is_none_is_refused() {
    for (frame, says) in [
        (
            json!({"related": "/included"}),
            "`related` is a pointer with `{member}`, or has",
        ),
        (
            json!({"related": {"records": "/included"}}),
            "`related` is a pointer with `{member}`, or has",
        ),
        (
            json!({"count": "/counts"}),
            "`/counts` does not contain `{member}` once",
        ),
        (json!({"state": "state"}), "`state` is no JSON pointer"),
        (
            json!({"relations": "/included/{member}"}),
            "unknown field `relations`",
        ),
        (json!("/included/{member}"), "invalid type: string"),
    ] {
        let error = framed(frame.clone()).unwrap_err().to_string();
        assert!(
            error.starts_with("at /x-frame: ") && error.contains(says),
            "{frame}: {error}"
        );
    }
}

#[test]
fn the_values_of_a_filter_follow_from_its_match_and_the_schema_of_its_parameter() {
    let text = |max_length| ValueKind::Text { max_length };
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    for (matching, schema, expected) in [
        ("exact", json!({"type": "boolean"}), ValueKind::Boolean),
        ("exact", json!({"type": "integer"}), ValueKind::Integer),
        ("exact", json!({"type": "string"}), text(None)),
        ("exact", json!({"type": "string", "maxLength": 9}), text(Some(9))),
        (
            "exact",
            json!({"type": "string", "enum": ["a"]}),
            ValueKind::Word(words(&["a"])),
        ),
        ("contains", json!({"type": "string", "enum": []}), text(None)),
        ("flag", json!({"type": "string"}), ValueKind::Boolean),
        (
            "before",
            json!({"type": "string", "enum": ["a"]}),
            ValueKind::Timestamp,
        ),
        ("after", json!({"type": "integer"}), ValueKind::Timestamp),
        ("trashed", json!({"type": "string"}), ValueKind::Trashed(vec![])),
        (
            "trashed",
            json!({"type": "string", "enum": ["a"]}),
            ValueKind::Trashed(words(&["a"])),
        ),
    ] {
        let mut raw = Document::parse(SMALL).unwrap().raw().clone();
        let level = &mut raw.pointer_mut(LIST).unwrap()["parameters"][4];
        level["schema"] = schema.clone();
        level["x-filter"]["match"] = json!(matching);
        let contract = contract(raw).unwrap();
        let filter = contract
            .operation("listPeople")
            .unwrap()
            .filter("filter[level]")
            .unwrap();
        assert_eq!(filter.value, expected, "{matching} {schema}");
    }
}
