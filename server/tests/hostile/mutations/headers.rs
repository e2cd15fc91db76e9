//! Header lines.

use rand::RngExt as _;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;

use super::draft::Draft;
use super::judge::Expectation;
use super::pool::Pool;

/// Lines that no head may have.
const REFUSED: [&[u8]; 14] = [
    b"X-Folded: a\r\n b",
    b"X-Folded: a\r\n\tb",
    b" X-Indented: a",
    b"X-Nothing",
    b": nameless",
    b"X-Bare: a\rb",
    b"X-Nul: a\0b",
    b"X Space: a",
    b"X-Space : a",
    b"X-\xe9: a",
    b"X(: a",
    b"Host: other",
    b"host: rollcall",
    b"Transfer-Encoding: gzip",
];

/// Lines that mean something to a server, or would to another.
const TAKEN: [&[u8]; 26] = [
    b"X-Latin: \xe9",
    b"X-Utf8: \xc3\xa9",
    b"X-Tab: a\tb",
    b"X-Empty:",
    b"Connection: keep-alive",
    b"Connection: close",
    b"Connection: upgrade",
    b"Connection: \xff",
    b"Upgrade: h2c",
    b"Upgrade: websocket",
    b"HTTP2-Settings: AAMAAABk",
    b"TE: trailers",
    b"Trailer: X-After",
    b"Range: bytes=0-1",
    b"Expect: 100-continue",
    b"Expect: 200-ok",
    b"X-HTTP-Method-Override: DELETE",
    b"X-Forwarded-For: ' OR 1=1",
    b"Forwarded: for=\"_x\"",
    b"Cookie: a=b; c",
    b"Accept-Encoding: gzip, br",
    b"Content-Encoding: gzip",
    b"Date: never",
    b"Origin: null",
    b"Max-Forwards: 0",
    b"If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT",
];

const HOSTS: [&[u8]; 9] = [
    b"",
    b"a",
    b"[::1]:80",
    b"a:99999",
    b"a b",
    b"somebody@a",
    b"\xe9",
    b"a/b",
    b"*",
];

const KINDS: [&[u8]; 12] = [
    b"application/json; charset=utf-8",
    b"APPLICATION/JSON",
    b"application/jsonp",
    b"text/plain",
    b"",
    b";",
    b"\xff",
    b"application/json, text/plain",
    b"application/x-www-form-urlencoded",
    b"application/json;",
    b"application /json",
    b"multipart/form-data; boundary=\"",
];

const ACCEPTS: [&[u8]; 13] = [
    b"",
    b"*/*",
    b"*",
    b"text/html",
    b"application/*;q=0.1",
    b"application/json;q=0",
    b"application/json;q=nan",
    b"\xff",
    b",,,",
    b"*/*;q=0, application/json",
    b"application/json;v=\"a,b\"",
    b";",
    b"text/html, */*",
];

const KEYS: [&[u8]; 9] = [
    b"k-1",
    b"k-2",
    b"",
    b"with space",
    b"\xe9",
    b"'--",
    b"a,b",
    b"\"quoted\"",
    b"~",
];

/// Tags that no record has.
const TAGS: [&[u8]; 16] = [
    b"\"\xe9\"",
    b"\"",
    b"\"\"",
    b"",
    b",",
    b"\"a\", \"b\"",
    b"W/\"a\"",
    b"a",
    b"**",
    b"\"*\"",
    b"*, \"a\"",
    b"\"a\" \"b\"",
    b"'a'",
    b"\"a",
    b"W/",
    b"\"00000000000000000000000000000000\"",
];

/// Changes the header lines.
pub(super) fn mutate(rng: &mut StdRng, pool: &Pool, draft: &mut Draft) -> Expectation {
    match rng.random_range(0..16) {
        0 => {
            draft.add(REFUSED.choose(rng).unwrap());
            return Expectation::Refusal;
        }
        1..=2 => draft.add(TAKEN.choose(rng).unwrap()),
        3 => {
            draft.set("Host", HOSTS.choose(rng).unwrap());
            return Expectation::AnswerOrRefusal;
        }
        4 => {
            draft.remove("Host");
            let is_refused = draft.version == b"HTTP/1.1";
            return if is_refused {
                Expectation::Refusal
            } else {
                Expectation::AnswerOrRefusal
            };
        }
        5..=6 => authorization(rng, pool, draft),
        7 => draft.set("Content-Type", KINDS.choose(rng).unwrap()),
        8 => repeat(rng, draft, "Accept", &ACCEPTS),
        9 => keys(rng, draft),
        10 => repeat(rng, draft, "If-None-Match", &TAGS),
        11..=12 => {
            draft.may_change = false;
            match rng.random_bool(0.1) {
                true => draft.add(format!(
                    "If-Match: \"{}\"",
                    "a".repeat(rng.random_range(900..2_000))
                )),
                false => repeat(rng, draft, "If-Match", &TAGS),
            }
        }
        13 => {
            let length = *[1_000, 20_000, 60_000, 70_000].choose(rng).unwrap();
            draft.add([b"X-Long: ".to_vec(), vec![b'x'; length]].concat());
        }
        14 => {
            let lines = *[10, 90, 101, 500, 5_000].choose(rng).unwrap();
            for number in 0..lines {
                draft.add(format!("X-{number}: {number}"));
            }
        }
        _ => {
            // A line that ends in LF alone is another line to us, and to others a part of the value.
            draft.add("X-Bare: a\nX-Line: b");
            return Expectation::AnswerOrRefusal;
        }
    }
    Expectation::Answer
}

fn authorization(rng: &mut StdRng, pool: &Pool, draft: &mut Draft) {
    let token = pool.token;
    let value: Vec<u8> = match rng.random_range(0..11) {
        0 => {
            draft.remove("Authorization");
            return;
        }
        1 => {
            draft.add(format!("Authorization: Bearer {token}"));
            return;
        }
        2 => format!("bEARER   {token}  ").into(),
        3 => format!("Basic {token}").into(),
        4 => format!("Bearer {token}x").into(),
        5 => format!("Bearer {}", &token[..token.len() - 1]).into(),
        6 => format!("Bearer rollcall_test-{}", "x".repeat(rng.random_range(0..3_000))).into(),
        7 => [b"Bearer rollcall_test-\xe9".as_slice(), token.as_bytes()].concat(),
        8 => b"Bearer".to_vec(),
        9 => format!("Bearer\t{token}").into(),
        _ => format!("Bearer {token}, Bearer {token}").into(),
    };
    draft.set("Authorization", value);
}

fn keys(rng: &mut StdRng, draft: &mut Draft) {
    match rng.random_range(0..3) {
        0 => draft.add(format!(
            "Idempotency-Key: {}",
            "k".repeat(rng.random_range(200..400))
        )),
        _ => repeat(rng, draft, "Idempotency-Key", &KEYS),
    }
}

/// Adds one line or two with values of these.
fn repeat(rng: &mut StdRng, draft: &mut Draft, name: &str, values: &[&[u8]]) {
    for _ in 0..rng.random_range(1..=2) {
        let value = values.choose(rng).unwrap();
        draft.add([name.as_bytes(), b": ", value].concat());
    }
}
