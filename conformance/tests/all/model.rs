//! The model itself: what the runner is tried on has to be right without the runner.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::{Client, Method, Url};
use rollcall_contract::Form;
use serde_json::{Value, json};

use crate::shelf::model::CONTRACT;
use crate::shelf::{Hooks, Model, TOKEN};

/// A model that is being asked.
struct Asker {
    base: Url,
    client: Client,
}

impl Asker {
    async fn of(people: usize) -> Self {
        Self {
            base: Model::new(people, Hooks::default()).serve().await,
            client: Client::new(),
        }
    }

    async fn send(&self, method: Method, path: &str, query: &str, body: Option<Value>) -> (u16, Value) {
        let mut url = self.base.clone();
        url.set_path(&format!("/api/v1{path}"));
        url.set_query(Some(query).filter(|query| !query.is_empty()));
        let mut request = self.client.request(method, url).bearer_auth(TOKEN);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap_or_default())
    }

    async fn get(&self, path: &str, query: &str) -> (u16, Value) {
        self.send(Method::GET, path, query, None).await
    }

    /// Every page of a list.
    async fn all(&self, path: &str, query: &str) -> Vec<Value> {
        let mut records = Vec::new();
        for page in 1.. {
            let (status, body) = self
                .get(path, &format!("{query}&page={page}&page[size]=200"))
                .await;
            assert_eq!(status, 200, "{path}?{query}: {body}");
            let shown = body.as_array().unwrap();
            records.extend(shown.iter().cloned());
            if shown.len() < 200 {
                break;
            }
        }
        records
    }

    async fn users(&self, query: &str) -> Vec<Value> {
        self.all("/directory/users", query).await
    }

    async fn count(&self, query: &str) -> usize {
        self.users(query).await.len()
    }

    async fn patch(&self, path: &str, body: Value) -> (u16, Value) {
        self.send(Method::PATCH, path, "", Some(body)).await
    }
}

fn ids(records: &[Value]) -> Vec<&str> {
    records
        .iter()
        .map(|record| record["id"].as_str().unwrap())
        .collect()
}

const EVERY_RELATION: &str = "manager-user,workspace-user,parent-user,secondary-users,direct-report-users,\
     workspace-integration,directory-identities,policy-conditions,policy-users,policy-rules-manifest,\
     policy-rules-qualified,policy-rules-staged,policy-rulesets";

#[tokio::test]
async fn every_record_is_as_our_own_contract_demands() {
    let model = Asker::of(200).await;
    for (path, schema, query) in [
        (
            "/directory/users",
            "DirectoryUser",
            format!("filter[trashed]=with&include={EVERY_RELATION},manager-user-count,policy-users-exists"),
        ),
        (
            "/directory/attributes",
            "DirectoryAttribute",
            "filter[trashed]=with&include=policy-rules,policy-rules-count".to_owned(),
        ),
        (
            "/directory/dimensions",
            "DirectoryDimension",
            "include=attributes,attributes-count,attributes-exists".to_owned(),
        ),
        (
            "/workspace/users",
            "WorkspaceUser",
            "filter[trashed]=with&include=directory-user".to_owned(),
        ),
    ] {
        for form in [Form::Strict, Form::Judging] {
            let schema = CONTRACT.document().json_schema(schema, form).unwrap();
            let validator = jsonschema::validator_for(&schema).unwrap();
            for record in model.all(path, &query).await {
                let wrong: Vec<_> = validator
                    .iter_errors(&record)
                    .map(|e| format!("{}: {e}", e.instance_path()))
                    .collect();
                assert!(wrong.is_empty(), "{path}: {wrong:?}");
            }
        }
    }
}

#[tokio::test]
async fn counts_relations_and_filters_tell_the_same() {
    let model = Asker::of(120).await;
    let live = model
        .users(&format!("include={EVERY_RELATION},secondary-users-count"))
        .await;
    let with = model.users("filter[trashed]=with").await;
    let by_id: BTreeMap<&str, &Value> = ids(&with).into_iter().zip(&with).collect();
    for user in &live {
        let id = user["id"].as_str().unwrap();
        let reports = model.users(&format!("filter[manager_id]={id}")).await;
        let secondary = model.users(&format!("filter[parent_id]={id}")).await;
        assert_eq!(user["count"]["direct_report_users"], reports.len());
        assert_eq!(user["is_manager"], !reports.is_empty());
        assert_eq!(user["count"]["secondary_users"], secondary.len());
        assert_eq!(user["included"]["secondary_users_count"], secondary.len());
        let included = &user["included"];
        let shown: BTreeSet<&str> = ids(included["direct_report_users"].as_array().unwrap())
            .into_iter()
            .collect();
        assert_eq!(shown, ids(&reports).into_iter().collect());
        assert_eq!(included["manager_user"]["id"], user["manager_id"]);
        for summary in [
            &included["manager_user"],
            &included["parent_user"],
            &included["secondary_users"],
        ] {
            for (member, value) in summary.as_object().into_iter().flatten() {
                assert_eq!(*value, by_id[summary["id"].as_str().unwrap()][member], "{member}");
            }
        }
        for (member, count) in [
            ("directory_identities", "directory_identities"),
            ("policy_rules_manifest", "manifest_rules"),
            ("policy_rules_qualified", "qualified_rules"),
            ("policy_rules_staged", "staged_rules"),
            ("policy_users", "policy_users"),
            ("policy_conditions", "policy_conditions"),
            ("policy_rulesets", "policy_rulesets"),
        ] {
            assert_eq!(
                included[member].as_array().unwrap().len(),
                user["count"][count],
                "{member}"
            );
        }
        let full = user["full_name"].as_str().unwrap();
        assert!(full.contains(user["first_name"].as_str().unwrap()));
    }
    for attribute in model.all("/directory/attributes", "").await {
        let id = attribute["id"].as_str().unwrap();
        for form in ["manifest", "qualified", "staged"] {
            let listed = model.count(&format!("filter[{form}_attribute_id]={id}")).await;
            assert_eq!(attribute["count"][format!("{form}_users")], listed, "{form} {id}");
        }
    }
}

#[tokio::test]
async fn the_data_can_exercise_every_check_from_twenty_people_on() {
    for people in [20, 200, 2000] {
        let model = Asker::of(people).await;
        let live = model.users("").await;
        let some = |least: usize, what: &str, count: usize| {
            assert!(count >= least, "{people} people: {count} {what}");
        };
        for state in [
            "staged",
            "active",
            "expiring",
            "expired",
            "suspended",
            "deactivated",
        ] {
            some(1, state, model.count(&format!("filter[state]={state}")).await);
        }
        some(2, "trashed", model.count("filter[trashed]=only").await);
        some(
            2,
            "pending",
            model
                .count("filter[deprovisioned_pending_deactivation]=true")
                .await,
        );
        some(2, "managers", model.count("filter[manager]=true").await);
        some(
            2,
            "windows of expired",
            model.count("filter[expired_after]=2000-01-01").await.min(2),
        );
        some(
            1,
            "windows of deactivated",
            model.count("filter[deactivated_after]=2000-01-01").await,
        );
        let distinct = |at: &str| {
            let texts = live
                .iter()
                .filter_map(|user| user.pointer(at)?.as_str().map(str::to_owned));
            let (all, set): (Vec<_>, BTreeSet<_>) = (texts.clone().collect(), texts.collect());
            (all.len() - set.len(), set)
        };
        some(5, "people who share their last name", distinct("/last_name").0);
        for member in ["badge_id", "employee_id", "employee_alt_id", "manager_id"] {
            let null = live.iter().filter(|user| user[member].is_null()).count();
            some(1, &format!("without {member}"), null);
            some(
                2,
                &format!("values of {member}"),
                distinct(&format!("/{member}")).1.len(),
            );
        }
        for member in ["created_at", "updated_at", "provisioned_at"] {
            let moments = distinct(&format!("/timestamp/{member}")).1;
            let mut days: BTreeMap<&str, usize> = BTreeMap::new();
            for moment in &moments {
                *days.entry(&moment[..10]).or_default() += 1;
            }
            some(4, &format!("days of {member}"), days.len());
            some(
                1,
                &format!("days with several {member}"),
                days.values().filter(|count| **count > 1).count(),
            );
        }
    }
}

#[tokio::test]
async fn dates_in_every_form_bound_the_same_and_strictly() {
    let model = Asker::of(60).await;
    let all = model.users("sort=created_at").await;
    let moment = all[30]["timestamp"]["created_at"].as_str().unwrap().to_owned();
    assert_eq!(model.count(&format!("filter[created_before]={moment}")).await, 30);
    assert_eq!(
        model.count(&format!("filter[created_after]={moment}")).await,
        all.len() - 31
    );
    let day = &moment[..10];
    let forms = [
        day.to_owned(),
        format!("{day} 00:00:00"),
        format!("{day}T00:00:00"),
        format!("{day}T00:00:00Z"),
    ];
    let mut counts = BTreeSet::new();
    for form in forms {
        counts.insert(model.count(&format!("filter[created_before]={form}")).await);
    }
    assert_eq!(counts.len(), 1);
    assert_eq!(model.count("filter[created_before]=0001-01-01").await, 0);
    assert_eq!(
        model
            .get("/directory/users", "filter[created_before]=soon")
            .await
            .0,
        400
    );
}

#[tokio::test]
async fn several_keys_order_with_nulls_last_and_ids_between_equals() {
    let model = Asker::of(60).await;
    let records = model.users("sort=last_name,-first_name,badge_id").await;
    let key = |record: &Value, member: &str| record[member].as_str().map(str::to_lowercase);
    for pair in records.windows(2) {
        let [one, other] = pair else { unreachable!() };
        let order = key(one, "last_name")
            .cmp(&key(other, "last_name"))
            .then(key(other, "first_name").cmp(&key(one, "first_name")))
            .then(one["badge_id"].is_null().cmp(&other["badge_id"].is_null()))
            .then(key(one, "badge_id").cmp(&key(other, "badge_id")))
            .then(key(one, "id").cmp(&key(other, "id")));
        assert!(order.is_lt(), "{one}\n{other}");
    }
    for descending in ["badge_id", "-badge_id"] {
        let records = model.users(&format!("sort={descending}")).await;
        let first = records
            .iter()
            .position(|record| record["badge_id"].is_null())
            .unwrap();
        assert!(records[first..].iter().all(|record| record["badge_id"].is_null()));
    }
}

#[tokio::test]
async fn what_is_not_understood_is_refused() {
    let model = Asker::of(20).await;
    for query in [
        "filter[emial]=x",
        "filter[state]=retired",
        "filter[email]=",
        "filter[manager]=1",
        "sort=shoe",
        "include=pets",
        "sort=id,-id",
        "page=0",
        "page=-1",
        "page=abc",
        "page[size]=0",
        "page[size]=201",
        "filter[id]=a&filter[id]=b",
    ] {
        assert_eq!(model.get("/directory/users", query).await.0, 400, "{query}");
    }
    for query in ["filter[trashed]=", "filter[trashed]=perhaps", "sort=", "include="] {
        assert_eq!(model.users(query).await, model.users("").await, "{query}");
    }
    assert_eq!(model.get("/directory/users", "page=99").await, (200, json!([])));
    let first = model.users("").await[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(model.get(&format!("/directory/users/{first}"), "").await.0, 200);
    assert_eq!(
        model
            .get(&format!("/directory/users/{first}"), "include=manager-user")
            .await
            .0,
        400
    );
    assert_eq!(model.get("/directory/users/drusr_nobody", "").await.0, 404);
    assert_eq!(model.get("/directory/planets", "").await.0, 404);
}

#[tokio::test]
async fn writes_are_judged_and_carried_out() {
    let model = Asker::of(60).await;
    let attributes = model.all("/directory/attributes", "filter[state]=active").await;
    let path = |record: &Value| {
        format!(
            "/directory/attributes/{}/deprecate",
            record["id"].as_str().unwrap()
        )
    };
    let (first, second) = (path(&attributes[0]), path(&attributes[1]));
    let days = |days: Value| json!({"expires_after_days": days});
    for body in [
        days(json!(-1)),
        days(json!(1096)),
        days(json!(1.5)),
        days(json!("30")),
        days(json!(true)),
        json!([]),
        json!({"x": 1}),
        json!({"expires_at": "soon"}),
        json!({"expires_at": 5}),
        json!({"expires_at": "2027-01-01"}),
        json!({"expires_at": "2027-01-01T00:00:00Z", "expires_after_days": 1}),
    ] {
        let (status, _) = model.patch(&first, body.clone()).await;
        assert_eq!(status, 422, "{body}");
    }
    assert_eq!(
        model.all("/directory/attributes", "filter[state]=active").await,
        attributes
    );
    let (status, record) = model.patch(&first, days(json!(1095))).await;
    assert_eq!(
        (status, &record["state"], &record["id"]),
        (200, &json!("expiring"), &attributes[0]["id"])
    );
    let (_, record) = model
        .patch(
            &first,
            json!({"expires_at": "2031-01-31T12:00:00+02:00", "expires_after_days": null}),
        )
        .await;
    assert_eq!(record["timestamp"]["expires_at"], "2031-01-31T10:00:00.000000Z");
    for body in [
        days(json!(0)),
        json!({}),
        json!({"expires_at": null, "expires_after_days": null}),
    ] {
        assert_eq!(model.patch(&second, body).await.1["state"], "expired");
    }
    assert_eq!(
        model
            .patch("/directory/attributes/dratr_nobody/deprecate", json!({}))
            .await
            .0,
        404
    );
    let users = model.all("/workspace/users", "filter[state]=active").await;
    let id = users
        .iter()
        .find(|user| user["count"]["workspace_roles"] != 0)
        .unwrap()["id"]
        .as_str()
        .unwrap();
    let (deprecate, restore) = (
        format!("/workspace/users/{id}/deprecate"),
        format!("/workspace/users/{id}/restore"),
    );
    assert_eq!(model.patch(&restore, json!({"roles": true})).await.0, 409);
    let (status, record) = model.patch(&deprecate, days(json!(30))).await;
    assert_eq!(
        (status, &record["state"], &record["count"]["workspace_roles"]),
        (200, &json!("expiring"), &json!(0))
    );
    for body in [
        json!({}),
        json!({"roles": "yes"}),
        json!({"roles": 1}),
        json!({"roles": null}),
    ] {
        assert_eq!(model.patch(&restore, body).await.0, 422);
    }
    let (status, record) = model.patch(&restore, json!({"roles": true})).await;
    assert_eq!((status, &record["state"]), (200, &json!("active")));
    assert!(record["timestamp"]["expires_at"].is_null() && record["count"]["workspace_roles"] != 0);
    let trashed = model.all("/workspace/users", "filter[trashed]=only").await;
    let restore = format!("/workspace/users/{}/restore", trashed[0]["id"].as_str().unwrap());
    assert!(model.patch(&restore, json!({"roles": false})).await.1["timestamp"]["deleted_at"].is_null());
}

#[tokio::test]
async fn two_thousand_people_are_served_fast_enough() {
    let model = Asker::of(2000).await;
    let queries = [
        "filter[email_search]=smith&sort=last_name,-created_at&page=3",
        "filter[state]=active&include=manager-user,direct-report-users&page=2",
        "filter[created_after]=2016-01-01&filter[trashed]=with",
        "sort=-updated_at&page=20",
    ];
    let began = std::time::Instant::now();
    for number in 0..100 {
        assert_eq!(
            model
                .get("/directory/users", queries[number % queries.len()])
                .await
                .0,
            200
        );
    }
    eprintln!("100 requests: {:?}", began.elapsed());
    assert!(began.elapsed().as_secs() < 10);
}
