//! The operations of the contract: one method each, checked against it by the compiler.

use std::sync::Arc;

use http::request::Parts;
use rollcall::http::{Call, Gate, Json, Operation, Page};
use rollcall::list::ListQuery;
use rollcall::lists::{
    DirectoryAttributes, DirectoryDimensions, DirectoryIdentities, DirectoryUsers, PolicyConditions,
    PolicyRules, PolicyRulesets, PolicyUsers, WorkspaceDevices, WorkspaceIntegrations, WorkspaceLogs,
    WorkspaceRoles, WorkspaceServices, WorkspaceTokens, WorkspaceUsers,
};
use rollcall::model::{
    DeprecateRequest, DirectoryAttribute, DirectoryAttributeId, DirectoryDimension, DirectoryDimensionId,
    DirectoryIdentity, DirectoryIdentityId, DirectoryUser, DirectoryUserId, PolicyCondition,
    PolicyConditionId, PolicyRule, PolicyRuleId, PolicyRuleset, PolicyRulesetId, PolicyUser, PolicyUserId,
    ProblemCode, RestoreRequest, WorkspaceIntegration, WorkspaceIntegrationId, WorkspaceItem, WorkspaceLog,
    WorkspaceLogId, WorkspaceUser, WorkspaceUserId,
};
use rollcall::{Api, Id, IdKind, operations};

use crate::auth::{Caller, RateLimit, bearer};
use crate::problem::Problem;
use crate::store::operations::{Lived, Terms, activate, deprecate, restore};
use crate::store::table::Resource;
use crate::store::unit::Unit;
use crate::store::{Error, Result as Stored, Store, tokens};

/// The service: a store behind the contract.
#[derive(Clone)]
pub struct Service {
    store: Store,
    rate_limit: Arc<RateLimit>,
}

type Answer<T> = Result<T, Problem>;

impl Service {
    /// A service on this store.
    pub fn new(store: Store, rate_limit: RateLimit) -> Self {
        Self {
            store,
            rate_limit: Arc::new(rate_limit),
        }
    }

    async fn list<R: Resource>(
        &self,
        operation: &'static Operation,
        query: ListQuery<R>,
    ) -> Answer<Page<R::Record>> {
        Ok(self.store.list(operation.path, query).await?)
    }

    async fn get<R: Resource, K: IdKind>(&self, id: Id<K>) -> Answer<Json<R::Record>> {
        self.store
            .get::<R>(id.to_string())
            .await
            .map_err(|error| missing(error, &id))
    }

    async fn change<T: Send + 'static, K: IdKind>(
        &self,
        call: Call<Caller>,
        id: Id<K>,
        act: impl FnOnce(&mut Unit<'_>, &Terms, &str) -> Stored<T> + Send + 'static,
    ) -> Answer<T> {
        let terms = Terms {
            token: call.caller.grant.token,
            conditions: call.conditions,
        };
        let key = id.to_string();
        let done = self
            .store
            .write(Some(call.caller.grant.owner), move |unit| act(unit, &terms, &key))
            .await;
        done.map_err(|error| missing(error, &id))
    }

    async fn activate<R: Lived, K: IdKind>(&self, call: Call<Caller>, id: Id<K>) -> Answer<Json<R::Record>> {
        self.change(call, id, activate::<R>).await
    }

    async fn deprecate<R: Lived, K: IdKind>(
        &self,
        call: Call<Caller>,
        id: Id<K>,
        body: DeprecateRequest,
    ) -> Answer<Json<R::Record>> {
        self.change(call, id, |unit, terms, id| deprecate::<R>(unit, terms, id, body))
            .await
    }
}

fn missing<K: IdKind>(error: Error, id: &Id<K>) -> Problem {
    match error {
        Error::NotFound => Problem::new(
            ProblemCode::NotFound,
            format!("There is no {} {id}.", K::RESOURCE),
        ),
        error => error.into(),
    }
}

impl Gate for Service {
    type Caller = Caller;
    type Refusal = Problem;

    async fn admit(&self, operation: &'static Operation, head: &Parts) -> Answer<Caller> {
        let secret = bearer(&head.headers)?.to_owned();
        let grant = self
            .store
            .read(move |connection, reading| tokens::find(connection, &secret, reading.now))
            .await?;
        let caller = Caller {
            grant: grant.ok_or_else(|| Problem::unauthorized(true))?,
        };
        self.rate_limit
            .spend(&caller.grant.token, self.store.clock().now())?;
        caller.may(operation)?;
        Ok(caller)
    }
}

impl Api for Service {
    async fn list_directory_users(
        &self,
        _call: Call<Caller>,
        query: ListQuery<DirectoryUsers>,
    ) -> Answer<Page<DirectoryUser>> {
        self.list(&operations::LIST_DIRECTORY_USERS, query).await
    }

    async fn get_directory_user(
        &self,
        _call: Call<Caller>,
        user: DirectoryUserId,
    ) -> Answer<Json<DirectoryUser>> {
        self.get::<DirectoryUsers, _>(user).await
    }

    async fn activate_directory_user(
        &self,
        call: Call<Caller>,
        user: DirectoryUserId,
    ) -> Answer<Json<DirectoryUser>> {
        self.activate::<DirectoryUsers, _>(call, user).await
    }

    async fn list_directory_attributes(
        &self,
        _call: Call<Caller>,
        query: ListQuery<DirectoryAttributes>,
    ) -> Answer<Page<DirectoryAttribute>> {
        self.list(&operations::LIST_DIRECTORY_ATTRIBUTES, query).await
    }

    async fn get_directory_attribute(
        &self,
        _call: Call<Caller>,
        attribute: DirectoryAttributeId,
    ) -> Answer<Json<DirectoryAttribute>> {
        self.get::<DirectoryAttributes, _>(attribute).await
    }

    async fn activate_directory_attribute(
        &self,
        call: Call<Caller>,
        attribute: DirectoryAttributeId,
    ) -> Answer<Json<DirectoryAttribute>> {
        self.activate::<DirectoryAttributes, _>(call, attribute).await
    }

    async fn deprecate_directory_attribute(
        &self,
        call: Call<Caller>,
        attribute: DirectoryAttributeId,
        body: DeprecateRequest,
    ) -> Answer<Json<DirectoryAttribute>> {
        self.deprecate::<DirectoryAttributes, _>(call, attribute, body)
            .await
    }

    async fn list_directory_dimensions(
        &self,
        _call: Call<Caller>,
        query: ListQuery<DirectoryDimensions>,
    ) -> Answer<Page<DirectoryDimension>> {
        self.list(&operations::LIST_DIRECTORY_DIMENSIONS, query).await
    }

    async fn get_directory_dimension(
        &self,
        _call: Call<Caller>,
        dimension: DirectoryDimensionId,
    ) -> Answer<Json<DirectoryDimension>> {
        self.get::<DirectoryDimensions, _>(dimension).await
    }

    async fn list_directory_identities(
        &self,
        _call: Call<Caller>,
        query: ListQuery<DirectoryIdentities>,
    ) -> Answer<Page<DirectoryIdentity>> {
        self.list(&operations::LIST_DIRECTORY_IDENTITIES, query).await
    }

    async fn get_directory_identity(
        &self,
        _call: Call<Caller>,
        identity: DirectoryIdentityId,
    ) -> Answer<Json<DirectoryIdentity>> {
        self.get::<DirectoryIdentities, _>(identity).await
    }

    async fn list_workspace_users(
        &self,
        _call: Call<Caller>,
        query: ListQuery<WorkspaceUsers>,
    ) -> Answer<Page<WorkspaceUser>> {
        self.list(&operations::LIST_WORKSPACE_USERS, query).await
    }

    async fn get_workspace_user(
        &self,
        _call: Call<Caller>,
        user: WorkspaceUserId,
    ) -> Answer<Json<WorkspaceUser>> {
        self.get::<WorkspaceUsers, _>(user).await
    }

    async fn activate_workspace_user(
        &self,
        call: Call<Caller>,
        user: WorkspaceUserId,
    ) -> Answer<Json<WorkspaceUser>> {
        self.activate::<WorkspaceUsers, _>(call, user).await
    }

    async fn deprecate_workspace_user(
        &self,
        call: Call<Caller>,
        user: WorkspaceUserId,
        body: DeprecateRequest,
    ) -> Answer<Json<WorkspaceUser>> {
        self.deprecate::<WorkspaceUsers, _>(call, user, body).await
    }

    async fn restore_workspace_user(
        &self,
        call: Call<Caller>,
        user: WorkspaceUserId,
        body: RestoreRequest,
    ) -> Answer<Json<WorkspaceUser>> {
        self.change(call, user, move |unit, terms, id| {
            restore(unit, terms, id, body.roles)
        })
        .await
    }

    async fn list_workspace_integrations(
        &self,
        _call: Call<Caller>,
        query: ListQuery<WorkspaceIntegrations>,
    ) -> Answer<Page<WorkspaceIntegration>> {
        self.list(&operations::LIST_WORKSPACE_INTEGRATIONS, query).await
    }

    async fn get_workspace_integration(
        &self,
        _call: Call<Caller>,
        integration: WorkspaceIntegrationId,
    ) -> Answer<Json<WorkspaceIntegration>> {
        self.get::<WorkspaceIntegrations, _>(integration).await
    }

    async fn list_workspace_logs(
        &self,
        _call: Call<Caller>,
        query: ListQuery<WorkspaceLogs>,
    ) -> Answer<Page<WorkspaceLog>> {
        self.list(&operations::LIST_WORKSPACE_LOGS, query).await
    }

    async fn get_workspace_log(
        &self,
        _call: Call<Caller>,
        log: WorkspaceLogId,
    ) -> Answer<Json<WorkspaceLog>> {
        self.get::<WorkspaceLogs, _>(log).await
    }

    async fn list_policy_rulesets(
        &self,
        _call: Call<Caller>,
        query: ListQuery<PolicyRulesets>,
    ) -> Answer<Page<PolicyRuleset>> {
        self.list(&operations::LIST_POLICY_RULESETS, query).await
    }

    async fn get_policy_ruleset(
        &self,
        _call: Call<Caller>,
        ruleset: PolicyRulesetId,
    ) -> Answer<Json<PolicyRuleset>> {
        self.get::<PolicyRulesets, _>(ruleset).await
    }

    async fn list_policy_rules(
        &self,
        _call: Call<Caller>,
        query: ListQuery<PolicyRules>,
    ) -> Answer<Page<PolicyRule>> {
        self.list(&operations::LIST_POLICY_RULES, query).await
    }

    async fn get_policy_rule(&self, _call: Call<Caller>, rule: PolicyRuleId) -> Answer<Json<PolicyRule>> {
        self.get::<PolicyRules, _>(rule).await
    }

    async fn list_policy_conditions(
        &self,
        _call: Call<Caller>,
        query: ListQuery<PolicyConditions>,
    ) -> Answer<Page<PolicyCondition>> {
        self.list(&operations::LIST_POLICY_CONDITIONS, query).await
    }

    async fn get_policy_condition(
        &self,
        _call: Call<Caller>,
        condition: PolicyConditionId,
    ) -> Answer<Json<PolicyCondition>> {
        self.get::<PolicyConditions, _>(condition).await
    }

    async fn list_policy_users(
        &self,
        _call: Call<Caller>,
        query: ListQuery<PolicyUsers>,
    ) -> Answer<Page<PolicyUser>> {
        self.list(&operations::LIST_POLICY_USERS, query).await
    }

    async fn get_policy_user(&self, _call: Call<Caller>, user: PolicyUserId) -> Answer<Json<PolicyUser>> {
        self.get::<PolicyUsers, _>(user).await
    }

    async fn list_workspace_devices(
        &self,
        _call: Call<Caller>,
        query: ListQuery<WorkspaceDevices>,
    ) -> Answer<Page<WorkspaceItem>> {
        self.list(&operations::LIST_WORKSPACE_DEVICES, query).await
    }

    async fn list_workspace_roles(
        &self,
        _call: Call<Caller>,
        query: ListQuery<WorkspaceRoles>,
    ) -> Answer<Page<WorkspaceItem>> {
        self.list(&operations::LIST_WORKSPACE_ROLES, query).await
    }

    async fn list_workspace_services(
        &self,
        _call: Call<Caller>,
        query: ListQuery<WorkspaceServices>,
    ) -> Answer<Page<WorkspaceItem>> {
        self.list(&operations::LIST_WORKSPACE_SERVICES, query).await
    }

    async fn list_workspace_tokens(
        &self,
        _call: Call<Caller>,
        query: ListQuery<WorkspaceTokens>,
    ) -> Answer<Page<WorkspaceItem>> {
        self.list(&operations::LIST_WORKSPACE_TOKENS, query).await
    }
}
