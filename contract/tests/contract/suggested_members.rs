//! Which members of a record a suggestion can speak of: how deep they are, what they are called, and what they have in them.

use rollcall_contract::suggest::suggest;
use serde_json::{Value, json};

use crate::suggesting::{document, object, outcome, parameter, reading, suggests};

#[test]
fn members_are_found_to_the_third_depth() {
    suggests(
        "{a: {properties: {b: {properties: {c: {properties: {d: {type: string}}}, e: {type: string}}}}}}",
        "filter[a.b.e]: string   => exact /a/b/e
         e: string               => exact /a/b/e
         filter[a.b.c.d]: string => exact /a_b_c_d, not shown
         d: string               => unclear: no member that is called so",
    );
}

#[test]
fn at_most_a_thousand_members_are_looked_at() {
    let members: Value = (0..=1_000)
        .map(|i| (format!("m{i}x"), json!({"type": "string"})))
        .collect();
    let record = json!({"type": "object", "properties": members});
    let parameters = ["m999x: string", "m1000x: string"].map(parameter);
    let found = suggest(&document(&record, &Value::Null, &parameters));
    assert_eq!(outcome(&found, 0), Ok("exact /m999x".to_owned()));
    assert!(outcome(&found, 1).is_err());
}

#[test]
fn a_member_in_several_parts_of_a_record_is_one_member() {
    let part = object("{id: string, title: string}");
    let record = json!({"allOf": [part, part]});
    let found = suggest(&document(&record, &Value::Null, &[parameter("title: string")]));
    assert_eq!(outcome(&found, 0), Ok("exact /title".to_owned()));
}

#[test]
fn a_name_is_that_of_the_member_nearest_to_the_top() {
    suggests(
        "{owner_id: string, owner: {properties: {id: {type: string}, name: {type: string}}}}",
        "owner_id: string   => exact /owner_id
         owner_name: string => exact /owner/name",
    );
    suggests(
        "{title: string, b: {properties: {title: {type: string}}}}",
        "title: string => exact /title",
    );
}

#[test]
fn only_an_identifier_at_the_top_goes_by_the_name_of_what_it_identifies() {
    suggests("{owner_id: string}", "owner: string => exact /owner_id");
    suggests(
        "{id: string, a: {properties: {title: {type: string}, owner_id: {type: string}}}}",
        "title: string    => exact /a/title
         owner_id: string => exact /a/owner_id
         owner: string    => unclear: no member that is called so",
    );
}

#[test]
fn an_object_stands_for_its_identifier_or_its_only_value() {
    suggests(
        "{pet: {properties: {id: {type: string}}}, owner: {properties: {name: {type: string}, id: {type: string}}}}",
        "owner: string  => exact /owner/id
         owner: integer => unclear: /owner/id is of another type",
    );
    suggests(
        "{pet: {properties: {id: {type: string}}}, owner: {properties: {login: {type: string}, tags: {type: array}}}}",
        "owner: string => exact /owner/login",
    );
    suggests(
        "{a: {properties: {owner: {properties: {login: {type: string}}}}}}",
        "owner: string => exact /a/owner/login",
    );
    suggests(
        "{owner: {properties: {login: {type: string}, name: {type: string}}}}",
        "owner: string => unclear: no member that is called so",
    );
    suggests(
        "{owner: {properties: {deep: {properties: {login: {type: string}}}}}}",
        "owner: string => unclear: no member that is called so",
    );
}

#[test]
fn the_kind_of_a_member_follows_from_its_schema() {
    for (schema, table) in [
        ("{type: [string, 'null']}", "it: string => exact /it"),
        ("{type: ['null', boolean]}", "it: boolean => flag /it"),
        (
            "{items: {type: string}}",
            "it: string => unclear: /it is an array",
        ),
        (
            "{items: {}}",
            "q: string ; See it. => unclear: names /it, which is an array",
        ),
        ("{enum: [a, b]}", "it_search: string => contains /it"),
        ("{properties: {id: {type: string}}}", "it: string => exact /it/id"),
        (
            "{allOf: [{properties: {id: {type: string}}}, {}]}",
            "it: string => exact /it/id",
        ),
        ("{}", "it: string => exact /it"),
        ("{}", "it_search: string => unclear: one of them is no text"),
    ] {
        suggests(&format!("{{it: {schema}}}"), table);
    }
}

#[test]
fn a_search_looks_at_no_text_that_has_a_form_of_its_own() {
    let forms = ["enum: [a]", "pattern: a", "format: uri", "format: date-time"];
    for form in forms {
        let members = format!("{{title: string, note: {{type: string, {form}}}}}");
        suggests(&members, "q: string => contains /title");
    }
    for name in [
        "id",
        "owner_id",
        "url",
        "avatar_url",
        "href",
        "type",
        "status",
        "state",
        "kind",
        "token",
        "etag",
        "published_at",
        "due_date",
    ] {
        let members = format!("{{title: string, {name}: string}}");
        suggests(&members, "q: string => contains /title");
    }
    suggests(
        "{title: string, size: integer, a: {properties: {name: {type: string}, b: {properties: {name: {type: string}}}}}}",
        "q: string => contains /title /a/name",
    );
}

#[test]
fn a_point_in_time_is_known_by_its_format_or_its_name() {
    for format in ["date", "unix-time", "timestamp"] {
        suggests(
            &format!("{{id: string, creating: {{type: integer, format: {format}}}}}"),
            "created_after: string => unclear: it is a bound of /creating,",
        );
    }
    for name in ["create_time", "creation_date", "create_at", "created_on"] {
        let why = reading(&format!("{{{name}: string}}"), "creating_after: string", "").unwrap_err();
        assert!(
            why.starts_with(&format!("it is a bound of /{name},")),
            "{name}: {why}"
        );
    }
    for other in [
        "creating: string",
        "create_time: array",
        "create_time: {properties: {}}",
    ] {
        suggests(
            &format!("{{id: string, {other}}}"),
            "created_after: string => unclear: no member that is called so",
        );
    }
    suggests(
        "{id: string, created_at: date-time, due: date}",
        "since: date-time => after /created_at",
    );
}

/// The order that is suggested for a list whose parameter `sort` takes such words.
fn order(members: &str, words: &str) -> Result<Value, String> {
    let parameter = parameter(&format!("sort: {words}"));
    let found = suggest(&document(&object(members), &Value::Null, &[parameter]));
    outcome(&found, 0)?;
    let list = found.made.iter().find(|one| one.annotation == "x-list").unwrap();
    Ok(list.value["sort"]["fields"].clone())
}

#[test]
fn a_list_is_sorted_by_values_and_not_by_objects_or_arrays() {
    let varied = "{id: string, owner: {oneOf: [{type: string}, {properties: {id: {type: string}}}]}}";
    assert_eq!(order(varied, "owner|-owner"), Ok(json!({"owner": "/owner"})));
    assert_eq!(
        order("{size: number, done: boolean}", "size|-size|done|-done"),
        Ok(json!({"size": "/size", "done": "/done"}))
    );
    assert_eq!(
        order("{id: string, created_at: date-time}", "created|-created"),
        Ok(json!({"created": "/created_at"}))
    );
    for other in [
        "array",
        "{properties: {a: {type: string}, b: {type: integer}}}",
        "{}",
    ] {
        let why = order(&format!("{{id: string, owner: {other}}}"), "owner|-owner").unwrap_err();
        assert!(why.contains("`owner` is no member"), "{other}: {why}");
    }
}
