//! Exports as other systems write them, made at random: everybody comes in as the generator knows them, and nobody else.

mod generator;
mod rows;

use proptest::prelude::*;
use rollcall_import::Format;
use rollcall_import::export::Format as Out;
use serde_json::Value;

use super::{Desk, How, numbers, reasons};
use generator::{Kind, Person, Standing, account, email, export, manager, people, style};
use rows::Source;

/// What the directory holds of people, by email: the members that the generator knows.
fn held(desk: &Desk) -> Vec<[String; 6]> {
    let exported = desk.export(Out::Jsonl);
    let lines: Vec<Value> = exported
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let text = |value: &Value| match value {
        Value::Array(_) => value.to_string(),
        value => value.as_str().unwrap_or_default().to_owned(),
    };
    let email_of = |id: &Value| {
        lines
            .iter()
            .find(|line| line["id"] == *id)
            .map_or(String::new(), |line| text(&line["email"]))
    };
    let shown = |line: &Value| {
        [
            text(&line["email"]),
            format!("{} {}", text(&line["first_name"]), text(&line["last_name"])),
            text(&line["state"]),
            email_of(&line["manager"]),
            format!(
                "{}|{}",
                text(&line["org"]["title"]),
                text(&line["org"]["department"])
            ),
            text(&line["org"]["groups"]),
        ]
    };
    let mut held: Vec<_> = lines.iter().map(shown).collect();
    held.sort();
    held
}

fn known(kind: Kind, people: &[Person]) -> Vec<[String; 6]> {
    let known = people.iter().enumerate().filter_map(|(place, person)| {
        let state = account(kind, person.standing).1?;
        let (first, last) = person.names;
        Some([
            email(place),
            format!("{first} {last}"),
            state.to_owned(),
            manager(people, place).map(email).unwrap_or_default(),
            format!(
                "{}|{}",
                person.title.unwrap_or_default(),
                person.department.unwrap_or_default()
            ),
            person.group.unwrap_or_default().to_owned(),
        ])
    });
    let mut known: Vec<_> = known.collect();
    known.sort();
    known
}

fn known_of_rows(source: Source, people: &[Person]) -> Vec<[String; 6]> {
    let known = people.iter().enumerate().map(|(place, person)| {
        let (first, last) = person.names;
        let manager = manager(people, place).filter(|_| source.has_managers());
        [
            email(place),
            format!("{first} {last}"),
            source.account(person.standing).1.to_owned(),
            manager.map(email).unwrap_or_default(),
            [person.title, person.department]
                .map(|cell| source.names(cell))
                .join("|"),
            String::new(),
        ]
    });
    let mut known: Vec<_> = known.collect();
    known.sort();
    known
}

proptest! {
    #![proptest_config(crate::properties(6))]

    #[test]
    fn everybody_comes_in_as_the_generator_knows_them(people in people(), style in style()) {
        for kind in [Kind::ActiveDirectory, Kind::Replicated389, Kind::FreeIpa, Kind::OpenLdap] {
            let mut people = people.clone();
            // Not every server has every kind of account.
            for person in &mut people {
                if person.standing == Standing::Deleted && account(kind, Standing::Deleted).1.is_some() {
                    person.standing = Standing::Open;
                }
            }
            let file = export(kind, &people, &style);
            let text = String::from_utf8(file).unwrap();
            let mut desk = Desk::new();
            let report = desk.import(Format::Ldif, &text);
            prop_assert_eq!(reasons(&report), [""; 0], "{:?}\n{}", kind, text);
            let alive = known(kind, &people);
            let deleted = (people.len() - alive.len()) as u64;
            prop_assert_eq!(numbers(&report), [alive.len() as u64, 0, 0, 0, deleted]);
            prop_assert_eq!(report.passed_over.entries.count(), deleted);
            prop_assert_eq!(held(&desk), alive, "{:?}\n{}", kind, text);
            let again = desk.import(Format::Ldif, &text);
            prop_assert_eq!(numbers(&again), [0, 0, report.created, 0, deleted]);
        }
    }

    #[test]
    fn everybody_in_a_table_comes_in_as_the_generator_knows_them(people in people(), style in style()) {
        for source in Source::ALL {
            let mut people = people.clone();
            // A table has nobody who is gone.
            for person in people.iter_mut().filter(|person| person.standing == Standing::Deleted) {
                person.standing = Standing::Open;
            }
            let text = source.file(&people, &style);
            let how = How { map: source.map(), ..How::default() };
            let mut desk = Desk::new();
            let report = desk.import_with(source.format(), &text, how);
            prop_assert_eq!(reasons(&report), [""; 0], "{:?}\n{}", source, text);
            let all = people.len() as u64;
            prop_assert_eq!(numbers(&report), [all, 0, 0, 0, 0]);
            prop_assert_eq!(held(&desk), known_of_rows(source, &people), "{:?}\n{}", source, text);
            let again = desk.import_with(source.format(), &text, how);
            prop_assert_eq!(numbers(&again), [0, 0, all, 0, 0], "{:?}\n{}", source, text);
        }
    }
}
