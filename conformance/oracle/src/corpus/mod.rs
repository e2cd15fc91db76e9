//! What can be learned from the target by reading: every list that is judged, as it is without parameters, with
//! soft-deleted records, and with the relations in which members are seen that records do not show.
//!
//! What such a way shows is a [`Snapshot`].

pub mod clause;
mod collation;
mod crawl;
pub mod id_order;
pub mod linked;
pub mod list_spec;
pub mod listing;
pub mod members;
pub mod membership;
pub mod moving;
pub mod next_page;
pub mod order;
pub mod paging;
pub mod predicate;
pub mod projection;
pub mod query;
pub mod record_set;
pub mod records;
pub mod related;
pub mod search;
pub mod shape_fault;
pub mod snapshot;
pub mod verdicts;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use futures_util::future;
use rollcall_contract::{Contract, Role};

use crate::corpus::linked::LinkedRecords;
use crate::corpus::list_spec::ListSpec;
use crate::corpus::listing::{ListResponse, read};
use crate::corpus::paging::{Cursor, Paging};
use crate::corpus::predicate::ObservableFilter;
pub use crate::corpus::projection::Projection;
use crate::corpus::records::{Record, Records};
use crate::corpus::snapshot::Snapshot;
use crate::corpus::verdicts::{KnownVerdicts, Verdicts};
use crate::http::again::PAUSES;
use crate::http::request::Request;
use crate::http::target::{Target, TargetError};
use crate::open_points::blanks::Blanks;

/// One list and what was read of it.
#[derive(Debug)]
pub struct ListCorpus {
    /// The list.
    pub spec: ListSpec,
    /// How it pages.
    pub paging: Paging,
    /// Whether the target has the list at all.
    pub offered: bool,
    /// Requests for the list that were answered with something else once, and with a list when they were sent again.
    pub unsteady: Vec<String>,
    snapshots: HashMap<Projection, Snapshot>,
    verdicts: KnownVerdicts,
}

/// All lists.
#[derive(Debug)]
pub struct Corpus {
    /// The lists in the order of the contract.
    pub lists: Vec<ListCorpus>,
}

impl ListCorpus {
    /// What one way to read the list shows, if it was read.
    pub fn snapshot(&self, projection: &Projection) -> Option<&Snapshot> {
        self.snapshots.get(projection)
    }

    /// The records with soft-deleted ones where the target shows them, else without.
    pub fn widest_snapshot(&self) -> Option<&Snapshot> {
        self.snapshot(&self.widest_projection()?)
    }

    /// The way to read the list that shows the most; none if it cannot be read.
    pub fn widest_projection(&self) -> Option<Projection> {
        [Projection::Trashed, Projection::Default]
            .into_iter()
            .find(|projection| {
                let snapshot = self.snapshot(projection);
                snapshot.is_some_and(|snapshot| snapshot.response.reading().is_some())
            })
    }

    /// Whether every record of the list was read.
    pub fn is_read_whole(&self) -> bool {
        let reading = self
            .widest_snapshot()
            .and_then(|snapshot| snapshot.response.reading());
        reading.is_some_and(|reading| reading.complete)
    }

    /// The records that are not soft-deleted.
    pub fn live(&self) -> impl Iterator<Item = (&str, &Record)> {
        self.widest_snapshot().into_iter().flat_map(Snapshot::live)
    }

    /// What a filter with a value says of the records.
    pub fn verdicts(&self, filter: &ObservableFilter, value: &str) -> Arc<Verdicts> {
        self.verdicts.of(self, filter, value)
    }

    /// From now on blanks around the values of filters are read as the target reads them.
    pub fn read_blanks_as(&mut self, blanks: Blanks) {
        self.spec
            .filters
            .iter_mut()
            .for_each(|judged| judged.blanks = blanks);
        self.verdicts = KnownVerdicts::default();
    }

    /// The request that a way to read the list begins with; none if the contract does not have it.
    fn request(&self, projection: &Projection) -> Option<Request> {
        let request = Request::get(&self.spec.operation.path);
        match projection {
            Projection::Default => Some(request),
            Projection::Trashed => {
                let (name, word) = self.spec.with_trashed()?;
                Some(request.with(name, word))
            }
            Projection::Including(relation) => {
                Some(request.with(self.spec.parameter(Role::Include)?, relation))
            }
            Projection::IncludingOfDeleted(scope, relation) => {
                let (name, word) = self.spec.trashed(*scope)?;
                let scoped = request.with(name, word);
                Some(scoped.with(self.spec.parameter(Role::Include)?, relation))
            }
        }
    }

    /// Reads the list in one way, unless it was read so before.
    ///
    /// # Errors
    /// A page has no answer that could be judged.
    pub async fn projection(
        &mut self,
        target: &Target,
        projection: &Projection,
    ) -> Result<Option<&Snapshot>, TargetError> {
        if !self.snapshots.contains_key(projection) {
            let Some(request) = self.request(projection) else {
                return Ok(None);
            };
            let response = self.read_steadily(target, &request, projection).await?;
            let snapshot = Snapshot::new(&self.spec, request, response);
            self.snapshots.insert(projection.clone(), snapshot);
            self.verdicts.forget(projection);
        }
        Ok(self.snapshots.get(projection))
    }

    /// Reads the list in several ways side by side, unless it was read so before. What is answered with no list is left to
    /// [`ListCorpus::projection`].
    ///
    /// # Errors
    /// A page has no answer that could be judged.
    pub async fn read_side_by_side(
        &mut self,
        target: &Target,
        projections: Vec<Projection>,
    ) -> Result<(), TargetError> {
        let open = projections
            .into_iter()
            .filter(|one| !self.snapshots.contains_key(one));
        let open: Vec<_> = open.filter_map(|one| Some((self.request(&one)?, one))).collect();
        let paging = &self.paging;
        let read = open.iter().map(|(request, _)| read(target, request, paging));
        let responses = future::try_join_all(read).await?;
        for ((request, projection), response) in open.into_iter().zip(responses) {
            if response.reading().is_some() {
                let snapshot = Snapshot::new(&self.spec, request, response);
                self.verdicts.forget(&projection);
                self.snapshots.insert(projection, snapshot);
            }
        }
        Ok(())
    }

    /// Reads a list. An answer that is no list is asked for again, so that a failure in passing is not taken for what the
    /// target answers; a relation that is refused is not (a target need not offer it).
    async fn read_steadily(
        &mut self,
        target: &Target,
        request: &Request,
        projection: &Projection,
    ) -> Result<ListResponse, TargetError> {
        let paging = match projection {
            Projection::Default | Projection::Trashed => &self.paging.whole(),
            Projection::Including(_) | Projection::IncludingOfDeleted(..) => &self.paging,
        };
        let mut response = read(target, request, paging).await?;
        let first = response.describe();
        for pause in PAUSES {
            let is_final = match &response {
                ListResponse::Records(_) => true,
                ListResponse::Refused(exchange) => {
                    exchange.is_refusal()
                        && (!self.spec.specified
                            || matches!(
                                projection,
                                Projection::Including(_) | Projection::IncludingOfDeleted(..)
                            ))
                }
                ListResponse::Malformed { .. } => false,
            };
            if is_final {
                break;
            }
            tokio::time::sleep(pause).await;
            response = read(target, request, paging).await?;
            if response.reading().is_some() {
                self.unsteady
                    .push(format!("{} answered {first} once", request.line()));
            }
        }
        Ok(response)
    }

    /// Reads some records of a snapshot again.
    ///
    /// # Errors
    /// A page has no answer that could be judged.
    pub async fn refresh(
        &mut self,
        target: &Target,
        projection: &Projection,
        ids: &BTreeSet<String>,
    ) -> Result<(), TargetError> {
        let Some(snapshot) = self.snapshots.get_mut(projection).filter(|_| !ids.is_empty()) else {
            return Ok(());
        };
        if snapshot.refresh(&self.spec, target, &self.paging, ids).await? {
            self.verdicts.forget(projection);
        }
        Ok(())
    }

    /// Reads a snapshot again: of a long list its first pages, and what they do not show stays as it was.
    ///
    /// # Errors
    /// A page has no answer that could be judged.
    pub async fn renew(&mut self, target: &Target, projection: &Projection) -> Result<(), TargetError> {
        if !self.paging.is_long {
            return self.reread(target, projection).await;
        }
        if let Some(snapshot) = self.snapshots.get_mut(projection) {
            let response = read(target, &snapshot.request, &self.paging).await?;
            if snapshot.renew(&self.spec, &response) {
                self.verdicts.forget(projection);
            }
        }
        Ok(())
    }

    /// Reads the whole of a snapshot again.
    ///
    /// # Errors
    /// A page has no answer that could be judged.
    pub async fn reread(&mut self, target: &Target, projection: &Projection) -> Result<(), TargetError> {
        self.snapshots.remove(projection);
        self.projection(target, projection).await.map(|_| ())
    }
}

#[cfg(test)]
impl ListCorpus {
    /// A list with these records on one page, as if it had been read from a target.
    pub fn with_records(spec: ListSpec, records: &[serde_json::Value]) -> Self {
        let list = Self {
            paging: Paging::default(),
            spec,
            offered: true,
            unsteady: Vec::new(),
            snapshots: HashMap::new(),
            verdicts: KnownVerdicts::default(),
        };
        list.read_as(Projection::Trashed, records)
    }

    /// The list, read in one more way.
    pub fn read_as(mut self, projection: Projection, records: &[serde_json::Value]) -> Self {
        let request = Request::get(&self.spec.operation.path);
        let page = crate::http::exchange::Exchange {
            request: request.clone(),
            status: 200,
            content_type: None,
            link: None,
            location: None,
            challenge: None,
            body: String::new(),
        };
        let response = ListResponse::Records(listing::Pages::of_one_page(records.to_vec(), page));
        let snapshot = Snapshot::new(&self.spec, request, response);
        self.snapshots.insert(projection, snapshot);
        self
    }
}

/// How a page of a list is selected by a cursor, where that is how.
fn cursor(spec: &ListSpec) -> Option<Cursor> {
    let parameter = spec.parameter(Role::Cursor)?.to_owned();
    let next = spec.list.next.clone()?;
    Some(Cursor { parameter, next })
}

impl Corpus {
    /// The lists of a contract, none of them read; `searches` names the partial filters that have no name of their own (L11).
    pub fn new(contract: &Contract, searches: &BTreeMap<String, String>) -> Self {
        let reader = Arc::new(Records::identified_by(contract.identifier.clone()));
        let lists = ListSpec::all(contract, searches)
            .into_iter()
            .map(|spec| ListCorpus {
                paging: Paging {
                    records: spec.list.records.clone(),
                    cursor: cursor(&spec),
                    page: spec.parameter(Role::Page).map(str::to_owned),
                    order: spec.parameter(Role::Sort).map(str::to_owned),
                    linked: LinkedRecords::of(&spec).map(Arc::new),
                    reader: Arc::clone(&reader),
                    ..Paging::default()
                },
                spec,
                offered: false,
                unsteady: Vec::new(),
                snapshots: HashMap::new(),
                verdicts: KnownVerdicts::default(),
            });
        Self {
            lists: lists.collect(),
        }
    }

    /// Reads a list without and with soft-deleted records.
    ///
    /// # Errors
    /// A page has no answer that could be judged.
    pub async fn crawl(&mut self, target: &Target, list: usize) -> Result<&ListCorpus, TargetError> {
        self.lists[list].crawl(target).await?;
        Ok(&self.lists[list])
    }
}
