//! The threads of the store, and what waits for them: reads share a transaction, changes share a commit.

pub(crate) mod per_thread;
pub(crate) mod reader;
pub(crate) mod readiness;
pub(crate) mod replicas;
pub(crate) mod shared_reads;
pub(crate) mod workers;
pub(crate) mod writer;

/// How many connections to a server read at once.
pub(crate) const CONNECTIONS: usize = 8;

/// How many connections to a server an open store keeps: the readers, the writer, and the one that asks whether it is ready.
pub const CONNECTIONS_NEEDED: usize = CONNECTIONS + 2;
