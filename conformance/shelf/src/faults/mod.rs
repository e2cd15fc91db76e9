//! The faults, one table for each section of the checks, in the order of a report.

mod access;
mod counts;
mod dates;
mod deleted_relations;
mod dimensions;
mod exact;
mod fields;
mod flags;
mod include;
mod paging;
mod partial;
mod records;
mod relation_forms;
mod relations;
mod robustness;
mod sort;
mod states;
mod together;
mod trashed;
mod write_hooks;
mod writes;
mod writes_refused;
mod writes_seen;

pub use exact::like;

use serde_json::Value;

use super::Variant;
use super::model::Row;
use crate::{Asked, fault};

type Table = fn() -> Vec<Variant>;

/// Every table by its section.
pub const SECTIONS: [(&str, Table); 17] = [
    ("access", access::faults),
    ("records", records::faults),
    ("fields", fields::faults),
    ("exact", exact::faults),
    ("partial", partial::faults),
    ("flags", flags::faults),
    ("states", states::faults),
    ("dates", dates::faults),
    ("trashed", trashed::faults),
    ("sort", sort::faults),
    ("include", include::faults),
    ("counts", counts::faults),
    ("paging", paging::faults),
    ("together", together::faults),
    ("writes", writes::faults),
    ("dimensions", dimensions::faults),
    ("robustness", robustness::faults),
];

/// The faults of one section.
pub fn of(section: &str) -> Vec<Variant> {
    let table = SECTIONS.iter().find(|(name, _)| *name == section);
    table.unwrap().1()
}

/// A fault of what people's records include.
fn included(
    name: &str,
    check: &'static str,
    change: impl Fn(&Asked, &Row, &mut Value) + Clone + Send + Sync + 'static,
) -> Variant {
    fault(name, check, move |hooks| {
        let change = change.clone();
        hooks.on_record(move |asked, row, record| {
            if asked.on("/directory/users") {
                change(asked, row, &mut record["included"]);
            }
        });
    })
}
