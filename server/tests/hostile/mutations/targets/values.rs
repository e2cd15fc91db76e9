//! Values of parameters.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::RngExt as _;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rollcall_contract::Operation;

use super::super::corrupt;
use super::super::pool::Pool;

/// Values that mean something to a database, a parser, or nothing.
const WORDS: [&str; 40] = [
    "",
    "active",
    "expired",
    "true",
    "false",
    "TRUE",
    "1",
    "0",
    "-1",
    "2026-01-01",
    "2026-02-30",
    "9999-12-31",
    "2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00+23:59",
    "-0001-01-01",
    "292277026596-12-04T15:30:07Z",
    "zoe",
    "%",
    "_",
    "%25",
    "*",
    "'",
    "''",
    "\"",
    "a\"b",
    "' OR '1'='1",
    "'; DROP TABLE users; --",
    "NEAR(a b)",
    "a AND b",
    "a*",
    "^a",
    "-a",
    "{a b} : c",
    "\0",
    "\u{202e}",
    "\u{fffd}",
    "I\u{307}",
    "ſ",
    "\u{1f600}",
    "null",
];

const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "1",
    "200",
    "201",
    "2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "1e9",
    "0x10",
    "1000000000000000000000000000000",
];

const LISTS: [&str; 9] = [
    "-",
    ",",
    "id,-id",
    "id,,id",
    "-id",
    "state,-created_at,id",
    "a",
    "manager-user-count-exists",
    "*",
];

/// Some value, encoded as far as the request line demands.
pub(super) fn value(rng: &mut StdRng, pool: &Pool, operation: &Operation) -> String {
    match rng.random_range(0..10) {
        0..=3 => encode(WORDS.choose(rng).unwrap()),
        4 => NUMBERS.choose(rng).unwrap().to_string(),
        5 => LISTS.choose(rng).unwrap().to_string(),
        6 => {
            let unit = *["a", "é", "\u{1f600}", "%", "'", "a "].choose(rng).unwrap();
            let count = *[255, 1_024, 1_025, 4_000].choose(rng).unwrap();
            encode(&unit.repeat(count))
        }
        7 => pool.any_id(rng),
        8 => cursor(rng, pool),
        _ => relations(rng, operation),
    }
}

/// A cursor of the server, mostly changed: as text, or in what it holds.
pub(super) fn cursor(rng: &mut StdRng, pool: &Pool) -> String {
    let cursor = pool.cursor(rng);
    match rng.random_range(0..3) {
        0 => cursor.to_owned(),
        1 => {
            let mut bytes = cursor.as_bytes().to_vec();
            corrupt::mutate(rng, &mut bytes);
            encode(&String::from_utf8_lossy(&bytes))
        }
        _ => {
            let mut content = URL_SAFE_NO_PAD.decode(cursor.trim_start_matches("c_")).unwrap();
            match rng.random_bool(0.5) {
                true => corrupt::mutate(rng, &mut content),
                false => content = forged(rng),
            }
            format!("c_{}", URL_SAFE_NO_PAD.encode(content))
        }
    }
}

/// The content of a cursor that the server never makes.
fn forged(rng: &mut StdRng) -> Vec<u8> {
    let forms = [
        r#"["id",false,[]]"#,
        r#"["id",false,[null]]"#,
        r#"["id",true,["x","y"]]"#,
        r#"["id",false,[9223372036854775807]]"#,
        r#"["id",false,[1.5]]"#,
        r#"["-id",false,[true]]"#,
        r#"["id",false,[{"a":1}]]"#,
        r#"["id,id",false,["a","b"]]"#,
        r#"["x'--",false,["a"]]"#,
        r#"["",false,[""]]"#,
        r#"["id",false,["\u0000"]]"#,
        "[]",
        "{}",
        "",
    ];
    let form = *forms.choose(rng).unwrap();
    match rng.random_bool(0.1) {
        true => "[".repeat(20_000).into_bytes(),
        false => form.as_bytes().to_vec(),
    }
}

/// Relations to include, counted or not, some of them twice.
fn relations(rng: &mut StdRng, operation: &Operation) -> String {
    let Some(list) = &operation.list else {
        return "manager-user".to_owned();
    };
    let mut names: Vec<_> = list
        .relations
        .iter()
        .flat_map(|one| [one.name.clone(), one.count_name(), one.exists_name()])
        .collect();
    names.push("nobody".to_owned());
    let chosen = (0..rng.random_range(1..40)).filter_map(|_| names.choose(rng).cloned());
    chosen.collect::<Vec<_>>().join(",")
}

fn encode(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte.is_ascii_alphanumeric() || b"-_.~:,*'()+".contains(&byte) {
            true => encoded.push(char::from(byte)),
            false => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}
