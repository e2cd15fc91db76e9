//! Each rule of the lint is broken once and found; the small contract, unbroken, is sound.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rollcall_contract::{Contract, Document, lint};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::SMALL;

/// The small contract, made to cite every clause and open point there is.
pub(crate) fn whole() -> Value {
    static WHOLE: LazyLock<Value> = LazyLock::new(|| {
        let mut raw = Document::parse(SMALL).unwrap().raw().clone();
        let points: Vec<String> = lint::specification::open_points().collect();
        raw["info"]["x-source"] = json!(lint::specification::CLAUSES);
        raw["info"]["x-open-point"] = json!(points);
        let settled = json!({"says": "Settled.", "accepts": {"any": "Anything."}});
        raw["x-open-points"] = points.iter().map(|id| (id.clone(), settled.clone())).collect();
        raw
    });
    WHOLE.clone()
}

/// Puts `value` at `at`, whose parent exists; null takes away what stands there.
pub(crate) fn put(raw: &mut Value, at: &str, value: &Value) {
    let (parent, name) = at.rsplit_once('/').unwrap();
    let parent = raw
        .pointer_mut(parent)
        .unwrap_or_else(|| panic!("the fixture has no {parent}"));
    match (parent, value) {
        (Value::Object(members), Value::Null) => drop(members.shift_remove(name).expect(at)),
        (Value::Object(members), value) => drop(members.insert(name.replace("~1", "/"), value.clone())),
        (Value::Array(items), Value::Null) => drop(items.remove(name.parse().unwrap())),
        (Value::Array(items), value) => items[name.parse::<usize>().unwrap()] = value.clone(),
        _ => panic!("{at} is in no mapping and no list"),
    }
}

/// What the lint says of the whole small contract after a change.
fn findings(at: &str, value: &Value) -> Vec<lint::Finding> {
    let mut raw = whole();
    put(&mut raw, at, value);
    lint::lint(&Contract::of(Document::of(raw).unwrap()).unwrap())
}

/// A change to the small contract that a rule has to find.
#[derive(Deserialize)]
struct Fault {
    at: String,
    to: Value,
}

/// The changes, by the rule that has to find them.
fn broken() -> BTreeMap<String, Vec<Fault>> {
    yaml_serde::from_str(include_str!("../fixtures/broken.yaml")).unwrap()
}

#[test]
fn the_unbroken_contract_is_sound() {
    assert_eq!(findings("/info/title", &json!("Unbroken")), []);
}

#[test]
fn what_is_broken_is_found_by_its_rule() {
    for (rule, faults) in broken() {
        for Fault { at, to } in faults {
            let found = findings(&at, &to);
            assert!(
                found.iter().any(|one| one.rule == rule),
                "{rule} overlooks {at} = {to}: {found:#?}"
            );
        }
    }
}

#[test]
fn every_rule_is_broken_by_a_test_and_says_something() {
    let broken = broken();
    for rule in lint::rules() {
        assert!(broken.contains_key(rule.id), "nothing breaks {}", rule.id);
        assert!(rule.says.ends_with('.'), "{rule:?}");
        assert_eq!(format!("{rule:?}"), format!("{}: {}", rule.id, rule.says));
    }
    assert_eq!(
        broken.len(),
        lint::rules().count(),
        "a fault is meant for a rule that does not exist"
    );
}

#[test]
fn a_finding_prints_its_rule_and_place() {
    let found = findings("/components/schemas/Needle/x-source", &Value::Null);
    assert!(
        found[0]
            .to_string()
            .starts_with("origin-stated: at /components/schemas/Needle: "),
        "{}",
        found[0]
    );
}

#[test]
fn a_rule_of_the_house_is_not_asked_of_another_contract() {
    let mut raw = whole();
    put(&mut raw, "/components/schemas/Needle/x-source", &Value::Null);
    let contract = Contract::of(Document::of(raw).unwrap()).unwrap();
    assert!(!lint::lint(&contract).is_empty());
    assert_eq!(lint::soundness(&contract), []);
}
