//! Which documents are read, and what a schema of theirs comes down to.

use rollcall_contract::Document;
use serde_json::{Value, json};

/// A document with these component schemas.
fn of_schemas(schemas: &Value) -> Result<Document, String> {
    Document::of(json!({"components": {"schemas": schemas}})).map_err(|error| error.to_string())
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

#[test]
fn a_hundred_references_lead_from_one_to_the_next_and_no_more() {
    let chain = |length: usize| -> Value {
        let links = (0..length).map(|i| (format!("S{i}"), reference(&format!("S{}", i + 1))));
        links
            .chain([(format!("S{length}"), json!({"type": "string"}))])
            .collect()
    };
    let document = of_schemas(&chain(100)).unwrap();
    assert_eq!(document.resolve(&reference("S1")), &json!({"type": "string"}));
    assert!(
        of_schemas(&chain(101))
            .unwrap_err()
            .contains("leads back to itself")
    );
    assert!(
        of_schemas(&json!({"A": reference("A")}))
            .unwrap_err()
            .contains("leads back to itself")
    );
}

#[test]
fn a_schema_has_a_thousand_parts_and_no_more() {
    let parts = |number: usize| json!({"A": {"allOf": vec![json!({}); number]}});
    assert!(of_schemas(&parts(999)).is_ok());
    assert!(
        of_schemas(&parts(1_000))
            .unwrap_err()
            .contains("more than 1000 parts")
    );
    // Each schema is made of two of the next: a few lines, and a number of parts that doubles.
    let doubled: Value = (0..20)
        .map(|i| {
            (
                format!("S{i}"),
                json!({"allOf": [reference(&format!("S{}", i + 1)), reference(&format!("S{}", i + 1))]}),
            )
        })
        .chain([("S20".to_owned(), json!({}))])
        .collect();
    assert!(of_schemas(&doubled).unwrap_err().contains("more than 1000 parts"));
}

#[test]
fn a_schema_does_not_contain_itself_but_its_members_may() {
    let nothing = json!({"type": "null"});
    for schema in [
        json!({"allOf": [reference("A")]}),
        json!({"anyOf": [reference("A"), nothing]}),
        json!({"allOf": [{"allOf": [reference("A")]}]}),
    ] {
        assert!(
            of_schemas(&json!({"A": schema}))
                .unwrap_err()
                .contains("contains itself"),
            "{schema}"
        );
    }
    for schema in [
        json!({"properties": {"a": reference("A")}}),
        json!({"items": reference("A")}),
        json!({"anyOf": [reference("A"), {"type": "string"}]}),
        json!({"allOf": [{"properties": {"a": reference("A")}}]}),
        json!({"allOf": [reference("B"), reference("B")]}),
    ] {
        assert!(of_schemas(&json!({"A": schema, "B": {}})).is_ok(), "{schema}");
    }
}

#[test]
fn a_reference_that_leads_nowhere_or_out_is_told() {
    for (reference, says) in [
        (json!("#/components/schemas/B"), "leads nowhere"),
        (json!("other.yaml#/B"), "leads out of this file"),
        (json!("https://example.org/#/B"), "leads out of this file"),
        (json!(7), "leads nowhere"),
    ] {
        let error = of_schemas(&json!({"A": {"properties": {"b": {"$ref": reference}}}})).unwrap_err();
        assert!(
            error.contains(says) && error.contains("/A/properties/b"),
            "{error}"
        );
    }
}

#[test]
fn a_reference_is_looked_for_in_schemas_and_not_in_values() {
    let nowhere = json!({"$ref": "#/nowhere"});
    for key in ["example", "examples", "default", "enum"] {
        let member = json!({"A": {"properties": {"a": {key: nowhere}}}});
        assert!(of_schemas(&member).is_ok(), "{key}");
        assert!(of_schemas(&json!({"A": {key: [nowhere]}})).is_ok(), "{key}");
        assert!(
            of_schemas(&json!({"A": {"properties": {key: nowhere}}})).is_err(),
            "{key}"
        );
    }
    for schema in [
        json!({"items": nowhere}),
        json!({"items": {"items": nowhere}}),
        json!({"properties": {"a": {"items": nowhere}}}),
        json!({"oneOf": [{}, nowhere]}),
        json!({"properties": {"properties": {"properties": {"example": nowhere}}}}),
    ] {
        assert!(of_schemas(&json!({"A": schema})).is_err(), "{schema}");
    }
    assert!(of_schemas(&json!({"A": {"properties": {"properties": {"example": nowhere}}}})).is_ok());
}

#[test]
fn a_property_may_be_called_like_a_keyword() {
    for name in ["$ref", "allOf", "anyOf", "properties", "example", "enum"] {
        let schema = json!({"A": {"properties": {name: {"type": "string"}}}});
        assert!(of_schemas(&schema).is_ok(), "{name}");
    }
}

#[test]
fn a_schema_comes_down_to_what_is_referred_to_wrapped_or_beside_null() {
    let text = json!({"type": "string", "title": "B"});
    let both = json!({"allOf": [reference("B")], "properties": {"c": {}}});
    let document = of_schemas(&json!({
        "B": text,
        "Null": {"type": "string", "nullable": true, "enum": [null]},
        "Both": both,
    }))
    .unwrap();
    for schema in [
        text.clone(),
        reference("B"),
        json!({"allOf": [reference("B")], "description": "Also."}),
        json!({"allOf": [{"allOf": [reference("B")]}]}),
        json!({"anyOf": [reference("B"), {"type": "null"}]}),
        json!({"anyOf": [reference("B"), reference("Null")]}),
        json!({"anyOf": [{"allOf": [reference("B")]}, {"enum": [null]}]}),
    ] {
        assert_eq!(document.underlying(&schema), &text, "{schema}");
        let name = (schema != text).then_some("B");
        assert_eq!(document.schema_name(&schema), name, "{schema}");
    }
    for schema in [
        both.clone(),
        json!({"allOf": [reference("B"), {}]}),
        json!({"allOf": []}),
        json!({"anyOf": [reference("B"), {"type": "integer"}]}),
        json!({"anyOf": [reference("B"), {"enum": [null, "a"]}]}),
        json!({"anyOf": [reference("B")]}),
        json!({"oneOf": [reference("B"), {"type": "null"}]}),
    ] {
        assert_eq!(document.underlying(&schema), &schema);
        assert_eq!(document.schema_name(&schema), None, "{schema}");
    }
    assert_eq!(document.underlying(&reference("Both")), &both);
    assert_eq!(
        document.schema_name(&json!({"$ref": "#/components/responses/B"})),
        None
    );
}

#[test]
fn component_schemas_come_in_document_order() {
    let document = of_schemas(&json!({"B": {}, "A": {"type": "string"}})).unwrap();
    let names: Vec<_> = document.schemas().map(|(name, _)| name).collect();
    assert_eq!(names, ["B", "A"]);
    assert_eq!(
        (document.schema("A"), document.schema("C")),
        (Some(&json!({"type": "string"})), None)
    );
    assert_eq!(Document::of(json!({})).unwrap().schemas().count(), 0);
}
