//! A person of the demo who was written, for what belongs to them.

use super::author::Life;
use super::names::Name;

/// A directory user that was written.
pub(super) struct Person {
    pub(super) number: u64,
    pub(super) id: String,
    pub(super) account: Account,
    pub(super) full_name: String,
    pub(super) email: String,
    pub(super) life: Life,
    /// Second accounts so far.
    pub(super) seconds: u64,
}

/// What a second account takes from the first.
pub(super) struct Account {
    pub(super) name: Name,
    /// What the email begins with.
    pub(super) handle: String,
    pub(super) manager: Option<String>,
    pub(super) parent: Option<String>,
}
