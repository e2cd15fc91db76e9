//! Tells whether an implementation of the Directory and Workspace Provisioning API conforms to its specification.
//!
//! A run reads a target ([`rollcall_oracle::corpus`]), looks into each statement of the specification ([`checks`]) and tells
//! what happened ([`report::events`], [`report`]). What the API means comes from the annotated contract: names of filters,
//! relations and states stand there and nowhere here.
//!
//! Invariants: a target is judged by what the specification says and never by what it leaves open; no check passes on an
//! empty sample; nothing is called a violation that did not stay one when it was looked at again; the token is in no
//! output.

mod cases;
pub mod checks;
pub mod cli;
mod discovery;
pub mod engine;
mod explore;
pub mod report;
pub mod run;

pub use engine::Engine;
pub use engine::config::RunConfig;
pub use report::{Report, Verdict};
pub use rollcall_oracle::http::target::TargetConfig;
pub use rollcall_oracle::http::token::{NotAToken, Token};
pub use rollcall_oracle::{OUR_CONTRACT, our_contract};
pub use run::run;
