//! Lists over HTTP: links, pages, includes, and that every link of every record resolves (R2, L1–L4).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::{Running, TOKEN, link};

/// Every list of the contract.
fn lists() -> impl Iterator<Item = &'static str> {
    rollcall::operations::ALL
        .iter()
        .filter(|one| one.id.starts_with("list"))
        .map(|one| one.path)
}

#[tokio::test]
async fn every_list_answers_a_bare_array_of_at_most_fifty() {
    let server = Running::start().await;
    for path in lists() {
        let answer = server.get(path, &[]).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        assert_eq!(answer.header("content-type"), "application/json");
        let count = answer.ids().len();
        assert!((1..=50).contains(&count), "{path} has {count} records");
        assert_eq!(
            link(&answer, "next").is_some(),
            server.all(path, &[]).await.len() > 50,
            "{path}"
        );
    }
}

#[tokio::test]
async fn every_record_validates_against_the_contract() {
    let contract = rollcall_contract::Contract::parse(rollcall::CONTRACT).unwrap();
    let server = Running::start().await;
    for (operation, list) in contract.lists() {
        let schema = contract
            .document()
            .json_schema(&list.record, rollcall_contract::Form::Strict)
            .unwrap();
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .build(&schema)
            .unwrap();
        let relations: Vec<_> = list
            .relations
            .iter()
            .flat_map(|one| [one.name.clone(), one.count_name(), one.exists_name()])
            .collect();
        let include = relations.join(",");
        let mut query = vec![("page[size]", "200")];
        // A list without relations does not know the parameter.
        query.extend((!relations.is_empty()).then_some(("include", include.as_str())));
        for record in server.all(&operation.path, &query).await {
            if let Some(error) = validator.iter_errors(&record).next() {
                panic!("{}: {error} at {}", operation.path, error.instance_path());
            }
        }
    }
}

#[tokio::test]
async fn every_link_of_every_kind_of_record_resolves() {
    let server = Running::start().await;
    let client = reqwest::Client::new();
    let mut followed = BTreeSet::new();
    for path in lists() {
        // Trashed records have links too.
        let trashed = server.get(path, &[("filter[trashed]", "only")]).await;
        let trashed = if trashed.status == 200 {
            trashed.json()
        } else {
            Value::Array(vec![])
        };
        let records = server.get(path, &[("page[size]", "3")]).await.json();
        for record in records
            .as_array()
            .unwrap()
            .iter()
            .chain(trashed.as_array().unwrap().iter().take(2))
        {
            for (name, address) in record["links"].as_object().unwrap() {
                let address = address.as_str().unwrap();
                let answer = client.get(address).bearer_auth(TOKEN).send().await.unwrap();
                assert!(
                    answer.status().is_success(),
                    "{path}: {name} is {address}: {}",
                    answer.text().await.unwrap()
                );
                if name == "self" {
                    let own: Value = answer.json().await.unwrap();
                    assert_eq!(own["id"], record["id"]);
                }
                followed.insert(format!("{path} {name}"));
            }
        }
    }
    assert!(followed.len() > 60, "{followed:?}");
}

#[tokio::test]
async fn counts_equal_the_lists_their_annotation_names() {
    use rollcall_contract::{Contract, Counted};
    let contract = Contract::parse(rollcall::CONTRACT).unwrap();
    let server = Running::start().await;
    let mut compared = 0;
    let mut nonzero = BTreeSet::new();
    for (operation, list) in contract.lists() {
        let records = server.get(&operation.path, &[("page[size]", "12")]).await.json();
        for record in records.as_array().unwrap() {
            for count in contract.counts(&list.record).unwrap() {
                let Counted::Listing(listing) = count.counted else {
                    continue;
                };
                let shown = record["count"][&count.member].as_u64().unwrap();
                let path = &contract.operation(&listing.operation).unwrap().path;
                let query = [
                    (listing.filter.as_str(), record["id"].as_str().unwrap()),
                    ("page[total]", "true"),
                    ("page[size]", "1"),
                ];
                let listed = server.get(path, &query).await;
                assert_eq!(
                    listed.header("x-total-count"),
                    shown.to_string(),
                    "{} of {}",
                    count.member,
                    record["id"]
                );
                compared += 1;
                if shown > 0 {
                    nonzero.insert(format!("{} {}", list.record, count.member));
                }
            }
        }
    }
    assert!(
        compared > 500 && nonzero.len() > 25,
        "{compared} compared, not zero: {nonzero:?}"
    );
}

#[tokio::test]
async fn pages_by_number_and_by_cursor_are_the_same_pages() {
    let server = Running::start().await;
    let query = [
        ("sort", "-badge_id,last_name"),
        ("filter[trashed]", "with"),
        ("page[size]", "37"),
    ];
    let mut answer = server.get("/directory/users", &query).await;
    let mut number = 1;
    loop {
        let page = number.to_string();
        let numbered = server
            .get("/directory/users", &[&query[..], &[("page", &page)]].concat())
            .await;
        assert_eq!(numbered.ids(), answer.ids(), "page {number}");
        let Some(next) = link(&answer, "next") else { break };
        let address = next.strip_prefix(&server.base).unwrap().to_owned();
        answer = server.raw(&address).await;
        number += 1;
    }
    assert!(number > 6);
    // And back again by `prev`.
    let mut back = 1;
    while let Some(previous) = link(&answer, "prev") {
        answer = server.raw(previous.strip_prefix(&server.base).unwrap()).await;
        back += 1;
    }
    assert_eq!(back, number);
    assert_eq!(answer.ids(), server.get("/directory/users", &query).await.ids());
}

#[tokio::test]
async fn the_total_and_the_last_page_are_given_when_asked_for() {
    let server = Running::start().await;
    let plain = server.get("/directory/users", &[]).await;
    assert_eq!((plain.header("x-total-count"), link(&plain, "last")), ("", None));
    let answer = server
        .get(
            "/directory/users",
            &[("page[total]", "true"), ("filter[state]", "active")],
        )
        .await;
    let total: usize = answer.header("x-total-count").parse().unwrap();
    assert_eq!(
        total,
        server
            .all("/directory/users", &[("filter[state]", "active")])
            .await
            .len()
    );
    let last = server
        .raw(link(&answer, "last").unwrap().strip_prefix(&server.base).unwrap())
        .await;
    assert_eq!(last.ids().len(), (total - 1) % 50 + 1);
    let beyond = server.get("/directory/users", &[("page", "1000")]).await;
    assert_eq!((beyond.status.as_u16(), beyond.text.as_str()), (200, "[]"));
}

#[tokio::test]
async fn both_spellings_of_brackets_are_one_parameter() {
    let server = Running::start().await;
    let raw = server.raw("/directory/users?filter[manager]=true").await;
    let encoded = server.raw("/directory/users?filter%5Bmanager%5D=true").await;
    assert_eq!(raw.ids(), encoded.ids());
    assert!(!raw.ids().is_empty());
}

#[tokio::test]
async fn included_is_present_only_where_asked_for() {
    let server = Running::start().await;
    let plain = server.get("/directory/users", &[]).await.json();
    assert!(
        plain
            .as_array()
            .unwrap()
            .iter()
            .all(|user| user["included"] == serde_json::json!({}))
    );
    let asked = server
        .get(
            "/directory/users",
            &[(
                "include",
                "manager-user,secondary-users-count,policy-rulesets-exists",
            )],
        )
        .await;
    for user in asked.json().as_array().unwrap() {
        let names: Vec<_> = user["included"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(
            names,
            ["manager_user", "secondary_users_count", "policy_rulesets_exists"]
        );
        assert_eq!(
            user["included"]["manager_user"]["id"], user["manager_id"],
            "null is shown for no manager"
        );
        assert_eq!(
            user["included"]["secondary_users_count"],
            user["count"]["secondary_users"]
        );
    }
    let names = server
        .get(
            "/workspace/users",
            &[("include", "workspace-roles,directory-user")],
        )
        .await
        .json();
    assert_eq!(
        names[0]["included"],
        serde_json::json!(["directory_user", "workspace_roles"])
    );
}

#[tokio::test]
async fn a_trashed_word_that_is_none_is_as_without() {
    let server = Running::start().await;
    let default = server.all("/directory/users", &[]).await;
    for word in ["without", "", "WITH", "maybe"] {
        assert_eq!(
            server.all("/directory/users", &[("filter[trashed]", word)]).await,
            default,
            "{word:?}"
        );
    }
    let only = server
        .all("/directory/users", &[("filter[trashed]", "only")])
        .await;
    let with = server
        .all("/directory/users", &[("filter[trashed]", "with")])
        .await;
    assert!(!only.is_empty() && only.iter().all(|user| !user["timestamp"]["deleted_at"].is_null()));
    assert_eq!(with.len(), only.len() + default.len());
}

#[tokio::test]
async fn what_the_search_index_understands_as_a_language_is_text_here() {
    use rollcall_contract::{Contract, Match};
    let contract = Contract::parse(rollcall::CONTRACT).unwrap();
    let server = Running::start().await;
    let mut asked = 0;
    for (operation, _) in contract.lists() {
        let searches = operation
            .filters()
            .filter(|(_, filter)| filter.matching == Match::Contains);
        for (parameter, _) in searches {
            for needle in [
                "\0abc",
                "abc\0def",
                "\u{1f}abc",
                "a\u{1f}b",
                "ab\"c",
                "\"\"\"",
                "abc OR def",
                "NEAR(abc def)",
                "{id}: abc",
                "^abc",
                "abc*",
                "-abc",
                "abc + def",
                "(((",
            ] {
                for sort in ["id", "-created_at"] {
                    let query = [(&*parameter.name, needle), ("sort", sort)];
                    let answer = server.get(&operation.path, &query).await;
                    assert_eq!(answer.status, 200, "{} {query:?}", operation.path);
                    asked += 1;
                }
            }
        }
    }
    assert!(asked > 100, "{asked}");
}

#[tokio::test]
async fn a_numbered_page_is_right_after_a_change_of_the_order() {
    let server = Running::start().await;
    let path = "/directory/attributes";
    let all = [("sort", "-updated_at"), ("page[size]", "200")];
    for _ in 0..4 {
        let shown = server.get(path, &all).await.ids();
        // Twice by each reader: the second time it knows where the page begins.
        for page in [3, 2, 5, 3, 2, 5] {
            let number = page.to_string();
            let query = [("sort", "-updated_at"), ("page[size]", "7"), ("page", &number)];
            let start = (page - 1) * 7;
            assert_eq!(
                server.get(path, &query).await.ids(),
                shown[start..start + 7],
                "page {page}"
            );
        }
        let active = server
            .get(path, &[("filter[state]", "active"), ("sort", "updated_at")])
            .await
            .ids();
        let changed = server
            .patch(&format!("{path}/{}/deprecate", active[0]), &json!({}))
            .await;
        assert_eq!(changed.status, 200, "{}", changed.text);
    }
}
