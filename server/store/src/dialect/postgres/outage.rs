//! Whether a server can be connected to. The log has a line when that ends and one when it is so again, however many requests
//! come in between.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;

/// Whether the last try to connect failed. All connections to a server share it.
#[derive(Clone, Default)]
pub(super) struct Outage(Arc<AtomicBool>);

impl Outage {
    /// A connection could not be made.
    pub(super) fn failed(&self, server: &impl fmt::Display, why: &Error) {
        let Self(is_down) = self;
        match is_down.swap(true, Ordering::Relaxed) {
            true => tracing::debug!(%server, %why, "the database still cannot be connected to"),
            false => tracing::error!(%server, %why, "the database cannot be connected to"),
        }
    }

    /// A connection was made.
    pub(super) fn succeeded(&self, server: &impl fmt::Display) {
        let Self(is_down) = self;
        // Most often there was no outage: a look is cheaper than a change.
        if is_down.load(Ordering::Relaxed) && is_down.swap(false, Ordering::Relaxed) {
            tracing::info!(%server, "the database is connected to again");
        }
    }
}
