//! The search for a token in the texts of a target: `conformance/src/spelling.rs`.

use rollcall_fuzz::target;
use rollcall_oracle::http::redact::replaced;

target!(property);

/// A token that every spelling changes.
const SECRET: &str = "s3cret/of+the&tests==";
const SPELLINGS: [&str; 5] = [
    SECRET,
    r"s3cret\/of+the&tests==",
    r"s3cret/of\u002Bthe\u0026tests\u003d=",
    "s3cret%2Fof%2bthe%26tests%3D%3D",
    "s3cret/of+the&amp;tests==",
];

/// No spelling of the token is left, wherever it stands in the text, and the rest of the text stays as it was.
fn property(input: &[u8]) {
    let text = String::from_utf8_lossy(input).into_owned();
    let clean = replaced(text.clone(), SECRET, "$TOKEN");
    assert_eq!(replaced(clean.clone(), SECRET, "$TOKEN"), clean);
    let middle = text.floor_char_boundary(text.len() / 2);
    for spelling in SPELLINGS {
        assert!(!clean.contains(spelling), "{clean}");
        let with = [&text[..middle], spelling, &text[middle..]].concat();
        let without = replaced(with, SECRET, "$TOKEN");
        assert!(
            without.contains("$TOKEN") && !without.contains(spelling),
            "{without}"
        );
        if clean == text && !text.contains(['%', '\\', '&']) {
            let expected = [&text[..middle], "$TOKEN", &text[middle..]].concat();
            assert_eq!(without, expected);
        }
    }
}
