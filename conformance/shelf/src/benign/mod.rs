//! Targets that differ from the model and conform: for each open point of the contract, one for each answer that its ruling
//! accepts; targets that are not the same each time; and mixtures of several answers.

pub mod access;
pub mod lists;
pub mod long;
pub mod mixture;
pub mod operations;
pub mod records;
pub mod transient;

use super::Variant;

/// Every variant that conforms, in the order of the open points.
pub fn variants() -> Vec<Variant> {
    [
        records::variants(),
        lists::variants(),
        long::variants(),
        operations::variants(),
        access::variants(),
        transient::moving(),
        transient::transient(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The answers that the model itself gives at the open points, by their names in the contract.
pub const OF_THE_MODEL: &[(&str, &str)] = &[
    ("R1", "is-null"),
    ("R7", "requested-names"),
    ("R8", "strings"),
    ("R9", "is-empty"),
    ("R10", "one"),
    ("R11", "in-included"),
    ("R12", "described"),
    ("R14", "is-null"),
    ("R15", "one-shown-many-hidden"),
    ("L1", "bare"),
    ("L2", "from-one"),
    ("L2", "empty-past-the-end"),
    ("L4", "none"),
    ("L5", "by-id"),
    ("L6", "refused"),
    ("L7", "refused"),
    ("L8", "refused"),
    ("L9", "exact-case"),
    ("L10", "any-case"),
    ("L11", "named"),
    ("L12", "array"),
    ("L13", "refused"),
    ("L14", "two-words"),
    ("L15", "further-forms"),
    ("L16", "strict"),
    ("L17", "kept"),
    ("L18", "listed"),
    ("L19", "folded"),
    ("L20", "refused"),
    ("L21", "kept"),
    ("O1", "any-transition"),
    ("O2", "not-offered"),
    ("O3", "by-time"),
    ("O4", "refused"),
    ("O5", "granted"),
    ("O6", "granted"),
    ("O7", "active"),
    ("O8", "reattached"),
    ("O9", "offered"),
    ("O10", "ok"),
    ("O11", "none"),
    ("O12", "refused"),
    ("A1", "any-token"),
    ("A2", "unauthorized"),
    ("A4", "own-codes"),
    ("A5", "refused"),
    ("A6", "none"),
    ("A7", "none"),
    ("A8", "any-answer"),
    ("A9", "exact-case"),
    ("A10", "any-import"),
    ("P1", "any-rule"),
    ("P2", "derived"),
    ("P3", "without-included"),
    ("P5", "any-effect"),
];
