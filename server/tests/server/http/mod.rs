//! The service over HTTP, laid out like its concerns.

mod access;
mod bad_input;
mod lists;
mod operate;
mod writes;
