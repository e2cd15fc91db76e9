//! What is suggested for a whole document of another API, and what becomes of the document with it.

use rollcall_contract::suggest::{Suggestions, suggest};
use rollcall_contract::{Contract, Document, Pointer, lint};
use serde_json::{Value, json};

use crate::suggesting::{agrees, outcome_at};

const TICKETS: &str = include_str!("../fixtures/tickets.yaml");

fn tickets() -> Document {
    Document::parse(TICKETS).unwrap()
}

/// Holds the suggestions for the parameters of an operation against a table with a name and an outcome in each line.
fn suggests(operation: &str, table: &str) {
    let (document, found) = (tickets(), suggest(&tickets()));
    let at: Pointer = format!("{operation}/parameters").parse().unwrap();
    let parameters = at.find(document.raw()).unwrap().as_array().unwrap();
    let lines: Vec<_> = table.lines().map(str::trim).collect();
    assert_eq!(lines.len(), parameters.len());
    for (number, line) in lines.iter().enumerate() {
        let (name, expected) = line.split_once(" => ").unwrap();
        assert_eq!(parameters[number]["name"], name.trim());
        agrees(
            &outcome_at(&found, &at.child(&number.to_string())),
            expected,
            name,
        );
    }
}

#[test]
fn each_parameter_of_a_list_is_suggested_or_has_a_reason() {
    suggests(
        "/paths/~1tickets/get",
        r#"cursor           => role cursor
           limit            => role page-size
           with_count       => role page-total
           sort_by          => role sort
           include          => role include
           q                => contains /subject /body_text
           status           => exact /status
           filter[priority] => exact /priority
           requester[email] => exact /requester/email
           assignee         => exact /assignee_id
           escalated        => flag /is_escalated
           created_gte      => after /created_at
           updatedAt[lt]    => before /updated_at
           subject_contains => contains /subject
           archived         => trashed /archived_at, words {"with":"all","only":"only","without":"none"}
           filter[channel]  => exact /channel, not shown
           tags             => unclear: several values
           priority_gte     => unclear: a bound of /priority
           status_not       => unclear: no filter that matches /status
           fields           => unclear: what an answer shows
           colour           => unclear: no member that is called so"#,
    );
    suggests(
        "/paths/~1users/get",
        "page    => role page
         perPage => role page-size
         name    => contains /name
         since   => after /joined_at
         order   => role sort
         offset  => unclear: counts the records to skip",
    );
}

#[test]
fn each_list_has_its_records_order_relations_and_next_cursor() {
    let found = suggest(&tickets());
    let lists: Vec<_> = found
        .made
        .iter()
        .filter(|one| one.annotation == "x-list")
        .collect();
    let places: Vec<_> = lists.iter().map(|one| one.at.to_string()).collect();
    assert_eq!(places, ["/paths/~1tickets/get", "/paths/~1users/get"]);
    assert_eq!(
        lists[0].value,
        json!({
            "records": "/tickets",
            "next": "/meta/next_cursor",
            "sort": {"default": ["-created"], "fields": {"created": "/created_at", "priority": "/priority"}},
            "relations": {
                "requester": {"many": false, "record": "User", "join": {"ours": "/requester_id", "theirs": "/id"}},
                "comments": {
                    "many": true,
                    "record": "Comment",
                    "join": {"ours": "/id", "theirs": "/ticket_id"},
                    "count": "comments",
                },
            },
        })
    );
    assert_eq!(lists[1].value, json!({"sort": {"fields": {"name": "/name"}}}));
    for (list, reasons) in [
        (
            lists[0],
            [
                "`tickets` is called as the path",
                "`next` from the parameter `cursor`",
                "`sort` from the parameter `sort_by`",
                "`relations` from the parameter `include`",
            ]
            .as_slice(),
        ),
        (
            lists[1],
            ["the answer is an array", "`sort` from the parameter `order`"].as_slice(),
        ),
    ] {
        for reason in reasons {
            assert!(list.why.contains(reason), "{}", list.why);
        }
    }
}

/// The document with what is suggested for it.
fn annotated(document: &Document, found: &Suggestions) -> Document {
    let mut raw = document.raw().clone();
    for one in &found.made {
        one.at.find_mut(&mut raw).unwrap()[one.annotation] = one.value.clone();
    }
    Document::of(raw).unwrap()
}

#[test]
fn nothing_more_is_suggested_for_a_document_with_its_suggestions() {
    let document = tickets();
    let found = suggest(&document);
    let again = suggest(&annotated(&document, &found));
    assert_eq!(again.made, []);
    assert_eq!(again.unclear, found.unclear);
}

#[test]
fn a_document_with_its_suggestions_is_a_contract_that_only_lacks_what_was_unclear() {
    let document = tickets();
    let found = suggest(&document);
    let mut raw = annotated(&document, &found).raw().clone();
    // `include` and `sort` take several words, separated by commas; a person adds that.
    for (list, name) in [
        ("/tickets", "include"),
        ("/tickets", "sort_by"),
        ("/users", "order"),
    ] {
        let parameters = raw["paths"][list]["get"]["parameters"].as_array_mut().unwrap();
        let parameter = parameters.iter_mut().find(|one| one["name"] == name).unwrap();
        parameter["explode"] = json!(false);
        if parameter["schema"]["type"] != "array" {
            let items = parameter["schema"].take();
            parameter["schema"] = json!({"type": "array", "items": items});
        }
    }
    let unclear: Vec<_> = found.unclear.iter().map(|one| one.at.to_string()).collect();
    let contract = Contract::of(Document::of(raw).unwrap()).unwrap();
    for finding in lint::soundness(&contract) {
        let is_known = finding.rule == "list-parameters" && unclear.contains(&finding.at.to_string());
        assert!(is_known, "{finding}");
    }
    let (operation, list) = contract.lists().next().unwrap();
    assert_eq!(list.relations.len(), 2);
    assert_eq!(operation.filters().count(), 11);
}

#[test]
fn a_part_that_the_document_does_not_tell_is_not_suggested() {
    // Each change takes away what a suggestion rests on.
    for (at, to, parameter, reason) in [
        (
            "/components/schemas/Ticket/properties/archived_at",
            Value::Null,
            14,
            "soft deletion",
        ),
        (
            "/components/schemas/Ticket/properties/subject",
            Value::Null,
            13,
            "no member",
        ),
        (
            "/components/schemas/Ticket/properties/is_escalated",
            Value::Null,
            10,
            "no member",
        ),
        (
            "/components/schemas/Ticket/properties/created_at/format",
            json!("date"),
            11,
            "a bound of /created_at",
        ),
        (
            "/components/schemas/Ticket/properties/included",
            Value::Null,
            4,
            "related records",
        ),
        (
            "/components/schemas/Ticket/properties/priority",
            Value::Null,
            3,
            "`priority` is no member",
        ),
        (
            "/components/schemas/Include/enum",
            json!(["requester", "comments"]),
            4,
            "related records",
        ),
        (
            "/components/schemas/Status/enum",
            json!(["new", "lost"]),
            6,
            "exact /status",
        ),
    ] {
        let mut raw = tickets().raw().clone();
        let (parent, name) = at.rsplit_once('/').unwrap();
        let members = raw.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        match &to {
            Value::Null => drop(members.shift_remove(name).unwrap()),
            to => drop(members.insert(name.to_owned(), to.clone())),
        }
        let found = suggest(&Document::of(raw).unwrap());
        let place = format!("/paths/~1tickets/get/parameters/{parameter}")
            .parse()
            .unwrap();
        match outcome_at(&found, &place) {
            Ok(suggested) => assert_eq!(suggested, reason, "{at}"),
            Err(why) => assert!(why.contains(reason), "{at}: {why}"),
        }
    }
}
