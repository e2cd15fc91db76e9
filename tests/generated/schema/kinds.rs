//! The table of all component schemas and their types.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A component schema with its type.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// Reads a value as the type and writes it again.
    pub(crate) read: fn(Value) -> Result<Value, String>,
}

fn read<T: DeserializeOwned + Serialize>(value: Value) -> Result<Value, String> {
    let read: T = serde_json::from_value(value).map_err(|why| why.to_string())?;
    serde_json::to_value(read).map_err(|why| why.to_string())
}

macro_rules! kinds {
    ($($name:ident),* $(,)?) => {
        &[$(Kind { name: stringify!($name), read: read::<rollcall::model::$name> }),*]
    };
}

/// All of them.
#[rustfmt::skip]
pub(crate) static KINDS: &[Kind] = kinds![
    DirectoryUserId, WorkspaceUserId, DirectoryAttributeId, WorkspaceIntegrationId, DirectoryDimensionId,
    DirectoryIdentityId, PolicyRulesetId, PolicyRuleId, PolicyConditionId, PolicyUserId, WorkspaceLogId,
    WorkspaceItemId, Timestamp, MicrosecondTimestamp, Instant, Count, ExpiryDays, Priority, Link, Org,
    Metadata, NoRelations, DirectoryUserState, LifecycleState, PolicyState, SourceState, RulesetState,
    RulesetType, IntegrationVendor, ConditionType, ConditionOperator, Provider, AttributeType, LogAction,
    UserSummary, DirectoryUser, DirectoryUserTimestamps, DirectoryUserCounts, DirectoryUserIncluded,
    DirectoryUserLinks, DirectoryAttributeSummary, DirectoryAttribute, DirectoryAttributeIncluded,
    DirectoryAttributeTimestamps, DirectoryAttributeCounts, DirectoryAttributeLinks, DirectoryDimension,
    LifecycleTimestamps, DirectoryDimensionCounts, DirectoryDimensionIncluded, DirectoryDimensionLinks,
    DirectoryIdentitySummary, DirectoryIdentity, LoggedCounts, DirectoryIdentityLinks, WorkspaceUserSummary,
    WorkspaceUser, WorkspaceUserIncluded, WorkspaceUserTimestamps, WorkspaceUserCounts, WorkspaceUserLinks,
    WorkspaceItem, WorkspaceItemLinks, WorkspaceIntegrationSummary, WorkspaceIntegration,
    WorkspaceIntegrationCounts, WorkspaceIntegrationLinks, PolicyRulesetSummary, PolicyRuleset,
    PolicyRulesetCounts, PolicyRulesetLinks, PolicyRuleSummary, PolicyRule, PolicyRuleCounts,
    PolicyRuleLinks, PolicyConditionSummary, PolicyCondition, PolicyConditionLinks, PolicyUserSummary,
    PolicyUserTimestamps, PolicyUserIncluded, PolicyUser, PolicyUserLinks, WorkspaceLog,
    WorkspaceLogTimestamps, WorkspaceLogLinks, RestoreRequest, DeprecateRequest, Needle, DateOrTimestamp, Trashed,
    PageSelector, PageSize, IdempotencyKey, Problem, Status, ProblemCode, ProblemError,
];
