//! The server from outside: one binary for all of its integration tests.
