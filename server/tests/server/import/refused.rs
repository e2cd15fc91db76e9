//! What an import refuses, and that nothing comes of it.

use proptest::prelude::*;
use rollcall_import::{Format, Report};

use super::{Desk, KEEP_GOING, fixture, numbers, reasons};

const MANAGERS: &str = "id,email,first_name,last_name,manager\n\
    1,ann@test.invalid,Ann,Lee,\n\
    2,bob@test.invalid,Bob,Ray,2\n\
    3,cid@test.invalid,Cid,Fox,bob@test.invalid\n\
    4,dee@test.invalid,Dee,Orr,3\n\
    5,eve@test.invalid,Eve,Poe,nobody\n\
    1,fay@test.invalid,Fay,Roe,\n\
    7,ANN@test.invalid,Ann,Two,\n\
    8,gus@test.invalid,Gus,Zed,1\n";

#[test]
fn one_refused_record_keeps_the_whole_file_out() {
    for (format, name) in [
        (Format::Ldif, "refused.ldif"),
        (Format::Csv, "refused.csv"),
        (Format::Jsonl, "refused.jsonl"),
    ] {
        let mut desk = Desk::new();
        let empty = desk.dump();
        let report = desk.import(format, &fixture(name));
        assert!(!report.refused.is_empty() && !report.written, "{report:?}");
        assert_eq!([report.created, report.updated], [0, 0]);
        assert_eq!(desk.dump(), empty);
    }
}

#[test]
fn keep_going_takes_the_good_ones() {
    for (format, name) in [
        (Format::Ldif, "refused.ldif"),
        (Format::Csv, "refused.csv"),
        (Format::Jsonl, "refused.jsonl"),
    ] {
        let mut desk = Desk::new();
        let report = desk.import_with(format, &fixture(name), KEEP_GOING);
        assert_eq!((report.created, report.written), (1, true), "{report:?}");
        assert_eq!(
            desk.column("SELECT email FROM directory_users"),
            ["last@test.invalid"]
        );
    }
}

#[test]
fn references_that_lead_nowhere_are_refused_with_those_below() {
    let mut desk = Desk::new();
    let expected = [
        "line 3: 2: manager: \"2\" is the person themselves",
        "line 4: 3: manager: is refused, see line 3",
        "line 5: 4: manager: is refused, see line 4",
        "line 6: 5: manager: \"nobody\" is neither in the file nor in the store",
        "line 7: 1: is the same entry as on line 2",
        "line 8: 7: email: is also that of line 2",
    ];
    let report = desk.csv(MANAGERS);
    assert_eq!(reasons(&report), expected);
    assert_eq!(desk.cell("SELECT count(*) FROM directory_users"), "0");
    let report = desk.import_with(Format::Csv, MANAGERS, KEEP_GOING);
    assert_eq!(
        (reasons(&report), numbers(&report)),
        (expected.map(str::to_owned).to_vec(), [2, 0, 0, 6, 0])
    );
    assert_eq!(
        desk.column("SELECT email FROM directory_users ORDER BY id"),
        ["ann@test.invalid", "gus@test.invalid"]
    );
}

#[test]
fn a_refused_person_whom_the_store_has_can_still_be_a_manager() {
    let mut desk = Desk::new();
    desk.csv("id,email,first_name,last_name\n1,ann@test.invalid,Ann,Lee\n");
    let text = "id,email,first_name,last_name,manager\n1,ann@test.invalid,Ann,Leigh,1\n2,bob@test.invalid,Bob,Ray,1\n";
    let report = desk.import_with(Format::Csv, text, KEEP_GOING);
    assert_eq!(numbers(&report), [1, 0, 0, 1, 0]);
    assert_eq!(
        desk.of("ann@test.invalid", "last_name || count_direct_report_users"),
        "Lee1"
    );
}

#[test]
fn an_email_has_one_person_in_an_integration() {
    let mut desk = Desk::new();
    let header = "id,email,first_name,last_name";
    desk.csv(&format!(
        "{header}\n1,ann@test.invalid,Ann,Lee\n2,bob@test.invalid,Bob,Ray\n"
    ));
    let owner = desk.of("ann@test.invalid", "id");
    let report = desk.csv(&format!("{header}\n3,Ann@test.invalid,Ann,Lee\n"));
    assert_eq!(
        reasons(&report),
        [format!("line 2: 3: email: belongs to the user {owner} already")]
    );
    // Two may change theirs for each other's in one file.
    let report = desk.csv(&format!(
        "{header}\n1,bob@test.invalid,Ann,Lee\n2,ann@test.invalid,Bob,Ray\n"
    ));
    assert_eq!(numbers(&report), [0, 2, 0, 0, 0]);
}

#[test]
fn what_cannot_be_read_to_its_end_is_not_imported_at_all() {
    let mut desk = Desk::new();
    let long = "x".repeat(2 << 20);
    let text = format!("id,email,first_name,last_name\n1,ann@test.invalid,Ann,Lee\n2,\"{long}\n");
    let report = desk.import_with(Format::Csv, &text, KEEP_GOING);
    assert!(!report.complete && !report.written, "{report:?}");
    assert_eq!(desk.cell("SELECT count(*) FROM directory_users"), "0");
}

#[test]
fn an_email_stays_with_its_owner_if_the_owner_is_refused() {
    let mut desk = Desk::new();
    let header = "id,email,first_name,last_name,manager";
    desk.csv(&format!(
        "{header}\n1,ann@test.invalid,Ann,Lee,\n2,bob@test.invalid,Bob,Ray,\n3,cid@test.invalid,Cid,Fox,\n"
    ));
    let owners = ["ann@test.invalid", "bob@test.invalid"].map(|email| desk.of(email, "id"));
    let report = desk.import_with(
        Format::Csv,
        &format!(
            "{header}\n3,ann@test.invalid,Cid,Fox,\n1,bob@test.invalid,Ann,Lee,\n2,bo@test.invalid,Bob,Ray,ghost\n9,cid@test.invalid,New,One,\n"
        ),
        KEEP_GOING,
    );
    assert_eq!(
        reasons(&report)[..2],
        [
            format!("line 2: 3: email: belongs to the user {} already", owners[0]),
            format!("line 3: 1: email: belongs to the user {} already", owners[1]),
        ]
    );
    assert_eq!((report.refused.len(), report.created, report.updated), (4, 0, 0));
}

/// A row: id, email, manager, and whether it has a first name.
type Row = (u8, u8, Option<(bool, u8)>, bool);

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let manager = prop::option::of((any::<bool>(), 0..5_u8));
    prop::collection::vec((0..5_u8, 0..5_u8, manager, prop::bool::weighted(0.8)), 1..6)
}

fn written(rows: &[Row]) -> String {
    let mut file = "id,email,first_name,last_name,manager\n".to_owned();
    for (id, email, manager, is_named) in rows {
        let manager = manager.map(|(by_email, whom)| match by_email {
            true => format!("{whom}@test.invalid"),
            false => format!("p{whom}"),
        });
        let (first, manager) = (if *is_named { "Ann" } else { "" }, manager.unwrap_or_default());
        file += &format!("p{id},{email}@test.invalid,{first},Lee,{manager}\n");
    }
    file
}

proptest! {
    #![proptest_config(crate::properties(60))]

    #[test]
    fn whatever_is_refused_an_email_has_one_user_and_the_same_file_changes_nothing_again(
        before in rows(),
        file in rows(),
    ) {
        let mut desk = Desk::new();
        let (before, file) = (written(&before), written(&file));
        desk.import_with(Format::Csv, &before, KEEP_GOING);
        let first = desk.import_with(Format::Csv, &file, KEEP_GOING);
        let emails = desk.column("SELECT email FROM directory_users ORDER BY 1");
        let mut distinct = emails.clone();
        distinct.dedup();
        prop_assert_eq!(emails, distinct, "{}{}", before, file);
        let state = desk.dump();
        let again = desk.import_with(Format::Csv, &file, KEEP_GOING);
        let lines = |report: &Report| report.refused.iter().map(|refusal| refusal.line).collect::<Vec<_>>();
        prop_assert_eq!(lines(&again), lines(&first), "{}{}", before, file);
        prop_assert_eq!([again.created, again.updated], [0, 0], "{}{}", before, file);
        prop_assert_eq!(desk.dump(), state);
    }
}
