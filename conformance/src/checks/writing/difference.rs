//! How one showing of a record differs from another.

use rollcall_contract::Pointer;
use serde_json::Value;

use rollcall_oracle::corpus::members::Members;

/// What is wrong with a record, and the member where it is one that is wrong.
pub(super) type RecordFault = (String, Option<Pointer>);

/// The first member that differs between an answer and a record, with both values, as a report names it. `counts` gets the
/// place of a member and both values, and says whether the difference counts.
pub(super) fn difference(
    members: &Members,
    shown: &Value,
    record: &Value,
    counts: impl Fn(&Pointer, &Value, &Value) -> bool,
) -> Option<RecordFault> {
    members.comparable().find_map(|place| {
        let (shown, own) = (place.find(shown)?, place.find(record)?);
        let differs = shown != own && counts(place, shown, own);
        let what = || format!("{place} {shown}, and the record shows {own}");
        differs.then(|| (what(), Some(place.clone())))
    })
}
