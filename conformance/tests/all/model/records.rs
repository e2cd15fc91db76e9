//! What the model shows: as our own contract demands, and true.

use std::collections::{BTreeMap, BTreeSet};

use rollcall_contract::Form;
use rollcall_shelf::model::CONTRACT;
use serde_json::Value;

use super::{Asker, ids};

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
            let timestamps = distinct(&format!("/timestamp/{member}")).1;
            let mut days: BTreeMap<&str, usize> = BTreeMap::new();
            for timestamp in &timestamps {
                *days.entry(&timestamp[..10]).or_default() += 1;
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
