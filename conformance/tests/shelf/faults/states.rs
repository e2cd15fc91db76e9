//! §3, §4.1: faults of states and of what they say of timestamps.

use crate::shelf::Variant;

/// The faults of this section.
pub(crate) fn faults() -> Vec<Variant> {
    Vec::new()
}
