//! What is suggested for a list as a whole: the roles of its parameters, its order, its relations and its identifier.

use rollcall_contract::suggest::{Suggestions, suggest};
use rollcall_contract::{Document, Pointer};
use serde_json::{Value, json};

use crate::suggesting::{agrees, document, list, object, outcome, parameter, suggests};

const NOTE: &str = "{id: string, title: string, created_at: date-time}";

/// An object with arrays of records, called so, and the text `next`.
fn answer(arrays: &[&str]) -> Value {
    let mut answer = object("{next: string}");
    for name in arrays {
        answer["properties"][name] = json!({"type": "array", "items": {"$ref": "#/components/schemas/Note"}});
    }
    answer
}

#[test]
fn a_name_is_a_role_only_for_values_of_its_kind() {
    suggests(
        NOTE,
        "page: integer         => role page
         page: number          => role page
         page: string          => role page
         page: {}              => role page
         page: boolean         => unclear: no member that is called so
         page: first|last      => unclear: no member that is called so
         filter[page]: integer => exact /page, not shown
         limit: integer        => role page-size
         size: integer         => role page-size
         count: integer        => role page-size
         count: boolean        => role page-total",
    );
    // A member of the record has its name first.
    suggests("{id: string, size: integer}", "size: integer => exact /size");
}

#[test]
fn a_list_has_each_role_once_and_pages_of_one_kind() {
    for (written, expected) in [
        (
            ["page: integer", "limit: integer"],
            ["role page", "role page-size"],
        ),
        (
            ["page: integer", "page_number: integer"],
            ["role page", "unclear: has the role `page`"],
        ),
        (
            ["page: integer", "cursor: string"],
            ["unclear: the list has other pages", "role cursor"],
        ),
        (
            ["cursor: string", "page: integer"],
            ["role cursor", "unclear: the list has other pages"],
        ),
    ] {
        let found = suggest(&document(
            &object(NOTE),
            &answer(&["data"]),
            &written.map(parameter),
        ));
        for (number, expected) in expected.iter().enumerate() {
            agrees(&outcome(&found, number), expected, &format!("{written:?}"));
        }
    }
}

#[test]
fn an_annotation_that_is_there_is_left_and_counts() {
    let mut parameters = ["page: integer", "cursor: string", "title: string"].map(parameter);
    parameters[0]["x-role"] = json!("page");
    parameters[2]["x-filter"] = json!({"field": "/title", "match": "contains"});
    let found = suggest(&document(&object(NOTE), &answer(&["data"]), &parameters));
    let told: Vec<_> = found.made.iter().map(|one| one.annotation).collect();
    assert_eq!(told, ["x-list"]);
    agrees(&outcome(&found, 1), "unclear: the list has other pages", "cursor");
    assert_eq!(list(&found), Some(&json!({"records": "/data"})));
}

#[test]
fn a_role_that_is_there_tells_what_the_list_has_to_say() {
    let mut written = parameter("sort: title|-title");
    written["x-role"] = json!("sort");
    let fields = json!({"sort": {"fields": {"title": "/title"}}});
    let found = suggest(&document(&object(NOTE), &Value::Null, &[written.clone()]));
    assert_eq!(list(&found), Some(&fields));
    written["x-role"] = json!("page");
    let found = suggest(&document(&object(NOTE), &Value::Null, &[written]));
    assert_eq!(list(&found), Some(&json!({})));
}

#[test]
fn a_written_list_says_where_its_records_are() {
    let unread = document(&object(NOTE), &answer(&["a", "b"]), &[parameter("title: string")]);
    assert_eq!(suggest(&unread), Suggestions::default());
    let mut raw = unread.raw().clone();
    raw["paths"]["/notes"]["get"]["x-list"] = json!({"records": "/b"});
    let found = suggest(&Document::of(raw).unwrap());
    assert_eq!(outcome(&found, 0), Ok("exact /title".to_owned()));
    assert_eq!(list(&found), None);
}

#[test]
fn a_list_of_records_without_a_name_is_unclear() {
    let items = json!({"type": "array", "items": object(NOTE)});
    let found = suggest(&document(&object(NOTE), &items, &[parameter("title: string")]));
    let [unclear] = found.unclear.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!((unclear.name.as_str(), found.made.len()), ("GET /notes", 0));
    assert!(
        unclear.why.contains("no name under components/schemas"),
        "{}",
        unclear.why
    );
}

#[test]
fn only_parameters_of_the_query_are_read_those_of_the_path_item_too() {
    let mut raw = document(&object(NOTE), &Value::Null, &[parameter("title: string")])
        .raw()
        .clone();
    let header = json!({"name": "id", "in": "header", "schema": {"type": "string"}});
    raw["paths"]["/notes"]["parameters"] = json!([parameter("created_after: string"), header]);
    let found = suggest(&Document::of(raw).unwrap());
    let told: Vec<_> = found
        .made
        .iter()
        .map(|one| (one.at.to_string(), one.annotation))
        .collect();
    let told: Vec<_> = told
        .iter()
        .map(|(at, annotation)| (at.as_str(), *annotation))
        .collect();
    assert_eq!(
        told,
        [
            ("/paths/~1notes/parameters/0", "x-filter"),
            ("/paths/~1notes/get/parameters/0", "x-filter"),
            ("/paths/~1notes/get", "x-list"),
        ]
    );
    assert_eq!(found.unclear, []);
}

/// The sort that is suggested for a list whose parameter `sort` is given, or why none is.
fn sort(parameters: &[Value]) -> Result<Value, String> {
    let found = suggest(&document(&object(NOTE), &Value::Null, parameters));
    outcome(&found, 0)?;
    Ok(list(&found).unwrap()["sort"].clone())
}

#[test]
fn an_order_has_its_fields_and_the_default_that_its_schema_says() {
    let words = json!(["title", "-title", "created_at", "-created_at"]);
    let fields = json!({"title": "/title", "created_at": "/created_at"});
    let with_default = |default: Value| {
        let sort = json!({"name": "sort", "in": "query", "schema": {"type": "string", "enum": words, "default": default}});
        self::sort(&[sort]).unwrap()
    };
    for (default, expected) in [
        (json!("title"), json!({"default": ["title"], "fields": fields})),
        (
            json!("-created_at,title"),
            json!({"default": ["-created_at", "title"], "fields": fields}),
        ),
        (
            json!(["-title"]),
            json!({"default": ["-title"], "fields": fields}),
        ),
        (json!("colour"), json!({"fields": fields})),
        (json!("title,colour"), json!({"fields": fields})),
        (json!(7), json!({"fields": fields})),
    ] {
        assert_eq!(with_default(default.clone()), expected, "{default}");
    }
    assert_eq!(
        sort(&[parameter("sort: title|-title")]),
        Ok(json!({"fields": {"title": "/title"}}))
    );
}

#[test]
fn an_order_that_the_runner_cannot_write_is_unclear() {
    let direction = "which the runner writes as a - before the field";
    for (parameters, reason) in [
        (vec!["sort: asc|desc"], direction),
        (vec!["sort: ASC|DESC"], direction),
        (
            vec!["sort: title|-title", "direction: asc|desc"],
            "the direction is a parameter of its own",
        ),
        (
            vec!["sort: title|-title", "order: asc|desc"],
            "the direction is a parameter of its own",
        ),
        (vec!["sort: -title|-id"], "no words in ascending order"),
        (vec!["sort: title|-title|id"], "it has no word `-id`"),
    ] {
        let written: Vec<_> = parameters.iter().map(|one| parameter(one)).collect();
        let why = sort(&written).unwrap_err();
        assert!(why.contains(reason), "{parameters:?}: {why}");
    }
    for written in ["order: title|-title", "ordering: title|-title"] {
        assert_eq!(
            sort(&[parameter(written)]),
            Ok(json!({"fields": {"title": "/title"}})),
            "{written}"
        );
    }
}

#[test]
fn an_order_is_read_from_a_description_that_tells_how_to_turn_it() {
    let id = json!({"fields": {"id": "/id", "title": "/title"}});
    let created = json!({"fields": {"title": "/title", "created_at": "/created_at"}});
    for (description, is_read) in [
        ("By title or created_at; `-` turns it.", true),
        ("By `-created_at` or title.", true),
        ("By title or id, with a hyphen descending.", true),
        ("By title or id; minus turns it.", true),
        ("By title or id; `-` turns it.", true),
        ("By `id`, `title` or `-title`.", true),
        ("By title or id.", false),
        ("A field with a hyphen before it.", false),
    ] {
        let mut written = parameter("sort: string");
        written["description"] = json!(description);
        match sort(&[written]) {
            Ok(found) => {
                let fields = if description.contains("created_at") {
                    &created
                } else {
                    &id
                };
                assert!(is_read && found == *fields, "{description}: {found}");
            }
            Err(why) => assert!(
                !is_read && why.contains("by which members"),
                "{description}: {why}"
            ),
        }
    }
}

/// What is suggested for the relations of a list whose records have these members beside `NOTE`.
fn relations(words: &str, members: &str) -> Result<Value, String> {
    let include = parameter(&format!("include: {words}"));
    let mut raw = document(&object(NOTE), &Value::Null, &[include]).raw().clone();
    raw["components"]["schemas"]["Note"] = object(&format!("{{id: string, author_id: string, {members}}}"));
    raw["components"]["schemas"]["Person"] = object("{id: string}");
    raw["components"]["schemas"]["Remark"] = object("{id: string, note_id: string}");
    let found = suggest(&Document::of(raw).unwrap());
    outcome(&found, 0)?;
    Ok(list(&found).unwrap().clone())
}

#[test]
fn relations_have_their_number_record_join_and_count() {
    let person = "{$ref: '#/components/schemas/Person'}";
    let remarks = "{type: array, items: {$ref: '#/components/schemas/Remark'}}";
    let shown = format!(
        "included: {{properties: {{author: {person}, late_remarks: {remarks}}}}}, count: {{properties: {{late_remarks: {{type: integer}}}}}}"
    );
    let words = "author|author-count|author-exists|late-remarks|late-remarks-count|late-remarks-exists";
    assert_eq!(
        relations(words, &shown),
        Ok(json!({"relations": {
            "author": {"many": false, "record": "Person", "join": {"ours": "/author_id", "theirs": "/id"}},
            "late-remarks": {"many": true, "record": "Remark", "join": {"ours": "/id", "theirs": "/note_id"}, "count": "late_remarks"},
        }}))
    );
    // The first word of a relation's name may name the member.
    let authors = format!("included: {{properties: {{author_now: {person}}}}}");
    let now = relations("author-now|author-now-count|author-now-exists", &authors).unwrap();
    assert_eq!(
        now["relations"]["author-now"]["join"],
        json!({"ours": "/author_id", "theirs": "/id"})
    );
    let other = relations(
        "other|other-count|other-exists",
        &format!("included: {{properties: {{other: {person}}}}}"),
    )
    .unwrap();
    assert_eq!(
        other["relations"]["other"],
        json!({"many": false, "record": "Person"})
    );
}

#[test]
fn relations_of_which_only_the_names_are_shown_are_many_by_their_plural() {
    let names =
        "included: {type: array, items: {type: string}}, count: {properties: {tags: {type: integer}}}";
    let words = "author|author-count|author-exists|tags|tags-count|tags-exists";
    assert_eq!(
        relations(words, names),
        Ok(
            json!({"included": "names", "relations": {"author": {"many": false}, "tags": {"many": true, "count": "tags"}}})
        )
    );
}

#[test]
fn words_that_are_not_requested_in_three_forms_are_no_relations() {
    let shown = "included: {properties: {author: {$ref: '#/components/schemas/Person'}}}";
    for (words, members) in [
        ("author|author-count", shown),
        ("author|author-exists", shown),
        ("author|author-count|author-exists|colour", shown),
        ("author|author-count|author-exists", "size: integer"),
    ] {
        let why = relations(words, members).unwrap_err();
        assert!(
            why.contains("the runner knows related records that are requested as"),
            "{words}: {why}"
        );
    }
}

#[test]
fn a_record_without_id_is_identified_by_the_likeliest_member_of_all_records() {
    let identifier = |members: &str, other: &str| {
        let mut raw = document(&object(members), &Value::Null, &[]).raw().clone();
        let mut item = raw["paths"]["/notes"].clone();
        item["get"]["responses"]["200"]["content"]["application/json"]["schema"]["items"]["$ref"] =
            json!("#/components/schemas/Other");
        raw["paths"]["/others"] = item;
        raw["components"]["schemas"]["Other"] = object(other);
        let found = suggest(&Document::of(raw).unwrap()).made.into_iter();
        let mut found = found.filter(|one| one.annotation == "x-identifier");
        found.next().map(|one| {
            assert_eq!(one.at, Pointer::root());
            one.value.as_str().unwrap().to_owned()
        })
    };
    for (members, other, expected) in [
        (
            "{uuid: string, name: string}",
            "{name: string, uuid: string}",
            Some("/uuid"),
        ),
        ("{uuid: string, name: string}", "{name: string}", Some("/name")),
        (
            "{uuid: integer, name: string}",
            "{name: string, uuid: string}",
            Some("/name"),
        ),
        (
            "{title: string, uuid: string}",
            "{title: string, uuid: string}",
            Some("/uuid"),
        ),
        ("{uuid: string}", "{uuid: integer}", None),
        ("{uuid: string}", "{key: string}", None),
        ("{uuid: string, id: string}", "{uuid: string}", None),
        (
            "{a: {properties: {uuid: {type: string}}}}",
            "{a: {properties: {uuid: {type: string}}}}",
            None,
        ),
    ] {
        assert_eq!(
            identifier(members, other).as_deref(),
            expected,
            "{members}, {other}"
        );
    }
}
