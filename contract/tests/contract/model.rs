//! What the model says of a document, and how it refuses one.

use rollcall_contract::{
    Contract, Counted, Document, Included, Join, Listing, Match, Method, Pointer, Position, Role, SortKey,
    Tense, Test, ValueKind,
};

use crate::{SMALL, small};

fn at(text: &str) -> Pointer {
    text.parse().unwrap()
}

#[test]
fn operations_come_in_document_order_with_their_answers() {
    let contract = small();
    let told: Vec<_> = contract
        .operations
        .iter()
        .map(|one| (one.id.as_str(), one.method, one.path.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("listPeople", Method::Get, "/people"),
            ("getPerson", Method::Get, "/people/{person}"),
            ("retirePerson", Method::Patch, "/people/{person}"),
        ]
    );
    let [list, get, retire] = contract.operations.as_slice() else {
        panic!("three operations")
    };
    assert_eq!(
        (
            list.answer.status,
            list.answer.schema.as_deref(),
            list.answer.many
        ),
        (200, Some("Person"), true)
    );
    assert_eq!(
        (get.answer.schema.as_deref(), get.answer.many),
        (Some("Person"), false)
    );
    assert!(get.origin.extension && get.list.is_none() && get.request_body.is_none());
    assert_eq!(
        get.path_parameters()
            .map(|one| one.name.as_str())
            .collect::<Vec<_>>(),
        ["person"]
    );
    assert_eq!(retire.request_body.as_deref(), Some("Retirement"));
    assert_eq!(retire.statuses, [200, 401, 403, 404, 415, 422]);
    assert_eq!(retire.scope.as_deref(), Some("people:write"));
    assert_eq!(retire.method.to_string(), "PATCH");
}

#[test]
fn a_list_knows_its_order_and_relations() {
    let contract = small();
    let list = contract.operation("listPeople").unwrap().list.as_ref().unwrap();
    assert_eq!(
        (list.record.as_str(), list.included),
        ("Person", Included::Records)
    );
    assert_eq!(
        list.default_sort
            .iter()
            .map(SortKey::to_string)
            .collect::<Vec<_>>(),
        ["id", "-created_at"]
    );
    assert_eq!(list.sort_field("created_at"), Some(&at("/timestamp/created_at")));
    let [boss, reports] = list.relations.as_slice() else {
        panic!("two relations")
    };
    assert_eq!(
        (boss.member.as_str(), boss.many, &boss.count, &boss.listed_by),
        ("boss", false, &None, &None)
    );
    assert_eq!(
        boss.join,
        Some(Join {
            ours: at("/boss_id"),
            theirs: at("/id")
        })
    );
    assert_eq!(reports.at, at("/included/direct_reports"));
    assert_eq!(reports.number_at, Some(at("/included/direct_reports_count")));
    assert_eq!(reports.existence_at, Some(at("/included/direct_reports_exists")));
    assert_eq!(
        (reports.count_name(), reports.exists_name()),
        ("direct-reports-count".into(), "direct-reports-exists".into())
    );
    assert_eq!(reports.count.as_deref(), Some("direct_reports"));
}

#[test]
fn a_filter_knows_what_it_looks_at_and_which_values_it_takes() {
    let contract = small();
    let list = contract.operation("listPeople").unwrap();
    let kinds: Vec<_> = list
        .filters()
        .map(|(parameter, filter)| (parameter.name.as_str(), filter.matching, filter.value.clone()))
        .collect();
    let text = || ValueKind::Text {
        max_length: Some(1024),
    };
    let words = |words: [&str; 3]| words.map(str::to_owned).to_vec();
    assert_eq!(
        kinds,
        [
            ("filter[id]", Match::Exact, text()),
            ("filter[boss_id]", Match::Exact, text()),
            ("filter[name_search]", Match::Contains, text()),
            (
                "filter[state]",
                Match::Exact,
                ValueKind::Word(words(["active", "ending", "ended"]))
            ),
            ("filter[level]", Match::Exact, ValueKind::Integer),
            ("filter[boss]", Match::Flag, ValueKind::Boolean),
            ("filter[idle]", Match::Flag, ValueKind::Boolean),
            ("filter[boss_name]", Match::Exact, text()),
            ("filter[created_before]", Match::Before, ValueKind::Timestamp),
            ("filter[ended_after]", Match::After, ValueKind::Timestamp),
            ("filter", Match::Contains, text()),
            (
                "filter[trashed]",
                Match::Trashed,
                ValueKind::Trashed(words(["with", "only", "without"]))
            ),
        ]
    );
    let idle = list.filter("filter[idle]").unwrap();
    assert!(idle.fields.is_empty());
    assert_eq!(idle.all[0].test, Test::Is("active".into()));
    assert_eq!(idle.all[1].test, Test::Present(true));
    let hidden = list.filter("filter[boss_name]").unwrap();
    assert!(!hidden.shown);
    assert_eq!(hidden.seen_in.as_ref().unwrap().at, at("/included/boss/name"));
    assert_eq!(list.filter("filter").unwrap().fields, [at("/id"), at("/name")]);
    assert_eq!(list.role(Role::Sort).unwrap().name, "sort");
    assert_eq!(list.parameters_in(Position::Query).count(), list.parameters.len());
}

#[test]
fn records_tell_their_counts_links_prefix_and_states() {
    let contract = small();
    let reports = Listing {
        operation: "listPeople".into(),
        filter: "filter[boss_id]".into(),
    };
    let counts = contract.counts("Person").unwrap();
    assert_eq!(counts[0].counted, Counted::Listing(reports));
    assert_eq!(
        (counts[1].member.as_str(), &counts[1].counted),
        ("outside", &Counted::External)
    );
    let links = contract.links("Person").unwrap();
    assert_eq!(
        (
            links[0].member.as_str(),
            links[0].operation.as_str(),
            &links[0].filter
        ),
        ("self", "getPerson", &None)
    );
    assert_eq!(links[1].filter.as_deref(), Some("filter[boss_id]"));
    assert_eq!(contract.id_prefix("Person"), Some("p_"));
    assert_eq!(contract.id_prefix("Retirement"), None);
    let either = Contract::parse(&SMALL.replace("^p_[", "^(p|q)_[")).unwrap();
    assert_eq!(either.id_prefix("Person"), None);
    let times = contract.state_times("Person").unwrap();
    assert_eq!(
        (times[0].state.as_str(), times[0].tense),
        ("ending", Tense::Future)
    );
    assert_eq!((times[1].state.as_str(), times[1].tense), ("ended", Tense::Past));
    assert_eq!(
        contract.made_of("Person").unwrap(),
        [(at("/name"), vec![at("/id")])]
    );
    assert_eq!(contract.records(), ["Person"]);
}

#[test]
fn members_are_found_through_references_and_all_of() {
    let contract = small();
    let found = |pointer: &str| contract.member_schema("Person", &at(pointer));
    assert_eq!(
        found("/timestamp/created_at").unwrap()["$ref"],
        "#/components/schemas/Time"
    );
    assert_eq!(found("/included/boss/name").unwrap()["type"], "string");
    assert_eq!(found("/included/bass"), None);
    assert_eq!(contract.member_schema("Nobody", &at("/id")), None);
}

#[test]
fn marks_are_found_wherever_they_stand() {
    let contract = small();
    let origin = |place: &str| {
        contract
            .marks
            .iter()
            .find(|mark| mark.at == at(place))
            .map(|mark| mark.origin.clone())
    };
    assert_eq!(origin("/info").unwrap().rules, ["versioned"]);
    assert_eq!(origin("/components/schemas/Mood").unwrap().source, ["§2.1"]);
    assert!(
        origin("/components/schemas/Person/properties/level")
            .unwrap()
            .extension
    );
    assert_eq!(
        origin("/paths/~1people/get/parameters/2").unwrap().open_points,
        ["L10"]
    );
    assert_eq!(origin(""), None);
}

/// Text of the small contract, what it becomes, and the place and words of the error.
const REFUSED: &[(&str, &str, &str, &str)] = &[
    ("  title: People", "  version: 1\n  title: People", "", "version"),
    (
        "operationId: getPerson",
        "operationID: getPerson",
        "/paths/~1people~1{person}/get",
        "`operationId` is missing",
    ),
    (
        "{field: /name, match: contains}",
        "{feild: /name, match: contains}",
        "/parameters/2/x-filter",
        "feild",
    ),
    (
        "{field: /name, match: contains}",
        "{field: name, match: contains}",
        "/parameters/2/x-filter",
        "no JSON pointer",
    ),
    (
        "{field: /name, match: contains}",
        "{field: /name, match: like}",
        "/parameters/2/x-filter",
        "like",
    ),
    (
        "{field: /name, match: contains}",
        "{match: contains}",
        "/parameters/2/x-filter",
        "any-of",
    ),
    (
        "{field: /state, is: active}",
        "{field: /state}",
        "/parameters/6/x-filter",
        "either `is` or `present`",
    ),
    ("x-role: sort", "x-role: order", "/parameters/13/x-role", "order"),
    ("in: path", "in: cookie", "/parameters/0/in", "cookie"),
    (
        "included: records",
        "includes: records",
        "/paths/~1people/get/x-list",
        "includes",
    ),
    (
        "count: direct_reports\n",
        "counts: direct_reports\n",
        "/paths/~1people/get/x-list",
        "counts",
    ),
    (
        "{type: array, items: {$ref: '#/components/schemas/Person'}}",
        "{$ref: '#/components/schemas/Person'}",
        "/paths/~1people/get",
        "array",
    ),
    ("\"401\": {$ref", "4XX: {$ref", "/responses/4XX", "as a number"),
    (
        "x-count: {external: true}",
        "x-count: {external: true, filter: a}",
        "/outside",
        "either",
    ),
    (
        "x-link: {operation: getPerson}",
        "x-link: {op: getPerson}",
        "/self/x-link",
        "op",
    ),
    (
        "is: future",
        "is: soon",
        "/components/schemas/PersonState/x-state-time",
        "soon",
    ),
    (
        "accepts: {any-order: Any order that is stable.}",
        "accepts: any-order",
        "/x-open-points",
        "expected a mapping",
    ),
    ("x-extension: true", "x-extension: maybe", "/x-extension", "maybe"),
    (
        "responses/OnePerson",
        "responses/NoPerson",
        "/responses/200",
        "leads nowhere",
    ),
    (
        "#/components/schemas/Mood",
        "other.yaml#/Mood",
        "/mood",
        "leads out of this file",
    ),
    (
        "Time: {type",
        "Time: {$ref: '#/components/schemas/Time', type",
        "/components/schemas/Time",
        "back to itself",
    ),
    (
        "Time: {type",
        "Time: {allOf: [{$ref: '#/components/schemas/Time'}], type",
        "/components/schemas/Time",
        "itself",
    ),
];

#[test]
fn a_document_that_is_no_contract_is_refused_with_the_place() {
    for (from, to, place, says) in REFUSED {
        assert!(SMALL.contains(from), "the fixture has no `{from}`");
        let error = Contract::parse(&SMALL.replacen(from, to, 1))
            .expect_err(to)
            .to_string();
        assert!(
            error.contains(place) && error.contains(says),
            "`{to}` gives: {error}"
        );
    }
}

#[test]
fn text_that_is_no_document_is_refused() {
    for text in ["", "a: [", "? [a]\n: b", "paths: 3"] {
        assert!(Contract::parse(text).is_err(), "{text}");
    }
    assert!(
        Document::read("/nowhere.yaml")
            .unwrap_err()
            .to_string()
            .contains("/nowhere.yaml")
    );
}

#[test]
fn document_order_is_kept() {
    let document = Document::parse("b: 1\na: 2\nc: 3").unwrap();
    assert_eq!(
        document.raw().as_object().unwrap().keys().collect::<Vec<_>>(),
        ["b", "a", "c"]
    );
}
