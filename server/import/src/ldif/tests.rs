//! Tests of LDIF: the syntax by property, the meaning by fixture.

use std::rc::Rc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;

use super::record::{Record, Records, Value};
use crate::tests::{fixture, groups, people, read, reasons};
use crate::{Format, MAX_ENTRY_BYTES, MAX_LINE, Membership, Options, username_of};

fn ldif(text: &str) -> Vec<Result<crate::Entry, crate::Refusal>> {
    read(Format::Ldif, text.as_bytes(), Options::default())
}

fn names(attributes: &[Membership]) -> Vec<(&str, &str)> {
    attributes
        .iter()
        .map(|one| (one.dimension.as_str(), one.name.as_str()))
        .collect()
}

const PERSON: &str = "objectClass: person\ncn: Ann Lee\nsn: Lee\nmail: ann@test.invalid\n";

#[test]
fn a_directory_comes_in_whole() {
    let text = fixture("people.ldif");
    let entries = ldif(&text);
    assert_eq!(reasons(&entries), Vec::<String>::new());
    let people = people(&entries);
    let [zoe, ed, maeve] = people.as_slice() else {
        panic!("three people: {people:?}")
    };

    assert_eq!(zoe.key, "uid=zoe,ou=staff,dc=test,dc=invalid");
    assert_eq!(
        (zoe.first_name.as_str(), zoe.last_name.as_str()),
        ("Zoë", "Brontë")
    );
    assert_eq!(zoe.employee_id.as_deref(), Some("0017"));
    assert_eq!(
        zoe.metadata["other_mail"],
        serde_json::json!(["z.bronte@test.invalid"])
    );
    let expected = [
        ("department", "Research"),
        ("department", "Quality, Safety and Environment"),
        ("department_number", "42"),
        ("location", "Zürich"),
        ("title", "Leiterin"),
    ];
    assert_eq!(names(&zoe.attributes), expected);

    assert_eq!(
        (ed.first_name.as_str(), ed.last_name.as_str()),
        ("Edgar Allan", "Poe")
    );
    assert_eq!(ed.manager.as_deref(), Some(zoe.key.as_str()));
    assert_eq!(maeve.manager.as_deref(), Some("uid=ed,ou=staff,dc=test,dc=inv"));

    let groups = groups(&entries);
    assert_eq!(groups[0].members, [maeve.key.clone(), ed.key.clone()]);
    assert_eq!(username_of(&groups[1].members[0]), Some("zoe"));
}

#[test]
fn each_fault_is_refused_with_its_line_and_the_rest_still_comes() {
    let entries = ldif(&fixture("refused.ldif"));
    let expected = [
        "line 1: uid=nomail,dc=test,dc=invalid: has no mail; give one with --email-domain",
        "line 10: uid=url,dc=test,dc=invalid: title: values by URL are not fetched",
        "line 13: uid=gone,dc=test,dc=invalid: changetype: only entries and changetype add can be imported",
        "line 15: uid=badmail,dc=test,dc=invalid: mail: has more than one @",
        "line 21: uid=bell,dc=test,dc=invalid: cn: has the control character U+0007",
        "line 29: uid=code,dc=test,dc=invalid: cn: is not base64",
        "line 33: (no dn): does not begin with the name of an attribute and a colon",
        "line 38: uid=one,dc=test,dc=invalid: a second dn within the record: an empty line is missing before it",
        "line 41: uid=single,dc=test,dc=invalid: has no givenName, and cn has not both names",
        "line 47: uid=boss,dc=test,dc=invalid: manager: is not a DN: a part has no =",
        "line 54: (no dn): the record begins with cn instead of dn",
    ];
    assert_eq!(reasons(&entries), expected);
    assert_eq!(people(&entries).len(), 1);
}

#[test]
fn a_password_is_neither_kept_nor_printed() {
    let entries = format!(
        "{:?} {:?}",
        ldif(&fixture("refused.ldif")),
        ldif(&fixture("people.ldif"))
    );
    assert!(
        !entries.contains("hunter2") && !entries.contains("secret"),
        "{entries}"
    );
}

#[test]
fn an_email_domain_stands_in_for_a_missing_mail() {
    let options = Options {
        email_domain: Some("example.invalid".to_owned()),
        ..Options::default()
    };
    let person = |uid: &str| format!("dn: cn=a,dc=b\nobjectClass: person\ncn: Ann Lee\nsn: Lee\n{uid}");
    let with = read(Format::Ldif, person("uid: ann").as_bytes(), options.clone());
    assert_eq!(people(&with)[0].email, "ann@example.invalid");
    let without = read(Format::Ldif, person("").as_bytes(), options);
    assert_eq!(reasons(&without), ["line 1: cn=a,dc=b: has neither mail nor uid"]);
}

#[test]
fn a_missing_name_is_what_cn_has_beside_the_other() {
    let cases = [
        ("cn: Ann Mary Lee", ("Ann Mary", "Lee")),
        ("cn: Ann van der Lee\nsn: VAN DER Lee", ("Ann", "VAN DER Lee")),
        ("cn: Ann Mary Lee\ngivenName: Ann", ("Ann", "Mary Lee")),
        ("cn: Ann Lee\nsn: Leigh", ("Ann", "Leigh")),
    ];
    for (given, (first, last)) in cases {
        let text = format!("dn: cn=a\nobjectClass: person\nmail: a@b\n{given}\n");
        let entries = ldif(&text);
        let person = people(&entries)[0];
        assert_eq!(
            (person.first_name.as_str(), person.last_name.as_str()),
            (first, last),
            "{given}"
        );
    }
    for none in ["cn: Lee, Ann\nsn: Lee", "cn: Lee", "sn: Lee"] {
        let entries = ldif(&format!("dn: cn=a\nobjectClass: person\nmail: a@b\n{none}\n"));
        assert!(reasons(&entries)[0].contains("cn has not both names"), "{none}");
    }
}

#[test]
fn windows_line_ends_a_byte_order_mark_and_blank_lines_do_not_matter() {
    let text =
        format!("\u{feff}version: 1\n\n\n  \ndn: uid=a,dc=b\n{PERSON}\n\n\n\ndn: uid=c,dc=b\n{PERSON}");
    let entries = ldif(&text.replace('\n', "\r\n"));
    assert_eq!(people(&entries).len(), 2, "{entries:?}");
    let lines: Vec<u64> = entries.iter().flatten().map(|entry| entry.line).collect();
    assert_eq!(lines, [5, 14]);
}

#[test]
fn a_machine_is_not_a_person_and_is_counted_as_passed_over() {
    let text = format!("dn: cn=pc,dc=b\nobjectClass: computer\n{PERSON}");
    let mut reader = crate::Reader::new(Format::Ldif, text.as_bytes(), Options::default());
    assert!(reader.next().is_none());
    assert_eq!(
        reader.passed_over().entries.to_string(),
        "computer person 1 (line 1)"
    );
}

#[test]
fn another_version_of_ldif_ends_the_file() {
    let entries = ldif(&format!("version: 2\n\ndn: uid=a,dc=b\n{PERSON}"));
    assert_eq!(
        reasons(&entries),
        ["line 1: (no dn): version: only version 1 of LDIF is known"]
    );
    assert_eq!(entries.len(), 1);
}

#[test]
fn what_is_too_large_is_refused_and_the_next_record_comes() {
    let long = "x".repeat(MAX_LINE + 1);
    let folded = "x".repeat(MAX_LINE / 2);
    let value = Value {
        name: "member".to_owned(),
        language: String::new(),
        text: "x".repeat(1_000),
        line: 1,
    };
    let most = MAX_ENTRY_BYTES / value.size();
    let many = format!("member: {}\n", value.text).repeat(most + 1);
    let cases = [
        (format!("cn: {long}"), 2, "the line is longer than"),
        (
            format!("cn: {folded}\n {folded}"),
            2,
            "the unfolded line is longer than",
        ),
        (many, most as u64 + 2, "the record takes more than"),
    ];
    for (body, line, reason) in cases {
        let entries = ldif(&format!("dn: uid=a,dc=b\n{body}\n\ndn: uid=b,dc=b\n{PERSON}"));
        let Err(refusal) = &entries[0] else {
            panic!("{reason}")
        };
        assert!(refusal.reason.starts_with(reason), "{refusal}");
        assert_eq!(refusal.line, line, "{refusal}");
        assert_eq!(people(&entries).len(), 1, "{reason}");
    }
}

#[test]
fn a_group_of_all_staff_comes_in_whole() {
    let members = 12_000;
    let lines: String = (0..members)
        .map(|number| format!("member: uid=p{number},ou=people,dc=test\n"))
        .collect();
    let entries = ldif(&format!(
        "dn: cn=all,dc=test\nobjectClass: groupOfNames\ncn: all\n{lines}"
    ));
    assert_eq!(reasons(&entries), Vec::<String>::new());
    assert_eq!(groups(&entries)[0].members.len(), members);
}

#[test]
fn attributes_that_are_not_read_may_have_any_number_of_lines() {
    let lines = "description: x\n".repeat(50_000);
    let entries = ldif(&format!("dn: uid=a,dc=b\n{PERSON}{lines}"));
    assert_eq!(people(&entries).len(), 1, "{:?}", reasons(&entries));
}

#[test]
fn a_large_photo_is_passed_over() {
    let photo = format!("jpegPhoto:: AAAA\n {0}\n {0}", "A".repeat(1_000_000));
    let entries = ldif(&format!("dn: uid=a,dc=b\n{PERSON}{photo}\n"));
    assert_eq!(people(&entries).len(), 1, "{:?}", reasons(&entries));
}

#[test]
fn text_that_is_not_utf8_is_refused_with_its_line() {
    let mut bytes = format!("dn: uid=a,dc=b\n{PERSON}").into_bytes();
    bytes.extend_from_slice(b"l: Z\xfcrich\n");
    let entries = read(Format::Ldif, &bytes, Options::default());
    assert_eq!(reasons(&entries), ["line 6: uid=a,dc=b: l: is not UTF-8"]);
}

/// How to write one value down; any choice has to read the same.
#[derive(Debug, Clone)]
struct Style {
    base64: bool,
    folds: Vec<usize>,
    comment: bool,
}

fn styled() -> impl Strategy<Value = (Value, Style)> {
    let letter = prop_oneof![
        any::<char>(),
        proptest::sample::select(vec![' ', ':', '<', '#', '-', '\n', 'é', 'a'])
    ];
    let text = proptest::collection::vec(letter, 0..60).prop_map(String::from_iter);
    let style = (
        any::<bool>(),
        proptest::collection::vec(1usize..9, 0..30),
        any::<bool>(),
    );
    ("x-[a-z]{1,8}", "(|lang-[a-z]{2})", text, style).prop_map(
        |(name, language, text, (base64, folds, comment))| {
            (
                Value {
                    name,
                    language,
                    text,
                    line: 0,
                },
                Style {
                    base64,
                    folds,
                    comment,
                },
            )
        },
    )
}

fn print(line: &mut u64, out: &mut Vec<u8>, name: &str, text: &str, style: &Style, end: &[u8]) {
    let unsafe_plain =
        text.starts_with([' ', ':', '<']) || text.ends_with(' ') || text.contains(['\n', '\r']);
    let whole = match style.base64 || unsafe_plain {
        true => format!("{name}:: {}", STANDARD.encode(text)),
        false => format!("{name}: {text}"),
    };
    let mut rest = whole.as_bytes();
    for width in &style.folds {
        if rest.len() <= *width {
            break;
        }
        out.extend_from_slice(&rest[..*width]);
        out.extend_from_slice(end);
        out.push(b' ');
        rest = &rest[*width..];
        *line += 1;
    }
    out.extend_from_slice(rest);
    out.extend_from_slice(end);
    *line += 1;
    if style.comment {
        out.extend_from_slice(b"# said by the way");
        out.extend_from_slice(end);
        out.extend_from_slice(b" and folded: so");
        out.extend_from_slice(end);
        *line += 2;
    }
}

proptest! {
    #[test]
    fn whatever_the_folds_and_the_encoding_the_record_is_the_same(
        records in proptest::collection::vec((styled(), proptest::collection::vec(styled(), 0..6), 1usize..4), 0..5),
        crlf in any::<bool>(),
    ) {
        let end: &[u8] = if crlf { b"\r\n" } else { b"\n" };
        let (mut out, mut line, mut expected) = (Vec::new(), 1, Vec::new());
        for ((dn, style), values, blanks) in records {
            let mut record = Record { line, dn: dn.text.clone(), ..Record::default() };
            print(&mut line, &mut out, "dn", &dn.text, &style, end);
            for (value, style) in &values {
                let name = if value.language.is_empty() { value.name.clone() } else { format!("{};{}", value.name, value.language) };
                record.values.push(Value { line, ..value.clone() });
                print(&mut line, &mut out, &name, &value.text, style, end);
            }
            expected.push(record);
            for _ in 0..blanks {
                out.extend_from_slice(end);
                line += 1;
            }
        }
        let read: Result<Vec<Record>, _> = Records::new(out.as_slice(), Rc::new(|_| true)).collect();
        prop_assert_eq!(read, Ok(expected), "{}", String::from_utf8_lossy(&out));
    }

    #[test]
    fn no_record_makes_it_panic(pieces in proptest::collection::vec(proptest::sample::select(vec![
        "dn: ", "uid=a,", "ou=\"b", "\\2", "\\", "\n", "\n ", "\r\n", "\n\n", "#", "cn:", ":", ": ", "<", "objectClass: person",
        "objectclass: groupofnames", "sn: x", "mail: a@b", "=", "+", "é", "\u{0}", "member: ", "version: 1", "changetype: add", ";", "-",
    ]), 0..60)) {
        let text = pieces.concat();
        let again = ldif(&text);
        prop_assert!(again.len() <= text.len());
    }
}
