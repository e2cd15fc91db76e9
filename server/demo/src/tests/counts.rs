//! Kept counts against a recount that shares nothing with the store.

use rollcall_store::change::chunks::CHUNK;

use super::made;

const STANDING: &str =
    "(p.standing = 'staged' OR p.standing = 'manifest' AND (p.expires_at IS NULL OR p.expires_at > NOW))";
const MANIFEST: &str = "p.standing = 'manifest' AND (p.expires_at IS NULL OR p.expires_at > NOW)";
const STAGED: &str = "p.standing = 'staged'";

/// A table, a member of its count object, and the rows it counts (of `r`, soft-deleted ones left out), for the record `o`.
fn recounts() -> Vec<(&'static str, &'static str, String)> {
    let rules = |standing: &str| {
        format!(
            "policy_rules r WHERE EXISTS (SELECT 1 FROM policy_users p WHERE p.rule_id = r.id AND p.directory_user_id = o.id AND {standing})"
        )
    };
    let users = |standing: &str| {
        format!(
            "directory_users r WHERE EXISTS (SELECT 1 FROM policy_users p WHERE p.directory_user_id = r.id AND p.attribute_id = o.id AND {standing})"
        )
    };
    let has = |list: &str, column: &str| format!("{list} r WHERE r.{column} = o.id");
    let standing = |column: &str| {
        format!(
            "policy_users r WHERE r.{column} = o.id AND {}",
            STANDING.replace("p.", "r.")
        )
    };
    let item = |kind: &str| {
        format!("workspace_items r WHERE r.workspace_user_id = o.id AND r.kind = '{kind}' AND r.is_attached")
    };
    let of_user = |list: &str, column: &str| {
        format!(
            "{list} r WHERE EXISTS (SELECT 1 FROM user_attributes x WHERE x.directory_user_id = o.id AND x.directory_attribute_id = r.{column})"
        )
    };
    let mut all = vec![
        ("directory_users", "secondary_users", has("directory_users", "parent_id")),
        ("directory_users", "direct_report_users", has("directory_users", "manager_id")),
        ("directory_users", "directory_identities", has("directory_identities", "directory_user_id")),
        ("directory_users", "policy_conditions", of_user("policy_conditions", "resource_id")),
        ("directory_users", "policy_users", standing("directory_user_id")),
        (
            "directory_users",
            "policy_rulesets",
            "policy_rulesets r WHERE EXISTS (SELECT 1 FROM policy_users p WHERE p.ruleset_id = r.id AND p.directory_user_id = o.id)".to_owned(),
        ),
        ("directory_users", "manifest_rules", rules(MANIFEST)),
        ("directory_users", "qualified_rules", rules("TRUE")),
        ("directory_users", "staged_rules", rules(STAGED)),
        ("directory_users", "directory_attributes", of_user("directory_attributes", "id")),
        ("directory_attributes", "attribute_conditions", has("policy_conditions", "resource_id")),
        ("directory_attributes", "attribute_predecessors", has("directory_attributes", "successor_id")),
        (
            "directory_attributes",
            "policy_rules",
            "policy_rules r JOIN policy_rulesets s ON s.id = r.ruleset_id WHERE s.resource_id = o.id".to_owned(),
        ),
        ("directory_attributes", "manifest_users", users(MANIFEST)),
        ("directory_attributes", "qualified_users", users("TRUE")),
        ("directory_attributes", "staged_users", users(STAGED)),
        ("directory_dimensions", "attributes", has("directory_attributes", "directory_dimension_id")),
        ("workspace_integrations", "directory_users", has("directory_users", "workspace_integration_id")),
        ("workspace_integrations", "directory_identities", has("directory_identities", "workspace_integration_id")),
        ("workspace_integrations", "directory_dimensions", has("directory_dimensions", "workspace_integration_id")),
        ("workspace_users", "workspace_devices", item("device")),
        ("workspace_users", "workspace_roles", item("role")),
        ("workspace_users", "workspace_services", item("service")),
        ("workspace_users", "workspace_logs_actor", has("workspace_logs", "actor_id")),
        ("policy_rulesets", "policy_rules", has("policy_rules", "ruleset_id")),
        ("policy_rulesets", "policy_conditions", has("policy_conditions", "ruleset_id")),
        ("policy_rulesets", "policy_users", standing("ruleset_id")),
        ("policy_rules", "policy_conditions", has("policy_conditions", "rule_id")),
        ("policy_rules", "policy_users", standing("rule_id")),
    ];
    for (table, members) in [
        ("directory_users", &["parent", "record", "related", "subject"][..]),
        ("workspace_users", &["parent", "record", "related", "subject"]),
        ("directory_attributes", &["parent", "record", "related"]),
        ("directory_dimensions", &["record"]),
        ("directory_identities", &["record"]),
        ("workspace_integrations", &["record"]),
        ("workspace_logs", &["record"]),
        ("policy_rulesets", &["record"]),
        ("policy_rules", &["record"]),
        ("policy_conditions", &["record"]),
        ("policy_users", &["record"]),
    ] {
        for place in members {
            let member = match *place {
                "parent" => "workspace_logs_parent",
                "record" => "workspace_logs_record",
                "related" => "workspace_logs_related",
                _ => "workspace_logs_subject",
            };
            all.push((table, member, has("workspace_logs", &format!("{place}_id"))));
        }
    }
    all
}

#[test]
fn counts_are_those_of_a_recount() {
    // More people than are counted again at a time, so that no border between those is overlooked.
    let many = CHUNK as u64 + 100;
    for users in [20, many] {
        let made = made(users, 1);
        let mut recounted = 0;
        for (table, member, rows) in recounts() {
            let wrong = format!(
                "SELECT count(*) FROM {table} o WHERE o.count_{member} <> (SELECT count(*) FROM {rows} AND r.deleted_at IS NULL)"
            );
            assert_eq!(made.number(&wrong), 0, "{table} {member}");
            if users == many && table == "directory_users" {
                let most = made.number(&format!("SELECT max(count_{member}) FROM {table}"));
                assert!(most > 0, "{table} {member} is 0 everywhere");
            }
            recounted += 1;
        }
        let external = made.texts("SELECT DISTINCT kind FROM external_resources");
        for kind in &external {
            let wrong = format!(
                "SELECT count(*) FROM directory_users o WHERE o.count_{kind} <>
                 (SELECT count(*) FROM external_resources r WHERE r.directory_user_id = o.id AND r.kind = '{kind}')"
            );
            assert_eq!(made.number(&wrong), 0, "{kind}");
            recounted += 1;
        }
        // None is left out.
        let kept = rollcall_store::tables::TABLES
            .iter()
            .map(|table| table.counts.len())
            .sum::<usize>();
        assert_eq!(recounted, kept);
        let wrong =
            "SELECT count(*) FROM directory_users WHERE is_manager <> (count_direct_report_users > 0)";
        assert_eq!(made.number(wrong), 0);
    }
}
