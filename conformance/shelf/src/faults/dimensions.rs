//! §4.4.7: faults of the list of dimensions.

use crate::{Variant, fault};

const DIMENSIONS: &str = "/directory/dimensions";

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    let refused = |what: &str, is: fn(&str, &str) -> bool| {
        fault(format!("dimensions refuse {what}"), "N2", move |hooks| {
            hooks.on_query(move |asked| {
                if asked.on(DIMENSIONS) && asked.query.iter().any(|(name, value)| is(name, value)) {
                    asked.refuse(400);
                }
            });
        })
    };
    vec![
        refused("relations", |name, _| name == "include"),
        refused("numbers of relations", |name, value| {
            name == "include" && value.ends_with("-count")
        }),
        refused("pages", |name, _| name == "page"),
        fault("dimensions ignore their search", "X2", |hooks| {
            hooks.on_query(|asked| {
                if asked.on(DIMENSIONS) {
                    asked.drop("filter[name_search]");
                }
            });
        }),
    ]
}
