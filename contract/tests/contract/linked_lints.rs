//! The rules about related records at the top of an answer: a contract that keeps them, and each way to break them.

use rollcall_contract::{Contract, Document, lint};
use serde_json::{Value, json};

use crate::SMALL;

const LIST: &str = "/paths/~1people/get";
const BOSS: &str = "/components/schemas/Person/properties/references/properties/boss";
const REPORTS: &str = "/components/schemas/Person/properties/references/properties/direct_reports";

/// The small contract with related records at the top of its answer, to which records refer by `/id`.
fn linked() -> Value {
    let mut raw = Document::parse(SMALL).unwrap().raw().clone();
    raw["x-frame"] = json!({
        "related": {"records": "/related", "references": "/references/{member}", "by": ["/id"]},
        "number": null,
        "existence": null,
    });
    let list = raw.pointer_mut(LIST).unwrap();
    list["x-list"]["records"] = json!("/people");
    list["x-list"]["relations"]["boss"]["record"] = json!("PersonSummary");
    let body = &mut list["responses"]["200"]["content"]["application/json"]["schema"];
    let one = json!({"$ref": "#/components/schemas/PersonSummary"});
    *body = json!({"type": "object", "properties": {"people": body.take(), "related": {"type": "array", "items": one}}});
    let words = json!(["boss", "direct-reports"]);
    raw["components"]["schemas"]["PersonInclude"]["enum"] = words;
    let parameters = raw.pointer_mut(LIST).unwrap()["parameters"]
        .as_array_mut()
        .unwrap();
    parameters.retain(|one| one["name"] != "filter[boss_name]");
    let members = raw["components"]["schemas"]["Person"]["properties"]
        .as_object_mut()
        .unwrap();
    members.shift_remove("included");
    let reference = json!({"type": "object", "properties": {"id": {"type": "string"}}});
    members.insert(
        "references".to_owned(),
        json!({"type": "object", "properties": {
            "boss": reference,
            "direct_reports": {"type": "array", "items": reference},
        }}),
    );
    raw
}

/// What the rule says of the contract after a change: what stands at `at` is `to`; null takes it away.
fn findings(at: &str, to: &Value) -> Vec<(String, String)> {
    let mut raw = linked();
    let (parent, name) = at.rsplit_once('/').unwrap();
    let members = raw.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    match to {
        Value::Null => drop(members.shift_remove(name).unwrap()),
        to => drop(members.insert(name.to_owned(), to.clone())),
    }
    let contract = Contract::of(Document::of(raw).unwrap()).unwrap();
    let found = lint::soundness(&contract).into_iter();
    let found = found.filter(|one| one.rule == "frame-linked");
    found.map(|one| (one.at.to_string(), one.says)).collect()
}

#[test]
fn a_contract_with_linked_records_is_sound() {
    let contract = Contract::of(Document::of(linked()).unwrap()).unwrap();
    assert_eq!(lint::soundness(&contract), []);
}

#[test]
fn what_linked_records_need_is_asked_of_the_list_and_its_records() {
    let list = "/paths/~1people/get/x-list";
    let by = "/x-frame/related/by";
    for (at, to, place, says) in [
        (by, json!([]), by, "names at least one member"),
        (
            "/x-frame/related/records",
            json!("/found"),
            list,
            "no array /found",
        ),
        (
            "/x-frame/related/records",
            json!("/people/id"),
            list,
            "no array /people/id",
        ),
        (
            "/components/schemas/Person/properties/related",
            json!({"type": "string"}),
            list,
            "Person has a member /related",
        ),
        (
            "/paths/~1people/get/x-list/included",
            json!("names"),
            list,
            "is for related records that are in the record",
        ),
    ] {
        let found = findings(at, &to);
        let is_found = found
            .iter()
            .any(|(found, why)| found == place && why.contains(says));
        assert!(is_found, "{at} = {to}: {found:?}");
    }
}

#[test]
fn what_a_reference_needs_is_asked_of_its_relation() {
    let boss = "/paths/~1people/get/x-list/relations/boss";
    let reports = "/paths/~1people/get/x-list/relations/direct-reports";
    let lacks = "has no member /id, by which references are told";
    let many =
        json!({"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}});
    let without_id = json!({"type": "object", "properties": {"key": {"type": "string"}}});
    for (at, to, place, says) in [
        (
            BOSS,
            Value::Null,
            boss,
            "Person has no member /references/boss".to_owned(),
        ),
        (BOSS, many, boss, "/references/boss is an array".to_owned()),
        (
            BOSS,
            without_id.clone(),
            boss,
            format!("/references/boss {lacks}"),
        ),
        (
            REPORTS,
            json!({"type": "object", "properties": {"id": {"type": "string"}}}),
            reports,
            "/references/direct_reports is no array".to_owned(),
        ),
        (
            REPORTS,
            json!({"type": "array", "items": without_id}),
            reports,
            format!("/references/direct_reports {lacks}"),
        ),
        (
            "/components/schemas/PersonSummary/properties/id",
            Value::Null,
            boss,
            format!("PersonSummary {lacks}"),
        ),
        (
            "/paths/~1people/get/x-list/relations/boss/record",
            Value::Null,
            boss,
            format!("the relation without `record` {lacks}"),
        ),
        (
            "/paths/~1people/get/x-list/relations/boss/record",
            json!("Nobody"),
            boss,
            format!("Nobody {lacks}"),
        ),
    ] {
        let found = findings(at, &to);
        assert!(
            found.contains(&(place.to_owned(), says.clone())),
            "{at} = {to}: {says}: {found:?}"
        );
    }
}
