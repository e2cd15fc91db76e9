//! The service: who may do what, and each operation on the store. What it lacks of the contract does not compile.

use std::sync::{Arc, OnceLock};

use axum::extract::Request;
use http::{HeaderMap, HeaderName, HeaderValue};
use rollcall::http::{
    Backend, Conditions, Gets, IntoResponse as _, Json, Lists, Operation, Page, ReadWork, ReceivedRequest,
    Response, WriteWork,
};
use rollcall::list::ListQuery;
use rollcall::lists::{DirectoryAttributes, DirectoryUsers, WorkspaceUsers};
use rollcall::model::{
    DeprecateRequest, DirectoryAttribute, DirectoryAttributeId, DirectoryUser, DirectoryUserId, ProblemCode,
    RestoreRequest, WorkspaceUser, WorkspaceUserId,
};
use rollcall::{Api, Id, IdKind};
use rollcall_store::change::idempotency::Preconditions;
use rollcall_store::change::operations::{activate, deprecate, restore};
use rollcall_store::change::unit::Unit;
use rollcall_store::grant::{self, Grant};
use rollcall_store::position::Position;
use rollcall_store::query::list;
use rollcall_store::tables::resource::Resource;
use rollcall_store::{Error, Result as Stored, Snapshot, Store};

use crate::auth::{Allowance, RateLimit, bearer, check_scope};
use crate::problem::Problem;

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
}

/// Admits the sender of a request: a token in use that has the scope of the operation (A2). A request that is read twice is
/// one request to the rate limit.
struct Admission {
    rate_limit: Arc<RateLimit>,
    operation: &'static Operation,
    allowance: OnceLock<Option<Allowance>>,
}

impl Admission {
    fn new(service: &Service, operation: &'static Operation) -> Self {
        Self {
            rate_limit: Arc::clone(&service.rate_limit),
            operation,
            allowance: OnceLock::new(),
        }
    }

    fn admit(&self, snapshot: &mut Snapshot<'_>, headers: &HeaderMap) -> Answer<Arc<Grant>> {
        let grant = snapshot.grant(bearer(headers)?)?;
        let grant = grant.ok_or_else(|| Problem::unauthorized(true))?;
        let spend = || self.rate_limit.spend(&grant.token, snapshot.reading.now);
        if let Some(allowance) = self.allowance.get_or_init(spend) {
            allowance.check()?;
        }
        check_scope(&grant, self.operation)?;
        Ok(grant)
    }

    /// Tells the sender what is left of the limit, if there is one.
    fn report(&self, answer: Answer<Response>) -> Answer<Response> {
        let Some(Some(allowance)) = self.allowance.get() else {
            return answer;
        };
        let mut answer = answer.into_response();
        answer.headers_mut().extend(allowance.headers());
        Ok(answer)
    }
}

/// Where a change stands in the history of the database. A request with it, to any server, is answered from a state that
/// has the change.
const POSITION: HeaderName = HeaderName::from_static("rollcall-position");

/// The position that a request asks for.
fn position(headers: &HeaderMap) -> Answer<Option<Position>> {
    let Some(sent) = headers.get(POSITION) else {
        return Ok(None);
    };
    let position = sent.to_str().ok().and_then(|sent| sent.parse().ok());
    position.map(Some).ok_or_else(|| {
        let detail = "Rollcall-Position: send what the answer to a change has under this name.";
        Problem::new(ProblemCode::MalformedRequest, detail)
    })
}

impl Backend for Service {
    type Reader<'s> = Snapshot<'s>;
    type Writer<'s> = Unit<'s>;
    type Error = Problem;

    async fn read(
        &self,
        operation: &'static Operation,
        request: Request,
        work: ReadWork<Self>,
    ) -> Answer<Response> {
        bearer(request.headers())?;
        let position = position(request.headers())?;
        let request = ReceivedRequest::receive(request).await;
        let admission = Admission::new(self, operation);
        let done = self.store.read_since(position, move |snapshot| {
            let admitted = admission.admit(snapshot, &request.head().headers);
            let answer = admitted.and_then(|_| work(snapshot, &request));
            admission.report(answer)
        });
        done.await
    }

    /// A reader admits the sender: one who may not write neither waits for the writer nor makes others wait.
    async fn write(
        &self,
        operation: &'static Operation,
        request: Request,
        work: WriteWork<Self>,
    ) -> Answer<Response> {
        bearer(request.headers())?;
        let admission = Arc::new(Admission::new(self, operation));
        let answer = self.admit_and_change(&admission, request, work).await;
        admission.report(answer)
    }
}

impl Service {
    /// Admits the sender of a change, then makes the change.
    async fn admit_and_change(
        &self,
        admission: &Arc<Admission>,
        request: Request,
        work: WriteWork<Self>,
    ) -> Answer<Response> {
        let (headers, operation) = (request.headers().clone(), admission.operation);
        let reader = Arc::clone(admission);
        let admitted = self.store.read(move |snapshot| reader.admit(snapshot, &headers));
        let grant = Arc::unwrap_or_clone(admitted.await?);
        let request = ReceivedRequest::receive(request).await;
        let done = self.store.write_as(grant, move |unit| {
            // The token may have been revoked while the change waited.
            let secret = bearer(&request.head().headers)?;
            let grant = grant::grant(unit.connection(), secret, unit.now())?;
            check_scope(&grant.ok_or_else(|| Problem::unauthorized(true))?, operation)?;
            work(unit, &request)
        });
        let (mut response, position) = done.await?;
        if let Some(position) = position
            && let Ok(position) = HeaderValue::try_from(position.to_string())
        {
            response.headers_mut().insert(POSITION, position);
        }
        Ok(response)
    }
}

impl<L: Resource> Lists<L> for Service {
    fn list(snapshot: &mut Snapshot<'_>, query: &ListQuery<L>) -> Answer<Page<L::Record>> {
        Ok(list::list(snapshot.connection, &snapshot.reading, query)?)
    }
}

impl<L: Resource> Gets<L> for Service {
    fn get<K: IdKind>(snapshot: &mut Snapshot<'_>, id: &Id<K>) -> Answer<Json<L::Record>> {
        let found = list::get::<L>(snapshot.connection, &snapshot.reading, id.as_str())?;
        found.ok_or_else(|| missing(Error::NotFound, id))
    }
}

impl Api for Service {
    fn activate_directory_user(
        unit: &mut Unit<'_>,
        conditions: Conditions,
        user: DirectoryUserId,
    ) -> Answer<Json<DirectoryUser>> {
        change(unit, conditions, &user, activate::<DirectoryUsers>)
    }

    fn activate_directory_attribute(
        unit: &mut Unit<'_>,
        conditions: Conditions,
        attribute: DirectoryAttributeId,
    ) -> Answer<Json<DirectoryAttribute>> {
        change(unit, conditions, &attribute, activate::<DirectoryAttributes>)
    }

    fn activate_workspace_user(
        unit: &mut Unit<'_>,
        conditions: Conditions,
        user: WorkspaceUserId,
    ) -> Answer<Json<WorkspaceUser>> {
        change(unit, conditions, &user, activate::<WorkspaceUsers>)
    }

    fn deprecate_directory_attribute(
        unit: &mut Unit<'_>,
        conditions: Conditions,
        attribute: DirectoryAttributeId,
        body: DeprecateRequest,
    ) -> Answer<Json<DirectoryAttribute>> {
        change(unit, conditions, &attribute, |unit, terms, id| {
            deprecate::<DirectoryAttributes>(unit, terms, id, body)
        })
    }

    fn deprecate_workspace_user(
        unit: &mut Unit<'_>,
        conditions: Conditions,
        user: WorkspaceUserId,
        body: DeprecateRequest,
    ) -> Answer<Json<WorkspaceUser>> {
        change(unit, conditions, &user, |unit, terms, id| {
            deprecate::<WorkspaceUsers>(unit, terms, id, body)
        })
    }

    fn restore_workspace_user(
        unit: &mut Unit<'_>,
        conditions: Conditions,
        user: WorkspaceUserId,
        body: RestoreRequest,
    ) -> Answer<Json<WorkspaceUser>> {
        change(unit, conditions, &user, |unit, terms, id| {
            restore(unit, terms, id, body.roles)
        })
    }
}

fn change<T, K: IdKind>(
    unit: &mut Unit<'_>,
    conditions: Conditions,
    id: &Id<K>,
    act: impl FnOnce(&mut Unit<'_>, &Preconditions, &str) -> Stored<T>,
) -> Answer<T> {
    let terms = Preconditions {
        token: unit.token().unwrap_or_default().to_owned(),
        conditions,
    };
    act(unit, &terms, id.as_str()).map_err(|error| missing(error, id))
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
