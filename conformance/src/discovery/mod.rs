//! What a list offers, found out once and remembered: by which fields it sorts, which relations it offers and how it is read with
//! them. The checks and the plan build on it.

pub(crate) mod offered;
pub(crate) mod references;
pub(crate) mod sorting;
