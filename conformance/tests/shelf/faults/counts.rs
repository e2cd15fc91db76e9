//! §2.1: faults of counts.

use crate::shelf::Variant;

/// The faults of this section.
pub(crate) fn faults() -> Vec<Variant> {
    Vec::new()
}
