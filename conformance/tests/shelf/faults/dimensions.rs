//! §4.4.7: faults of the list of dimensions.

use crate::shelf::Variant;

/// The faults of this section.
pub(crate) fn faults() -> Vec<Variant> {
    Vec::new()
}
