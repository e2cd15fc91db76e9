//! The store: records in, pages out. The only place with SQL; `dialect/` is the only folder that names a database.
//!
//! Each room imports only those before it in this list, and none imports this file.

// The ground.
mod error;
pub mod fold;
mod job;
pub mod position;
pub mod sql;

// The rooms.
pub mod access;
pub mod change;
pub mod common_texts;
pub mod dialect;
pub mod page_starts;
pub mod people;
pub mod query;
pub mod remembered;
mod render;
pub mod schema;
pub mod tables;
mod threads;
mod version_cache;

mod open;

pub use change::unit::WriteContext;
pub use error::{Error, FileFault, NotStored, Result};
pub use job::{Abandoned, wait_for_threads};
pub use open::{Store, WorkDone, Workload};
pub use threads::CONNECTIONS_NEEDED;
pub use threads::reader::Snapshot;
pub use threads::readiness::{Ready, Unready};
