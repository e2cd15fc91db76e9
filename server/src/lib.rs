//! `rollcall-server`: the reference implementation of the contract.
//!
//! Way of a request: router (generated) → `api.rs` (one method for each operation) → `ListQuery`, parsed against the
//! contract's tables → `store` → record → JSON. A handler has no SQL, no parameter names and no status codes.

pub mod api;
pub mod app;
pub mod auth;
#[path = "../store/src/clock.rs"]
pub mod clock;
pub mod commands;
pub mod compression;
pub mod connection;
mod correlation;
#[path = "../demo/src/lib.rs"]
pub mod demo;
#[path = "../import/src/export/mod.rs"]
pub mod export;
pub mod health;
#[path = "../store/src/ids.rs"]
pub mod ids;
#[path = "../import/src/lib.rs"]
pub mod import;
#[path = "../store/src/lifecycle.rs"]
pub mod lifecycle;
pub mod log_format;
mod metrics;
#[path = "../pages/src/lib.rs"]
pub mod pages;
#[path = "../store/src/private_file.rs"]
pub mod private_file;
pub mod problem;
pub mod request_log;
pub mod routes;
#[path = "../store/src/lib.rs"]
pub mod store;
