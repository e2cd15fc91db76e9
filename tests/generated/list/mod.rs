//! The list dialect, over the tables of every list: what is asked for is understood whole, or refused with its reasons.

mod accepted;
mod queries;
mod refused;
mod tables;

/// Calls a check for every list of the contract; `tables` sees to it that none is missing.
macro_rules! for_every_list {
    ($check:ident) => {
        for_every_list!($check:
            DirectoryUsers, DirectoryAttributes, DirectoryDimensions, DirectoryIdentities, WorkspaceUsers,
            WorkspaceDevices, WorkspaceRoles, WorkspaceServices, WorkspaceTokens, WorkspaceIntegrations, WorkspaceLogs,
            PolicyRulesets, PolicyRules, PolicyConditions, PolicyUsers)
    };
    ($check:ident: $($list:ident),*) => {
        [$($check::<rollcall::lists::$list>()),*]
    };
}
use for_every_list;
