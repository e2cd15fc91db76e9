//! What the specification leaves open, and what the runner accepts there: one file for each point that takes a decision, and
//! one function that every check uses. The points are numbered as in `docs/decisions`.
//!
//! Invariant: nothing here knows a target. What a target does at a point is learned elsewhere and passed in.

pub mod blanks;
pub mod converted_value;
pub mod date_bound;
pub mod related_number;
pub mod timestamp;
