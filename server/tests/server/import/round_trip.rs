//! Export → import into an empty store → export: the same bytes.

use proptest::prelude::*;
use rollcall_demo::{Demo, fill};
use rollcall_import::Format;
use rollcall_import::export::Format as Out;
use serde_json::{Map, Value, json};

use super::{Desk, fixture, numbers};

const BOTH: [(Out, Format); 2] = [(Out::Csv, Format::Csv), (Out::Jsonl, Format::Jsonl)];

fn assert_same(desk: &Desk) {
    for (out, format) in BOTH {
        let written = desk.export(out);
        let mut other = Desk::new();
        let report = other.import(format, &written);
        assert_eq!(report.refused, []);
        assert_eq!(other.export(out), written);
        // And over itself it changes nothing.
        let again = other.import(format, &written);
        assert_eq!(numbers(&again), [0, 0, report.created, 0, 0]);
    }
}

#[test]
fn an_export_comes_back_as_it_was() {
    let mut desk = Desk::new();
    desk.import(Format::Ldif, &fixture("company.ldif"));
    desk.import(Format::Csv, &fixture("people.csv"));
    assert_same(&desk);
}

#[test]
fn the_demo_comes_back_as_it_was() {
    let desk = Desk::new();
    let demo = Demo {
        users: 200,
        seed: 5,
        now: desk.now(),
    };
    fill(&desk.connection, &demo, None, |_| ()).unwrap();
    assert_same(&desk);
}

#[test]
fn an_export_imported_over_its_own_store_makes_nobody_new() {
    let mut desk = Desk::new();
    let demo = Demo {
        users: 60,
        seed: 5,
        now: desk.now(),
    };
    fill(&desk.connection, &demo, None, |_| ()).unwrap();
    let written = desk.export(Out::Jsonl);
    let people = written.lines().count() as u64;
    let report = desk.import(Format::Jsonl, &written);
    assert_eq!((report.created, report.refused.len()), (0, 0));
    assert_eq!(
        numbers(&desk.import(Format::Jsonl, &written)),
        [0, 0, people, 0, 0]
    );
    assert_eq!(desk.export(Out::Jsonl), written);
}

fn name() -> impl Strategy<Value = String> {
    let odd = vec![
        ',', ';', '"', '\\', '\'', '=', '@', '%', '_', 'é', 'Å', '漢', 'ß', 'ẞ', '\u{a0}', '#',
    ];
    let letter = prop_oneof![proptest::sample::select(odd), proptest::char::range('a', 'e')];
    let text =
        proptest::collection::vec(letter, 1..6).prop_map(|letters| letters.into_iter().collect::<String>());
    text.prop_map(|text| text.trim().to_owned())
        .prop_filter("empty", |text| !text.is_empty())
}

fn line(place: usize, of: usize) -> impl Strategy<Value = Map<String, Value>> {
    let texts = proptest::array::uniform6(proptest::option::of(name()));
    let org = proptest::collection::vec(
        (
            proptest::sample::select(vec!["a", "b", "c"]),
            proptest::collection::vec(name(), 1..3),
        ),
        0..3,
    );
    let metadata = proptest::collection::vec(
        (
            name(),
            prop_oneof![
                name().prop_map(Value::from),
                any::<i64>().prop_map(Value::from),
                any::<bool>().prop_map(Value::from)
            ],
        ),
        0..3,
    );
    let life = proptest::sample::select(vec![
        (None, None),
        (Some("active"), None),
        (Some("staged"), None),
        (Some("suspended"), Some("2030-01-01")),
        (None, Some("2030-01-01T12:30:00.5Z")),
        (Some("expired"), Some("2020-01-01")),
        (Some("deactivated"), None),
    ]);
    (
        name(),
        name(),
        texts,
        org,
        metadata,
        life,
        proptest::option::of(0..of),
    )
        .prop_map(
            move |(
                first,
                last,
                [username, full, badge, employee, alt, _],
                org,
                metadata,
                (state, expires_at),
                manager,
            )| {
                let optional = [
                    ("username", username),
                    ("full_name", full),
                    ("badge_id", badge),
                    ("employee_id", employee),
                    ("employee_alt_id", alt),
                    ("state", state.map(str::to_owned)),
                    ("expires_at", expires_at.map(str::to_owned)),
                    (
                        "manager",
                        manager
                            .filter(|manager| *manager != place)
                            .map(|manager| format!("u{manager}@test.invalid")),
                    ),
                ];
                let mut line = Map::new();
                line.insert("email".to_owned(), format!("u{place}@test.invalid").into());
                line.insert("first_name".to_owned(), first.into());
                line.insert("last_name".to_owned(), last.into());
                line.extend(
                    optional
                        .into_iter()
                        .filter_map(|(name, value)| Some((name.to_owned(), value?.into()))),
                );
                line.insert(
                    "org".to_owned(),
                    json!(org.into_iter().collect::<std::collections::BTreeMap<_, _>>()),
                );
                line.insert(
                    "metadata".to_owned(),
                    Value::Object(metadata.into_iter().collect()),
                );
                line
            },
        )
}

fn file() -> impl Strategy<Value = String> {
    (1..6_usize).prop_flat_map(|people| {
        let lines: Vec<_> = (0..people).map(|place| line(place, people)).collect();
        lines.prop_map(|lines| {
            lines
                .into_iter()
                .map(|line| format!("{}\n", Value::Object(line)))
                .collect()
        })
    })
}

proptest! {
    #![proptest_config(crate::properties(24))]
    #[test]
    fn whatever_came_in_comes_back(first in file(), second in file()) {
        let mut desk = Desk::new();
        let report = desk.import(Format::Jsonl, &first);
        prop_assert_eq!(&report.refused, &[]);
        assert_same(&desk);
        // A second file over the first, the same people with other values.
        let over = desk.import(Format::Jsonl, &second);
        prop_assert_eq!(&over.refused, &[]);
        assert_same(&desk);
        let before = desk.dump();
        let again = desk.import(Format::Jsonl, &second);
        prop_assert_eq!([again.created, again.updated], [0, 0]);
        prop_assert_eq!(desk.dump(), before);
    }
}

#[test]
fn soft_deleted_people_are_not_exported_not_even_as_managers() {
    let mut desk = Desk::new();
    desk.csv(
        "id,email,first_name,last_name,manager\n1,ann@test.invalid,Ann,Lee,\n2,bob@test.invalid,Bob,Ray,1\n",
    );
    let trash = "UPDATE directory_users SET deleted_at = updated_at WHERE first_name = 'Ann'";
    desk.connection
        .execute(&rollcall_store::sql::Sql::new(trash))
        .unwrap();
    let expected = r#"{"id":"2","email":"bob@test.invalid","username":"bob","first_name":"Bob","last_name":"Ray","full_name":"Bob Ray","state":"active"}"#;
    assert_eq!(desk.export(Out::Jsonl), format!("{expected}\n"));
}

#[test]
fn a_full_name_of_two_long_names_comes_back() {
    let mut desk = Desk::new();
    let (first, last) = ("Ä".repeat(255), "b".repeat(255));
    desk.csv(&format!(
        "email,first_name,last_name\nann@test.invalid,{first},{last}\n"
    ));
    assert_same(&desk);
}
