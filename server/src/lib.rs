//! `rollcall-server`: the reference implementation of the contract.
//!
//! Way of a request: router (generated) → `api.rs` (one method for each operation) → `ListQuery`, parsed against the
//! contract's tables → `rollcall-store` → record → JSON. A handler has no SQL, no parameter names and no status codes.

pub mod api;
pub mod app;
pub mod auth;
pub mod commands;
pub mod compression;
pub mod connection;
mod correlation;
pub mod health;
pub mod log_format;
mod metrics;
pub mod problem;
pub mod request_log;
pub mod routes;
mod simulate;
