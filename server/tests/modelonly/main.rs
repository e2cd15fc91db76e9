//! Temporary: the model alone, while it is being written.
#[path = "../server/model/mod.rs"]
mod model;
