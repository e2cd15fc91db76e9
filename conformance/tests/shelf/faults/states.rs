//! §3, §4.1: faults of states and of what they say of timestamps.

use crate::shelf::{Variant, fault};

/// The faults of this section.
pub(crate) fn faults() -> Vec<Variant> {
    vec![fault("a rare state is refused", "ST3", |hooks| {
        hooks.on_query(|asked| {
            if asked.value("filter[state]") == Some("suspended") {
                asked.refuse(400);
            }
        });
    })]
}
