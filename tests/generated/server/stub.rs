//! A service in memory with one method for each operation. `compile` builds this file by itself and with faults in it, so
//! that it needs nothing but `rollcall` and the `Refusal` beside it.

use rollcall::http::{Call, Gate, Json, Operation, Page, Parts};
use rollcall::list::{ListQuery, Selector, Value};
use rollcall::lists::directory_users::Field;
use rollcall::lists::*;
use rollcall::model::*;
use rollcall::{Api, Presence};

use super::Refusal;

/// Its records, and whom it has seen.
#[derive(Clone, Default)]
pub(crate) struct Stub {
    pub(crate) users: Vec<DirectoryUser>,
    pub(crate) attribute: Option<DirectoryAttribute>,
    pub(crate) workspace_user: Option<WorkspaceUser>,
}

impl Gate for Stub {
    /// The scope of the token; the token is the scope's name.
    type Caller = String;
    type Refusal = Refusal;

    async fn admit(&self, operation: &'static Operation, head: &Parts) -> Result<String, Refusal> {
        let token = head
            .headers
            .get("authorization")
            .and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        match token {
            None => Err(Refusal::status(401)),
            Some(scope) if scope == operation.scope => Ok(scope.to_owned()),
            Some(_) => Err(Refusal::status(403)),
        }
    }
}

/// Operations that a test has no use for.
macro_rules! out_of_order {
    ($($name:ident($($kind:ty),*) -> $answer:ty;)*) => {
        $(async fn $name(&self, _: Call<String>, $(_: $kind),*) -> Result<$answer, Refusal> {
            Err(Refusal::status(503))
        })*
    };
}

impl Api for Stub {
    async fn list_directory_users(
        &self,
        _: Call<String>,
        query: ListQuery<DirectoryUsers>,
    ) -> Result<Page<DirectoryUser>, Refusal> {
        let wanted = |user: &&DirectoryUser| {
            query
                .conditions
                .iter()
                .all(|condition| match (condition.filter.any_of, &condition.value) {
                    ([Field::Email], Value::Text(email)) => user.email == *email,
                    _ => true,
                })
        };
        let found: Vec<DirectoryUser> = self.users.iter().filter(wanted).cloned().collect();
        let total = query.total.then_some(found.len() as u64);
        let size = usize::from(query.size);
        let skipped = match query.page {
            Selector::Number(number) => size.saturating_mul(number as usize - 1),
            Selector::Cursor(_) => 0,
        };
        let next = (found.len() > skipped.saturating_add(size))
            .then(|| ("next", "/directory/users?page=2".to_owned()));
        let records: Vec<_> = found.into_iter().skip(skipped).take(size).collect();
        Ok(Page {
            records: Json::of(&records),
            links: next.into_iter().collect(),
            total,
        })
    }

    async fn get_directory_user(
        &self,
        _: Call<String>,
        user: DirectoryUserId,
    ) -> Result<Json<DirectoryUser>, Refusal> {
        self.users
            .iter()
            .find(|one| one.id == user)
            .map(Json::of)
            .ok_or(Refusal::status(404))
    }

    async fn deprecate_directory_attribute(
        &self,
        _: Call<String>,
        attribute: DirectoryAttributeId,
        body: DeprecateRequest,
    ) -> Result<Json<DirectoryAttribute>, Refusal> {
        let known = self.attribute.clone().filter(|one| one.id == attribute);
        let mut known = known.ok_or(Refusal::status(404))?;
        known.timestamp.expires_at = match body.expires_at {
            Presence::Value(instant) => Some(instant.0),
            Presence::Null | Presence::Absent => None,
        };
        Ok(Json::of(&known))
    }

    async fn restore_workspace_user(
        &self,
        _: Call<String>,
        user: WorkspaceUserId,
        _: RestoreRequest,
    ) -> Result<Json<WorkspaceUser>, Refusal> {
        self.workspace_user
            .as_ref()
            .filter(|one| one.id == user)
            .map(Json::of)
            .ok_or(Refusal::status(409))
    }

    out_of_order! {
        activate_directory_user(DirectoryUserId) -> Json<DirectoryUser>;
        list_directory_attributes(ListQuery<DirectoryAttributes>) -> Page<DirectoryAttribute>;
        get_directory_attribute(DirectoryAttributeId) -> Json<DirectoryAttribute>;
        activate_directory_attribute(DirectoryAttributeId) -> Json<DirectoryAttribute>;
        list_directory_dimensions(ListQuery<DirectoryDimensions>) -> Page<DirectoryDimension>;
        get_directory_dimension(DirectoryDimensionId) -> Json<DirectoryDimension>;
        list_directory_identities(ListQuery<DirectoryIdentities>) -> Page<DirectoryIdentity>;
        get_directory_identity(DirectoryIdentityId) -> Json<DirectoryIdentity>;
        list_workspace_users(ListQuery<WorkspaceUsers>) -> Page<WorkspaceUser>;
        get_workspace_user(WorkspaceUserId) -> Json<WorkspaceUser>;
        deprecate_workspace_user(WorkspaceUserId, DeprecateRequest) -> Json<WorkspaceUser>;
        activate_workspace_user(WorkspaceUserId) -> Json<WorkspaceUser>;
        list_workspace_devices(ListQuery<WorkspaceDevices>) -> Page<WorkspaceItem>;
        list_workspace_roles(ListQuery<WorkspaceRoles>) -> Page<WorkspaceItem>;
        list_workspace_services(ListQuery<WorkspaceServices>) -> Page<WorkspaceItem>;
        list_workspace_tokens(ListQuery<WorkspaceTokens>) -> Page<WorkspaceItem>;
        list_workspace_integrations(ListQuery<WorkspaceIntegrations>) -> Page<WorkspaceIntegration>;
        get_workspace_integration(WorkspaceIntegrationId) -> Json<WorkspaceIntegration>;
        list_workspace_logs(ListQuery<WorkspaceLogs>) -> Page<WorkspaceLog>;
        get_workspace_log(WorkspaceLogId) -> Json<WorkspaceLog>;
        list_policy_rulesets(ListQuery<PolicyRulesets>) -> Page<PolicyRuleset>;
        get_policy_ruleset(PolicyRulesetId) -> Json<PolicyRuleset>;
        list_policy_rules(ListQuery<PolicyRules>) -> Page<PolicyRule>;
        get_policy_rule(PolicyRuleId) -> Json<PolicyRule>;
        list_policy_conditions(ListQuery<PolicyConditions>) -> Page<PolicyCondition>;
        get_policy_condition(PolicyConditionId) -> Json<PolicyCondition>;
        list_policy_users(ListQuery<PolicyUsers>) -> Page<PolicyUser>;
        get_policy_user(PolicyUserId) -> Json<PolicyUser>;
    }
}
