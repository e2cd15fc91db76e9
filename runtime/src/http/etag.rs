//! Entity tags (RFC 9110 §8.8.3) and the conditions made of them.
//!
//! A condition that cannot be read is kept as that: a change under it is refused, never made.
//!
//! Each coding of a body has a tag of its own: `"…"` as it is, and `"…-gzip"` compressed (RFC 9110 §8.8.3.3).

use http::HeaderValue;
use sha2::{Digest, Sha256};

use super::{Coding, Codings};

/// The entity tag of a record: a digest of what is shown of it, and the coding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ETag {
    digest: String,
    coding: Coding,
}

/// The end of the tag of a compressed body.
const GZIP: &str = "-gzip";

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
    /// The entity tag of a record that is shown by these bytes, sent as they are.
    pub fn of(bytes: &[u8]) -> Self {
        let digest = Sha256::digest(bytes);
        let (half, _) = digest.split_first_chunk().unwrap_or((&[0; 16], &[]));
        Self {
            digest: format!("{:032x}", u128::from_be_bytes(*half)),
            coding: Coding::Identity,
        }
    }

    /// The tag of the same state in this coding.
    pub fn coded(&self, coding: Coding) -> Self {
        Self {
            digest: self.digest.clone(),
            coding,
        }
    }

    /// How it is sent, in quotes.
    pub fn header(&self) -> Option<HeaderValue> {
        let end = match self.coding {
            Coding::Identity => "",
            Coding::Gzip => GZIP,
        };
        HeaderValue::try_from(format!("\"{}{end}\"", self.digest)).ok()
    }

    /// The header of the compressed form, from that of the form that is not compressed.
    pub fn compressed(header: &HeaderValue) -> Option<HeaderValue> {
        let tag = header.to_str().ok()?.strip_suffix('"')?;
        HeaderValue::try_from(format!("{tag}{GZIP}\"")).ok()
    }

    /// Whether this is the tag between the quotes.
    fn is(&self, tag: &str) -> bool {
        let (digest, coding) = match tag.strip_suffix(GZIP) {
            Some(digest) => (digest, Coding::Gzip),
            None => (tag, Coding::Identity),
        };
        (digest, coding) == (&*self.digest, self.coding)
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

    /// Whether a change of the record with this tag may be made: one of the tags is the same, whatever its coding, and weak
    /// ones are the same as none (RFC 9110 §13.1.1).
    pub fn allow_change(&self, tag: &ETag) -> bool {
        let forms = [Coding::Identity, Coding::Gzip].map(|coding| tag.coded(coding));
        self.have(|is_weak, one| !is_weak && forms.iter().any(|form| form.is(one)))
    }

    /// The form of this tag that the sender has already, of the codings that the sender reads. A tag that a proxy has weakened
    /// still says so (RFC 9110 §13.1.2).
    pub fn held(&self, tag: &ETag, reads: Codings) -> Option<ETag> {
        let forms = [Coding::Identity, Coding::Gzip].into_iter();
        let mut read = forms.filter(|coding| reads.accept(*coding));
        read.find_map(|coding| {
            let form = tag.coded(coding);
            self.have(|_, one| form.is(one)).then_some(form)
        })
    }

    fn have(&self, is_same: impl Fn(bool, &str) -> bool) -> bool {
        match self {
            Self::Any => true,
            Self::These(tags) => tags.iter().any(|(is_weak, one)| is_same(*is_weak, one)),
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
