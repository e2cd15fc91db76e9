//! The generated client and answers that conform but that our server would not give: further members and words, other forms.

use rollcall::client::TryStreamExt as _;
use rollcall::client::model::{
    DirectoryAttribute, DirectoryUser, DirectoryUserState, IntegrationVendor, PolicyRule, ProblemCode,
};
use rollcall::{ClientError, Presence, model};
use serde_json::{Value, json};

use super::scripted::{Answer, Script};
use crate::schema::sample;

/// A record as our server writes it.
fn record(name: &str) -> Value {
    let written = match name {
        "DirectoryUser" => serde_json::to_value(sample::<model::DirectoryUser>(name)),
        "DirectoryAttribute" => serde_json::to_value(sample::<model::DirectoryAttribute>(name)),
        _ => serde_json::to_value(sample::<model::PolicyRule>(name)),
    };
    written.unwrap()
}

fn read<T: serde::de::DeserializeOwned>(record: Value) -> T {
    serde_json::from_value(record).unwrap()
}

#[test]
fn what_our_server_sends_is_read_and_written_alike() {
    for name in ["DirectoryUser", "DirectoryAttribute", "PolicyRule"] {
        let sent = record(name);
        let again = match name {
            "DirectoryUser" => serde_json::to_value(read::<DirectoryUser>(sent.clone())),
            "DirectoryAttribute" => serde_json::to_value(read::<DirectoryAttribute>(sent.clone())),
            _ => serde_json::to_value(read::<PolicyRule>(sent.clone())),
        };
        assert_eq!(again.unwrap(), sent, "{name}");
    }
}

#[test]
fn objects_may_have_further_members_and_timestamps_other_forms() {
    let mut sent = record("DirectoryUser");
    sent["nickname"] = json!("Zo");
    sent["count"]["shoes"] = json!(2);
    sent["count"]["policy_users"] = json!(3.0);
    sent["included"]["favourite-desk"] = json!({"id": 1});
    sent["timestamp"]["created_at"] = json!("2026-03-01 09:30:00,5+00:00");
    sent["timestamp"].as_object_mut().unwrap().remove("deleted_at");
    sent["links"]["self"] = json!("/people/1");
    sent["org"] = json!({"department": ["a", "b"]});
    let script = Script::new([Answer::Whole(203, Vec::new(), json!([sent]))]);
    let mut users: Vec<DirectoryUser> = script.play(async |client| {
        client
            .list_directory_users()
            .stream()
            .try_collect()
            .await
            .unwrap()
    });
    let user = users.remove(0);
    let Presence::Value(created_at) = user.timestamp.created_at else {
        panic!("there is a timestamp")
    };
    assert_eq!(created_at.to_string(), "2026-03-01T09:30:00.500000Z");
    assert_eq!(user.timestamp.deleted_at, Presence::Absent);
    assert_eq!(user.count.policy_users.get(), 3);
}

#[test]
fn enumerations_may_have_further_words() {
    assert_eq!(IntegrationVendor::from("import"), IntegrationVendor::Import);
    let vendor: IntegrationVendor = read(json!("workday"));
    assert_eq!(vendor, IntegrationVendor::Other("workday".to_owned()));
    assert_eq!(serde_json::to_value(&vendor).unwrap(), "workday");
    assert_eq!(
        read::<DirectoryUserState>(json!("active")),
        DirectoryUserState::Active
    );
    assert!(serde_json::from_value::<IntegrationVendor>(json!({"demo": null})).is_err());
}

#[test]
fn identifiers_may_have_other_prefixes() {
    let mut sent = record("PolicyRule");
    sent["id"] = json!("rule-17");
    assert_eq!(read::<PolicyRule>(sent).id.as_str(), "rule-17");
}

/// What the client says about an error with this status and body.
fn refusal(status: u16, body: Value) -> (u16, Option<String>, Option<ProblemCode>) {
    let script = Script::new([Answer::Whole(status, Vec::new(), body)]);
    let error = script.play(async |client| client.list_directory_users().send().await.unwrap_err());
    let ClientError::ErrorResponse(answer) = error else {
        panic!("not a refusal: {error}")
    };
    (
        answer.status().as_u16(),
        answer.detail.clone(),
        answer.code.clone(),
    )
}

#[test]
fn an_error_may_have_any_status_and_body() {
    assert_eq!(
        refusal(418, json!({"detail": "I am a teapot.", "more": 1}))
            .1
            .as_deref(),
        Some("I am a teapot.")
    );
    let further = refusal(400, json!({"code": "too_odd"}));
    assert_eq!(
        further,
        (400, None, Some(ProblemCode::Other("too_odd".to_owned())))
    );
    assert_eq!(
        refusal(502, json!("Bad gateway")),
        (502, Some("\"Bad gateway\"".to_owned()), None)
    );
    assert_eq!(refusal(404, json!([])), (404, Some("[]".to_owned()), None));
}
