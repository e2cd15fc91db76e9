//! What the records of real directories mean: who is locked, deleted or staged at the source, who is whom, and what a file does
//! not say.

use rollcall_import::Format;

use super::{Desk, numbers, reasons};

const ANN: &str = "ann@test.invalid";

/// A person of an LDIF file with further lines.
fn person(dn: &str, mail: &str, further: &str) -> String {
    format!(
        "dn: {dn}\nobjectClass: person\nobjectClass: inetOrgPerson\ncn: Ann Lee\nsn: Lee\ngivenName: Ann\nmail: {mail}\n{further}\n\n"
    )
}

fn ann(further: &str) -> String {
    person("uid=ann,dc=test", ANN, further)
}

fn ldif(desk: &mut Desk, text: &str) -> [u64; 5] {
    let report = desk.import(Format::Ldif, text);
    assert_eq!(reasons(&report), [""; 0]);
    numbers(&report)
}

fn state(desk: &Desk) -> (String, String) {
    (
        desk.of(ANN, "state"),
        desk.of(ANN, "COALESCE(CAST(expires_at AS TEXT), 'never')"),
    )
}

/// What `state` gives for a person without an end.
fn without_end(state: &str) -> (String, String) {
    (state.to_owned(), "never".to_owned())
}

#[test]
fn a_locked_account_does_not_come_in_active() {
    let cases = [
        ("userAccountControl: 512", "active"),
        ("userAccountControl: 514", "deactivated"),
        ("userAccountControl: 66050", "deactivated"),
        ("userAccountControl: 528", "suspended"),
        ("lockoutTime: 133497504000000000", "suspended"),
        ("accountExpires: 0", "active"),
        ("accountExpires: 9223372036854775807", "active"),
        ("accountExpires: 133497504000000000", "expired"),
        ("accountExpires: 160000000000000000", "expiring"),
        ("nsAccountLock: TRUE", "deactivated"),
        ("pwdAccountLockedTime: 000001010000Z", "suspended"),
        ("pwdAccountLockedTime: 20260101000000Z", "suspended"),
        ("shadowExpire: -1", "active"),
        ("shadowExpire: 19737", "expired"),
        ("krbPrincipalExpiration: 20240115000000Z", "expired"),
        ("krbPrincipalExpiration: 20380115000000Z", "expiring"),
        ("sambaAcctFlags: [UD         ]", "deactivated"),
        ("loginDisabled: TRUE", "deactivated"),
        ("inetUserStatus: inactive", "deactivated"),
        (
            "userAccountControl: 514\naccountExpires: 133497504000000000",
            "deactivated",
        ),
    ];
    for (line, expected) in cases {
        let mut desk = Desk::new();
        assert_eq!(ldif(&mut desk, &ann(line)), [1, 0, 0, 0, 0], "{line}");
        assert_eq!(state(&desk).0, expected, "{line}");
        assert_eq!(ldif(&mut desk, &ann(line)), [0, 0, 1, 0, 0], "{line}: once more");
    }
}

#[test]
fn a_lock_that_cannot_be_read_refuses_the_person() {
    for line in [
        "userAccountControl: off",
        "accountExpires: soon",
        "nsAccountLock: perhaps",
        "shadowExpire: 2024-01-15",
    ] {
        let mut desk = Desk::new();
        let report = desk.import(Format::Ldif, &ann(line));
        let attribute = line.split(':').next().unwrap().to_lowercase();
        assert!(reasons(&report)[0].contains(&attribute), "{:?}", reasons(&report));
        assert_eq!(numbers(&report), [0, 0, 0, 1, 0]);
    }
}

#[test]
fn the_source_lets_in_again_whom_it_kept_out_and_nobody_else() {
    let mut desk = Desk::new();
    ldif(&mut desk, &ann("userAccountControl: 514"));
    assert_eq!(state(&desk), without_end("deactivated"));
    // A file of chosen attributes says nothing of the lock.
    assert_eq!(ldif(&mut desk, &ann("")), [0, 0, 1, 0, 0]);
    assert_eq!(state(&desk), without_end("deactivated"));
    assert_eq!(ldif(&mut desk, &ann("userAccountControl: 512")), [0, 1, 0, 0, 0]);
    assert_eq!(state(&desk), without_end("active"));
    ldif(&mut desk, &ann("accountExpires: 133497504000000000"));
    assert_eq!(state(&desk).0, "expired");
    ldif(&mut desk, &ann("accountExpires: 0"));
    assert_eq!(state(&desk), without_end("active"));
    // What an operation of the API did is not undone by a source that never locked anybody.
    desk.set_state(ANN, "suspended");
    assert_eq!(ldif(&mut desk, &ann("userAccountControl: 512")), [0, 0, 1, 0, 0]);
    assert_eq!(state(&desk), without_end("suspended"));
}

#[test]
fn deleted_preserved_and_conflicting_entries_are_passed_over_by_their_name() {
    let cases = [
        (person("uid=ann,cn=deleted users,cn=accounts,cn=provisioning,dc=test", ANN, ""), "deleted entry 1 (line 1)"),
        (person("nsuniqueid=6d2c,uid=ann,dc=test", ANN, "objectClass: nsTombstone"), "deleted entry 1 (line 1)"),
        (person("CN=Ann\\0ADEL:0a1b,CN=Deleted Objects,DC=test", ANN, "isDeleted: TRUE"), "deleted entry 1 (line 1)"),
        (person("CN=Ann\\0ACNF:0a1b,DC=test", ANN, ""), "replication conflict 1 (line 1)"),
        (person("uid=ann,dc=test", ANN, "nsds5ReplConflict: namingConflict uid=ann"), "replication conflict 1 (line 1)"),
        (ann("inetUserStatus: deleted"), "deleted entry 1 (line 1)"),
        ("dn: uid=ann,dc=test\nobjectClass: top\nobjectClass: account\nobjectClass: posixAccount\nuid: ann\n".to_owned(), "account posixAccount 1 (line 1)"),
    ];
    for (text, expected) in cases {
        let mut desk = Desk::new();
        let report = desk.import(Format::Ldif, &text);
        assert_eq!(numbers(&report), [0, 0, 0, 0, 1], "{text}");
        assert_eq!(report.passed_over.entries.to_string(), expected, "{text}");
    }
}

#[test]
fn a_staged_entry_is_staged_until_it_stands_among_the_others() {
    let mut desk = Desk::new();
    let id = "entryUUID: 6d2c9b81-0000-4000-8000-000000000001";
    ldif(
        &mut desk,
        &person(
            "uid=ann,cn=staged users,cn=accounts,cn=provisioning,dc=test",
            ANN,
            id,
        ),
    );
    assert_eq!(state(&desk), without_end("staged"));
    ldif(
        &mut desk,
        &person("uid=ann,cn=users,cn=accounts,dc=test", ANN, id),
    );
    assert_eq!(state(&desk), without_end("active"));
}

#[test]
fn values_that_replicas_deleted_are_gone_and_options_not_understood_are_named() {
    let mut desk = Desk::new();
    let text = ann(
        "title;adcsn-5e1f;vucsn-5e1f;vdcsn-5e1f;deletedattribute;deleted: Director\nou;vucsn-5e1f: Safety",
    )
    .replace(
        "mail:",
        "mail;adcsn-5e1f;vucsn-5e1f;vdcsn-5e1f;deleted: old@test.invalid\nmail;vucsn-5e1f:",
    );
    assert_eq!(ldif(&mut desk, &text), [1, 0, 0, 0, 0]);
    assert_eq!(desk.of(ANN, "org"), r#"{"department":"Safety"}"#);
    for (line, named) in [
        ("title;x-former: Director", "x-former"),
        ("member;range=0-1499: uid=ann,dc=test", "range=0-1499"),
    ] {
        let report = desk.import(Format::Ldif, &ann(line));
        assert!(reasons(&report)[0].contains(named), "{:?}", reasons(&report));
    }
}

#[test]
fn attributes_and_groups_of_active_directory_are_understood() {
    let mut desk = Desk::new();
    let text = "dn: CN=Ann Lee,DC=test\nobjectClass: person\nobjectClass: user\ncn: Ann Lee\nsn: Lee\ngivenName: Ann\n\
         sAMAccountName: alee7\nuserPrincipalName: ann@test.invalid\nemployeeID: 00123\ndepartment: Finance\ntitle: Head\n\
         memberOf: CN=Board\\, small,OU=Groups,DC=test\ntelephoneNumber: 1\ntelephoneNumber: 2\ncn: Annie\n\n\
         dn: CN=Admins,DC=test\nobjectClass: top\nobjectClass: group\ncn: Admins\nmember: CN=Ann Lee,DC=test\n";
    let report = desk.import(Format::Ldif, text);
    assert_eq!(
        (numbers(&report), reasons(&report)),
        ([1, 0, 0, 0, 0], Vec::new())
    );
    let row = "username || '|' || employee_id || '|' || org";
    let org = r#"{"department":"Finance","groups":"Admins, Board, small","title":"Head"}"#;
    assert_eq!(desk.of(ANN, row), format!("alee7|00123|{org}"));
    let not_read = report.passed_over.attributes.to_string();
    assert_eq!(
        not_read,
        "telephoneNumber 2 (line 13), cn (second value) 1 (line 15)"
    );
}

#[test]
fn letters_that_only_look_alike_make_nobody_somebody_else() {
    for (address, named) in [
        ("admın@test.invalid", "admin@test.invalid"),
        ("ſam@test.invalid", "sam@test.invalid"),
        ("joe@straße.invalid", "joe@strasse.invalid"),
        ("\u{212a}im@test.invalid", "kim@test.invalid"),
    ] {
        let mut desk = Desk::new();
        let report = desk.csv(&format!(
            "id,email,first_name,last_name,manager\n1,{address},A,B,\n2,bob@test.invalid,Bob,Ray,{named}\n"
        ));
        assert_eq!(reasons(&report).len(), 1, "{address}");
        // In the store they are two as well.
        assert_eq!(
            numbers(&desk.csv(&format!("id,email,first_name,last_name\n1,{address},A,B\n"))),
            [1, 0, 0, 0, 0]
        );
        let report = desk.csv(&format!(
            "id,email,first_name,last_name,manager\n2,bob@test.invalid,Bob,Ray,{named}\n"
        ));
        assert_eq!(reasons(&report).len(), 1, "{address}");
        assert_eq!(
            numbers(&desk.csv(&format!("id,email,first_name,last_name\n3,{named},A,B\n"))),
            [1, 0, 0, 0, 0]
        );
    }
    let mut desk = Desk::new();
    assert_eq!(numbers(&desk.csv("id,email,first_name,last_name,manager\n1,Ann@Test.Invalid,Ann,Lee,\n2,bob@test.invalid,Bob,Ray,ann@test.INVALID\n")), [2, 0, 0, 0, 0]);
}

#[test]
fn a_person_who_moved_or_is_spelt_otherwise_is_known_again() {
    let mut desk = Desk::new();
    let id = "entryUUID: 11111111-1111-4111-8111-111111111111";
    // Known by the DN before the export had the id.
    ldif(&mut desk, &ann(""));
    let user = desk.of(ANN, "id");
    assert_eq!(ldif(&mut desk, &ann(id)), [0, 1, 0, 0, 0]);
    assert_eq!(ldif(&mut desk, &ann(id)), [0, 0, 1, 0, 0]);
    let moved = person("uid=ann,ou=b,dc=test", "ann.new@test.invalid", id);
    assert_eq!(ldif(&mut desk, &moved), [0, 1, 0, 0, 0]);
    assert_eq!(desk.of("ann.new@test.invalid", "id"), user);
    // Who reports to her names her by the new DN, also in a file without her.
    let bob = person(
        "uid=bob,dc=test",
        "bob@test.invalid",
        "manager: uid=ann,ou=b,dc=test",
    );
    assert_eq!(ldif(&mut desk, &bob), [1, 0, 0, 0, 0]);
    assert_eq!(desk.of("bob@test.invalid", "manager_id"), user);
    // Another entry at the old DN is another person.
    let other = person(
        "uid=ann,dc=test",
        ANN,
        "entryUUID: 22222222-2222-4222-8222-222222222222",
    );
    assert_eq!(ldif(&mut desk, &other), [1, 0, 0, 0, 0]);
    assert_ne!(desk.of(ANN, "id"), user);
}

#[test]
fn rows_are_known_by_id_else_by_the_column_named_else_by_the_address() {
    let mut desk = Desk::new();
    assert_eq!(
        numbers(&desk.csv("email,first_name,last_name\nAnn.Lee@test.invalid,Ann,Lee\n")),
        [1, 0, 0, 0, 0]
    );
    assert_eq!(
        numbers(&desk.csv("email,first_name,last_name\nann.lee@TEST.invalid,Ann,Lee\n")),
        [0, 1, 0, 0, 0]
    );
    // The file has ids now.
    assert_eq!(
        numbers(&desk.csv("id,email,first_name,last_name\n7,ann.lee@test.invalid,Ann,Lee\n")),
        [0, 1, 0, 0, 0]
    );
    assert_eq!(
        numbers(&desk.csv("id,email,first_name,last_name\n7,ann@test.invalid,Ann,Lee\n")),
        [0, 1, 0, 0, 0]
    );
    assert_eq!(desk.column("SELECT email FROM directory_users"), [ANN]);
    let report =
        desk.csv("id,email,first_name,last_name\n7,ann@test.invalid,Ann,Lee\n,bob@test.invalid,Bob,Ray\n");
    assert_eq!(
        report.known_by.into_iter().collect::<Vec<_>>(),
        [("email", 1), ("id", 1)]
    );
}

#[test]
fn what_a_file_never_names_is_kept_and_what_is_emptied_is_told() {
    let mut desk = Desk::new();
    let bob = |further: &str| person("uid=bob,dc=test", "bob@test.invalid", further);
    ldif(
        &mut desk,
        &format!(
            "{}{}",
            ann("title: Head"),
            bob("title: Aide\nemployeeNumber: 7\nmanager: uid=ann,dc=test")
        ),
    );
    let before = desk.export(rollcall_import::export::Format::Jsonl);
    assert_eq!(ldif(&mut desk, &bob("")), [0, 0, 1, 0, 0]);
    assert_eq!(desk.export(rollcall_import::export::Format::Jsonl), before);
    let report = desk.import(
        Format::Ldif,
        &format!(
            "{}{}",
            ann("title: Head\nemployeeNumber: 1\nmanager: uid=bob,dc=test"),
            bob("")
        ),
    );
    let emptied: Vec<_> = report.emptied.into_iter().collect();
    assert_eq!(
        emptied,
        [
            ("employee_id".to_owned(), 1),
            ("manager".to_owned(), 1),
            ("org.title".to_owned(), 1)
        ]
    );
}

#[test]
fn what_cannot_be_meant_is_refused_by_its_place() {
    let mut desk = Desk::new();
    let cases = [
        ("<ann@test.invalid>,A,B,", "has <"),
        ("mailto:ann@test.invalid,A,B,", "has :"),
        ("\"ann@test.invalid,bob@test.invalid\",A,B,", "has ,"),
        ("ann\u{200b}@test.invalid,A,B,", "U+200B"),
        ("ann@test.invalid,A,B,7\u{202e}", "U+202E"),
        ("ann@test.invalid,\u{202e}A,B,", "U+202E"),
        ("ann@test.invalid,A,\"B\"x,", "quotation mark"),
    ];
    for (row, reason) in cases {
        let report = desk.csv(&format!(
            "email,first_name,last_name,employee_id\nbob@test.invalid,Bob,Ray,\n{row}\n"
        ));
        assert!(
            reasons(&report)[0].starts_with("line 3") && reasons(&report)[0].contains(reason),
            "{:?}",
            reasons(&report)
        );
    }
    // Joiners and variants of letters belong to names.
    let report =
        desk.csv("email,first_name,last_name\nann@test.invalid,\u{646}\u{200c}\u{647},\u{8fbb}\u{e0100}\n");
    assert_eq!(numbers(&report), [1, 0, 0, 0, 0]);
    let report = desk.import(Format::Jsonl, r#"{"email":"a@test.invalid","first_name":"A","last_name":"B","metadata":{"card":12345678901234567890123}}"#);
    assert!(
        reasons(&report)[0].contains("12345678901234567890123"),
        "{:?}",
        reasons(&report)
    );
}
