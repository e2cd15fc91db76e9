//! There is one of everything.

use super::{Made, made};

const DIRECTORY_STATES: &str = "active deactivated expired expiring staged suspended";
const LIFECYCLE_STATES: &str = "active deactivated expired expiring staged";

impl Made {
    /// The different values of a column, in order.
    fn values(&self, column: &str, rows: &str) -> String {
        self.texts(&format!("SELECT DISTINCT {column} FROM {rows} ORDER BY 1"))
            .join(" ")
    }
}

#[test]
fn every_state_is_there() {
    for users in [20, 200, 1_000] {
        let made = made(users, 1);
        let live = |table: &str| made.values("state", &format!("{table} WHERE deleted_at IS NULL"));
        assert_eq!(live("directory_users"), DIRECTORY_STATES);
        assert_eq!(live("directory_identities"), DIRECTORY_STATES);
        assert_eq!(live("workspace_users"), LIFECYCLE_STATES);
        assert_eq!(live("directory_attributes"), LIFECYCLE_STATES);
        assert_eq!(live("directory_dimensions"), LIFECYCLE_STATES);
        assert_eq!(live("workspace_items"), LIFECYCLE_STATES);
        assert_eq!(live("policy_rules"), LIFECYCLE_STATES);
        assert_eq!(
            live("policy_rulesets"),
            "active deactivated expired expiring staged unmanaged"
        );
        assert_eq!(live("policy_users"), "active expired expiring staged");
        assert_eq!(
            made.values("standing", "policy_users"),
            "manifest qualified staged"
        );
        let trashed = |table: &str| {
            made.number(&format!(
                "SELECT count(*) FROM {table} WHERE deleted_at IS NOT NULL"
            ))
        };
        for table in [
            "directory_users",
            "directory_identities",
            "workspace_users",
            "directory_attributes",
            "directory_dimensions",
            "policy_rules",
            "policy_rulesets",
            "policy_conditions",
        ] {
            assert!(trashed(table) > 0, "{users} users: no soft-deleted {table}");
        }
    }
}

#[test]
fn every_kind_is_there() {
    for users in [20, 200, 1_000] {
        let made = made(users, 1);
        assert_eq!(
            made.values("type", "directory_attributes"),
            "catch integration ruleset"
        );
        assert_eq!(
            made.values("provider", "workspace_users WHERE deleted_at IS NULL"),
            "consumer_account_idp native_idp workforce_idp"
        );
        assert_eq!(made.values("vendor", "workspace_integrations"), "demo import");
        assert_eq!(
            made.values("kind", "workspace_items"),
            "device role service token"
        );
        assert_eq!(
            made.values("action", "workspace_logs"),
            "activated created deleted deprecated expired imported restored updated"
        );
        assert_eq!(
            made.number("SELECT count(DISTINCT kind) FROM external_resources"),
            14
        );
    }
}

#[test]
fn there_are_enough_attributes() {
    let made = made(20, 1);
    assert!(made.number("SELECT count(*) FROM directory_attributes WHERE deleted_at IS NULL") >= 40);
    assert!(made.number("SELECT count(DISTINCT directory_dimension_id) FROM directory_attributes") >= 5);
    assert!(made.number("SELECT count(*) FROM directory_attributes WHERE state = 'active'") >= 20);
    assert!(
        made.number("SELECT count(*) FROM directory_attributes WHERE blueprint_signature IS NOT NULL") > 0
    );
    assert!(made.number("SELECT max(count_attribute_predecessors) FROM directory_attributes") > 1);
}

#[test]
fn one_user_in_twelve_is_soft_deleted() {
    for users in [200, 1_000] {
        let trashed =
            made(users, 3).number("SELECT count(*) FROM directory_users WHERE deleted_at IS NOT NULL");
        assert_eq!(trashed, users.cast_signed() * 8 / 100);
    }
}

#[test]
fn there_are_ties() {
    for users in [20, 200] {
        let made = made(users, 1);
        for column in ["last_name", "full_name", "created_at", "state", "manager_id"] {
            let tied = format!(
                "SELECT count(*) FROM (SELECT 1 FROM directory_users WHERE deleted_at IS NULL AND {column} IS NOT NULL
                 GROUP BY {column} HAVING count(*) > 1)"
            );
            assert!(
                made.number(&tied) > 0,
                "{users} users: no two with the same {column}"
            );
        }
    }
}

#[test]
fn every_filter_has_something_to_find() {
    for users in [20, 200, 1_000] {
        let made = made(users, 1);
        let some = |condition: &str| {
            let sql =
                format!("SELECT count(*) FROM directory_users WHERE deleted_at IS NULL AND {condition}");
            assert!(made.number(&sql) > 0, "{users} users: none with {condition}");
        };
        for column in [
            "manager_id",
            "badge_id",
            "employee_id",
            "employee_alt_id",
            "provisioned_at",
            "expires_at",
        ] {
            some(&format!("{column} IS NULL"));
            some(&format!("{column} IS NOT NULL"));
        }
        some("parent_id IS NOT NULL");
        some("is_manager");
        some("NOT is_manager");
        some("state = 'active' AND deprovisioned_at IS NOT NULL");
        some("deprovisioned_at IS NOT NULL AND deactivated_at IS NOT NULL");
        some("expired_at IS NOT NULL");
        some("metadata = '{}'");
        some("username <> substr(email, 1, instr(email, '@') - 1)");
        for special in ["%", "_", "''", "-", ",", "\\", "é", "ß", "山", "в"] {
            some(&format!("instr(full_name, '{special}') > 0"));
        }
        for special in ["%", "_", "''", "+"] {
            some(&format!("instr(email, '{special}') > 0"));
        }
        some("count_secondary_users > 1");
        some("count_directory_identities > 1");
        some("count_policy_users > 0");
        some("count_manifest_rules > 0");
        some("count_qualified_rules > count_manifest_rules + count_staged_rules");
        some("count_staged_rules > 0");
    }
}

#[test]
fn managers_form_a_tree_of_several_levels() {
    let made = made(1_000, 1);
    let levels = "WITH RECURSIVE above (id, level) AS (
            SELECT id, 0 FROM directory_users WHERE manager_id IS NULL
            UNION ALL SELECT u.id, level + 1 FROM directory_users u JOIN above ON u.manager_id = above.id)
         SELECT ";
    assert!(made.number(&format!("{levels} max(level) FROM above")) >= 3);
    // Everybody hangs below somebody without a manager: there is no circle.
    assert_eq!(made.number(&format!("{levels} count(*) FROM above")), 1_000);
    let managers = made.number("SELECT count(*) FROM directory_users WHERE is_manager");
    assert!((80..=170).contains(&managers), "{managers}");
    let trashed =
        made.number("SELECT count(*) FROM directory_users WHERE is_manager AND deleted_at IS NOT NULL");
    assert!((1..=managers / 10).contains(&trashed), "{trashed}");
}
