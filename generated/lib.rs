//! The Directory and Workspace Provisioning API as Rust: everything here is generated from `openapi.yaml` at build time.
//!
//! - [`model`]: records, summaries, bodies and enumerations, exactly as wide as their schemas
//! - `Client`: a builder-style client, with the feature `client`, which is on unless you turn it off
//! - `Api`, `router`, `operations`: the interface that a server implements, with the feature `server`
//! - [`lists`], [`records`]: the filters, sort fields and relations of each list, and the members of each record, as types
//!
//! The generated code calls the runtime library `rollcall-runtime`. What users of the generated code need of it is here
//! too: [`Timestamp`], [`Id`], [`Presence`], [`list`], [`record`], `http`.

/// The contract itself, as it is served.
pub const CONTRACT: &str = include_str!("../openapi.yaml");

#[cfg(feature = "client")]
pub use generated::client::{Client, Error as ClientError, ResponseValue};
#[cfg(feature = "server")]
pub use generated::server::{Api, operations, router};
pub use generated::{lists, records};
#[cfg(feature = "server")]
pub use rollcall_runtime::http;
pub use rollcall_runtime::{
    Bounded, Fault, FaultCode, Id, IdKind, Instant, NotATimestamp, OutOfBounds, Presence, Timestamp, WrongId,
};

/// The types of the contract.
pub mod model {
    pub use crate::generated::models::*;
    pub use crate::generated::optional::*;
    pub use crate::generated::values::*;
}

/// The list dialect: [`rollcall_runtime::list`], with the counts of this contract.
pub mod list {
    pub use rollcall_runtime::list::*;

    pub use crate::lists::{CountSpec, Counted};
}

/// The parts of records: [`rollcall_runtime::record`], with the counts of this contract.
pub mod record {
    pub use rollcall_runtime::record::*;

    pub use crate::records::Part;
}

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
    mod faults {
        include!(concat!(env!("OUT_DIR"), "/faults.rs"));
    }
    pub mod lists {
        include!(concat!(env!("OUT_DIR"), "/lists.rs"));
    }
    pub mod records {
        include!(concat!(env!("OUT_DIR"), "/records.rs"));
    }
    #[cfg(feature = "server")]
    pub mod server {
        include!(concat!(env!("OUT_DIR"), "/server.rs"));
    }
}
