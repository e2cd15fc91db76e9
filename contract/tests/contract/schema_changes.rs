//! What a change of a schema does to clients that send its values, receive them, or both.

use proptest::prelude::*;
use rollcall_contract::Document;
use rollcall_contract::diff::{Change, Reason};
use serde_json::{Value, json};

use crate::changing::{change, changed, means, old};

/// Whether a schema takes more values than before, fewer, or others.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Range {
    Wider,
    Narrower,
    Other,
}
use Range::{Narrower, Other, Wider};

/// What a change of the values does to clients, by the schemas of the small document.
fn reasons(range: Range) -> [(&'static str, Reason); 4] {
    let [sent, received, both, unused] = match range {
        Wider => [
            Reason::AcceptsMore,
            Reason::ValueUnknown,
            Reason::ValueUnknown,
            Reason::AcceptsMore,
        ],
        Narrower => [
            Reason::RequestRefused,
            Reason::AnswersLess,
            Reason::RequestRefused,
            Reason::AnswersLess,
        ],
        Other => [
            Reason::FormChanged,
            Reason::FormChanged,
            Reason::FormChanged,
            Reason::Component,
        ],
    };
    [
        ("Sent", sent),
        ("Received", received),
        ("Both", both),
        ("Unused", unused),
    ]
}

#[test]
fn a_schema_that_takes_more_or_less_breaks_clients_that_receive_or_send_it() {
    for (written, range) in [
        ("~ b/maximum: 6", Wider),
        ("~ b/maximum: 4", Narrower),
        ("- b/maximum", Wider),
        ("+ a/maxLength: 4", Narrower),
        ("+ a/maxItems: 4", Narrower),
        ("+ a/maxProperties: 4", Narrower),
        ("~ b/minimum: 1", Wider),
        ("~ b/minimum: 3", Narrower),
        ("- b/minimum", Wider),
        ("+ a/minLength: 4", Narrower),
        ("+ a/minItems: 4", Narrower),
        ("+ a/minProperties: 4", Narrower),
        ("+ a/pattern: x", Narrower),
        ("+ a/format: date", Narrower),
        ("+ a/additionalProperties: false", Narrower),
        ("+ a/not: {type: string}", Narrower),
        ("+ a/uniqueItems: true", Narrower),
        ("+ a/multipleOf: 2", Narrower),
        ("+ b/enum: [2, 3]", Narrower),
        ("- a/enum", Wider),
        ("~ a/enum: [x, y, z]", Wider),
        ("~ a/enum: [x]", Narrower),
        ("+ a/nullable: true", Wider),
        ("~ a/type: integer", Other),
        ("- a/type", Other),
        ("+ b/exclusiveMinimum: true", Other),
        ("+ b/exclusiveMaximum: true", Other),
        ("+ a/allOf: [{}]", Other),
        ("+ a/anyOf: [{}]", Other),
        ("+ a/oneOf: [{}]", Other),
        ("+ a/items: {}", Other),
        ("~ c/oneOf/1/type: number", Other),
    ] {
        for (schema, reason) in reasons(range) {
            let written = written.replacen(' ', &format!(" /components/schemas/{schema}/properties/"), 1);
            assert_eq!(change(&written).reason, reason, "{written}");
        }
    }
}

#[test]
fn a_schema_that_can_be_null_breaks_clients_that_receive_it() {
    let null = "{$ref: '#/components/schemas/Null'}";
    let b = "{type: integer, maximum: 5, minimum: 2}";
    for written in [
        format!("{{anyOf: [{b}, {null}]}}"),
        format!("{{anyOf: [{b}, {{type: 'null'}}]}}"),
        format!("{{anyOf: [{b}, {{enum: [null]}}]}}"),
    ] {
        for (schema, reason) in [
            ("Sent", Reason::AcceptsMore),
            ("Received", Reason::NullPossible),
            ("Both", Reason::NullPossible),
        ] {
            let found = change(&format!("~ /components/schemas/{schema}/properties/b: {written}"));
            assert_eq!(
                (found.reason, found.difference.as_str()),
                (reason, "can be null now"),
                "{written}"
            );
        }
    }
    means(
        "~ /components/schemas/Sent/properties/d: {type: string}     => RequestRefused => Sent/d: cannot be null any more
         ~ /components/schemas/Both/properties/d: {type: string}     => RequestRefused
         ~ /components/schemas/Received/properties/d: {type: string} => AnswersLess
         ~ /components/schemas/Received/properties/d: {allOf: [{type: string}]} => AnswersLess",
    );
    // Another schema beside null, the schema beside another, and both are no schema to which null was added.
    for written in [
        format!("{{anyOf: [{{type: integer}}, {null}]}}"),
        format!("{{anyOf: [{b}, {{type: string}}]}}"),
        "{anyOf: [{type: integer}, {type: string}]}".to_owned(),
    ] {
        let other = changed(&format!("~ /components/schemas/Sent/properties/b: {written}"));
        let is_null = |one: &Change| one.difference.contains("can be null");
        assert!(!old().changes(&other).iter().any(is_null), "{written}");
    }
}

#[test]
fn the_items_of_a_list_are_compared_one_by_one_if_none_is_new_or_gone() {
    means(
        "~ /components/schemas/Sent/properties/c/oneOf/1/type: number     => FormChanged => Sent/c: oneOf/1/type: integer → number
         + /components/schemas/Sent/properties/c/oneOf/-: {type: boolean} => FormChanged => \
            Sent/c: oneOf: [{\"type\":\"string\"},{\"type\":\"integer\"}] → [{\"type\":\"string\"},{\"type\":\"integer\"},{\"type\":\"boolean\"}]
         ~ /components/schemas/Sent/properties/c/oneOf: [a, b]            => FormChanged => \
            Sent/c: oneOf: [{\"type\":\"string\"},{\"type\":\"integer\"}] → [\"a\",\"b\"]",
    );
}

#[test]
fn the_members_of_a_set_are_compared_without_their_order() {
    means(
        "~ /components/schemas/Sent/required: [a, b, c]              => ParameterRequired => Sent: required: has c now
         ~ /components/schemas/Sent/required: [b]                    => AcceptsMore       => Sent: required: has no a any more
         ~ /components/schemas/Sent/required: [b, a]                 => ReadersOnly       => Sent: required: has another order
         ~ /components/schemas/Received/required: [a, b, c]          => AnswersLess
         ~ /components/schemas/Received/required: [b]                => MemberOptional
         ~ /components/schemas/Both/required: [a, b, c]              => ParameterRequired
         ~ /components/schemas/Both/required: [b]                    => MemberOptional
         ~ /components/schemas/Sent/properties/a/enum: [y, x]        => ReadersOnly
         ~ /components/schemas/Sent/properties/a/x-enum-varnames: [X, Y, Z] => Added
         ~ /components/schemas/Sent/properties/a/x-enum-varnames: [X]       => NamesChanged
         - /components/schemas/Sent/required                         => Unknown",
    );
    let both = changed("~ /components/schemas/Sent/required: [b, c]");
    let found = old().changes(&both);
    let told: Vec<_> = found.iter().map(|one| one.difference.as_str()).collect();
    assert_eq!(told, ["required: has c now", "required: has no a any more"]);
}

#[test]
fn a_schema_in_an_operation_is_sent_in_its_request_and_received_in_its_answer() {
    let answer = "/paths/~1notes/get/responses/200";
    for (written, reason) in [
        (
            "~ /paths/~1notes/get/parameters/1/schema/maxLength: 4".to_owned(),
            Reason::RequestRefused,
        ),
        (
            "~ /paths/~1notes/get/parameters/1/schema/maxLength: 6".to_owned(),
            Reason::AcceptsMore,
        ),
        (
            format!("~ {answer}/content/application~1json/schema/maxItems: 6"),
            Reason::ValueUnknown,
        ),
        (
            format!("~ {answer}/content/application~1json/schema/maxItems: 4"),
            Reason::AnswersLess,
        ),
        (
            format!("~ {answer}/headers/X-Total/schema/maximum: 6"),
            Reason::ValueUnknown,
        ),
        (
            "~ /components/headers/Other/schema/maximum: 6".to_owned(),
            Reason::ValueUnknown,
        ),
        (
            "+ /components/responses/Missing/headers/X-Why/schema/maxLength: 6".to_owned(),
            Reason::AnswersLess,
        ),
        (
            "+ /components/parameters/page/schema/maximum: 6".to_owned(),
            Reason::RequestRefused,
        ),
    ] {
        assert_eq!(change(&written).reason, reason, "{written}");
    }
}

#[test]
fn a_change_touches_the_operations_that_send_or_receive_the_schema() {
    for (written, operations) in [
        (
            "~ /components/schemas/Sent/properties/b/maximum: 4",
            &["GET /notes"] as &[&str],
        ),
        (
            "~ /components/schemas/Received/properties/b/maximum: 4",
            &["GET /notes"],
        ),
        (
            "~ /components/schemas/Both/properties/b/maximum: 4",
            &["POST /notes"],
        ),
        ("~ /components/schemas/Unused/properties/b/maximum: 4", &[]),
        ("+ /components/parameters/page/x-role: page", &["GET /notes"]),
        ("- /components/responses/Missing/headers/X-Why", &["GET /notes"]),
        ("- /paths/~1notes/post", &["POST /notes"]),
        ("+ /paths/~1notes/put: {operationId: put}", &["PUT /notes"]),
        ("+ /paths/~1notes/x-unheard: 1", &["GET /notes", "POST /notes"]),
        ("- /paths/~1others", &["GET /others"]),
        ("+ /x-unknown: 1", &[]),
    ] {
        assert_eq!(change(written).operations, operations, "{written}");
    }
}

#[test]
fn a_schema_is_sent_or_received_if_it_is_so_in_either_document() {
    let uses = |part: &str, maximum: u8| {
        let mut raw = old().raw().clone();
        let content =
            json!({"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Unused"}}}});
        match part {
            "requestBody" => raw["paths"]["/others"]["get"]["requestBody"] = content,
            "responses" => raw["paths"]["/others"]["get"]["responses"]["404"] = content,
            _ => {}
        }
        raw["components"]["schemas"]["Unused"]["properties"]["b"]["maximum"] = json!(maximum);
        Document::of(raw).unwrap()
    };
    for (part, maximum, reason) in [
        ("requestBody", 4, Reason::RequestRefused),
        ("requestBody", 6, Reason::AcceptsMore),
        ("responses", 4, Reason::AnswersLess),
        ("responses", 6, Reason::ValueUnknown),
    ] {
        for (old, new) in [
            (uses("", 5), uses(part, maximum)),
            (uses(part, 5), uses("", maximum)),
        ] {
            let found = old.changes(&new);
            let bound = found.iter().find(|one| one.element == "Unused/b").unwrap();
            assert_eq!(bound.reason, reason, "{part}: {bound:?}");
            assert_eq!(bound.operations, ["GET /others"], "{part}: {bound:?}");
        }
    }
}

/// A document with a parameter whose schema is `bounds`.
fn bounded(key: &str, bound: Option<i32>) -> Document {
    let mut schema = json!({"type": "integer"});
    if let Some(bound) = bound {
        schema[key] = json!(bound);
    }
    let parameter = json!({"name": "a", "in": "query", "schema": schema});
    Document::of(json!({"paths": {"/a": {"get": {"parameters": [parameter]}}}})).unwrap()
}

/// A difference as it is told when the new document is the old one.
fn turned(difference: &str) -> String {
    let (place, told) = match difference.rsplit_once(": ") {
        Some((place, told)) if !place.contains(" → ") => (format!("{place}: "), told),
        _ => (String::new(), difference),
    };
    let turned = match told.split_once(" → ") {
        Some((old, new)) => format!("{new} → {old}"),
        None if told.starts_with("is new") => told.replacen("is new", "is gone", 1),
        None => told.replacen("is gone", "is new", 1),
    };
    format!("{place}{turned}")
}

proptest! {
    #[test]
    fn a_bound_that_narrows_one_way_widens_the_other(
        upper in any::<bool>(),
        old in proptest::option::of(-3..3),
        new in proptest::option::of(-3..3),
    ) {
        let key = if upper { "maximum" } else { "minimum" };
        let (old_document, new_document) = (bounded(key, old), bounded(key, new));
        let there = old_document.changes(&new_document);
        let back = new_document.changes(&old_document);
        let reason = |changes: &[Change]| changes.first().map(|one| one.reason);
        if old == new {
            prop_assert_eq!((there, back), (vec![], vec![]));
        } else {
            // Without the bound, every value is taken.
            let no_bound = if upper { i32::MAX } else { i32::MIN };
            let (old, new) = (old.unwrap_or(no_bound), new.unwrap_or(no_bound));
            let is_wider = if upper { new > old } else { new < old };
            let (wider, narrower) = if is_wider { (&there, &back) } else { (&back, &there) };
            prop_assert_eq!(reason(wider), Some(Reason::AcceptsMore));
            prop_assert_eq!(reason(narrower), Some(Reason::RequestRefused));
        }
    }

    #[test]
    fn the_changes_back_are_the_changes_turned(
        old in proptest::collection::btree_map("[a-d]", 0..3, 0..4),
        new in proptest::collection::btree_map("[a-d]", 0..3, 0..4),
    ) {
        let document = |values: &std::collections::BTreeMap<String, i32>| {
            let members: Value = values.iter().map(|(name, value)| (name.clone(), json!({"x": value}))).collect();
            Document::of(json!({"paths": {}, "x-a": values, "x-b": members})).unwrap()
        };
        let (old, new) = (document(&old), document(&new));
        let told = |changes: Vec<Change>| {
            let mut told: Vec<_> = changes.into_iter().map(|one| (one.element, one.difference)).collect();
            told.sort();
            told
        };
        let mut back = told(new.changes(&old));
        back.iter_mut().for_each(|(_, difference)| *difference = turned(difference));
        back.sort();
        prop_assert_eq!(told(old.changes(&new)), back);
        prop_assert_eq!(old.changes(&old), vec![]);
    }
}
