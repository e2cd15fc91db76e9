//! The store: records in, pages out. The only place with SQL; `dialect/` is the only folder that names a database.
//!
//! Each room imports only those before it in the list of `conformance/tests/all/layers.rs`, and none imports this file.

// The ground.
pub mod clock;
mod error;
pub mod fold;
pub mod ids;
mod job;
pub mod lifecycle;
pub mod position;
pub mod private_file;
mod schema;
pub mod sql;

// What a database is asked, and what is remembered of its answers.
pub mod dialect;
pub mod grant;
mod memory;

// Where records are stored, how they are read, how they change.
pub mod access;
pub mod change;
pub mod copy;
mod migrate;
pub mod people;
pub mod query;
mod render;
pub mod tables;

// The whole.
mod open;
mod threads;

pub use change::unit::WriteContext;
pub use error::{Error, FileFault, NotStored, Result};
pub use job::{Abandoned, wait_for_threads};
pub use migrate::{begin_copy, columns, end_copy, migrate, missing_schemas};
pub use open::{Opening, Store, WorkDone, Workload};
pub use schema::schema_tables;
pub use threads::CONNECTIONS_NEEDED;
pub use threads::reader::Snapshot;
pub use threads::readiness::{Ready, Unready};
