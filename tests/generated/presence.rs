//! Absent, null and a value stay apart where the contract lets a member be all three.

use rollcall::Presence;
use rollcall::model::{DeprecateRequest, DirectoryUserIncluded, DirectoryUserTimestamps, ProblemError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn read<T: DeserializeOwned>(value: &Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(value.clone())
}

fn unchanged<T: DeserializeOwned + Serialize>(value: Value) {
    assert_eq!(serde_json::to_value(read::<T>(&value).unwrap()).unwrap(), value);
}

#[test]
fn a_deprecation_tells_an_absent_option_from_a_null_one() {
    let body = json!({"expires_at": null, "expires_after_days": 30});
    let DeprecateRequest {
        expires_at,
        expires_after_days,
    } = read(&body).unwrap();
    assert_eq!(expires_at, Presence::Null);
    assert!(matches!(expires_after_days, Presence::Value(days) if days.get() == 30));
    assert_eq!(
        read::<DeprecateRequest>(&json!({})).unwrap().expires_at,
        Presence::Absent
    );
    for body in [
        json!({}),
        json!({"expires_at": null}),
        json!({"expires_after_days": null, "expires_at": null}),
    ] {
        unchanged::<DeprecateRequest>(body);
    }
}

#[test]
fn absent_and_null_mean_the_same_where_one_does_not_ask() {
    assert_eq!(
        (Presence::<u8>::Absent.value(), Presence::<u8>::Null.value()),
        (None, None)
    );
    assert_eq!(
        (Presence::from(Some(1)).value(), Presence::<u8>::from(None)),
        (Some(1), Presence::Null)
    );
}

#[test]
fn an_included_relation_that_was_not_asked_for_is_absent_and_an_empty_one_is_null() {
    unchanged::<DirectoryUserIncluded>(json!({}));
    unchanged::<DirectoryUserIncluded>(
        json!({"manager_user": null, "direct_report_users": [], "policy_users_count": 0}),
    );
    assert!(
        read::<DirectoryUserIncluded>(&json!({"direct_report_users": null})).is_err(),
        "to many is never null"
    );
    assert!(
        read::<DirectoryUserIncluded>(&json!({"manager_user_exists": null})).is_err(),
        "nor is existence"
    );
}

#[test]
fn a_required_member_is_null_and_never_absent() {
    let timestamp = "2026-03-01T09:30:00.000000Z";
    let mut timestamps = json!({
        "created_at": timestamp, "updated_at": timestamp, "deleted_at": null,
        "expires_at": null, "provisioned_at": null, "deprovisioned_at": timestamp,
    });
    unchanged::<DirectoryUserTimestamps>(timestamps.clone());
    timestamps.as_object_mut().unwrap().remove("expires_at");
    let why = read::<DirectoryUserTimestamps>(&timestamps).unwrap_err();
    assert!(why.to_string().contains("missing field `expires_at`"), "{why}");
}

#[test]
fn a_problem_leaves_out_what_it_does_not_know() {
    unchanged::<ProblemError>(json!({"code": "invalid_member", "detail": "1096 is not from 0 to 1095"}));
}
