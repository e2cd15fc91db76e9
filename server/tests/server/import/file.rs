//! A file as a whole: once, twice, for show, and when it changes on the way.

use std::cell::Cell;
use std::io;

use rollcall_import::{Accepts, Fault, Format, Options, Request};
use rollcall_store::WriteContext;

use super::{DRY_RUN, Desk, How, fixture, numbers};

const FILES: [(Format, &str); 4] = [
    (Format::Ldif, "people.ldif"),
    (Format::Ldif, "company.ldif"),
    (Format::Csv, "people.csv"),
    (Format::Jsonl, "people.jsonl"),
];

#[test]
fn the_same_file_twice_changes_nothing() {
    for (format, name) in FILES {
        let mut desk = Desk::new();
        let text = fixture(name);
        // The manager of one person in people.ldif lies elsewhere.
        let text = text.replace("manager: uid=ed,ou=Staff,\n dc=test,dc=inv\n", "");
        let first = desk.import(format, &text);
        assert!(
            first.created >= 3 && first.refused.is_empty(),
            "{name}: {first:?}"
        );
        let before = desk.dump();
        desk.pass(60);
        let second = desk.import(format, &text);
        assert_eq!(
            numbers(&second),
            [0, 0, first.created, 0, first.skipped],
            "{name}"
        );
        assert_eq!(desk.dump(), before, "{name}");
    }
}

#[test]
fn a_dry_run_says_what_it_would_do_and_does_nothing() {
    let mut desk = Desk::new();
    let empty = desk.dump();
    let text = fixture("company.ldif");
    let shown = desk.import_with(Format::Ldif, &text, DRY_RUN);
    assert_eq!(desk.dump(), empty);
    let done = desk.import(Format::Ldif, &text);
    assert_eq!(shown, done);
    assert_eq!(numbers(&done), [5, 0, 0, 0, 2]);
}

#[test]
fn a_new_person_has_an_identity_a_log_entry_and_defaults() {
    let mut desk = Desk::new();
    desk.csv("id,email,first_name,last_name\n7,ann.lee@test.invalid,Ann,Lee\n");
    let user = desk.of("ann.lee@test.invalid", "id");
    let row = "username || '|' || full_name || '|' || state || '|' || CASE WHEN provisioned_at = created_at THEN 1 ELSE 0 END || '|' || org || metadata";
    assert_eq!(
        desk.of("ann.lee@test.invalid", row),
        "ann.lee|Ann Lee|active|1|{}{}"
    );
    let identity = "SELECT vendor_id || integration_vendor || integration_handle || state || org || CASE WHEN directory_user_id = '";
    assert_eq!(
        desk.cell(&format!(
            "{identity}{user}' THEN 1 ELSE 0 END FROM directory_identities"
        )),
        "7importimportactive{}1"
    );
    let integration = "SELECT vendor || handle || domain || CASE WHEN is_primary THEN 1 ELSE 0 END || state || count_directory_users || count_directory_identities
                       FROM workspace_integrations";
    assert_eq!(desk.cell(integration), "importimporttest.invalid1active11");
    assert_eq!(
        desk.messages(),
        [
            "created: Integration was created by an import.",
            "imported: Imported from import."
        ]
    );
    assert_eq!(
        desk.cell("SELECT record_id || subject_id FROM workspace_logs WHERE action = 'imported'"),
        format!("{user}{user}")
    );
}

#[test]
fn ids_follow_the_order_of_the_file() {
    let mut desk = Desk::new();
    desk.import(Format::Ldif, &fixture("company.ldif"));
    let users = desk.column("SELECT username FROM directory_users ORDER BY id");
    assert_eq!(users, ["ann", "bob", "cid", "dee", "eve"]);
}

#[test]
fn an_empty_file_writes_nothing() {
    let mut desk = Desk::new();
    let empty = desk.dump();
    for (format, text) in [
        (Format::Csv, "email,first_name,last_name\n"),
        (Format::Ldif, "version: 1\n"),
        (Format::Jsonl, "\n"),
    ] {
        assert_eq!(numbers(&desk.import(format, text)), [0; 5]);
    }
    assert_eq!(desk.dump(), empty);
}

#[test]
fn the_same_key_of_another_integration_is_another_person() {
    let mut desk = Desk::new();
    let text = "id,email,first_name,last_name\n1,ann@test.invalid,Ann,Lee\n";
    desk.csv(text);
    let other = How {
        integration: Some("payroll"),
        ..How::default()
    };
    assert_eq!(
        numbers(&desk.import_with(Format::Csv, text, other)),
        [1, 0, 0, 0, 0]
    );
    assert_eq!(
        desk.column(
            "SELECT handle || CASE WHEN is_primary THEN 1 ELSE 0 END FROM workspace_integrations ORDER BY id"
        ),
        ["import1", "payroll0"]
    );
}

#[test]
fn many_people_come_in_as_a_few_do() {
    let manager = |n: u32| {
        if n == 0 {
            String::new()
        } else {
            (n / 2).to_string()
        }
    };
    let rows = (0..1_200).map(|n| {
        format!(
            "{n},u{n}@test.invalid,F,L{},{},team {}\n",
            n % 7,
            manager(n),
            n % 5
        )
    });
    let text = format!(
        "id,email,first_name,last_name,manager,org.team\n{}",
        rows.collect::<String>()
    );
    let mut many = Desk::new();
    assert_eq!(numbers(&many.csv(&text)), [1_200, 0, 0, 0, 0]);
    assert_eq!(many.of("u3@test.invalid", "org"), r#"{"team":"team 3"}"#);
    assert_eq!(many.found("u119"), 11);
    assert_eq!(numbers(&many.csv(&text)), [0, 0, 1_200, 0, 0]);
}

#[test]
fn a_file_that_changes_while_it_is_read_is_not_imported() {
    let mut desk = Desk::new();
    let empty = desk.dump();
    let rows = ["1,ann@test.invalid,Ann,Lee\n", "2,bob@test.invalid,Bob,Ray\n"];
    let header = "id,email,first_name,last_name\n";
    let states = [
        (vec![rows[0], rows[1]], vec![rows[0]]),
        (vec![rows[0]], vec![rows[0], rows[1]]),
        (vec![rows[0]], vec![rows[1]]),
    ];
    for (first, second) in states {
        let texts = [first, second].map(|rows| format!("{header}{}", rows.concat()));
        let reading = Cell::new(0);
        let open = || {
            reading.set(reading.get() + 1);
            Ok::<_, io::Error>(texts[reading.get() - 1].as_bytes())
        };
        let options = Options::default();
        let request = Request {
            format: Format::Csv,
            options,
            integration: "import",
            keep_going: true,
            dry_run: false,
            accepts: Accepts::Anyone,
        };
        let context = WriteContext {
            token: None,
            now: desk.now(),
            actor: None,
            base: "",
        };
        let outcome = rollcall_import::import(&desk.connection, &mut desk.ids, context, open, &request);
        assert!(matches!(outcome, Err(Fault::Changed)), "{outcome:?}");
        assert_eq!(desk.dump(), empty);
    }
}
