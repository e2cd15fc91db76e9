//! Entity tags (RFC 9110 §8.8.3) and the conditions made of them.
//!
//! A condition that cannot be read is kept as that: a change under it is refused, never made.

use http::HeaderValue;
use sha2::{Digest, Sha256};

/// The entity tag of a record: a digest of what is shown of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ETag(String);

/// The entity tags that a header names: `If-Match` or `If-None-Match`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ETags {
    /// `*`: any record that exists.
    Any,
    /// These, each with whether it is weak.
    These(Vec<(bool, String)>),
    /// What stands there is no list of entity tags.
    Unreadable,
}

impl ETag {
    /// The entity tag of a record that is shown by these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let digest = Sha256::digest(bytes);
        let (half, _) = digest.split_first_chunk().unwrap_or((&[0; 16], &[]));
        Self(format!("{:032x}", u128::from_be_bytes(*half)))
    }

    /// How it is sent, in quotes.
    pub fn header(&self) -> Option<HeaderValue> {
        HeaderValue::try_from(format!("\"{}\"", self.0)).ok()
    }
}

impl ETags {
    /// Reads every line of a header; none if it was not sent.
    pub fn read<'h>(lines: impl IntoIterator<Item = &'h HeaderValue>) -> Option<Self> {
        let mut lines = lines.into_iter().peekable();
        lines.peek()?;
        let mut tags = Vec::new();
        let mut is_any = false;
        for line in lines {
            match (parse(line.as_bytes()), is_any) {
                (Some(Self::Any), false) if tags.is_empty() => is_any = true,
                (Some(Self::These(more)), false) => tags.extend(more),
                _ => return Some(Self::Unreadable),
            }
        }
        Some(match (is_any, tags.is_empty()) {
            (true, true) => Self::Any,
            (false, false) => Self::These(tags),
            _ => Self::Unreadable,
        })
    }

    /// Whether a change of the record with this tag may be made: one of the tags is the same, and weak ones are the same as
    /// none (RFC 9110 §13.1.1).
    pub fn allow_change(&self, tag: &ETag) -> bool {
        self.have(tag, |is_weak| !is_weak)
    }

    /// Whether the sender has the record with this tag already. A tag that a proxy has weakened still says so (RFC 9110
    /// §13.1.2).
    pub fn hold(&self, tag: &ETag) -> bool {
        self.have(tag, |_| true)
    }

    fn have(&self, tag: &ETag, counts: fn(bool) -> bool) -> bool {
        match self {
            Self::Any => true,
            Self::These(tags) => tags
                .iter()
                .any(|(is_weak, one)| counts(*is_weak) && *one == tag.0),
            Self::Unreadable => false,
        }
    }
}

/// One line: `*`, or entity tags with commas between them.
fn parse(line: &[u8]) -> Option<ETags> {
    let mut rest = line.trim_ascii();
    if rest == b"*" {
        return Some(ETags::Any);
    }
    let mut tags = Vec::new();
    loop {
        let (is_weak, quoted) = match rest.strip_prefix(b"W/") {
            Some(quoted) => (true, quoted),
            None => (false, rest),
        };
        let quoted = quoted.strip_prefix(b"\"")?;
        let end = quoted.iter().position(|byte| *byte == b'"')?;
        let (tag, behind) = (&quoted[..end], quoted[end + 1..].trim_ascii_start());
        if !tag.iter().all(|byte| matches!(byte, 0x21 | 0x23..=0x7e)) {
            return None;
        }
        tags.push((is_weak, String::from_utf8_lossy(tag).into_owned()));
        match behind.strip_prefix(b",") {
            Some(next) => rest = next.trim_ascii_start(),
            None if behind.is_empty() => return Some(ETags::These(tags)),
            None => return None,
        }
    }
}
