//! How a request says where its body ends: by its length, or in chunks.

use rand::RngExt as _;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;

use super::draft::Draft;
use super::judge::Expectation;

/// Lines that no head may have, alone or together.
const REFUSED: [&str; 24] = [
    "Content-Length: 5\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 0",
    "Content-Length: 2\r\nContent-Length: 2",
    "Content-Length: 2\r\nContent-Length: 40",
    "Content-Length: 2, 2",
    "Content-Length: +2",
    "Content-Length: -2",
    "Content-Length: 0x2",
    "Content-Length: 2 2",
    "Content-Length: 2.0",
    "Content-Length: ",
    "Content-Length: 9223372036854775808",
    "Content-Length: 18446744073709551615",
    "Content-Length: 184467440737095516160",
    "Content-Length : 2",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: chunked, chunked",
    "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding: identity",
    "Transfer-Encoding: chunked;a=b",
    "Transfer-Encoding: xchunked",
    "Transfer-Encoding: ",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding:\r\n chunked",
];

/// Bodies that are not sound chunks.
const BROKEN: [&str; 14] = [
    "G\r\n{}",
    "-1\r\n{}",
    "0x2\r\n{}\r\n0\r\n\r\n",
    " 2\r\n{}\r\n0\r\n\r\n",
    "2 \r\n{}\r\n0\r\n\r\n",
    "\r\n{}",
    "2\n{}\n0\n\n",
    "2\r\n{}xx\r\n0\r\n\r\n",
    "2\r\n{}\r\n\r\n",
    "FFFFFFFFFFFFFFFFF\r\n{}",
    "2;\x01\r\n{}\r\n0\r\n\r\n",
    "2\r{}",
    "2,2\r\n{}",
    "{}",
];

/// Says where the body ends, rightly or wrongly.
pub(super) fn mutate(rng: &mut StdRng, draft: &mut Draft) -> Expectation {
    draft.has_length = true;
    match rng.random_range(0..12) {
        0..=2 => {
            draft.add(REFUSED.choose(rng).unwrap());
            Expectation::Refusal
        }
        3..=5 => chunked(rng, draft),
        6..=7 => {
            draft.add("Transfer-Encoding: chunked");
            draft.body = BROKEN.choose(rng).unwrap().as_bytes().to_vec();
            Expectation::LastAnswer
        }
        8 => {
            draft.add(format!("Content-Length: {:0>20}", draft.body.len()));
            Expectation::Answer
        }
        9 => {
            // The body never comes to its end, so nothing behind it is a request.
            let more = *["1000000", "4294967296", "9223372036854775807"]
                .choose(rng)
                .unwrap();
            draft.add(format!("Content-Length: {more}"));
            Expectation::LastAnswer
        }
        10 => {
            let less = draft.body.len().saturating_sub(rng.random_range(1..20));
            draft.add(format!("Content-Length: {less}"));
            Expectation::Anything
        }
        _ => {
            let end = *["0\r\n", "0\r\nX-After: ", "5\r\nab", "5", "", "2\r\n{}\r\n"]
                .choose(rng)
                .unwrap();
            draft.add("Transfer-Encoding: chunked");
            draft.body = end.into();
            Expectation::Anything
        }
    }
}

/// The body in sound chunks. A request in a chunk is no request.
fn chunked(rng: &mut StdRng, draft: &mut Draft) -> Expectation {
    let spellings = [
        "Transfer-Encoding: chunked",
        "transfer-encoding:CHUNKED",
        "Transfer-Encoding: \t chunked \t",
    ];
    draft.add(spellings.choose(rng).unwrap());
    if rng.random_bool(0.2) {
        draft.body = b"GET /smuggled HTTP/1.1\r\nHost: rollcall\r\n\r\n".to_vec();
    }
    let extensions = ["", ";a", ";a=b", ";a=\"b;c\"", ";;", "; \t", ";GET / HTTP/1.1"];
    let size = rng.random_range(1..=draft.body.len().max(1));
    let mut chunks = Vec::new();
    for piece in draft.body.chunks(size.max(draft.body.len() / 50)) {
        let extension = extensions.choose(rng).unwrap();
        let zeros = "0".repeat(rng.random_range(0..4));
        chunks.extend(format!("{zeros}{:x}{extension}\r\n", piece.len()).into_bytes());
        chunks.extend_from_slice(piece);
        chunks.extend_from_slice(b"\r\n");
    }
    let trailers = ["", "X-After: a\r\n", "Host: other\r\nContent-Length: 5\r\n"];
    chunks.extend_from_slice(b"0\r\n");
    chunks.extend_from_slice(trailers.choose(rng).unwrap().as_bytes());
    chunks.extend_from_slice(b"\r\n");
    draft.body = chunks;
    // HTTP/1.0 has no chunks.
    match draft.version == b"HTTP/1.0" {
        true => Expectation::Refusal,
        false => Expectation::Answer,
    }
}
