//! The one way to write: a unit of work, and what follows from it before it commits.

pub mod chunks;
pub mod counts;
mod derived;
pub mod evaluation_queue;
pub mod expiry;
pub mod fields;
pub mod idempotency;
pub mod log;
pub mod operations;
pub mod org;
pub mod policy;
pub mod recount;
pub mod unit;
