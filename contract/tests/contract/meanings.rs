//! What filters, relations and origins mean, as sentences for readers.

use rollcall_contract::lint::specification::SILENT;
use rollcall_contract::{Condition, Contract, Document, Origin, Pointer, Relation, Test};
use serde_json::{Value, json};

use crate::{SMALL, small};

#[test]
fn a_filter_says_which_records_it_finds() {
    let contract = small();
    let list = contract.operation("listPeople").unwrap();
    for (name, meaning) in [
        ("filter[id]", "/id equals the value"),
        ("filter[name_search]", "/name contains the value"),
        (
            "filter[created_before]",
            "/timestamp/created_at is before the value",
        ),
        ("filter[ended_after]", "/timestamp/ended_at is after the value"),
        ("filter[boss]", "/is_boss is true or false, like the value"),
        (
            "filter[idle]",
            "true: /state is active and /timestamp/ended_at is set; false: all other records",
        ),
        ("filter", "one of /id, /name contains the value"),
        (
            "filter[boss_name]",
            "/boss_name equals the value (shown at /included/boss/name with include=boss)",
        ),
        (
            "filter[trashed]",
            "with, only or without records that have /timestamp/ended_at",
        ),
    ] {
        assert_eq!(list.filter(name).unwrap().meaning(), meaning, "{name}");
    }
    let mut hidden = list.filter("filter[boss_name]").unwrap().clone();
    hidden.seen_in = None;
    assert_eq!(
        hidden.meaning(),
        "/boss_name equals the value (no record shows it)"
    );
}

#[test]
fn a_condition_says_what_has_to_be_so() {
    for (test, words) in [
        (Test::Is(json!("active")), "/a is active"),
        (Test::Is(json!(3)), "/a is 3"),
        (Test::Is(json!(true)), "/a is true"),
        (Test::Present(true), "/a is set"),
        (Test::Present(false), "/a is null"),
    ] {
        let field = Pointer::of(["a"]);
        assert_eq!(Condition { field, test }.to_string(), words);
    }
}

#[test]
fn a_relation_says_what_it_loads() {
    let contract = small();
    let (_, list) = contract.lists().next().unwrap();
    let meaning = |name: &str, change: fn(&mut Relation)| {
        let mut relation = list.relation(name).unwrap().clone();
        change(&mut relation);
        relation.meaning()
    };
    assert_eq!(
        meaning("boss", |_| {}),
        "one PersonSummary at /included/boss; /boss_id of the record equals /id of the related record"
    );
    assert_eq!(
        meaning("direct-reports", |_| {}),
        "many PersonSummary at /included/direct_reports; /id of the record equals /boss_id of the related record; \
         /count/direct_reports is their number; listed by listPeople with filter[boss_id]"
    );
    assert_eq!(
        meaning("direct-reports", |relation| {
            relation.record = None;
            relation.join = None;
            relation.count_at = None;
            relation.listed_by = None;
        }),
        "many, named in /included"
    );
    assert_eq!(list.relation("bosses"), None);
}

#[test]
fn an_origin_says_where_an_element_comes_from() {
    let words = |sources: &[&str], extension: bool, points: &[&str]| {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let origin = Origin {
            source: owned(sources),
            extension,
            open_points: owned(points),
            rules: Vec::new(),
        };
        origin.in_words().unwrap_or_default()
    };
    let [silent, other] = SILENT;
    for (sources, extension, points, expected) in [
        (&[] as &[&str], false, &[] as &[&str], String::new()),
        (&["§4.1"], false, &[], "Specified in §4.1.".to_owned()),
        (
            &["§4.1", "§2"],
            false,
            &["L10"],
            "Specified in §4.1, §2; ruling L10.".to_owned(),
        ),
        (
            &["§4.1"],
            false,
            &["L10", "L11"],
            "Specified in §4.1; rulings L10, L11.".to_owned(),
        ),
        (&[silent], false, &[], format!("Left open in {silent}.")),
        (
            &[silent, other],
            false,
            &[],
            format!("Left open in {silent}, {other}."),
        ),
        (&[silent, "§2"], false, &[], format!("Specified in {silent}, §2.")),
        (&[], true, &[], "Extension.".to_owned()),
        (&["§2"], true, &["R1"], "Extension for §2; ruling R1.".to_owned()),
        (&[silent], true, &[], format!("Extension for {silent}.")),
        (&[], false, &["R1"], "Ruling R1.".to_owned()),
        (&[], false, &["R1", "R2"], "Rulings R1, R2.".to_owned()),
    ] {
        assert_eq!(words(sources, extension, points), expected);
    }
}

#[test]
fn an_object_has_the_members_of_all_its_parts_once() {
    let mut raw = Document::parse(SMALL).unwrap().raw().clone();
    let part = |names: &[&str]| -> Value {
        let members: Value = names
            .iter()
            .map(|name| ((*name).to_owned(), json!({"type": "string"})))
            .collect();
        json!({"properties": members})
    };
    let mut parts = part(&["c", "a", "d"]);
    parts["allOf"] = json!([part(&["a", "b"]), part(&["b", "c"])]);
    raw["components"]["schemas"]["Parts"] = parts;
    raw["components"]["schemas"]["Perhaps"] =
        json!({"anyOf": [{"$ref": "#/components/schemas/Parts"}, {"type": "null"}]});
    raw["components"]["schemas"]["Holder"] =
        json!({"properties": {"parts": {"$ref": "#/components/schemas/Perhaps"}}});
    let contract = Contract::of(Document::of(raw).unwrap()).unwrap();
    let names = |record: &str, at: &str| contract.member_names(record, &at.parse().unwrap());
    for (record, at) in [("Parts", ""), ("Perhaps", ""), ("Holder", "/parts")] {
        assert_eq!(names(record, at), ["a", "b", "c", "d"], "{record}");
    }
    assert!(names("Holder", "/other").is_empty());
    assert_eq!(
        contract.member_names("PersonSummary", &Pointer::root()),
        ["id", "name", "boss_id"]
    );
}
