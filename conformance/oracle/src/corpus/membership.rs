//! Whether a record belongs to an answer, by one member of it.
//!
//! Invariant: an open point that could turn the answer either way makes it [`Membership::Unspecified`]: case (L9, L10),
//! timestamps near a bound and nulls behind one (L16), values that are no text.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization as _;

use crate::open_points::timestamp;

/// Timestamps nearer to a bound than this are not judged: the bound's zone and whether it is included are open (L15, L16).
pub const MARGIN: SignedDuration = SignedDuration::from_hours(48);

/// Whether a record belongs to an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Membership {
    /// It does not belong.
    Excluded,
    /// The specification leaves it open.
    Unspecified,
    /// It belongs.
    Included,
}

/// Whether a member, or a value in it, contains the needle. Values that are no text may be searched or not.
pub(super) fn contains(member: &Value, needle: &str) -> Membership {
    match member {
        Value::String(text) if text.contains(needle) => {
            // The small form of a sigma depends on what follows it, and so does a letter that a mark follows: a part of a value
            // does not show it.
            let is_certain = |form: fn(&str) -> String| form(text).contains(&form(needle));
            if text.is_ascii() || (is_certain(str::to_lowercase) && is_certain(composed)) {
                Membership::Included
            } else {
                Membership::Unspecified
            }
        }
        Value::String(text) if text.is_ascii() && needle.is_ascii() => {
            open_if(text.to_ascii_lowercase().contains(&needle.to_ascii_lowercase()))
        }
        Value::String(text) if folded(text).contains(&folded(needle)) => Membership::Unspecified,
        Value::String(_) | Value::Null => Membership::Excluded,
        Value::Bool(_) | Value::Number(_) => open_if(folded(&member.to_string()).contains(&folded(needle))),
        Value::Object(values) => values
            .values()
            .map(|value| within(value, needle))
            .max()
            .unwrap_or(Membership::Excluded),
        Value::Array(values) => values
            .iter()
            .map(|value| within(value, needle))
            .max()
            .unwrap_or(Membership::Excluded),
    }
}

/// As [`contains`], of a value inside a free-form object: a text is searched, what lies deeper may be.
fn within(value: &Value, needle: &str) -> Membership {
    match value {
        Value::Object(_) | Value::Array(_) => open_if(folded(&value.to_string()).contains(&folded(needle))),
        one => contains(one, needle),
    }
}

pub(super) fn open_if(open: bool) -> Membership {
    if open {
        Membership::Unspecified
    } else {
        Membership::Excluded
    }
}

/// Whether a timestamp is before a bound, and far enough from it. A record without the timestamp is before no bound.
pub(super) fn before(member: &Value, bound: &str) -> Membership {
    match member.is_null() {
        true => Membership::Excluded,
        false => beside(member, bound, |at, bound| at < bound),
    }
}

/// Whether a timestamp is after a bound, and far enough from it. A record that never
/// expires may count as expiring after any bound (L16).
pub(super) fn after(member: &Value, bound: &str) -> Membership {
    beside(member, bound, |at, bound| at > bound)
}

fn beside(member: &Value, bound: &str, right: impl Fn(Timestamp, Timestamp) -> bool) -> Membership {
    let at = member.as_str().and_then(timestamp::read);
    let (Some(at), Some(bound)) = (at, timestamp::read(bound)) else {
        return Membership::Unspecified;
    };
    if at.duration_since(bound).abs() < MARGIN {
        return Membership::Unspecified;
    }
    if right(at, bound) {
        Membership::Included
    } else {
        Membership::Excluded
    }
}

/// Whether a record with this mark of deletion is shown, §4.1: any other word behaves as the default.
pub(super) fn trashed(mark: &Value, word: &str) -> Membership {
    let shown = match word {
        WITH => true,
        ONLY => !mark.is_null(),
        _ => mark.is_null(),
    };
    if shown {
        Membership::Included
    } else {
        Membership::Excluded
    }
}

/// The word that includes soft-deleted records, §4.1; another contract may spell it otherwise
/// ([`sent`](super::predicate::ObservableFilter::sent)).
pub const WITH: &str = "with";
/// The word that leaves soft-deleted records alone in the list, §4.1.
pub const ONLY: &str = "only";
/// The word that stands for the default, §4.1.
pub const WITHOUT: &str = "without";

/// The composed form of a text (NFC): `é` as one character.
fn composed(text: &str) -> String {
    text.nfc().collect()
}

/// The form in which values that differ by case alone are the same, by the widest folding there is (`ß`, `ẞ` and `SS` are the
/// same, so are `İ` and `i`, and so are the two forms of `é`): what a narrower one tells apart is open too (L9, L10).
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // `ẞ` is its own capital; its small letter `ß` has the capital `SS`.
    let small = text.nfc().flat_map(char::to_lowercase);
    let capitals = small.flat_map(char::to_uppercase);
    let folded: String = capitals.flat_map(char::to_lowercase).collect();
    composed(&folded).replace("i\u{307}", "i")
}
