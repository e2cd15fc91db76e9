//! `Accept-Encoding` against a model of RFC 9110 §12.5.3.

use http::header::ACCEPT_ENCODING;
use http::{HeaderMap, HeaderValue};
use proptest::prelude::*;
use proptest::sample::select;
use rollcall::http::{Coding, Codings};

/// An element of the header: a name, and a weight in thousandths if one is sent.
type Element = (&'static str, Option<u16>);

fn element() -> impl Strategy<Value = Element> {
    let names = [
        "gzip", "x-gzip", "GZip", "identity", "Identity", "*", "br", "zstd", "deflate",
    ];
    let weight = prop_oneof![Just(0), Just(1_000), 0..=1_000u16];
    (select(names.to_vec()), prop::option::of(weight))
}

/// How the element is written, in one of the ways that the grammar has.
fn written((name, weight): &Element, is_long: bool) -> String {
    match weight {
        None => (*name).to_owned(),
        Some(1_000) => format!("{name};q=1"),
        Some(0) if !is_long => format!("{name};q=0"),
        Some(weight) if is_long => format!("{name} ; Q=0.{weight:03}"),
        Some(weight) => format!("{name};q={}", f64::from(*weight) / 1_000.0),
    }
}

/// The weight of a coding: its own, else that of `*`, else the coding is not named.
fn weight(elements: &[Element], names: &[&str]) -> Option<u16> {
    let of = |names: &[&str]| {
        let named = elements
            .iter()
            .filter(|(name, _)| names.contains(&&*name.to_lowercase()));
        named.map(|(_, weight)| weight.unwrap_or(1_000)).max()
    };
    of(names).or_else(|| of(&["*"]))
}

fn codings(lines: &[String]) -> Codings {
    let lines = lines
        .iter()
        .map(|line| (ACCEPT_ENCODING, HeaderValue::from_str(line).unwrap()));
    let mut headers = HeaderMap::new();
    lines.for_each(|(name, line)| _ = headers.append(name, line));
    Codings::of(&headers)
}

proptest! {
    #[test]
    fn a_coding_is_accepted_and_preferred_as_its_weights_say(
        elements in prop::collection::vec((element(), any::<bool>()), 0..5),
        cut in 0usize..5,
    ) {
        let texts: Vec<_> = elements.iter().map(|(element, is_long)| written(element, *is_long)).collect();
        let elements: Vec<_> = elements.into_iter().map(|(element, _)| element).collect();
        let (first, second) = texts.split_at(cut.min(texts.len()));
        let read = codings(&[first.join(", "), second.join(" ,")]);
        let gzip = weight(&elements, &["gzip", "x-gzip"]);
        let identity = weight(&elements, &["identity"]);
        // A coding that is not named is refused, but for the body as it is.
        prop_assert_eq!(read.accept(Coding::Gzip), gzip.is_some_and(|weight| weight > 0), "{:?}", texts);
        prop_assert_eq!(read.accept(Coding::Identity), identity != Some(0), "{:?}", texts);
        let expected = match (gzip.unwrap_or(0), identity) {
            (0, Some(0)) => None,
            (0, _) => Some(Coding::Identity),
            (gzip, Some(identity)) if identity > gzip => Some(Coding::Identity),
            (_, _) => Some(Coding::Gzip),
        };
        prop_assert_eq!(read.preferred(), expected, "{:?}", texts);
    }

    #[test]
    fn any_text_is_read(line in "[ -~]{0,40}") {
        let read = codings(&[line]);
        prop_assert!(read.preferred().is_none_or(|coding| read.accept(coding)));
    }
}

#[test]
fn without_the_header_the_body_is_sent_as_it_is_and_gzip_is_acceptable() {
    let read = codings(&[]);
    assert_eq!(read.preferred(), Some(Coding::Identity));
    assert!(read.accept(Coding::Gzip));
}

#[test]
fn a_weight_that_cannot_be_read_counts_as_not_sent() {
    for line in [
        "gzip;q=2",
        "gzip;q=1.5",
        "gzip;q=0.0001",
        "gzip;q=-1",
        "gzip;q=",
        "gzip;level=9",
        "gzip;q=.5",
        "gzip gzip",
    ] {
        assert_eq!(
            codings(&[line.to_owned()]).preferred(),
            Some(Coding::Identity),
            "{line}"
        );
    }
}
