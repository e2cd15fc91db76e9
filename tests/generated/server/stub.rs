//! A service in memory. `compile` builds this file by itself and with faults in it, so that it needs nothing but `rollcall` and
//! the `Refusal` beside it.

use rollcall::http::{
    Backend, Conditions, Gets, Json, Lists, Operation, Page, ReadWork, ReceivedRequest, Request, Response,
    WriteWork,
};
use rollcall::list::{ListQuery, Selector, Value};
use rollcall::lists::directory_users::Field;
use rollcall::lists::*;
use rollcall::model::*;
use rollcall::{Api, Id, IdKind, Presence};

use super::Refusal;

/// Its records.
#[derive(Clone, Default)]
pub(crate) struct Stub {
    pub(crate) users: Vec<DirectoryUser>,
    pub(crate) attribute: Option<DirectoryAttribute>,
    pub(crate) workspace_user: Option<WorkspaceUser>,
}

/// Admits a token that is the name of the operation's scope.
fn admit(operation: &Operation, request: &Request) -> Result<(), Refusal> {
    let token = request.headers().get("authorization");
    let token = token.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    match token {
        None => Err(Refusal::status(401)),
        Some(scope) if scope == operation.scope => Ok(()),
        Some(_) => Err(Refusal::status(403)),
    }
}

impl Backend for Stub {
    type Reader<'s> = Self;
    type Writer<'s> = Self;
    type Error = Refusal;

    async fn read(
        &self,
        operation: &'static Operation,
        request: Request,
        work: ReadWork<Self>,
    ) -> Result<Response, Refusal> {
        admit(operation, &request)?;
        work(&mut self.clone(), &ReceivedRequest::receive(request).await)
    }

    async fn write(
        &self,
        operation: &'static Operation,
        request: Request,
        work: WriteWork<Self>,
    ) -> Result<Response, Refusal> {
        admit(operation, &request)?;
        work(&mut self.clone(), &ReceivedRequest::receive(request).await)
    }
}

impl Lists<DirectoryUsers> for Stub {
    fn list(stub: &mut Self, query: &ListQuery<DirectoryUsers>) -> Result<Page<DirectoryUser>, Refusal> {
        let wanted = |user: &&DirectoryUser| {
            query
                .conditions
                .iter()
                .all(|condition| match (condition.filter.any_of, &condition.value) {
                    ([Field::Email], Value::Text(email)) => user.email == *email,
                    _ => true,
                })
        };
        let found: Vec<DirectoryUser> = stub.users.iter().filter(wanted).cloned().collect();
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
}

impl Gets<DirectoryUsers> for Stub {
    fn get<K: IdKind>(stub: &mut Self, id: &Id<K>) -> Result<Json<DirectoryUser>, Refusal> {
        let found = stub.users.iter().find(|one| one.id.as_str() == id.as_str());
        found.map(Json::of).ok_or(Refusal::status(404))
    }
}

/// Lists that a test has no use for.
macro_rules! empty_lists {
    ($($list:ident)*) => {
        $(impl Lists<$list> for Stub {
            fn list(_: &mut Self, _: &ListQuery<$list>) -> Result<Page<<$list as rollcall::list::List>::Record>, Refusal> {
                Err(Refusal::status(503))
            }
        })*
    };
}

/// Records that a test has no use for.
macro_rules! no_records {
    ($($list:ident)*) => {
        $(impl Gets<$list> for Stub {
            fn get<K: IdKind>(_: &mut Self, _: &Id<K>) -> Result<Json<<$list as rollcall::list::List>::Record>, Refusal> {
                Err(Refusal::status(503))
            }
        })*
    };
}

empty_lists! {
    DirectoryAttributes
    DirectoryDimensions
    DirectoryIdentities
    WorkspaceUsers
    WorkspaceDevices
    WorkspaceRoles
    WorkspaceServices
    WorkspaceTokens
    WorkspaceIntegrations
    WorkspaceLogs
    PolicyRulesets
    PolicyRules
    PolicyConditions
    PolicyUsers
}

no_records! {
    DirectoryAttributes
    DirectoryDimensions
    DirectoryIdentities
    WorkspaceUsers
    WorkspaceIntegrations
    WorkspaceLogs
    PolicyRulesets
    PolicyRules
    PolicyConditions
    PolicyUsers
}

impl Api for Stub {
    fn deprecate_directory_attribute(
        stub: &mut Self,
        _: Conditions,
        attribute: DirectoryAttributeId,
        body: DeprecateRequest,
    ) -> Result<Json<DirectoryAttribute>, Refusal> {
        let known = stub.attribute.clone().filter(|one| one.id == attribute);
        let mut known = known.ok_or(Refusal::status(404))?;
        known.timestamp.expires_at = match body.expires_at {
            Presence::Value(instant) => Some(instant.0),
            Presence::Null | Presence::Absent => None,
        };
        Ok(Json::of(&known))
    }

    fn restore_workspace_user(
        stub: &mut Self,
        _: Conditions,
        user: WorkspaceUserId,
        _: RestoreRequest,
    ) -> Result<Json<WorkspaceUser>, Refusal> {
        let known = stub.workspace_user.as_ref().filter(|one| one.id == user);
        known.map(Json::of).ok_or(Refusal::status(409))
    }

    fn activate_directory_user(
        _: &mut Self,
        _: Conditions,
        _: DirectoryUserId,
    ) -> Result<Json<DirectoryUser>, Refusal> {
        Err(Refusal::status(503))
    }

    fn activate_directory_attribute(
        _: &mut Self,
        _: Conditions,
        _: DirectoryAttributeId,
    ) -> Result<Json<DirectoryAttribute>, Refusal> {
        Err(Refusal::status(503))
    }

    fn activate_workspace_user(
        _: &mut Self,
        _: Conditions,
        _: WorkspaceUserId,
    ) -> Result<Json<WorkspaceUser>, Refusal> {
        Err(Refusal::status(503))
    }

    fn deprecate_workspace_user(
        _: &mut Self,
        _: Conditions,
        _: WorkspaceUserId,
        _: DeprecateRequest,
    ) -> Result<Json<WorkspaceUser>, Refusal> {
        Err(Refusal::status(503))
    }
}
