//! What both measurements of the runner share: the file of results, threads that work side by side, figures.

pub(crate) mod figures;
pub(crate) mod kept;
pub(crate) mod queue;
