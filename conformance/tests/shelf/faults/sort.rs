//! §4.4.5: faults of sorting.

use crate::shelf::Variant;

/// The faults of this section.
pub(crate) fn faults() -> Vec<Variant> {
    Vec::new()
}
