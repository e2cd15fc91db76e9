//! Which queries to send to a list, so that every pair of its parameters meets in a query whose answer shows both.
//!
//! Pure and repeatable: the same domain and seed give the same queries. A parameter *matters* in a query if the answer would
//! be another without it; only parameters that matter are covered.

mod cover;
mod coverage;
mod domain;
mod goals;
mod recipe;
pub mod sample;
mod sort_column;
#[cfg(test)]
mod tests;
mod values;
mod varied;

pub use cover::{Plan, Planned, most_telling_first, plan, plan_values};
pub use coverage::Coverage;
pub use domain::{Domain, FilterDomain, PlannedValue, Relations};
pub use sort_column::SortColumn;

pub use values::{BLANK_BEFORE, ClassedValue, FEW, Shown, ValueRelation, YEAR_ONE, levels};
pub use varied::varied;
