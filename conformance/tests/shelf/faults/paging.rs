//! §4.4.8: faults of paging.

use crate::shelf::Variant;

/// The faults of this section.
pub(crate) fn faults() -> Vec<Variant> {
    Vec::new()
}
