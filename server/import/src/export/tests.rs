//! What is written reads back as it was.

use proptest::prelude::*;
use rollcall::Timestamp;
use serde_json::{Map, Value};

use super::{Columns, Csv, ExportError, Jsonl};
use crate::{Format, Kind, Membership, Options, Person, Reader, check};

const STATES: [&str; 2] = ["active", "staged"];

fn text() -> impl Strategy<Value = String> {
    let odd = vec![
        ',', ';', '"', '\\', '\'', '=', '+', '-', '@', ' ', '%', '_', 'é', 'Å', '漢', '\u{feff}', '\u{a0}',
        '#',
    ];
    let letter = prop_oneof![proptest::sample::select(odd), any::<char>()];
    let text = proptest::collection::vec(letter.prop_filter("control", |c| !c.is_control()), 0..12);
    text.prop_map(String::from_iter)
}

fn name() -> impl Strategy<Value = String> {
    text()
        .prop_map(|text| text.trim().to_owned())
        .prop_filter("a name", |name| {
            check::name("name", name).is_ok_and(|name| name.is_some())
        })
}

fn identifier() -> impl Strategy<Value = String> {
    name().prop_filter("an identifier", |name| {
        check::identifier("identifier", name).is_ok()
    })
}

fn email() -> impl Strategy<Value = String> {
    let part = || name().prop_map(|name| name.replace(|c: char| c == '@' || c.is_whitespace(), "x"));
    let address = (part(), part()).prop_map(|(handle, domain)| format!("{handle}@{domain}"));
    address.prop_filter("an address", |address| check::email("email", address).is_ok())
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::vec((text(), inner), 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn metadata() -> impl Strategy<Value = Map<String, Value>> {
    let key = prop_oneof![
        name().prop_map(|key| key.trim().to_owned()),
        Just("a:json".to_owned()),
        Just("a".to_owned())
    ];
    proptest::collection::vec((key, json()), 0..4).prop_map(|members| members.into_iter().collect())
}

fn attributes() -> impl Strategy<Value = Vec<Membership>> {
    let membership =
        ("[a-z]{1,2}(|_[a-z]|[.]b)", name()).prop_map(|(dimension, name)| Membership { dimension, name });
    proptest::collection::vec(membership, 0..5).prop_map(crate::in_order)
}

prop_compose! {
    fn person()(
        key in identifier(),
        email in email(),
        [username, badge_id, employee_id, employee_alt_id, manager] in proptest::array::uniform5(proptest::option::of(identifier())),
        (first_name, last_name, full_name) in (name(), name(), proptest::option::of(name())),
        attributes in attributes(),
        metadata in metadata(),
        state in proptest::option::of(proptest::sample::select(STATES.to_vec())),
        expires_at in proptest::option::of((-62_167_219_200_000_000..=253_402_300_799_999_999_i64).prop_map(Timestamp::from_micros)),
    ) -> Person {
        Person {
            identified_by: "id", key, email, username, first_name, last_name, full_name, badge_id, employee_id, employee_alt_id,
            manager, attributes, metadata, state: state.map(str::to_owned), expires_at: expires_at.flatten(),
            ..Person::default()
        }
    }
}

fn read(format: Format, bytes: &[u8]) -> Vec<Person> {
    let options = Options {
        states: STATES.map(str::to_owned).to_vec(),
        ..Options::default()
    };
    let entries =
        Reader::new(format, bytes, options).map(|entry| entry.expect("what was written is accepted").kind);
    entries
        .map(|kind| {
            if let Kind::Person(person) = kind {
                *person
            } else {
                panic!("not a person")
            }
        })
        .collect()
}

fn csv(people: &[Person]) -> Vec<u8> {
    let mut columns = Columns::default();
    people.iter().for_each(|person| columns.observe(person));
    let mut file = Csv::new(Vec::new(), columns).expect("a header");
    people
        .iter()
        .for_each(|person| file.write(person).expect("a row"));
    file.finish().expect("a file")
}

fn jsonl(people: &[Person]) -> Vec<u8> {
    let mut file = Jsonl::new(Vec::new());
    people
        .iter()
        .for_each(|person| file.write(person).expect("a line"));
    file.finish().expect("a file")
}

proptest! {
    #[test]
    fn csv_reads_back_as_it_was(people in proptest::collection::vec(person(), 0..4)) {
        let file = csv(&people);
        prop_assert_eq!(read(Format::Csv, &file), people, "{}", String::from_utf8_lossy(&file));
        for row in ::csv::Reader::from_reader(file.as_slice()).byte_records() {
            let row = row.expect("a row");
            prop_assert!(row.iter().all(|cell| !cell.starts_with(b"=") && !cell.starts_with(b"@")), "{:?}", row);
        }
    }

    #[test]
    fn json_lines_read_back_as_they_were(people in proptest::collection::vec(person(), 0..4)) {
        let file = jsonl(&people);
        prop_assert_eq!(read(Format::Jsonl, &file), people, "{}", String::from_utf8_lossy(&file));
    }
}

fn ann() -> Person {
    Person {
        key: "1".to_owned(),
        email: "ann@test.invalid".to_owned(),
        first_name: "=cmd()".to_owned(),
        last_name: "Lee, Ann".to_owned(),
        attributes: ["a;b", "c\\"]
            .map(|name| Membership {
                dimension: "team".to_owned(),
                name: name.to_owned(),
            })
            .to_vec(),
        metadata: Map::from_iter([("desk".to_owned(), "4".into()), ("floor".to_owned(), 4.into())]),
        ..Person::default()
    }
}

#[test]
fn a_csv_file_looks_like_this() {
    let file = String::from_utf8(csv(&[ann()])).expect("UTF-8");
    let expected = "id,email,username,first_name,last_name,full_name,badge_id,employee_id,employee_alt_id,manager,state,expires_at,\
                    org.team,metadata.desk,metadata.floor:json\n\
                    1,ann@test.invalid,,'=cmd(),\"Lee, Ann\",,,,,,,,a\\;b; c\\\\,4,4\n";
    assert_eq!(file, expected);
}

#[test]
fn a_json_line_looks_like_this() {
    let file = String::from_utf8(jsonl(&[ann()])).expect("UTF-8");
    let expected = "{\"id\":\"1\",\"email\":\"ann@test.invalid\",\"first_name\":\"=cmd()\",\"last_name\":\"Lee, Ann\",\
                    \"org\":{\"team\":[\"a;b\",\"c\\\\\"]},\"metadata\":{\"desk\":\"4\",\"floor\":4}}\n";
    assert_eq!(file, expected);
}

#[test]
fn nothing_is_left_out_for_want_of_a_column() {
    let mut file = Csv::new(Vec::new(), Columns::default()).expect("a header");
    let refused = file.write(&ann()).expect_err("no column for the team");
    assert!(
        matches!(&refused, ExportError::NoColumn(column) if column == "org.team"),
        "{refused}"
    );
}
