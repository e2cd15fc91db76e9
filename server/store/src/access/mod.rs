//! Who may use the API: tokens, and the workspace users that they belong to.

pub mod owners;
pub mod tokens;
