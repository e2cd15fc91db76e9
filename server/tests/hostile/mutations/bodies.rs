//! Bodies of changes: JSON that the contract allows, other JSON, and bytes that are no JSON.

use rand::RngExt as _;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rollcall_contract::Operation;

use super::corrupt;
use super::draft::Draft;
use super::judge::Expectation;

const VALUES: [&str; 32] = [
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "-1",
    "30",
    "30.0",
    "3e1",
    "1095",
    "1096",
    "1e400",
    "1e-400",
    "9223372036854775808",
    "123456789012345678901234567890",
    "0.1",
    "\"\"",
    "\"yes\"",
    "\"\\ud800\"",
    "\"\\udc00\\ud800\"",
    "\"\\u0000\"",
    "\"2027-01-01T00:00:00Z\"",
    "\"2027-02-30T00:00:00Z\"",
    "\"9999-12-31T23:59:59.999999999Z\"",
    "\"-0001-01-01T00:00:00Z\"",
    "\"2027-01-01T00:00:00+99:99\"",
    "[]",
    "{}",
    "[[]]",
    "{\"a\": 1}",
    "NaN",
];

const MEMBERS: [&str; 9] = [
    "expires_at",
    "expires_after_days",
    "roles",
    "state",
    "",
    "__proto__",
    "expires_at\\u0000",
    "\\ud800",
    "id",
];

const TEXTS: [&[u8]; 20] = [
    b"",
    b" ",
    b"{",
    b"}",
    b"[]",
    b"null",
    b"\"",
    b"{}{}",
    b"{} x",
    b"{,}",
    b"{\"a\"}",
    b"{'a': 1}",
    b"\xef\xbb\xbf{}",
    b"\xff\xfe{\0}\0",
    b"{\"expires_at\": \"\xff\"}",
    b"{\"\xff\": 1}",
    b"{}\0",
    b"// x\n{}",
    b"{\"roles\": true,}",
    b"{\"roles\": tru",
];

/// A body that the operation takes.
pub(super) fn polite(rng: &mut StdRng, operation: &Operation) -> Vec<u8> {
    let bodies: &[&str] = match operation.request_body.as_deref() {
        Some("DeprecateRequest") => &[
            "{}",
            r#"{"expires_after_days": 30}"#,
            r#"{"expires_at": "2027-01-31T00:00:00Z"}"#,
        ],
        Some("RestoreRequest") => &[r#"{"roles": true}"#, r#"{"roles": false}"#],
        _ => &["", "{}"],
    };
    bodies.choose(rng).unwrap().as_bytes().to_vec()
}

/// Changes the body.
pub(super) fn mutate(rng: &mut StdRng, draft: &mut Draft) -> Expectation {
    draft.body = match rng.random_range(0..10) {
        0..=3 => object(rng).into_bytes(),
        4 => TEXTS.choose(rng).unwrap().to_vec(),
        5 => {
            let mut body = object(rng).into_bytes();
            corrupt::mutate(rng, &mut body);
            body
        }
        6 => {
            let depth = *[10, 127, 128, 129, 1_000, 30_000].choose(rng).unwrap();
            let (open, close) = *[("[", "]"), ("{\"a\":", "}")].choose(rng).unwrap();
            let inner = [open.repeat(depth), "1".to_owned(), close.repeat(depth)].concat();
            format!("{{\"roles\": {inner}}}").into_bytes()
        }
        7 => {
            let length = *[65_535, 65_536, 65_537, 200_000].choose(rng).unwrap();
            let mut body = object(rng).into_bytes();
            body.resize(length.max(body.len()), b' ');
            body
        }
        8 => {
            let members: Vec<_> = (0..rng.random_range(1..2_000))
                .map(|number| format!("\"m{number}\": 1"))
                .collect();
            format!("{{{}}}", members.join(",")).into_bytes()
        }
        _ => (0..rng.random_range(0..200)).map(|_| rng.random()).collect(),
    };
    Expectation::Answer
}

/// An object with some members, some of them twice.
fn object(rng: &mut StdRng) -> String {
    let count = rng.random_range(0..4);
    let members: Vec<_> = (0..count)
        .map(|_| {
            let name = MEMBERS[..3].choose(rng).unwrap();
            let name = if rng.random_bool(0.8) {
                name
            } else {
                MEMBERS.choose(rng).unwrap()
            };
            format!("\"{name}\": {}", VALUES.choose(rng).unwrap())
        })
        .collect();
    format!("{{{}}}", members.join(", "))
}
