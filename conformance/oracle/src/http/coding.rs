//! The content coding of an answer: what `Content-Encoding` says, taken off.

use std::io::Read as _;

use flate2::read::MultiGzDecoder;
use reqwest::header::{CONTENT_ENCODING, HeaderMap};

use crate::http::target_error::MAX_BODY;

/// What a report shows in place of a body that is not in the coding that its answer names, or is too long without it.
const NOT_AS_CODED: &[u8] = b"(the body is not in the coding that Content-Encoding names)";

/// A body without its coding. Of codings that no request of the runner accepts nothing is known: such a body stays as it is.
pub(super) fn decoded(headers: &HeaderMap, body: Vec<u8>) -> Vec<u8> {
    let coding = headers
        .get(CONTENT_ENCODING)
        .and_then(|coding| coding.to_str().ok());
    match coding.map(|coding| coding.trim().to_ascii_lowercase()).as_deref() {
        Some("gzip" | "x-gzip") if !body.is_empty() => {
            unpacked(&body).unwrap_or_else(|| NOT_AS_CODED.to_vec())
        }
        _ => body,
    }
}

fn unpacked(body: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    let limit = u64::try_from(MAX_BODY).ok()?;
    let mut decoder = MultiGzDecoder::new(body).take(limit + 1);
    decoder.read_to_end(&mut plain).ok()?;
    (plain.len() <= MAX_BODY).then_some(plain)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn of(coding: Option<&'static str>, body: &[u8]) -> Vec<u8> {
        let headers = coding.map(|coding| (CONTENT_ENCODING, coding.parse().unwrap()));
        decoded(&headers.into_iter().collect(), body.to_vec())
    }

    #[test]
    fn a_body_is_read_by_the_coding_that_its_answer_names() {
        let text = b"[{}]";
        assert_eq!(of(Some("GZIP"), &packed(text)), text);
        assert_eq!(of(None, text), text);
        assert_eq!(of(None, &packed(text)), packed(text));
        assert_eq!(of(Some("gzip"), text), NOT_AS_CODED);
        assert_eq!(of(Some("gzip"), &packed(&vec![b'a'; MAX_BODY + 1])), NOT_AS_CODED);
    }
}
