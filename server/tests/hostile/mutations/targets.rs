//! Targets: paths and queries.

use rand::RngExt as _;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rollcall_contract::Operation;

use super::draft::Draft;
use super::judge::Expectation;
use super::pool::Pool;
use values::{cursor, value};

mod values;

const ESCAPES: [&str; 14] = [
    "%",
    "%2",
    "%zz",
    "%00",
    "%ff",
    "%c3%28",
    "%2e%2e%2f",
    "%2f",
    "%23",
    "%0d%0a",
    "%u0041",
    "%ed%a0%80",
    "%25",
    "%f0%9f%98%80",
];

const OTHERS: [&str; 24] = [
    "*",
    "/",
    "//",
    "//a/b",
    "/..",
    "/../../etc/passwd",
    "/./",
    "/api/v1/../v1/directory/users",
    "\\",
    "?",
    "a",
    "example.org:80",
    "/api/v2/directory/users",
    "/api/",
    "/api/v1",
    "/api/v1/",
    "/health/live/",
    "/health/ready",
    "/metrics?x=1",
    "/operate/openapi.json",
    "/api/v1/openapi.yaml",
    "/api/v1//directory/users",
    "/;/",
    "/{}",
];

const ORIGINS: [&str; 9] = [
    "http://rollcall",
    "https://a:1",
    "http://somebody:secret@a",
    "ftp://x",
    "http://[::1]",
    "http://[::1",
    "http:/",
    "HTTP://A",
    "http://a:99999",
];

/// The target of an operation; of a list, often with parameters.
pub(super) fn polite(rng: &mut StdRng, pool: &Pool, operation: &Operation) -> Vec<u8> {
    let mut target = pool.path(rng, operation).into_bytes();
    if operation.list.is_some() {
        for _ in 0..rng.random_range(0..3) {
            add(&mut target, &parameter(rng, pool, operation));
        }
    }
    target
}

/// A parameter of the operation, with some value.
fn parameter(rng: &mut StdRng, pool: &Pool, operation: &Operation) -> String {
    let name = pool.parameter(rng, operation);
    format!("{name}={}", value(rng, pool, operation))
}

fn add(target: &mut Vec<u8>, parameter: &str) {
    target.push(if target.contains(&b'?') { b'&' } else { b'?' });
    target.extend_from_slice(parameter.as_bytes());
}

fn insert(rng: &mut StdRng, target: &mut Vec<u8>, bytes: &[u8]) {
    let at = rng.random_range(1.min(target.len())..=target.len());
    target.splice(at..at, bytes.iter().copied());
}

/// Changes the target.
pub(super) fn mutate(rng: &mut StdRng, pool: &Pool, draft: &mut Draft) -> Expectation {
    let target = &mut draft.target;
    match rng.random_range(0..16) {
        0 => {
            insert(rng, target, b"#");
            return Expectation::Refusal;
        }
        1 => {
            let blanks: [&[u8]; 6] = [b" ", b"\t", b"\0", b"\r", b"\n", b" HTTP/1.1 "];
            let blank = blanks.choose(rng).unwrap();
            insert(rng, target, blank);
            return Expectation::Refusal;
        }
        2 => {
            let odd: [&[u8]; 9] = [
                b"\xff",
                b"\xc3\xa9",
                b"\xc3\x28",
                b"\x7f",
                b"\"",
                b"<>",
                b"{}|^`",
                b"\\",
                b"\xed\xa0\x80",
            ];
            let odd = odd.choose(rng).unwrap();
            insert(rng, target, odd);
            return Expectation::AnswerOrRefusal;
        }
        3 => {
            *target = OTHERS.choose(rng).unwrap().as_bytes().to_vec();
            return Expectation::AnswerOrRefusal;
        }
        4 => {
            let origin = ORIGINS.choose(rng).unwrap().as_bytes();
            target.splice(0..0, origin.iter().copied());
            return Expectation::AnswerOrRefusal;
        }
        5 => {
            let length = *[2_000, 8_000, 30_000, 60_000, 65_500, 66_000, 100_000]
                .choose(rng)
                .unwrap();
            insert(rng, target, &vec![b'a'; length]);
        }
        6..=7 => {
            let escape = ESCAPES.choose(rng).unwrap();
            insert(rng, target, escape.as_bytes());
        }
        8 => add(target, &format!("page={}", cursor(rng, pool))),
        9 => {
            let count = *[2, 50, 1_000, 10_000].choose(rng).unwrap();
            let parameter = parameter(rng, pool, draft.operation);
            let all = vec![parameter; count].join("&");
            add(target, &all.chars().take(100_000).collect::<String>());
        }
        10 => {
            let names = [
                "page",
                "page[size]",
                "page[total]",
                "include",
                "sort",
                "filter[state]",
                "filter[trashed]",
            ];
            let name = names.choose(rng).unwrap();
            add(target, &format!("{name}={}", value(rng, pool, draft.operation)));
        }
        11 => {
            let forms = [
                "&&&&",
                "=",
                "=&=",
                "filter[]=x",
                "filter[a][b]=c",
                "[=]",
                "filter=",
                "page[",
                "a=b=c",
                ";x=y",
                "?x=y",
            ];
            add(target, forms.choose(rng).unwrap());
        }
        _ => {
            for _ in 0..rng.random_range(1..5) {
                add(target, &parameter(rng, pool, draft.operation));
            }
        }
    }
    Expectation::Answer
}
