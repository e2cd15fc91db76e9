//! What a frame says of a record and of its members, for the usual frame and for that of JSON:API.

use rollcall_contract::{Contract, Document, Frame, Pointer};
use serde_json::{Value, json};

use crate::{SMALL, small};

fn usual() -> Frame {
    Frame::default()
}

/// Members, references and numbers in objects of their own; related records at the top of the answer.
fn json_api() -> Frame {
    let frame = json!({
        "members": "/attributes/{member}",
        "related": {"records": "/included", "references": "/relationships/{member}/data", "by": ["/type", "/id"]},
        "number": "/relationships/{member}/meta/count",
        "existence": null,
        "count": null,
        "links": "/links/{member}",
        "timestamps": null,
        "state": "/attributes/state",
    });
    serde_json::from_value(frame).unwrap()
}

fn texts<'p>(places: impl Iterator<Item = &'p Pointer>) -> Vec<String> {
    places.map(Pointer::to_string).collect()
}

#[test]
fn a_record_shows_its_state_where_the_frame_says() {
    let record = json!({"state": "active", "attributes": {"state": "expired"}});
    assert_eq!(usual().state_of(&record), Some("active"));
    assert_eq!(json_api().state_of(&record), Some("expired"));
    assert_eq!(usual().state_of(&json!({"state": 1})), None);
}

#[test]
fn relations_are_held_by_the_objects_of_related_records_and_of_references() {
    for (frame, holding) in [
        (usual(), ["included", "included"]),
        (json_api(), ["included", "relationships"]),
    ] {
        for member in ["id", "included", "relationships", "attributes", "links", ""] {
            assert_eq!(
                frame.holds_relations(member),
                holding.contains(&member),
                "{member}"
            );
        }
    }
}

#[test]
fn some_parts_follow_from_other_records_and_some_from_the_life_of_the_record() {
    assert_eq!(texts(usual().derived()), ["/included", "/count", "/links"]);
    assert_eq!(texts(json_api().derived()), ["/included", "/links"]);
    assert_eq!(texts(usual().of_life()), ["/state", "/timestamp"]);
    assert_eq!(texts(json_api().of_life()), ["/attributes/state"]);
    for (place, is_of_life) in [
        ("/state", true),
        ("/timestamp", true),
        ("/timestamp/created_at", true),
        ("/count/state", false),
        ("", false),
    ] {
        assert_eq!(usual().is_of_life(&place.parse().unwrap()), is_of_life, "{place}");
    }
}

#[test]
fn the_members_of_a_template_are_in_its_holder_or_below_it() {
    let frame = json_api();
    let [members, number] = [frame.members.unwrap(), frame.number.unwrap()];
    assert_eq!(
        (members.holder().to_string(), members.is_direct()),
        ("/attributes".to_owned(), true)
    );
    assert_eq!(
        (number.holder().to_string(), number.is_direct()),
        ("/relationships".to_owned(), false)
    );
    assert_eq!(number.at("boss").to_string(), "/relationships/boss/meta/count");
}

#[test]
fn a_relation_has_the_schema_that_is_written_at_its_place_or_that_of_the_records_at_the_top() {
    let contract = small();
    let (_, list) = contract.lists().next().unwrap();
    let [boss, reports] = list.relations.as_slice() else {
        panic!("two relations")
    };
    let written = |relation| contract.relation_schema(list, relation).unwrap();
    assert_eq!(
        &written(boss),
        contract.member_schema("Person", &boss.at).unwrap()
    );
    assert_ne!(written(boss), Value::Null);
    assert_eq!(
        &written(reports),
        contract.member_schema("Person", &reports.at).unwrap()
    );

    let mut linked = small();
    linked.frame.related = json_api().related;
    let one = json!({"$ref": "#/components/schemas/PersonSummary"});
    assert_eq!(linked.relation_schema(list, boss), Some(one.clone()));
    assert_eq!(
        linked.relation_schema(list, reports),
        Some(json!({"type": "array", "items": one}))
    );
}

#[test]
fn a_document_is_printed_as_json_and_as_yaml_that_say_the_same() {
    let document = Document::parse(SMALL).unwrap();
    let json: Value = serde_json::from_str(&document.to_json().unwrap()).unwrap();
    assert_eq!(&json, document.raw());
    assert_eq!(
        Document::parse(&document.to_yaml().unwrap()).unwrap().raw(),
        document.raw()
    );
}

#[test]
fn each_operation_that_is_no_part_of_a_contract_is_named() {
    let mut raw = Document::parse(SMALL).unwrap().raw().clone();
    assert!(Contract::refusals(&Document::of(raw.clone()).unwrap()).is_empty());
    for path in ["/paths/~1people/get", "/paths/~1people~1{person}/get"] {
        raw.pointer_mut(path).unwrap()["x-source"] = json!(7);
    }
    let refusals = Contract::refusals(&Document::of(raw.clone()).unwrap());
    assert_eq!(refusals.len(), 2, "{refusals:?}");
    raw["x-frame"] = json!(7);
    assert_eq!(Contract::refusals(&Document::of(raw).unwrap()).len(), 1);
}

#[test]
fn a_count_or_link_is_where_the_template_goes_on_below_the_name_of_its_member() {
    let mut raw = Document::parse(SMALL).unwrap().raw().clone();
    raw["x-frame"] = json!({"count": "/count/n_{member}/number", "links": "/links/{member}/href"});
    let schemas = &mut raw["components"]["schemas"];
    let around = |name: &str, schema: Value| json!({"type": "object", "properties": {name: schema}});
    for (holder, key, prefix) in [("PersonCounts", "number", "n_"), ("PersonLinks", "href", "")] {
        let members = schemas[holder]["properties"].as_object_mut().unwrap();
        let wrapped = members
            .iter()
            .map(|(name, one)| (format!("{prefix}{name}"), around(key, one.clone())));
        let mut wrapped: Value = wrapped.collect();
        wrapped["other"] = json!({"type": "integer"});
        schemas[holder]["properties"] = wrapped;
    }
    let contract = Contract::of(Document::of(raw).unwrap()).unwrap();
    let counts = contract.counts("Person").unwrap();
    let counts: Vec<_> = counts
        .iter()
        .map(|one| (one.member.as_str(), one.at.to_string()))
        .collect();
    assert_eq!(
        counts,
        [
            ("direct_reports", "/count/n_direct_reports/number".to_owned()),
            ("outside", "/count/n_outside/number".to_owned()),
        ]
    );
    let links = contract.links("Person").unwrap();
    let links: Vec<_> = links.iter().map(|one| one.member.as_str()).collect();
    assert_eq!(links, ["self", "direct_reports"]);
}
