//! The schema: the steps to it, and a copy of a directory table by table.

pub mod copy;
mod migrate;

pub use migrate::{begin_copy, columns, end_copy, migrate, missing_schemas, schema_tables, self_references};
