//! §4.1, §4.4.4: faults around soft-deleted records.

use crate::shelf::Variant;

/// The faults of this section.
pub(crate) fn faults() -> Vec<Variant> {
    Vec::new()
}
