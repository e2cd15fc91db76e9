//! The store against a plain model in memory.
