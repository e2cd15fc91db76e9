//! The store against a plain model in memory, written from the rulings: no SQL, nothing of the store's but its way in and out.
//!
//! `data` makes random directories, `home` writes them to a store, `view` works out what must be shown of them, `ask` makes
//! random list queries, `answer` what each must find, `compare` holds the store's pages against it, `content` each record.
//! `change` makes random changes, `world` and `write` do them to both. Invariant: what the model says comes from the rulings
//! (`docs/decisions`) alone, so that a mistake of the store is not repeated here.

mod answer;
mod ask;
mod change;
mod changes;
mod compare;
mod content;
mod data;
mod home;
mod large;
mod link;
mod lists;
mod plans;
mod policy;
mod relations;
mod repeats;
mod row;
mod tokens;
mod values;
mod view;
mod world;
mod write;

use proptest::prelude::ProptestConfig;

/// Settings of a property of the model, whose cases take long to shrink.
fn cases(usual: u32) -> ProptestConfig {
    ProptestConfig {
        max_shrink_iters: 4_000,
        ..crate::properties(usual)
    }
}

/// Calls a generic function for every list, by the name the model knows it by.
macro_rules! every_list {
    ($call:ident ( $($argument:expr),* )) => {{
        use rollcall::lists;
        $call::<lists::DirectoryUsers>("directory_users", $($argument),*)?;
        $call::<lists::DirectoryAttributes>("directory_attributes", $($argument),*)?;
        $call::<lists::DirectoryDimensions>("directory_dimensions", $($argument),*)?;
        $call::<lists::DirectoryIdentities>("directory_identities", $($argument),*)?;
        $call::<lists::WorkspaceUsers>("workspace_users", $($argument),*)?;
        $call::<lists::WorkspaceDevices>("workspace_devices", $($argument),*)?;
        $call::<lists::WorkspaceRoles>("workspace_roles", $($argument),*)?;
        $call::<lists::WorkspaceServices>("workspace_services", $($argument),*)?;
        $call::<lists::WorkspaceTokens>("workspace_tokens", $($argument),*)?;
        $call::<lists::WorkspaceIntegrations>("workspace_integrations", $($argument),*)?;
        $call::<lists::WorkspaceLogs>("workspace_logs", $($argument),*)?;
        $call::<lists::PolicyRulesets>("policy_rulesets", $($argument),*)?;
        $call::<lists::PolicyRules>("policy_rules", $($argument),*)?;
        $call::<lists::PolicyConditions>("policy_conditions", $($argument),*)?;
        $call::<lists::PolicyUsers>("policy_users", $($argument),*)?;
    }};
}
use every_list;
