//! What can be written to the model.

use serde_json::{Value, json};

use super::Asker;

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
