//! A list query against the store: its SQL, its order, the page that it asks for, and what that includes.

pub mod cursor;
pub mod filter;
pub mod list;
pub mod order;
pub mod page;
mod part;
pub mod plan;
pub mod related;
mod request;
mod rows;
