//! The Directory and Workspace Provisioning API as Rust: everything here is generated from `openapi.yaml` at build time.
//!
//! - [`model`]: records, summaries, bodies and enumerations, exactly as wide as their schemas
//! - `Client`: a builder-style client, with the feature `client`, which is on unless you turn it off; `client` explains it
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
/// The HTTP client that [`Client`] uses.
#[cfg(feature = "client")]
pub use reqwest;
pub use rollcall_runtime::{
    AnyTimestamp, Bounded, Fault, FaultCode, Id, IdKind, Instant, NotATimestamp, OutOfBounds, Presence,
    Timestamp, WrongId,
};
#[cfg(feature = "server")]
pub use rollcall_runtime::{formula, http};

/// A client of any server that implements the API.
///
/// [`Client::with_token`] makes one. Each operation is a method that gives a builder: set filters and parameters by name,
/// then `send` it. A list can also be read as a stream of the records of all its pages:
///
/// ```no_run
/// use rollcall::Client;
/// use rollcall::client::TryStreamExt as _;
/// use rollcall::client::model::{DirectoryUserInclude, DirectoryUserSort};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let client = Client::with_token("http://127.0.0.1:8080/api/v1", &std::env::var("ROLLCALL_TOKEN")?)?;
/// let mut users = client
///     .list_directory_users()
///     .filter_email_search("example.com")
///     .sort([DirectoryUserSort::LastName, DirectoryUserSort::CreatedAtDesc])
///     .include([DirectoryUserInclude::ManagerUser])
///     .stream();
/// while let Some(user) = users.try_next().await? {
///     println!("{} {}", user.id, user.full_name);
/// }
/// # Ok(())
/// # }
/// ```
///
/// A refusal has the problem that the server sent:
///
/// ```no_run
/// use rollcall::{Client, ClientError};
///
/// # async fn example(client: Client) {
/// match client.get_directory_user().user("drusr_1").send().await {
///     Ok(user) => println!("{}", user.full_name),
///     Err(ClientError::ErrorResponse(refusal)) => println!("{} {}", refusal.status(), refusal.detail.clone().unwrap_or_default()),
///     Err(error) => println!("no answer: {error}"),
/// }
/// # }
/// ```
///
/// The client sends a request again after a 429, a 503 or a broken connection, as [`client::Retry`] says. So that this changes nothing
/// twice, each change carries an `Idempotency-Key`, one of its own unless you give one:
///
/// ```no_run
/// use std::time::Duration;
/// use rollcall::Client;
/// use rollcall::client::Retry;
///
/// # async fn example(client: Client) -> Result<(), Box<dyn std::error::Error>> {
/// let client = client.with_retry(Retry { attempts: 10, longest_wait: Duration::from_secs(60) });
/// client.activate_directory_user().user("drusr_1").idempotency_key("activate-drusr_1").send().await?;
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "client")]
pub mod client {
    pub use futures_util::{Stream, TryStreamExt};
    pub use rollcall_runtime::client::{Invalid, Records, Retry};

    pub use crate::generated::client::{Client, Error, ResponseValue, builder};

    /// The types of the contract as any server may send them: open to further members, words and identifiers.
    pub mod model {
        pub use crate::generated::open_models::*;
        pub use crate::generated::open_optional::*;
        pub use crate::generated::open_values::*;
        pub use crate::generated::words::*;
    }
}

/// The types of the contract.
pub mod model {
    pub use crate::generated::models::*;
    pub use crate::generated::optional::*;
    pub use crate::generated::values::*;
    pub use crate::generated::words::*;
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
        use crate::client::model as types;

        include!(concat!(env!("OUT_DIR"), "/client.rs"));
    }
    #[cfg(feature = "client")]
    pub mod open_models {
        include!(concat!(env!("OUT_DIR"), "/open_models.rs"));
    }
    #[cfg(feature = "client")]
    pub mod open_optional {
        include!(concat!(env!("OUT_DIR"), "/open_optional.rs"));
    }
    #[cfg(feature = "client")]
    pub mod open_values {
        include!(concat!(env!("OUT_DIR"), "/open_values.rs"));
    }
    pub mod optional {
        include!(concat!(env!("OUT_DIR"), "/optional.rs"));
    }
    pub mod values {
        include!(concat!(env!("OUT_DIR"), "/values.rs"));
    }
    pub mod words {
        include!(concat!(env!("OUT_DIR"), "/words.rs"));
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
