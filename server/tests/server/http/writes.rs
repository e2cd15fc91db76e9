//! The two specified changes and their extensions over HTTP (§4.2, §4.3, O1–O11).

use reqwest::Method;
use rollcall::Timestamp;
use serde_json::{Value, json};

use crate::harness::{Running, TOKEN, now};

/// A record in a state. Not the first one: that is the operator, who would lock themselves out.
pub(super) async fn some(server: &Running, path: &str, state: &str) -> String {
    let found = server.get(path, &[("filter[state]", state)]).await;
    found.ids().pop().unwrap()
}

#[tokio::test]
async fn deprecate_leads_to_expiring_or_expired() {
    let server = Running::start().await;
    let in_30_days = now().plus_seconds(30 * 86_400).unwrap().to_string();
    for (body, state, expires_at) in [
        (json!({"expires_after_days": 30}), "expiring", in_30_days.clone()),
        (
            json!({"expires_at": "2026-07-01T14:00:00+02:00"}),
            "expiring",
            in_30_days.clone(),
        ),
        (
            json!({"expires_at": null, "expires_after_days": 30.0}),
            "expiring",
            in_30_days,
        ),
        (json!({"expires_after_days": 0}), "expired", now().to_string()),
        (json!({}), "expired", now().to_string()),
        (
            json!({"expires_at": null, "expires_after_days": null}),
            "expired",
            now().to_string(),
        ),
        (
            json!({"expires_at": "2020-01-01T00:00:00Z"}),
            "expired",
            "2020-01-01T00:00:00.000000Z".to_owned(),
        ),
        (
            json!({"expires_after_days": 1095}),
            "expiring",
            now().plus_seconds(1_095 * 86_400).unwrap().to_string(),
        ),
    ] {
        for path in ["/directory/attributes", "/workspace/users"] {
            let id = some(&server, path, "active").await;
            let answer = server.patch(&format!("{path}/{id}/deprecate"), &body).await;
            assert_eq!(answer.status, 200, "{}", answer.text);
            let record = answer.json();
            assert_eq!(
                (record["id"].as_str(), record["state"].as_str()),
                (Some(id.as_str()), Some(state)),
                "{body}"
            );
            assert_eq!(record["timestamp"]["expires_at"], expires_at);
            assert_eq!(record, server.raw(&format!("{path}/{id}")).await.json());
        }
    }
}

#[tokio::test]
async fn what_cannot_be_deprecated_activated_or_restored_is_a_conflict_and_stays() {
    let server = Running::start().await;
    let trashed = server
        .get("/workspace/users", &[("filter[trashed]", "only")])
        .await
        .ids()
        .swap_remove(0);
    let suspended = some(&server, "/directory/users", "suspended").await;
    let active = some(&server, "/workspace/users", "active").await;
    let staged = some(&server, "/workspace/users", "staged").await;
    let staged_attribute = some(&server, "/directory/attributes", "staged").await;
    let deactivated = some(&server, "/workspace/users", "deactivated").await;
    for (path, body) in [
        (format!("/workspace/users/{trashed}/deprecate"), json!({})),
        (format!("/workspace/users/{trashed}/activate"), Value::Null),
        (format!("/workspace/users/{deactivated}/deprecate"), json!({})),
        (format!("/workspace/users/{staged}/deprecate"), json!({})),
        (
            format!("/directory/attributes/{staged_attribute}/deprecate"),
            json!({}),
        ),
        (
            format!("/workspace/users/{active}/restore"),
            json!({"roles": true}),
        ),
        (
            format!("/workspace/users/{staged}/restore"),
            json!({"roles": false}),
        ),
        (format!("/directory/users/{suspended}/activate"), Value::Null),
    ] {
        let record = path.rsplit_once('/').unwrap().0.to_owned();
        let before = server.raw(&record).await.text;
        server
            .patch(&path, &body)
            .await
            .assert_problem(409, "illegal_transition");
        assert_eq!(server.raw(&record).await.text, before);
    }
    server
        .patch("/workspace/users/wsusr_none/restore", &json!({"roles": true}))
        .await
        .assert_problem(404, "not_found");
}

#[tokio::test]
async fn restore_gives_roles_back_only_if_asked() {
    let server = Running::start().await;
    let users = server
        .all("/workspace/users", &[("filter[state]", "active")])
        .await;
    let with_roles = users
        .iter()
        .filter(|user| user["count"]["workspace_roles"].as_u64() > Some(0));
    // Not the first one: that is the operator.
    let with_roles: Vec<_> = with_roles.skip(1).take(2).collect();
    assert_eq!(with_roles.len(), 2, "the demo has workspace users with roles");
    for (user, roles) in with_roles.into_iter().zip([true, false]) {
        let id = user["id"].as_str().unwrap();
        let held = user["count"]["workspace_roles"].clone();
        let gone = server
            .patch(
                &format!("/workspace/users/{id}/deprecate"),
                &json!({"expires_after_days": 3}),
            )
            .await
            .json();
        assert_eq!(gone["count"]["workspace_roles"], 0);
        let back = server
            .patch(
                &format!("/workspace/users/{id}/restore"),
                &json!({"roles": roles}),
            )
            .await
            .json();
        assert_eq!(
            back["count"]["workspace_roles"],
            if roles { held } else { json!(0) }
        );
        assert_eq!(
            (&back["state"], &back["timestamp"]["expires_at"]),
            (&json!("active"), &Value::Null)
        );
        let listed = server
            .get("/workspace/roles", &[("filter[workspace_user_id]", id)])
            .await
            .ids()
            .len();
        assert_eq!(back["count"]["workspace_roles"], listed);
    }
}

#[tokio::test]
async fn a_trashed_workspace_user_is_restored() {
    let server = Running::start().await;
    let id = server
        .get("/workspace/users", &[("filter[trashed]", "only")])
        .await
        .ids()
        .swap_remove(0);
    let back = server
        .patch(
            &format!("/workspace/users/{id}/restore"),
            &json!({"roles": false}),
        )
        .await
        .json();
    assert_eq!(
        (&back["state"], &back["timestamp"]["deleted_at"]),
        (&json!("active"), &Value::Null)
    );
    assert_eq!(
        server.get("/workspace/users", &[("filter[id]", &id)]).await.ids(),
        [id]
    );
}

#[tokio::test]
async fn the_state_follows_the_clock_without_a_scheduler_and_so_do_manifests() {
    let server = Running::start().await;
    let attributes = server
        .all("/directory/attributes", &[("filter[state]", "active")])
        .await;
    let ruled = attributes
        .iter()
        .find(|one| one["count"]["manifest_users"].as_u64() > Some(0))
        .unwrap();
    let id = ruled["id"].as_str().unwrap();
    let members = server
        .all("/directory/users", &[("filter[manifest_attribute_id]", id)])
        .await;
    assert_eq!(ruled["count"]["manifest_users"], members.len());
    let path = format!("/directory/attributes/{id}");
    let expiring = server
        .patch(&format!("{path}/deprecate"), &json!({"expires_after_days": 1}))
        .await
        .json();
    assert_eq!(
        (&expiring["state"], &expiring["count"]["manifest_users"]),
        (&json!("expiring"), &json!(members.len()))
    );
    server.clock.set(now().plus_seconds(86_400).unwrap());
    let expired = server.raw(&path).await.json();
    assert_eq!(
        (&expired["state"], &expired["count"]["manifest_users"]),
        (&json!("expired"), &json!(0))
    );
    assert!(
        server
            .all("/directory/users", &[("filter[manifest_attribute_id]", id)])
            .await
            .is_empty()
    );
    let member = server
        .raw(&format!(
            "/directory/users/{}",
            members[0]["id"].as_str().unwrap()
        ))
        .await
        .json();
    assert!(member["count"]["manifest_rules"].as_u64() < members[0]["count"]["manifest_rules"].as_u64());
    assert!(
        server
            .get("/directory/attributes", &[("filter[state]", "expired")])
            .await
            .ids()
            .contains(&id.to_owned())
    );
}

#[tokio::test]
async fn every_change_is_in_the_log_with_its_actor() {
    let server = Running::start().await;
    let id = some(&server, "/directory/attributes", "active").await;
    let last = server
        .all("/workspace/logs", &[("page[size]", "200")])
        .await
        .len();
    server.clock.set(now().plus_seconds(1).unwrap());
    server
        .patch(
            &format!("/directory/attributes/{id}/deprecate"),
            &json!({"expires_after_days": 9}),
        )
        .await;
    let feed = server.all("/workspace/logs", &[("page[size]", "200")]).await;
    assert_eq!(feed.len(), last + 1);
    let entry = feed.last().unwrap();
    assert_eq!(
        (entry["action"].as_str(), entry["record_id"].as_str()),
        (Some("deprecated"), Some(id.as_str()))
    );
    let actor = entry["actor_id"].as_str().unwrap();
    let listed = server
        .get(
            "/workspace/logs",
            &[("filter[actor_id]", actor), ("filter[record_id]", &id)],
        )
        .await;
    assert_eq!(listed.ids().last().map(String::as_str), entry["id"].as_str());
}

#[tokio::test]
async fn etags_guard_reads_and_changes() {
    let server = Running::start().await;
    let id = some(&server, "/directory/attributes", "active").await;
    let record = format!("/directory/attributes/{id}");
    let tag = server.raw(&record).await.header("etag").to_owned();
    let same = server
        .bare(Method::GET, &record)
        .bearer_auth(TOKEN)
        .header("if-none-match", format!("\"x\", {tag}"));
    let same = server.send(same).await;
    assert_eq!(
        (same.status.as_u16(), same.text.as_str(), same.header("etag")),
        (304, "", tag.as_str())
    );
    let change = |tag: String| {
        let path = format!("{record}/deprecate");
        let request = server
            .bare(Method::PATCH, &path)
            .bearer_auth(TOKEN)
            .header("if-match", tag);
        server.send(request.json(&json!({"expires_after_days": 5})))
    };
    change("\"other\"".to_owned())
        .await
        .assert_problem(412, "precondition_failed");
    let changed = change(tag.clone()).await;
    assert_eq!(changed.status, 200);
    assert_ne!(changed.header("etag"), tag);
    change(tag).await.assert_problem(412, "precondition_failed");
    assert_eq!(change("*".to_owned()).await.status, 200);
}

#[tokio::test]
async fn activating_takes_the_expiry_away_and_an_active_record_stays_as_it_is() {
    let server = Running::start().await;
    for path in ["/directory/users", "/directory/attributes", "/workspace/users"] {
        let id = some(&server, path, "expiring").await;
        let activate = format!("{path}/{id}/activate");
        let active = server
            .send(server.bare(Method::PATCH, &activate).bearer_auth(TOKEN))
            .await;
        assert_eq!(
            (&active.json()["state"], &active.json()["timestamp"]["expires_at"]),
            (&json!("active"), &Value::Null)
        );
        let later: Timestamp = now().plus_seconds(5).unwrap();
        server.clock.set(later);
        let again = server
            .send(server.bare(Method::PATCH, &activate).bearer_auth(TOKEN))
            .await;
        assert_eq!(again.text, active.text);
    }
}

#[tokio::test]
async fn the_operator_of_the_demo_cannot_lock_themselves_out() {
    let server = Running::start().await;
    let users = server
        .get("/workspace/users", &[("sort", "id"), ("page[size]", "1")])
        .await;
    let operator = users.ids().swap_remove(0);
    let path = format!("/workspace/users/{operator}/deprecate");
    let answer = server.patch(&path, &json!({})).await;
    assert_eq!(answer.status, 409, "{}", answer.text);
    assert_eq!(server.get("/workspace/users", &[]).await.status, 200);
}
