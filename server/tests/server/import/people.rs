//! What becomes of a person whom the store knows: values, managers, attributes, groups, states.

use rollcall::Timestamp;
use rollcall_demo::{Demo, fill};
use rollcall_import::Format;

use super::{Desk, fixture, numbers, reasons};

const ANN: &str = "ann@test.invalid";

#[test]
fn changed_values_are_written_and_named() {
    let mut desk = Desk::new();
    desk.csv("id,email,first_name,last_name,badge_id,metadata.desk\n1,ann@test.invalid,Ann,Lee,B1,4\n2,bob@test.invalid,Bob,Ray,,\n");
    let (id, before) = (desk.of(ANN, "id"), desk.of("bob@test.invalid", "updated_at"));
    desk.pass(60);
    let report = desk.csv("id,email,first_name,last_name,badge_id,metadata.desk\n1,ann@test.invalid,Ann,Leigh,,5\n2,bob@test.invalid,Bob,Ray,,\n");
    assert_eq!(numbers(&report), [0, 1, 1, 0, 0]);
    let row = "full_name || '|' || COALESCE(badge_id, '-') || '|' || metadata || '|' || CAST(updated_at - created_at AS TEXT)";
    assert_eq!(desk.of(ANN, row), r#"Ann Leigh|-|{"desk":"5"}|60000000"#);
    assert_eq!(
        (desk.of(ANN, "id"), desk.of("bob@test.invalid", "updated_at")),
        (id, before)
    );
    let log = desk.messages().pop().unwrap();
    assert_eq!(
        log,
        "updated: An import from import changed: last_name, full_name, badge_id, metadata, identity."
    );
}

#[test]
fn what_the_file_has_no_column_for_is_left_alone() {
    let mut desk = Desk::new();
    desk.csv(
        "id,email,first_name,last_name,username,full_name,badge_id,manager,state,org.team,org.site,metadata.desk,metadata.floor\n\
         1,ann@test.invalid,Ann,Lee,al,Dr Ann Lee,B1,2,suspended,Blue,Bern,4,2\n\
         2,bob@test.invalid,Bob,Ray,,,,,,,,,\n",
    );
    let before = desk.export(rollcall_import::export::Format::Jsonl);
    let report = desk.csv("id,email,first_name,last_name\n1,ann@test.invalid,Ann,Lee\n");
    assert_eq!(numbers(&report), [0, 0, 1, 0, 0]);
    let report =
        desk.csv("id,email,first_name,last_name,org.site,metadata.floor\n1,ann@test.invalid,Ann,Lee,,\n");
    assert_eq!(numbers(&report), [0, 1, 0, 0, 0]);
    let after = before
        .replace(r#","site":"Bern""#, "")
        .replace(r#""site":"Bern","#, "")
        .replace(r#","floor":"2""#, "");
    assert_ne!(after, before);
    assert_eq!(desk.export(rollcall_import::export::Format::Jsonl), after);
}

#[test]
fn managers_may_come_later_in_the_file_or_be_in_the_store() {
    let mut desk = Desk::new();
    let report = desk.csv(
        "id,email,first_name,last_name,manager\n1,ann@test.invalid,Ann,Lee,2\n2,bob@test.invalid,Bob,Ray,CID@test.invalid\n3,cid@test.invalid,Cid,Fox,\n",
    );
    assert_eq!(numbers(&report), [3, 0, 0, 0, 0]);
    let name = |desk: &Desk, email: &str| {
        desk.cell(&format!("SELECT m.first_name FROM directory_users u JOIN directory_users m ON m.id = u.manager_id WHERE u.email = '{email}'"))
    };
    assert_eq!(
        (name(&desk, ANN), name(&desk, "bob@test.invalid")),
        ("Bob".to_owned(), "Cid".to_owned())
    );
    assert_eq!(
        desk.of(
            "cid@test.invalid",
            "CASE WHEN is_manager THEN 1 ELSE 0 END || CAST(count_direct_report_users AS TEXT)"
        ),
        "11"
    );
    desk.csv("id,email,first_name,last_name,manager\n1,ann@test.invalid,Ann,Lee,3\n4,dee@test.invalid,Dee,Orr,bob@test.invalid\n");
    assert_eq!(
        (name(&desk, ANN), name(&desk, "dee@test.invalid")),
        ("Cid".to_owned(), "Bob".to_owned())
    );
    assert_eq!(desk.of("cid@test.invalid", "count_direct_report_users"), "2");
    desk.csv("id,email,first_name,last_name,manager\n1,ann@test.invalid,Ann,Lee,\n");
    assert_eq!(
        (
            desk.of(ANN, "manager_id"),
            desk.of("cid@test.invalid", "count_direct_report_users")
        ),
        ("null".to_owned(), "1".to_owned())
    );
}

#[test]
fn two_people_may_manage_each_other() {
    let mut desk = Desk::new();
    let report = desk.csv(
        "id,email,first_name,last_name,manager\n1,ann@test.invalid,Ann,Lee,2\n2,bob@test.invalid,Bob,Ray,1\n",
    );
    assert_eq!(numbers(&report), [2, 0, 0, 0, 0]);
}

#[test]
fn attributes_and_org_follow_the_file() {
    let mut desk = Desk::new();
    let header = "id,email,first_name,last_name,org.team,org.cost_center";
    desk.csv(&format!(
        "{header}\n1,ann@test.invalid,Ann,Lee,Red; Blue,100\n2,bob@test.invalid,Bob,Ray,blue,\n"
    ));
    assert_eq!(desk.of(ANN, "org"), r#"{"cost_center":"100","team":"Blue, Red"}"#);
    let attributes = "SELECT name || '|' || handle || '|' || type || '|' || state || '|' || profile_value
                      FROM directory_attributes ORDER BY name";
    let expected = [
        "100|100|integration|active|100",
        "Blue|blue|integration|active|Blue",
        "Red|red|integration|active|Red",
        "blue|blue_2|integration|active|blue",
    ];
    assert_eq!(desk.column(attributes), expected);
    desk.csv(&format!("{header}\n1,ann@test.invalid,Ann,Lee,Green,\n"));
    assert_eq!(desk.of(ANN, "org"), r#"{"team":"Green"}"#);
    assert_eq!(
        desk.column("SELECT name || count_attributes FROM directory_dimensions ORDER BY name"),
        ["Cost center1", "Team4"]
    );
}

#[test]
fn groups_become_attributes_of_their_members() {
    let mut desk = Desk::new();
    let text = fixture("company.ldif");
    let report = desk.import(Format::Ldif, &text);
    assert_eq!(
        report.notes,
        [
            "line 66: Runners: 2 of its members are no people of the directory, uid=gone,ou=people,dc=test for one"
        ]
    );
    let groups = |desk: &Desk, user: &str| {
        let org = desk.of(&format!("{user}@test.invalid"), "org");
        let org: serde_json::Value = serde_json::from_str(&org).unwrap();
        org["groups"].as_str().unwrap_or("-").to_owned()
    };
    let all = |desk: &Desk| {
        ["ann", "bob", "cid", "dee", "eve"]
            .map(|user| groups(desk, user))
            .join("|")
    };
    assert_eq!(all(&desk), "Board, Runners|Runners|Board|Runners|-");
    // Names that differ by case are one, as LDAP has it.
    assert_eq!(
        desk.cell("SELECT count(*) FROM directory_attributes WHERE name_folded = 'research'"),
        "1"
    );
    // A later file without some of the people: a group it has is exactly what it says, another one stays.
    let only_eve = text
        .split("\n\n")
        .filter(|record| !record.contains("inetOrgPerson") || record.contains("uid=eve"));
    let only_eve: Vec<&str> = only_eve.filter(|record| !record.contains("cn: Board")).collect();
    let later = only_eve.join("\n\n").replace("memberUid: dee", "memberUid: eve");
    let report = desk.import(Format::Ldif, &later);
    assert_eq!(numbers(&report), [0, 2, 0, 0, 2], "{report:?}");
    assert_eq!(all(&desk), "Board, Runners|Runners|Board|-|Runners");
    assert_eq!(numbers(&desk.import(Format::Ldif, &later)), [0, 0, 1, 0, 2]);
    // Without groups in the file nothing is said of them.
    let people: Vec<&str> = text
        .split("\n\n")
        .filter(|record| !record.contains("roup"))
        .collect();
    desk.import(Format::Ldif, &people.join("\n\n"));
    assert_eq!(all(&desk), "Board, Runners|Runners|Board|-|Runners");
}

#[test]
fn states_and_expiries_agree() {
    let mut desk = Desk::new();
    let header = "email,first_name,last_name,state,expires_at";
    let row = |state: &str, expiry: &str| format!("{header}\nann@test.invalid,Ann,Lee,{state},{expiry}\n");
    let shown = |desk: &Desk| {
        desk.of(ANN, "state || '|' || COALESCE(CAST(expires_at AS TEXT), '-') || '|' || COALESCE(CAST(expired_at AS TEXT), '-') || '|'
             || CASE WHEN deactivated_at IS NOT NULL THEN 1 ELSE 0 END")
    };
    desk.csv(&row("", "2027-01-01"));
    assert_eq!(shown(&desk), "expiring|1798761600000000|-|0");
    // Neither says anything new.
    assert_eq!(numbers(&desk.csv(&row("expiring", ""))), [0, 0, 1, 0, 0]);
    assert_eq!(numbers(&desk.csv(&row("", ""))), [0, 0, 1, 0, 0]);
    desk.csv(&row("deactivated", ""));
    assert_eq!(shown(&desk), "deactivated|-|-|1");
    desk.csv(&row("expiring", "2026-05-01"));
    assert_eq!(shown(&desk), "expired|1777593600000000|1777593600000000|0");
    desk.csv(&row("active", ""));
    assert_eq!(shown(&desk), "active|-|-|0");
    for (state, expiry, reason) in [
        (
            "expired",
            "2027-01-01",
            "state: is expired, but expires_at lies ahead",
        ),
        ("expired", "", "state: is expired, but there is no expires_at"),
        (
            "active",
            "2027-01-01",
            "state: who is active does not expire; leave expires_at out",
        ),
        (
            "expiring",
            "soon",
            "expires_at: is no date or timestamp like 2026-03-01T09:30:00Z",
        ),
    ] {
        let report = desk.csv(&row(state, expiry));
        assert_eq!(reasons(&report), [format!("line 2: ann@test.invalid: {reason}")]);
    }
}

#[test]
fn an_expiry_that_passes_changes_nothing_for_the_next_import() {
    let mut desk = Desk::new();
    let text = "email,first_name,last_name,state,expires_at\nann@test.invalid,Ann,Lee,expiring,2026-06-02\n";
    desk.csv(text);
    desk.pass(2 * 86_400);
    assert_eq!(numbers(&desk.csv(text)), [0, 0, 1, 0, 0]);
}

#[test]
fn who_is_staged_again_is_in_no_manifest_and_enters_it_anew() {
    let mut desk = Desk::new();
    let demo = Demo {
        users: 60,
        seed: 5,
        now: desk.now(),
    };
    fill(&desk.connection, &demo, None, |_| ()).unwrap();
    let active = desk.export(rollcall_import::export::Format::Jsonl);
    let staged = active.replace(r#""state":"active""#, r#""state":"staged""#);
    let entered = |desk: &Desk, at: Timestamp| {
        desk.cell(&format!(
            "SELECT count(*) FROM policy_users p JOIN directory_users u ON u.id = p.directory_user_id
             WHERE u.state = 'active' AND p.standing = 'manifest' AND p.activated_at = {}",
            at.micros()
        ))
    };
    let first = desk.now();
    let were_in = entered(&desk, first);
    assert_ne!(were_in, "0");
    desk.pass(60);
    desk.import(Format::Jsonl, &staged);
    let odd = "SELECT count(*) FROM policy_users WHERE (standing = 'manifest') <> (activated_at IS NOT NULL)";
    assert_eq!(desk.cell(odd), "0");
    desk.pass(60);
    desk.import(Format::Jsonl, &active);
    assert_eq!(
        [entered(&desk, first), entered(&desk, desk.now())],
        ["0".to_owned(), were_in]
    );
}

#[test]
fn who_is_soft_deleted_is_left_as_they_are() {
    let mut desk = Desk::new();
    desk.csv("id,email,first_name,last_name\n1,ann@test.invalid,Ann,Lee\n");
    let trash = "UPDATE directory_users SET deleted_at = updated_at";
    desk.connection
        .execute(&rollcall_store::sql::Sql::new(trash))
        .unwrap();
    desk.assert_after_trashing();
    let before = desk.dump();
    let report = desk.csv("id,email,first_name,last_name\n1,ann@test.invalid,Ann,Leigh\n");
    assert_eq!(numbers(&report), [0, 0, 0, 0, 1]);
    assert_eq!(
        report.notes,
        ["line 2: 1: is soft-deleted in the store and left as it is"]
    );
    assert_eq!(desk.dump(), before);
    // Their email is free again.
    assert_eq!(
        numbers(&desk.csv("id,email,first_name,last_name\n2,ann@test.invalid,Ann,Leigh\n")),
        [1, 0, 0, 0, 0]
    );
}

impl Desk {
    /// The counts follow a change made behind the store's back.
    fn assert_after_trashing(&self) {
        for table in rollcall_store::tables::TABLES.iter() {
            rollcall_store::change::recount::recount(&self.connection, table.name, self.now()).unwrap();
        }
    }
}
