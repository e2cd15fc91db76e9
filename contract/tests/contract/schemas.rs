//! What the converted schemas accept, in both forms.

use jsonschema::Validator;
use rollcall_contract::{Contract, Document, Form};
use serde_json::{Value, json};

use crate::small;

pub(crate) fn validator(schema: &Value) -> Validator {
    jsonschema::options()
        .should_validate_formats(true)
        .build(schema)
        .unwrap()
}

fn of(contract: &Contract, name: &str, form: Form) -> Validator {
    validator(&contract.document().json_schema(name, form).unwrap())
}

fn person() -> Value {
    json!({
        "id": "p_1", "state": "active", "boss_id": null, "name": "Zoë", "level": 3, "is_boss": false, "mood": null,
        "timestamp": {"created_at": "2024-01-01T00:00:00.000000Z", "ended_at": null},
        "count": {"direct_reports": 0, "outside": 2}, "included": {"boss": null},
        "links": {"self": "https://example.org/people/p_1", "direct_reports": "https://example.org/people"},
    })
}

/// A change to a sound person, and whether the strict and the judging form still accept it.
type Case = (&'static str, Value, bool, bool);

#[test]
fn both_forms_accept_what_they_should_and_nothing_else() {
    let contract = small();
    let (strict, judging) = (
        of(&contract, "Person", Form::Strict),
        of(&contract, "Person", Form::Judging),
    );
    assert!(strict.is_valid(&person()) && judging.is_valid(&person()));
    let cases: &[Case] = &[
        ("/id", json!("q_1"), false, false),
        ("/id", Value::Null, false, false),
        ("/state", json!("asleep"), false, false),
        ("/state", Value::Null, false, false),
        ("/boss_id", json!("p_2"), true, true),
        ("/boss_id", json!("2"), false, false),
        ("/boss_id", json!(2), false, false),
        ("/mood", json!("glad"), true, true),
        ("/mood", json!("angry"), false, true),
        ("/mood", json!(1), false, false),
        ("/level", Value::Null, true, true),
        ("/level", json!("high"), false, true),
        ("/timestamp/created_at", json!("yesterday"), false, false),
        ("/timestamp/created_at", Value::Null, false, false),
        ("/timestamp/ended_at", json!("2024-02-30T00:00:00Z"), false, false),
        (
            "/included",
            json!({"boss": {"id": "p_1", "name": "a", "boss_id": 7}}),
            false,
            true,
        ),
        (
            "/included",
            json!({"boss": {"id": "p_1", "name": "a", "boss_id": "p_7"}}),
            true,
            false,
        ),
        ("/included", json!({"boss": {"id": "p_1"}}), false, false),
        ("/links", json!({"self": "a"}), false, false),
    ];
    for (at, value, by_strict, by_judging) in cases {
        let mut changed = person();
        *changed.pointer_mut(at).unwrap() = value.clone();
        assert_eq!(strict.is_valid(&changed), *by_strict, "strict, {at} = {value}");
        assert_eq!(judging.is_valid(&changed), *by_judging, "judging, {at} = {value}");
    }
}

#[test]
fn objects_of_others_are_open_and_need_no_extension() {
    let contract = small();
    let (strict, judging) = (
        of(&contract, "Person", Form::Strict),
        of(&contract, "Person", Form::Judging),
    );
    let mut wider = person();
    wider["shoe_size"] = json!(43);
    assert!(!strict.is_valid(&wider) && judging.is_valid(&wider));
    let mut narrower = person();
    narrower.as_object_mut().unwrap().remove("level");
    assert!(!strict.is_valid(&narrower) && judging.is_valid(&narrower));
    narrower.as_object_mut().unwrap().remove("name");
    assert!(!judging.is_valid(&narrower));
}

#[test]
fn a_schema_that_is_an_extension_is_not_judged() {
    let contract = small();
    assert!(!of(&contract, "Problem", Form::Strict).is_valid(&json!("no")));
    assert!(of(&contract, "Problem", Form::Judging).is_valid(&json!("no")));
}

#[test]
fn members_called_like_keywords_stay_members_and_bounds_are_turned() {
    let contract = small();
    let body = of(&contract, "Retirement", Form::Strict);
    for (value, accepted) in [
        (json!({}), true),
        (json!({"days": null}), true),
        (json!({"days": 0}), true),
        (json!({"days": 9}), true),
        (json!({"days": 10}), false),
        (json!({"days": -1}), false),
        (json!({"nullable": "yes", "example": true}), true),
        (json!({"nullable": 1}), false),
        (json!({"example": "a"}), false),
        (json!({"x": 1}), false),
    ] {
        assert_eq!(body.is_valid(&value), accepted, "{value}");
    }
}

#[test]
fn nullable_enums_take_null_once_and_combinations_take_it_beside_them() {
    let document = Document::parse(
        "components: {schemas: {\
           A: {type: string, enum: [a], nullable: true}, B: {type: string, enum: [a, null], nullable: true},\
           C: {type: object, nullable: true, allOf: [{$ref: '#/components/schemas/D'}]},\
           D: {type: object, required: [x]}, E: {nullable: true, oneOf: [{type: string}, {type: integer}]},\
           F: {type: integer, minimum: 1, exclusiveMinimum: true, default: {nullable: true}}}}",
    )
    .unwrap();
    let accepts = |name: &str, value: Value| {
        validator(&document.json_schema(name, Form::Strict).unwrap()).is_valid(&value)
    };
    assert_eq!(
        document.json_schema("B", Form::Strict).unwrap()["$defs"]["B"]["enum"],
        json!(["a", null])
    );
    for name in ["A", "B", "C", "E"] {
        assert!(accepts(name, Value::Null), "{name}");
    }
    assert!(accepts("A", json!("a")) && !accepts("A", json!("b")));
    assert!(accepts("C", json!({"x": 1})) && !accepts("C", json!({})) && !accepts("D", Value::Null));
    assert!(accepts("E", json!(1)) && !accepts("E", json!([])));
    assert!(accepts("F", json!(2)) && !accepts("F", json!(1)));
    assert_eq!(document.json_schema("Z", Form::Strict), None);
}

#[test]
fn an_answer_is_a_record_or_an_array_of_them() {
    let contract = small();
    let answer = |id: &str| {
        let answer = &contract.operation(id).unwrap().answer;
        validator(&contract.document().answer_schema(answer, Form::Strict).unwrap())
    };
    assert!(answer("listPeople").is_valid(&json!([person()])) && !answer("listPeople").is_valid(&person()));
    assert!(answer("getPerson").is_valid(&person()) && !answer("getPerson").is_valid(&json!([])));
}

#[test]
fn the_schema_of_a_parameter_stands_alone() {
    let contract = small();
    let list = contract.operation("listPeople").unwrap();
    let state = list
        .parameters
        .iter()
        .find(|parameter| parameter.name == "filter[state]")
        .unwrap();
    let schema = validator(&contract.document().json_schema_of(&state.schema, Form::Strict));
    assert!(schema.is_valid(&json!("active")) && !schema.is_valid(&json!("asleep")));
}

#[test]
fn a_converted_schema_has_only_keywords_that_validators_know() {
    let contract = small();
    let convert = |schema: Value| contract.document().json_schema_of(&schema, Form::Strict);
    let plain = convert(json!({"type": "integer"}));
    for keyword in [
        "nullable",
        "example",
        "default",
        "discriminator",
        "xml",
        "externalDocs",
        "readOnly",
        "writeOnly",
        "x-source",
        "x-other",
        "exclusiveMinimum",
        "exclusiveMaximum",
    ] {
        let mut schema = json!({"type": "integer"});
        schema[keyword] = json!(false);
        assert_eq!(convert(schema), plain, "{keyword}");
    }
    for (keyword, bound) in [("minimum", 3), ("exclusiveMinimum", 3), ("exclusiveMaximum", 3)] {
        let mut schema = json!({"type": "integer"});
        schema[keyword] = json!(bound);
        assert_eq!(convert(schema)[keyword], bound, "{keyword}");
    }
    let turned = convert(json!({"type": "integer", "minimum": 3, "exclusiveMinimum": true}));
    assert_eq!(
        (&turned["minimum"], &turned["exclusiveMinimum"]),
        (&Value::Null, &json!(3))
    );
}
