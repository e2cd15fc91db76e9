//! Reads `openapi.yaml` with its annotations into a typed model, and lints it.
//!
//! Everything that follows from the contract (generated code, the server's list tables, the runner's checks) sees the API
//! through [`Contract`]; nobody else reads an `x-` annotation. The vocabulary is that of `docs/annotations.md`.
//!
//! Invariant: a [`Contract`] that was built has well-formed annotations and references that resolve; whether it also
//! agrees with itself and with the specification is what [`lint::lint`] says.

mod clause;
mod contract;
pub mod diff;
mod document;
mod error;
mod filter;
mod frame;
mod json_schema;
mod lines;
pub mod lint;
mod list;
mod open_form;
mod operation;
mod ordered;
mod origin;
mod parameter;
mod place;
mod pointer;
mod record;
mod reference;
mod relaxed;
pub mod suggest;
mod uses;
mod words;
mod yaml;

pub use clause::{Clause, Clauses};
pub use contract::{Accepted, Contract, OpenPoint, Rule};
pub use document::Document;
pub use error::Error;
pub use filter::{Condition, Filter, Match, SeenIn, Test, TrashedWords, ValueKind};
pub use frame::{Frame, Linked, NotATemplate, Related, Template};
pub use json_schema::Form;
pub use list::{Included, Join, List, Listing, Relation, SortKey};
pub use operation::{Answer, Method, Operation};
pub use origin::{Mark, Origin};
pub use parameter::{Parameter, Position, Role};
pub use pointer::{NotAPointer, Pointer};
pub use record::{Count, Counted, Link, StateTime, Tense};
