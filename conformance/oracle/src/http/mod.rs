//! Requests to the target and its responses. Nothing here knows a list.

pub mod again;
mod attempt;
mod coding;
pub mod credentials;
pub mod exchange;
pub mod journal;
mod notice;
pub mod preceding;
mod rate_limit;
pub mod redact;
mod redirects;
pub mod request;
pub mod retry_after;
pub mod target;
mod target_error;
pub mod tls;
pub mod token;
