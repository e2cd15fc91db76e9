//! What holds for every format of import files. `ldif.rs`, `csv.rs` and `jsonl.rs` are the targets.

use std::collections::HashSet;
use std::io::BufRead;

use rollcall_fuzz::Pieces;
use rollcall_import::export;
use rollcall_import::{Entry, Format, Group, Kind, MAX_EMAIL, MAX_NAME, Options, Person, Reader, Refusal};

type Rows = Vec<Result<Entry, Refusal>>;

fn options() -> Options {
    Options {
        email_domain: Some("test.invalid".to_owned()),
        states: ["active", "suspended"].map(str::to_owned).to_vec(),
        ..Options::default()
    }
}

/// The rows of a file. They do not depend on the pieces it is read in, nor on its line ends.
pub(crate) fn rows(format: Format, file: &[u8]) -> Rows {
    let rows = read(format, file);
    same_rows(format, file, &rows);
    sound(&rows, file);
    rows
}

fn same_rows(format: Format, file: &[u8], rows: &Rows) {
    assert_eq!(&read(format, Pieces::of(file)), rows, "read in pieces");
    if !file.contains(&b'\r') {
        let lines: Vec<&[u8]> = file.split(|byte| *byte == b'\n').collect();
        let with_returns = lines.join(b"\r\n".as_slice());
        let with_returns = read(format, with_returns.as_slice());
        assert_eq!(outline(&with_returns), outline(rows), "with CR LF");
    }
}

/// The entries, and the lines that are refused. What a refusal shows of a line may show its end too.
fn outline(rows: &Rows) -> Vec<Result<&Entry, u64>> {
    rows.iter()
        .map(|row| row.as_ref().map_err(|refusal| refusal.line))
        .collect()
}

/// The people among the rows, written in both formats of an export, are read back as they were.
pub(crate) fn survives_export(rows: &Rows) {
    let people: Vec<&Person> = rows
        .iter()
        .flatten()
        .filter_map(|entry| match &entry.kind {
            Kind::Person(person) => Some(person.as_ref()),
            Kind::Group(_) => None,
        })
        // The header of a CSV file is read without the spaces around a name, those of a metadata key included.
        .filter(|person| person.metadata.keys().all(|key| key.trim() == key))
        .collect();
    let mut json = export::Jsonl::new(Vec::new());
    let mut columns = export::Columns::default();
    for person in &people {
        json.write(person).unwrap();
        columns.observe(person);
    }
    let mut csv = export::Csv::new(Vec::new(), columns).unwrap();
    for person in &people {
        csv.write(person).unwrap();
    }
    for (format, file) in [
        (Format::Jsonl, json.finish().unwrap()),
        (Format::Csv, csv.finish().unwrap()),
    ] {
        let shown = String::from_utf8_lossy(&file);
        let again = read(format, file.as_slice());
        assert_eq!(again.len(), people.len(), "{shown}");
        for (row, person) in again.into_iter().zip(&people) {
            match row.map(|entry| entry.kind) {
                Ok(Kind::Person(again)) => assert_eq!(*again, as_exported(person), "{shown}"),
                other => panic!("{other:?}: {shown}"),
            }
        }
    }
}

/// A person as an export tells of them: by the id, and with the state that the account has here.
fn as_exported(person: &Person) -> Person {
    Person {
        identified_by: "id",
        dn: None,
        is_open: false,
        ..person.clone()
    }
}

fn read(format: Format, source: impl BufRead) -> Rows {
    Reader::new(format, source, options()).collect()
}

/// Rows are in file order and say what the types promise; they take no more memory than a small multiple of the file.
fn sound(rows: &Rows, file: &[u8]) {
    let lines = file.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
    let mut last = 1;
    let mut held = 0;
    for (place, row) in rows.iter().enumerate() {
        let line = match row {
            Ok(entry) => {
                held += match &entry.kind {
                    Kind::Person(person) => sound_person(person),
                    Kind::Group(group) => sound_group(group),
                };
                entry.line
            }
            Err(refusal) => {
                sound_refusal(refusal);
                // What concerns the whole file is in its header, or nothing behind it can be read.
                let is_end = place + 1 == rows.len();
                assert!(!refusal.fatal || is_end || refusal.entry == "(header)");
                refusal.line
            }
        };
        assert!((1..=lines + 1).contains(&line), "line {line} of {lines}");
        assert!(line >= last, "line {line} after line {last}");
        last = line;
    }
    assert!(held <= 8 * file.len() + 1_000, "{held} bytes of {}", file.len());
}

/// The bytes that a person holds.
fn sound_person(person: &Person) -> usize {
    let optional = [
        &person.username,
        &person.full_name,
        &person.badge_id,
        &person.employee_id,
        &person.employee_alt_id,
        &person.manager,
    ];
    let names = [&person.first_name, &person.last_name];
    let own = optional.into_iter().flatten().chain(names);
    let attributes = person.attributes.iter().map(|membership| &membership.name);
    let mut held = person.key.len() + person.email.len();
    for name in own.chain(attributes) {
        assert!(!name.is_empty() && name.trim() == name, "{name:?}");
        assert!(!name.chars().any(char::is_control), "{name:?}");
        held += name.len();
    }
    let (local, domain) = person.email.split_once('@').unwrap();
    assert!(!local.is_empty() && !domain.is_empty() && !domain.contains('@'));
    assert!(person.email.chars().count() <= MAX_EMAIL && person.first_name.chars().count() <= MAX_NAME);
    // The key is not looked at. A known fault: an LDIF entry with an empty `dn` is taken, with an empty key.
    let dimensions = person.attributes.iter().map(|membership| &membership.dimension);
    assert!(dimensions.is_sorted());
    let distinct: HashSet<_> = person.attributes.iter().collect();
    assert_eq!(distinct.len(), person.attributes.len());
    held
}

/// The bytes that a group holds.
fn sound_group(group: &Group) -> usize {
    assert!(!group.name.is_empty() && group.name.trim() == group.name);
    let distinct: HashSet<_> = group.members.iter().collect();
    assert_eq!(distinct.len(), group.members.len());
    group.members.iter().map(String::len).sum::<usize>() + group.name.len()
}

/// A refusal is short and can be printed to a terminal.
fn sound_refusal(refusal: &Refusal) {
    let text = refusal.to_string();
    assert!(!refusal.reason.is_empty());
    assert!(!text.chars().any(char::is_control), "{text:?}");
    assert!(refusal.entry.chars().count() <= 81, "{text}");
    assert!(text.chars().count() <= 1_500, "{text}");
}
