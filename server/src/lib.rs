//! `rollcall-server`: the reference implementation of the contract.
//!
//! Way of a request: router (generated) → `api.rs` (one method for each operation) → `ListQuery`, parsed against the
//! contract's tables → `store` → record → JSON. A handler has no SQL, no parameter names and no status codes.

pub mod clock;
pub mod export;
pub mod ids;
pub mod import;
pub mod lifecycle;
pub mod resources;
pub mod store;
