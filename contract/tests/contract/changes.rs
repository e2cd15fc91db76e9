//! What `Document::changes` says of changes to the small contract.

use std::sync::LazyLock;

use rollcall_contract::Document;
use rollcall_contract::diff::{Change, Effect};
use serde_json::{Value, json};

use crate::SMALL;

fn small() -> Value {
    static PARSED: LazyLock<Document> = LazyLock::new(|| Document::parse(SMALL).unwrap());
    PARSED.raw().clone()
}

/// The changes that follow from putting `to` at `at`; null takes away what is there.
fn changes(at: &str, to: &Value) -> Vec<Change> {
    let (old, mut new) = (small(), small());
    let (parent, name) = at.rsplit_once('/').unwrap();
    let name = name.replace("~1", "/");
    match new
        .pointer_mut(parent)
        .unwrap_or_else(|| panic!("there is no {parent}"))
    {
        Value::Object(members) if to.is_null() => drop(members.shift_remove(&name).unwrap()),
        Value::Object(members) => drop(members.insert(name, to.clone())),
        Value::Array(items) if to.is_null() => drop(items.remove(name.parse().unwrap())),
        Value::Array(items) => items[name.parse::<usize>().unwrap()] = to.clone(),
        _ => panic!("{at} is in no mapping"),
    }
    Document::of(old).unwrap().changes(&Document::of(new).unwrap())
}

const LIST: &str = "/paths/~1people/get";

#[test]
fn each_change_has_its_effect_and_names_its_element() {
    use Effect::{Breaking, Compatible, Words};
    let integer = json!({"type": "integer", "example": 1});
    let cases = [
        // An operation, and what it needs.
        ("/paths/~1people", Value::Null, Breaking, "/people", "is gone"),
        (
            "/paths/~1people~1{person}/patch",
            Value::Null,
            Breaking,
            "PATCH /people/{person}",
            "is gone",
        ),
        (
            "/paths/~1people/get/x-scope",
            json!("all:read"),
            Breaking,
            "GET /people",
            "x-scope: people:read → all:read",
        ),
        (
            "/paths/~1people/get/responses/200/headers",
            json!({"X-Total": {"schema": {"type": "integer"}}}),
            Compatible,
            "GET /people",
            "responses/200/headers: is new",
        ),
        (
            "/paths/~1people/get/description",
            json!("Other."),
            Words,
            "GET /people",
            "description: has other words",
        ),
        (
            "/paths/~1people/get/responses/429",
            json!({"$ref": "#/components/responses/Refused"}),
            Compatible,
            "GET /people",
            "responses/429: is new",
        ),
        // Parameters and filters.
        (
            "/paths/~1people/get/parameters/2",
            Value::Null,
            Breaking,
            "GET /people, filter[name_search]",
            "is gone",
        ),
        (
            "/paths/~1people/get/parameters/2/x-filter/match",
            json!("exact"),
            Breaking,
            "GET /people, filter[name_search]",
            "x-filter/match: contains → exact",
        ),
        (
            "/paths/~1people/get/parameters/2/x-filter/field",
            json!("/id"),
            Breaking,
            "GET /people, filter[name_search]",
            "x-filter/field: /name → /id",
        ),
        (
            "/paths/~1people/get/parameters/2/description",
            json!("A part."),
            Words,
            "GET /people, filter[name_search]",
            "description: has other words",
        ),
        (
            "/paths/~1people/get/parameters/2/x-open-point",
            Value::Null,
            Words,
            "GET /people, filter[name_search]",
            "x-open-point: is gone",
        ),
        (
            "/paths/~1people/get/parameters/2/required",
            json!(true),
            Breaking,
            "GET /people, filter[name_search]",
            "required: is new (true)",
        ),
        (
            "/components/parameters/trashed/x-filter/match",
            json!("flag"),
            Breaking,
            "parameter trashed",
            "x-filter/match: trashed → flag",
        ),
        // What a client sends: less is breaking, more is not.
        (
            "/components/schemas/Needle/maxLength",
            json!(100),
            Breaking,
            "Needle",
            "maxLength: 1024 → 100",
        ),
        (
            "/components/schemas/Needle/maxLength",
            json!(2048),
            Compatible,
            "Needle",
            "maxLength: 1024 → 2048",
        ),
        (
            "/components/schemas/Needle/maxLength",
            Value::Null,
            Compatible,
            "Needle",
            "maxLength: is gone (1024)",
        ),
        (
            "/components/schemas/Retirement/properties/days/minimum",
            json!(1),
            Breaking,
            "Retirement/days",
            "minimum: 0 → 1",
        ),
        (
            "/components/schemas/Retirement/properties/hours",
            integer.clone(),
            Compatible,
            "Retirement/hours",
            "is new",
        ),
        (
            "/components/schemas/Retirement/required",
            json!(["days"]),
            Breaking,
            "Retirement",
            "required: is new",
        ),
        // What a client receives: more is breaking, less is not.
        (
            "/components/schemas/Mood/enum",
            json!(["calm", "glad", "angry"]),
            Breaking,
            "Mood",
            "enum: has angry now",
        ),
        (
            "/components/schemas/Mood/enum",
            json!(["calm"]),
            Compatible,
            "Mood",
            "enum: has no glad any more",
        ),
        (
            "/components/schemas/Person/properties/age",
            integer.clone(),
            Compatible,
            "Person/age",
            "is new",
        ),
        (
            "/components/schemas/Person/properties/name",
            Value::Null,
            Breaking,
            "Person/name",
            "is gone",
        ),
        (
            "/components/schemas/PersonTimestamps/required",
            json!(["created_at"]),
            Breaking,
            "PersonTimestamps",
            "required: has no ended_at any more",
        ),
        (
            "/components/schemas/PersonSummary/properties/name",
            json!({"anyOf": [{"type": "string", "example": "text"}, {"type": "string", "nullable": true, "enum": [null]}]}),
            Breaking,
            "PersonSummary/name",
            "can be null now",
        ),
        // A schema that is sent and received allows neither.
        (
            "/components/schemas/PersonState/enum",
            json!(["active", "ending"]),
            Breaking,
            "PersonState",
            "enum: has no ended any more",
        ),
        (
            "/components/schemas/PersonState/enum",
            json!(["active", "ending", "ended", "lost"]),
            Breaking,
            "PersonState",
            "enum: has lost now",
        ),
        // Lists.
        (
            "/paths/~1people/get/x-list/sort/fields/level",
            json!("/level"),
            Compatible,
            "GET /people",
            "x-list/sort/fields/level: is new (/level)",
        ),
        (
            "/paths/~1people/get/x-list/sort/fields/name",
            Value::Null,
            Breaking,
            "GET /people",
            "x-list/sort/fields/name: is gone (/name)",
        ),
        (
            "/paths/~1people/get/x-list/sort/fields/name",
            json!("/id"),
            Breaking,
            "GET /people",
            "x-list/sort/fields/name: /name → /id",
        ),
        (
            "/paths/~1people/get/x-list/relations/boss/many",
            json!(true),
            Breaking,
            "GET /people",
            "x-list/relations/boss/many: false → true",
        ),
        (
            "/paths/~1people/get/x-list/relations/boss",
            Value::Null,
            Breaking,
            "GET /people",
            "x-list/relations/boss: is gone",
        ),
        // Meaning of members.
        (
            "/components/schemas/PersonCounts/properties/outside/x-count",
            json!({"operation": "listPeople", "filter": "filter[id]"}),
            Breaking,
            "PersonCounts/outside",
            "x-count/external: is gone (true)",
        ),
        (
            "/components/schemas/PersonState/x-state-time/ended/is",
            json!("future"),
            Breaking,
            "PersonState",
            "x-state-time/ended/is: past → future",
        ),
        // What is demanded of other servers.
        (
            "/x-open-points/L10/accepts/exact-case",
            Value::Null,
            Breaking,
            "open point L10",
            "accepts/exact-case: is gone (Case matters.)",
        ),
        (
            "/x-open-points/L10/accepts/none",
            json!("None."),
            Compatible,
            "open point L10",
            "accepts/none: is new (None.)",
        ),
        (
            "/x-rules/lists/says",
            json!("Other words."),
            Words,
            "rule lists",
            "says: has other words",
        ),
        // What no rule knows is breaking.
        (
            "/paths/~1people/get/x-unheard-of",
            json!(1),
            Breaking,
            "GET /people",
            "x-unheard-of: is new (1)",
        ),
        ("/openapi", json!("3.1.0"), Breaking, "openapi", "3.0.3 → 3.1.0"),
    ];
    for (at, to, effect, element, difference) in cases {
        let found = changes(at, &to);
        let is_found = found.iter().any(|change| {
            change.effect() == effect && change.element == element && change.difference == difference
        });
        assert!(
            is_found,
            "{at} = {to}\nexpected {effect}: {element}: {difference}\nfound {found:#?}"
        );
        let worst = found.iter().map(Change::effect).min();
        assert_eq!(worst, Some(effect), "{at} = {to}: {found:#?}");
    }
    assert_eq!(changes(&format!("{LIST}/summary"), &json!("Lists people")), []);
}

#[test]
fn a_parameter_may_move_to_the_components_and_to_another_place_in_the_list() {
    let (old, mut new) = (small(), small());
    let parameters = new
        .pointer_mut("/paths/~1people/get/parameters")
        .unwrap()
        .as_array_mut()
        .unwrap();
    let first = std::mem::replace(
        &mut parameters[0],
        json!({"$ref": "#/components/parameters/moved"}),
    );
    parameters.reverse();
    new["components"]["parameters"]["moved"] = first;
    let found = Document::of(old).unwrap().changes(&Document::of(new).unwrap());
    assert!(
        found.iter().all(|change| change.effect() != Effect::Breaking),
        "{found:#?}"
    );
}

/// The places of all values below a value that are no mapping and no list.
fn leaves(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                leaves(member, &format!("{at}/{}", key.replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                leaves(item, &format!("{at}/{index}"), found);
            }
        }
        _ => found.push(at.to_owned()),
    }
}

#[test]
fn no_difference_goes_unnoticed() {
    let mut places = Vec::new();
    leaves(&small(), "", &mut places);
    assert!(places.len() > 350, "{} places", places.len());
    let mut tried = 0;
    for at in places.iter().filter(|at| !at.ends_with("/$ref")) {
        let to = match small().pointer(at) {
            Some(Value::Bool(is)) => json!(!is),
            Some(Value::Number(number)) => json!(number.as_i64().unwrap() + 1),
            _ => json!("something else"),
        };
        assert!(!changes(at, &to).is_empty(), "{at}");
        tried += 1;
    }
    assert!(tried > 250);
}
