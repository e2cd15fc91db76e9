//! The Directory and Workspace Provisioning API as Rust: everything here follows from `openapi.yaml` at build time.
//!
//! - [`model`]: records, summaries, bodies and enumerations, exactly as wide as their schemas
//! - `Client`: a builder-style client, with the feature `client`, which is on unless you turn it off
//! - [`Api`], [`router`]: the interface a server implements
//! - [`lists`], [`list`]: each list's filters, sort fields and relations as types, and the one parser of the list dialect
//!
//! The hand-written files beside this one hold what the contract cannot say: how a timestamp is printed, how text becomes a
//! [`list::ListQuery`], how an answer becomes HTTP.

mod bounded;
mod exact;
pub mod http;
mod id;
pub mod list;
mod page_number;
mod presence;
pub mod record;
mod timestamp;

pub use bounded::{Bounded, OutOfBounds};
#[cfg(feature = "client")]
pub use generated::client::{Client, Error as ClientError, ResponseValue};
pub use generated::server::{Api, operations, router};
pub use id::{Id, IdKind, WrongId};
pub use presence::Presence;
pub use timestamp::{Instant, NotATimestamp, Timestamp};

/// The contract itself, as it is served.
pub const CONTRACT: &str = include_str!("../openapi.yaml");

/// The types of the contract.
pub mod model {
    pub use crate::generated::models::*;
    pub use crate::generated::optional::*;
    pub use crate::generated::values::*;
}

pub use generated::{lists, records};

#[expect(
    clippy::all,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    clippy::unwrap_used,
    missing_docs,
    unused_qualifications,
    unreachable_pub,
    reason = "written by progenitor"
)]
mod generated {
    pub mod models {
        include!(concat!(env!("OUT_DIR"), "/models.rs"));
    }
    #[cfg(feature = "client")]
    #[expect(unused_imports, reason = "written by progenitor")]
    pub mod client {
        use super::models as types;

        include!(concat!(env!("OUT_DIR"), "/client.rs"));
    }
    pub mod optional {
        include!(concat!(env!("OUT_DIR"), "/optional.rs"));
    }
    pub mod values {
        include!(concat!(env!("OUT_DIR"), "/values.rs"));
    }
    pub mod lists {
        include!(concat!(env!("OUT_DIR"), "/lists.rs"));
    }
    pub mod records {
        include!(concat!(env!("OUT_DIR"), "/records.rs"));
    }
    pub mod server {
        include!(concat!(env!("OUT_DIR"), "/server.rs"));
    }
}
