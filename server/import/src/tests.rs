//! Tests of CSV and JSON lines, and of what all formats share.

use proptest::prelude::*;

use super::{Entry, Format, Group, Kind, MAX_LINE, Options, Person, Reader, Refusal};

/// A file of `tests/fixtures/import`.
pub(super) fn fixture(name: &str) -> String {
    let path = format!("{}/../tests/fixtures/import/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All that a reader answers.
pub(super) fn read(format: Format, bytes: &[u8], options: Options) -> Vec<Result<Entry, Refusal>> {
    Reader::new(format, bytes, options).collect()
}

/// The people among the entries.
pub(super) fn people(entries: &[Result<Entry, Refusal>]) -> Vec<&Person> {
    let kinds = entries.iter().flatten().map(|entry| &entry.kind);
    kinds
        .filter_map(|kind| {
            if let Kind::Person(person) = kind {
                Some(&**person)
            } else {
                None
            }
        })
        .collect()
}

/// The groups among the entries.
pub(super) fn groups(entries: &[Result<Entry, Refusal>]) -> Vec<&Group> {
    let kinds = entries.iter().flatten().map(|entry| &entry.kind);
    kinds
        .filter_map(|kind| {
            if let Kind::Group(group) = kind {
                Some(group)
            } else {
                None
            }
        })
        .collect()
}

/// The refusals among the entries, in words.
pub(super) fn reasons(entries: &[Result<Entry, Refusal>]) -> Vec<String> {
    entries
        .iter()
        .filter_map(|entry| entry.as_ref().err())
        .map(ToString::to_string)
        .collect()
}

fn options() -> Options {
    let states = ["active", "suspended"].map(str::to_owned).to_vec();
    Options {
        states,
        ..Options::default()
    }
}

fn csv(text: &str) -> Vec<Result<Entry, Refusal>> {
    read(Format::Csv, text.as_bytes(), options())
}

#[test]
fn csv_and_json_lines_say_the_same() {
    let csv = csv(&fixture("people.csv"));
    let jsonl = read(Format::Jsonl, fixture("people.jsonl").as_bytes(), options());
    assert_eq!((reasons(&csv), reasons(&jsonl)), (vec![], vec![]));
    assert_eq!(people(&csv), people(&jsonl));
    let [zoe, ed, maeve] = people(&csv)[..] else {
        panic!("three people")
    };
    assert_eq!(zoe.attributes[1].name, "R;D");
    assert_eq!(zoe.metadata["languages"], serde_json::json!(["de", "fr"]));
    assert_eq!(ed.full_name.as_deref(), Some("Poe, Edgar \"Ed\""));
    assert_eq!(ed.metadata["desk"], "=1+1");
    assert_eq!(
        (maeve.key.as_str(), maeve.manager.as_deref()),
        ("maeve@test.invalid", Some("8"))
    );
}

#[test]
fn each_row_at_fault_is_refused_with_its_line() {
    let expected = [
        "line 2: (no email): has no email; give one with --email-domain",
        "line 3: (no email): has 2 cells, the header has 5",
        "line 4: state@test.invalid: unknown state \"activ\"; did you mean active? allowed: active, suspended",
        "line 5: name@test.invalid: has no first_name",
        "line 6: lines@test.invalid: metadata.note: goes over several lines, which cannot be kept; or a quotation mark is missing",
        "line 9: bell@test.invalid: first_name: has the control character U+0007",
    ];
    for text in [
        fixture("refused.csv"),
        fixture("refused.csv").replace('\n', "\r\n"),
    ] {
        let entries = csv(&text);
        assert_eq!(reasons(&entries), expected);
        let lines: Vec<u64> = entries.iter().flatten().map(|entry| entry.line).collect();
        assert_eq!(lines, [10]);
    }
}

#[test]
fn each_json_line_at_fault_is_refused_with_its_line() {
    let entries = read(Format::Jsonl, fixture("refused.jsonl").as_bytes(), options());
    let expected = [
        "line 1: (no email): has no email; give one with --email-domain",
        "line 2: (no email): column 28: is not JSON as expected: EOF while parsing an object",
        "line 3: (no email): is not a JSON object",
        "line 4: (no email): column 57: is not JSON as expected: member \"email\" comes twice",
        "line 5: member@test.invalid: unknown member \"fist_name\"; did you mean first_name? allowed: id, email, username, \
         first_name, last_name, full_name, badge_id, employee_id, employee_alt_id, manager, state, expires_at, org, metadata",
        "line 6: number@test.invalid: employee_id: is not a text",
        "line 7: unit@test.invalid: metadata.deep: has the control character U+001F",
        "line 8: org@test.invalid: org.Cost Center: a dimension is named by 1 to 255 letters, digits, _, - or .",
        "line 9: state@test.invalid: unknown state \"Active\"; did you mean active? allowed: active, suspended",
    ];
    assert_eq!(reasons(&entries), expected);
    assert_eq!(people(&entries).len(), 1);
}

#[test]
fn a_header_that_is_not_understood_is_a_fault_of_the_file() {
    let cases = [
        (
            "emial,first_name,last_name",
            "unknown column \"emial\"; did you mean email? allowed: id, email",
        ),
        (
            "email,first_name,last_name,userpassword",
            "unknown column \"userpassword\"",
        ),
        ("email,first_name", "column last_name is missing"),
        ("first_name,last_name,username", "column email is missing"),
        ("email,email,first_name", "column email comes twice"),
        ("id,key,email", "column id comes twice"),
        (
            "email;first_name;last_name",
            "the columns have to be separated by commas",
        ),
        ("email,org.,first_name", "org.: a dimension is named"),
    ];
    for (header, reason) in cases {
        let entries = csv(&format!("\n{header}\nann@test.invalid,Ann,Lee\n"));
        let Some(Err(refusal)) = entries.first() else {
            panic!("{header}: {entries:?}")
        };
        assert!(refusal.reason.starts_with(reason), "{refusal}");
        assert_eq!((refusal.line, refusal.fatal), (2, true), "{header}");
        assert!(entries.iter().all(Result::is_err), "{header}: {entries:?}");
    }
}

#[test]
fn a_quotation_mark_never_closed_does_not_fill_the_memory() {
    let rest = "ann@test.invalid,Ann,Lee\n".repeat(MAX_LINE / 10);
    let entries = csv(&format!(
        "email,first_name,last_name\nann@test.invalid,\"Ann,Lee\n{rest}"
    ));
    let [Err(refusal)] = &entries[..] else {
        panic!("one refusal, not {}", entries.len())
    };
    assert!(refusal.fatal && refusal.line == 2, "{refusal}");
}

#[test]
fn a_file_cut_off_within_quotes_is_refused() {
    let entries = csv("email,first_name,last_name\nann@test.invalid,Ann,\"Le");
    assert_eq!(reasons(&entries).len(), 1, "{entries:?}");
}

#[test]
fn a_source_that_fails_ends_the_import() {
    struct Fails;
    impl std::io::Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    for format in [Format::Ldif, Format::Csv, Format::Jsonl] {
        let entries: Vec<_> = Reader::new(format, std::io::BufReader::new(Fails), options()).collect();
        let [Err(refusal)] = &entries[..] else {
            panic!("{format:?}: {entries:?}")
        };
        assert!(
            refusal.fatal && refusal.reason.contains("the disk is gone"),
            "{refusal}"
        );
    }
}

#[test]
fn a_username_makes_an_email_when_a_domain_is_given() {
    let options = Options {
        email_domain: Some("test.invalid".to_owned()),
        ..options()
    };
    let entries = read(
        Format::Csv,
        b"username,first_name,last_name\nann,Ann,Lee\n",
        options,
    );
    assert_eq!(people(&entries)[0].email, "ann@test.invalid");
}

#[test]
fn an_address_that_is_none_is_refused() {
    let long = format!("{}@test.invalid", "a".repeat(250));
    for address in ["a", "@b", "a@", "a@b@c", "a b@c", "a@b\u{a0}c", long.as_str()] {
        let line = serde_json::json!({"email": address, "first_name": "A", "last_name": "B"}).to_string();
        let entries = read(Format::Jsonl, line.as_bytes(), options());
        assert!(
            reasons(&entries)[0].contains(" email: "),
            "{address}: {entries:?}"
        );
    }
}

proptest! {
    #[test]
    fn no_bytes_make_a_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for format in [Format::Ldif, Format::Csv, Format::Jsonl] {
            let _ = read(format, &bytes, options());
        }
    }

    #[test]
    fn no_row_makes_a_reader_panic(rows in proptest::collection::vec(proptest::sample::select(vec![
        "a@b", ",", "\n", "\r\n", "\"", "\"\"", ";", "\\", "{", "}", "\"email\":", "[", "1e400", "null", "=x", "é", "\u{0}",
    ]), 0..60)) {
        let rows = rows.concat();
        let _ = csv(&format!("email,first_name,last_name,org.a,metadata.b,metadata.b:json\n{rows}"));
        let _ = read(Format::Jsonl, rows.as_bytes(), options());
    }
}
