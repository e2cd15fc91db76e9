//! The runtime library of the code that is generated from `openapi.yaml`: what the contract cannot describe.
//!
//! - [`Timestamp`], [`Instant`], [`Id`], [`Bounded`], [`Presence`]: the value types of the models
//! - [`list`]: the list dialect; query text ⇄ [`list::ListQuery`], by the tables of a list
//! - [`record`]: the parts that the JSON of a record is rendered from
//! - `client`: what the generated client does around each request; with the feature `client`
//! - `http`: what a server implements, and how its router reads requests and writes answers; with the feature `server`
//!
//! Invariant: nothing here knows an operation, a member or a parameter by name. The generated code has all of these.

mod bounded;
#[cfg(feature = "client")]
pub mod client;
mod fault;
pub mod formula;
#[cfg(feature = "server")]
pub mod http;
mod id;
pub mod list;
pub mod presence;
pub mod record;
mod strict;
mod timestamp;

pub use bounded::{Bounded, OutOfBounds};
pub use fault::{Fault, FaultCode};
pub use id::{Id, IdKind, WrongId};
pub use presence::Presence;
pub use strict::StrictDeserializer;
pub use timestamp::{AnyTimestamp, Instant, NotATimestamp, Timestamp};
