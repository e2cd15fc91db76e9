//! What the names and shapes of a document suggest.

use rollcall_contract::suggest::{RULES, Suggestions, suggest};
use rollcall_contract::{Document, Pointer};
use serde_json::{Value, json};

use crate::suggesting;

/// The contract of the directory.
const OURS: &str = include_str!("../../../openapi.yaml");

/// A document with one list of notes, whose answer is `schema` and which takes `parameters`.
fn document(schema: &Value, parameters: &[Value]) -> Document {
    let text = |format: &str| json!({"type": "string", "format": format});
    let record = json!({"type": "object", "properties": {
        "id": {"type": "string"},
        "title": {"type": ["string", "null"]},
        "body": {"type": "string"},
        "state": {"type": "string", "enum": ["open", "closed"]},
        "is_pinned": {"type": "boolean"},
        "author": {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}},
        "size": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "created_at": text("date-time"),
        "deleted_at": text("date-time"),
        "due": text("date"),
    }});
    suggesting::document(&record, schema, parameters)
}

fn notes() -> Value {
    json!({"type": "array", "items": {"$ref": "#/components/schemas/Note"}})
}

fn parameter(name: &str, schema: &Value) -> Value {
    json!({"name": name, "in": "query", "schema": schema})
}

/// What is suggested for the first parameter of the list, or why nothing is.
fn of_parameter(document: &Document) -> Result<Value, String> {
    let Suggestions { made, unclear } = suggest(document);
    let at: Pointer = "/paths/~1notes/get/parameters/0".parse().unwrap();
    match made.into_iter().find(|one| one.at == at) {
        Some(one) => Ok(one.value),
        None => Err(unclear.into_iter().find(|one| one.at == at).unwrap().why),
    }
}

#[test]
fn a_parameter_is_read_by_its_name_and_the_members_of_the_record() {
    let text = json!({"type": "string"});
    let integer = json!({"type": "integer"});
    let boolean = json!({"type": "boolean"});
    let filter = |field: &str, matching: &str| json!({"field": field, "match": matching});
    let cases = [
        (
            vec!["title", "filter[title]", "title[eq]", "title__exact"],
            &text,
            filter("/title", "exact"),
        ),
        (
            vec!["author", "author_id", "authorId", "filter[author.id]"],
            &text,
            filter("/author/id", "exact"),
        ),
        (
            vec!["author_name", "author.name"],
            &text,
            filter("/author/name", "exact"),
        ),
        (vec!["size"], &integer, filter("/size", "exact")),
        (
            vec!["is_pinned", "pinned", "filter[pinned]"],
            &boolean,
            filter("/is_pinned", "flag"),
        ),
        (
            vec![
                "created_after",
                "created_at[gte]",
                "created_at__gte",
                "createdSince",
                "min_created_at",
                "created_at.gt",
            ],
            &text,
            filter("/created_at", "after"),
        ),
        (
            vec![
                "created_before",
                "createdAt[lte]",
                "created_until",
                "max_creation_date",
                "filter[created_at][lt]",
            ],
            &text,
            filter("/created_at", "before"),
        ),
        (
            vec!["title_search", "title_contains", "title[like]", "search_title"],
            &text,
            filter("/title", "contains"),
        ),
        (
            vec!["trashed", "filter[trashed]", "with_deleted"],
            &text,
            filter("/deleted_at", "trashed"),
        ),
        (
            vec!["q", "search", "query"],
            &text,
            json!({"any-of": ["/title", "/body", "/author/name"], "match": "contains"}),
        ),
        (
            vec!["filter[colour]"],
            &text,
            json!({"field": "/colour", "match": "exact", "shown": false}),
        ),
        (
            vec!["page", "page[number]", "pageNumber"],
            &integer,
            json!("page"),
        ),
        (
            vec!["per_page", "page[size]", "limit", "maxResults", "$top"],
            &integer,
            json!("page-size"),
        ),
        (
            vec!["total", "include_totals", "$count"],
            &boolean,
            json!("page-total"),
        ),
    ];
    for (names, schema, expected) in cases {
        for name in names {
            let document = document(&notes(), &[parameter(name, schema)]);
            assert_eq!(of_parameter(&document), Ok(expected.clone()), "{name}");
        }
    }
}

#[test]
fn a_parameter_that_is_not_understood_has_a_reason() {
    let text = json!({"type": "string"});
    let cases = [
        ("colour", text.clone(), "no member that is called so"),
        (
            "state",
            json!({"type": "string", "enum": ["open", "all"]}),
            "/state never has the value `all`",
        ),
        ("tags", text.clone(), "/tags is an array"),
        (
            "ids",
            json!({"type": "array", "items": {"type": "string"}}),
            "several values",
        ),
        (
            "title",
            json!({"type": "boolean"}),
            "it is true or false, and /title is not",
        ),
        (
            "is_pinned",
            text.clone(),
            "/is_pinned is true or false, and it is not",
        ),
        ("min_size", json!({"type": "integer"}), "a bound of /size"),
        ("due_before", text.clone(), "a bound of /due"),
        (
            "since",
            json!({"type": "string", "format": "date-time"}),
            "which of 2 timestamps",
        ),
        ("title_not", text.clone(), "no filter that matches /title"),
        ("offset", json!({"type": "integer"}), "counts the records to skip"),
        ("direction", text.clone(), "direction of an order"),
        ("fields", text.clone(), "what an answer shows"),
        ("cursor", text.clone(), "no text of the answer shows the next one"),
        ("sort", text.clone(), "by which members"),
        (
            "sort",
            json!({"type": "string", "enum": ["title", "size"]}),
            "no word `-title`",
        ),
        (
            "sort",
            json!({"type": "string", "enum": ["newest"]}),
            "`newest` is no member",
        ),
        (
            "include",
            json!({"type": "array", "items": {"type": "string", "enum": ["author"]}}),
            "related records",
        ),
        ("with_deleted", json!({"type": "boolean"}), "takes no words"),
    ];
    for (name, schema, reason) in cases {
        let why = of_parameter(&document(&notes(), &[parameter(name, &schema)])).unwrap_err();
        assert!(why.contains(reason), "{name}: {why}");
    }
}

#[test]
fn a_description_tells_how_a_text_matches() {
    let cases = [
        ("Notes whose title contains the value.", Ok("contains")),
        ("Notes whose title begins with the value.", Err("begins with")),
        ("A SCIM expression.", Err("language of its own")),
        ("Titles are rendered in this way.", Err("what an answer shows")),
        ("The title.", Ok("exact")),
    ];
    for (description, expected) in cases {
        let mut title = parameter("title", &json!({"type": "string"}));
        title["description"] = json!(description);
        match (of_parameter(&document(&notes(), &[title])), expected) {
            (Ok(value), Ok(matching)) => assert_eq!(value["match"], matching, "{description}"),
            (Err(why), Err(reason)) => assert!(why.contains(reason), "{description}: {why}"),
            (other, _) => panic!("{description}: {other:?}"),
        }
    }
}

#[test]
fn the_records_of_an_answer_and_its_next_cursor_are_found() {
    let around =
        |name: &str| json!({"type": "object", "properties": {name: notes(), "more": {"type": "boolean"}}});
    let paging = json!({"type": "object", "properties": {"after": {"type": "string"}, "next": {"type": "string", "format": "uri"}}});
    let mut paged = around("data");
    paged["properties"]["paging"] = paging;
    let nested = json!({"type": "object", "properties": {"result": around("notes")}});
    for (schema, expected) in [
        (notes(), json!({})),
        (around("data"), json!({"records": "/data"})),
        (around("notes"), json!({"records": "/notes"})),
        (around("whatever"), json!({"records": "/whatever"})),
        (nested, json!({"records": "/result/notes"})),
        (paged, json!({"records": "/data", "next": "/paging/after"})),
    ] {
        let found = suggest(&document(
            &schema,
            &[parameter("after", &json!({"type": "string"}))],
        ));
        let list = found.made.iter().find(|one| one.annotation == "x-list").unwrap();
        assert_eq!(list.value, expected, "{schema}");
        let has_cursor = found.made.iter().any(|one| one.value == "cursor");
        assert_eq!(has_cursor, expected.get("next").is_some(), "{schema}");
    }
}

#[test]
fn one_record_is_no_list() {
    let mut one = document(&json!({"$ref": "#/components/schemas/Note"}), &[])
        .raw()
        .clone();
    let item = one["paths"]
        .as_object_mut()
        .unwrap()
        .shift_remove("/notes")
        .unwrap();
    one["paths"]["/notes/{id}"] = item;
    assert_eq!(suggest(&Document::of(one).unwrap()), Suggestions::default());
}

#[test]
fn a_parameter_that_lists_share_is_suggested_where_they_agree() {
    let shared = |name: &str| {
        let mut raw = document(&notes(), &[]).raw().clone();
        raw["paths"]["/notes"]["get"]["parameters"] = json!([{"$ref": "#/components/parameters/Shared"}]);
        raw["components"]["parameters"] = json!({"Shared": parameter(name, &json!({"type": "string"}))});
        let mut other = raw["paths"]["/notes"].clone();
        other["get"]["responses"]["200"]["content"]["application/json"]["schema"]["items"]["$ref"] =
            json!("#/components/schemas/Other");
        raw["paths"]["/others"] = other;
        raw["components"]["schemas"]["Other"] =
            json!({"type": "object", "properties": {"id": {"type": "string"}, "weight": {"type": "string"}}});
        suggest(&Document::of(raw).unwrap())
    };
    let at: Pointer = "/components/parameters/Shared".parse().unwrap();
    assert!(shared("id").made.iter().any(|one| one.at == at));
    let apart = shared("title");
    assert!(!apart.made.iter().any(|one| one.at == at));
    assert!(
        apart
            .unclear
            .iter()
            .any(|one| one.at == at && one.why.contains("several lists share it; for GET /others"))
    );
    let other_way = shared("weight");
    let unclear = other_way.unclear.iter().find(|one| one.at == at).unwrap();
    assert_eq!(
        unclear.why,
        "several lists share it; for GET /notes: Note has no member that is called so"
    );
}

/// Takes the annotations that can be suggested out of a document, and gives them with their places.
fn strip(value: &mut Value, at: &Pointer, taken: &mut Vec<(Pointer, &'static str, Value)>) {
    match value {
        Value::Object(members) => {
            for key in ["x-filter", "x-role", "x-list", "x-identifier"] {
                taken.extend(members.shift_remove(key).map(|value| (at.clone(), key, value)));
            }
            members
                .iter_mut()
                .for_each(|(key, member)| strip(member, &at.child(key), taken));
        }
        Value::Array(items) => {
            items
                .iter_mut()
                .enumerate()
                .for_each(|(i, item)| strip(item, &at.child(&i.to_string()), taken));
        }
        _ => {}
    }
}

#[test]
fn most_annotations_of_our_contract_are_suggested_again() {
    let mut raw = Document::parse(OURS).unwrap().raw().clone();
    let mut taken = Vec::new();
    strip(&mut raw, &Pointer::root(), &mut taken);
    let found = suggest(&Document::of(raw).unwrap());
    let (mut right, mut wrong) = (0, Vec::new());
    let parameters = taken.iter().filter(|(_, key, _)| *key != "x-list");
    for (at, _, value) in parameters.clone() {
        let Some(made) = found.made.iter().find(|one| one.at == *at) else {
            continue;
        };
        // A name says neither that it is not the member's, nor where a hidden member can be seen.
        let mut expected = value.clone();
        if let Value::Object(expected) = &mut expected {
            expected.retain(|key, _| key != "renamed" && key != "seen-in");
            if made.value["shown"] == false {
                expected.insert("field".to_owned(), made.value["field"].clone());
            }
        }
        match expected == made.value {
            true => right += 1,
            false => wrong.push(at.to_string()),
        }
    }
    let all = parameters.count();
    assert!(right * 100 >= all * 98, "{right} of {all}");
    // The free search: its description tells of two members, and it looks at nine.
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    for (at, _, value) in taken.iter().filter(|(_, key, _)| *key == "x-list") {
        let made = found.made.iter().find(|one| one.at == *at).unwrap();
        assert_eq!(made.value["sort"]["fields"], value["sort"]["fields"], "{at}");
    }
}

#[test]
fn the_table_says_of_each_rule_what_it_recognises_and_suggests() {
    for rule in RULES {
        assert!(rule.recognises.len() > 5 && rule.suggests.len() > 5, "{rule:?}");
    }
}
