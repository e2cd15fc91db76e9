//! Entity tags of `If-Match` and `If-None-Match`: `runtime/src/http/etag.rs`. Each line of an input is a line of the header.

use http::{HeaderMap, HeaderValue};
use rollcall::http::{Codings, ETag, ETags};
use rollcall_fuzz::target;

target!(property);

fn property(input: &[u8]) {
    let lines: Vec<HeaderValue> = input
        .split(|byte| *byte == b'\n')
        .filter_map(|line| HeaderValue::from_bytes(line).ok())
        .collect();
    // No input contains its own digest, but a fuzzer soon finds out any other.
    let tag = ETag::of(input);
    let Some(tags) = ETags::read(&lines) else {
        assert!(lines.is_empty());
        return;
    };
    assert_eq!(ETags::read([&joined(&lines)]), Some(tags.clone()));
    match &tags {
        ETags::Any => assert!(tags.allow_change(&tag) && holds(&tags, &tag)),
        ETags::These(_) | ETags::Unreadable => assert!(!tags.allow_change(&tag) && !holds(&tags, &tag)),
    }
    with_another(&lines, &tags, &tag);
    if let ETags::These(these) = &tags {
        apart(these, &tags);
    }
}

/// Whether a sender that reads every coding has the record with this tag.
fn holds(tags: &ETags, tag: &ETag) -> bool {
    tags.held(tag, Codings::of(&HeaderMap::new())).is_some()
}

/// Several lines of a header mean the same as one line with commas between them (RFC 9110 §5.3).
fn joined(lines: &[HeaderValue]) -> HeaderValue {
    let lines: Vec<&[u8]> = lines.iter().map(HeaderValue::as_bytes).collect();
    HeaderValue::from_bytes(&lines.join(b", ".as_slice())).unwrap()
}

/// A line with the record's tag counts if the others are tags too. What is unreadable stays so.
fn with_another(lines: &[HeaderValue], tags: &ETags, tag: &ETag) {
    let own = tag.header().unwrap();
    let weak = HeaderValue::from_bytes(&[b"W/", own.as_bytes()].concat()).unwrap();
    let is_list = matches!(tags, ETags::These(_));
    let strong = ETags::read(lines.iter().chain([&own])).unwrap();
    assert_eq!(
        (strong.allow_change(tag), holds(&strong, tag)),
        (is_list, is_list)
    );
    let weak = ETags::read(lines.iter().chain([&weak])).unwrap();
    assert_eq!((weak.allow_change(tag), holds(&weak, tag)), (false, is_list));
}

/// Each tag on a line of its own is the same list.
fn apart(these: &[(bool, String)], tags: &ETags) {
    let line = |(is_weak, tag): &(bool, String)| {
        let weak = if *is_weak { "W/" } else { "" };
        HeaderValue::try_from(format!("{weak}\"{tag}\"")).unwrap()
    };
    let lines: Vec<HeaderValue> = these.iter().map(line).collect();
    assert_eq!(ETags::read(&lines).as_ref(), Some(tags));
}
