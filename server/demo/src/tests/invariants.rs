//! The records agree with each other and with the clock.

use super::{Made, made};

impl Made {
    fn none(&self, rows: &str) {
        assert_eq!(self.number(&format!("SELECT count(*) FROM {rows}")), 0, "{rows}");
    }
}

/// Tables with the columns of a life.
const LIVED: [&str; 10] = [
    "directory_users",
    "directory_identities",
    "directory_attributes",
    "directory_dimensions",
    "workspace_integrations",
    "workspace_users",
    "workspace_items",
    "policy_rulesets",
    "policy_rules",
    "policy_users",
];

#[test]
fn states_and_timestamps_agree() {
    for users in [20, 1_000] {
        let made = made(users, 1);
        for table in LIVED {
            made.none(&format!(
                "{table} WHERE state = 'expiring' AND (expires_at IS NULL OR expires_at <= NOW)"
            ));
            if table != "policy_users" {
                made.none(&format!(
                    "{table} WHERE state = 'expired' AND (expires_at IS NULL OR expires_at >= NOW)"
                ));
            }
            made.none(&format!(
                "{table} WHERE state NOT IN ('expiring', 'expired') AND expires_at IS NOT NULL"
            ));
            made.none(&format!(
                "{table} WHERE created_at > updated_at OR updated_at > NOW"
            ));
            made.none(&format!(
                "{table} WHERE deleted_at < created_at OR deleted_at > NOW"
            ));
        }
        made.none("directory_users WHERE (state = 'expired') <> (expired_at IS NOT NULL)");
        made.none("directory_users WHERE (state = 'deactivated') <> (deactivated_at IS NOT NULL)");
        made.none("directory_users WHERE provisioned_at < created_at OR provisioned_at > NOW");
        made.none("directory_users WHERE deprovisioned_at < provisioned_at OR deprovisioned_at > NOW");
        made.none("workspace_users WHERE last_authenticated_at > last_activity_at OR last_activity_at > NOW");
        made.none("workspace_logs WHERE created_at > NOW");
    }
}

#[test]
fn time_spans_three_years() {
    let made = made(1_000, 1);
    let days = made.number("SELECT (max(created_at) - min(created_at)) / 86400000000 FROM directory_users");
    assert!((1_000..=1_095).contains(&days), "{days}");
}

#[test]
fn ids_come_in_the_order_of_creation() {
    let made = made(1_000, 1);
    for table in LIVED.into_iter().chain(["workspace_logs", "policy_conditions"]) {
        // Behind the prefix, of which items have four.
        made.none(&format!(
            "(SELECT created_at, lag(created_at) OVER (ORDER BY substr(id, 7)) AS before FROM {table}) WHERE created_at / 1000 < before / 1000"
        ));
    }
}

#[test]
fn texts_are_as_an_import_would_take_them() {
    let made = made(1_000, 1);
    for (table, columns) in [
        (
            "directory_users",
            &["first_name", "last_name", "full_name", "email", "username"][..],
        ),
        ("workspace_users", &["name", "handle", "email"]),
        ("directory_attributes", &["name", "handle"]),
        ("directory_dimensions", &["name", "handle"]),
    ] {
        for column in columns {
            for text in made.texts(&format!("SELECT {column} FROM {table}")) {
                assert!(!text.is_empty() && text.trim() == text, "{text:?}");
                assert!(!text.contains(char::is_control), "{text:?}");
            }
        }
    }
    for email in made.texts("SELECT email FROM directory_users") {
        assert!(
            matches!(email.split('@').collect::<Vec<_>>()[..], [local, _] if !local.is_empty()),
            "{email}"
        );
    }
    made.none("(SELECT 1 FROM directory_users GROUP BY email_folded HAVING count(*) > 1)");
}

#[test]
fn references_lead_somewhere() {
    let made = made(1_000, 1);
    made.none("pragma_foreign_key_check");
    made.none("directory_users u JOIN directory_users p ON p.id = u.parent_id WHERE p.parent_id IS NOT NULL");
    made.none("workspace_logs WHERE subject_id NOT IN (SELECT id FROM directory_users UNION SELECT id FROM workspace_users)");
}

#[test]
fn roles_are_detached_where_their_owner_is_out_of_service() {
    let made = made(200, 1);
    made.none(
        "workspace_items i JOIN workspace_users u ON u.id = i.workspace_user_id WHERE i.kind = 'role'
         AND i.is_attached <> (u.deleted_at IS NULL AND u.state IN ('active', 'staged'))",
    );
}

#[test]
fn what_is_recommended_is_worth_looking_at() {
    for users in [20, 200, 1_000] {
        let made = made(users, 1);
        let filled = &made.filled;
        let manager = filled.manager.as_ref().unwrap();
        let one =
            |rows: String| assert_eq!(made.number(&format!("SELECT count(*) FROM {rows}")), 1, "{rows}");
        one(format!(
            "directory_users WHERE id = '{}' AND count_direct_report_users > 3",
            manager.id
        ));
        one(format!(
            "directory_users WHERE last_name = '{}'",
            manager.last_name
        ));
        one(format!("directory_users WHERE email LIKE '%{}%'", filled.rare));
        one(format!(
            "directory_attributes WHERE id = '{}' AND state = 'active' AND count_manifest_users > 0",
            filled.attribute
        ));
        one(format!(
            "workspace_users WHERE id = '{}' AND state = 'expired' AND deleted_at IS NULL AND count_workspace_roles = 0",
            filled.restorable.as_ref().unwrap()
        ));
        one(format!(
            "directory_attributes a JOIN directory_dimensions d ON d.id = a.directory_dimension_id
             WHERE d.handle = '{}' AND a.name = '{}' AND a.state = 'active'",
            filled.dimension, filled.department
        ));
        let there = made.number(&format!(
            "SELECT count(*) FROM directory_users WHERE email LIKE '%@{}'",
            filled.domain
        ));
        let share = there * 100 / users.cast_signed();
        assert!((70..100).contains(&share), "{share} %");
        let grant = rollcall_store::grant::grant(&made.connection, &filled.token, made.now)
            .unwrap()
            .unwrap();
        assert_eq!(grant.owner, filled.operator);
        assert_eq!(grant.scopes, rollcall_store::access::tokens::scopes());
    }
}
