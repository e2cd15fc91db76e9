//! People from and to other systems: what the names in a file stand for, and how a person is read and written.

pub mod directory_sync;
pub mod name_resolution;
