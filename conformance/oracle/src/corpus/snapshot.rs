//! What one way to read a list shows, and which of its records show which value of a member.
//!
//! A snapshot can be read again in part, so that a violation rests on records as they are now: data may move while the runner
//! looks.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use rollcall_contract::Pointer;

use crate::corpus::list_spec::ListSpec;
use crate::corpus::listing::{ListResponse, identity, read, single_page};
use crate::corpus::members::spelled;
use crate::corpus::paging::Paging;
use crate::corpus::records::Record;
use crate::http::request::Request;
use crate::http::target::{Target, TargetError};

/// What one way to read a list shows.
#[derive(Debug)]
pub struct Snapshot {
    /// The request for the first page.
    pub request: Request,
    /// The answer.
    pub response: ListResponse,
    /// The records by their identity; of several with the same, the first.
    rows: BTreeMap<String, Row>,
    /// The page each record was seen on.
    pages: HashMap<String, Request>,
    /// What was looked up so far, by the member.
    indexes: Mutex<HashMap<Pointer, Arc<Index>>>,
}

/// A record of a snapshot.
#[derive(Debug)]
struct Row {
    record: Arc<Record>,
    deleted: bool,
}

/// The records that show each value of a member, by the value as filters spell it.
#[derive(Debug, Default)]
pub struct Index {
    groups: BTreeMap<String, Group>,
    nobody: Group,
    /// The records of pages on which no record shows the member, although most records of the list do.
    silent: BTreeSet<String>,
}

/// Of a page with fewer records nothing is said.
const TELLING: usize = 5;

/// The identifiers of the records that show one value.
#[derive(Debug, Default)]
pub struct Group {
    /// Of those that are not soft-deleted.
    pub live: Vec<String>,
    /// Of those that are.
    pub deleted: Vec<String>,
}

impl Index {
    /// The records that show a value.
    pub fn group(&self, value: &str) -> &Group {
        self.groups.get(value).unwrap_or(&self.nobody)
    }

    /// Whether a record stands on a page that shows the member of no record: then it need not be without a value.
    pub fn is_silent(&self, id: &str) -> bool {
        self.silent.contains(id)
    }

    /// Every value with the records that show it.
    pub fn groups(&self) -> impl Iterator<Item = (&str, &Group)> {
        self.groups.iter().map(|(value, group)| (value.as_str(), group))
    }
}

impl Group {
    /// All of them.
    pub fn ids(&self) -> impl Iterator<Item = &String> {
        self.live.iter().chain(&self.deleted)
    }

    /// How many there are.
    pub fn size(&self) -> usize {
        self.live.len() + self.deleted.len()
    }
}

impl Row {
    fn of(spec: &ListSpec, record: Arc<Record>) -> Self {
        Self {
            deleted: spec.is_deleted(&record),
            record,
        }
    }
}

impl Snapshot {
    /// The records of an answer to a request for the list.
    pub fn new(spec: &ListSpec, request: Request, response: ListResponse) -> Self {
        let mut snapshot = Self {
            request,
            response,
            rows: BTreeMap::new(),
            pages: HashMap::new(),
            indexes: Mutex::default(),
        };
        if let ListResponse::Records(reading) = &snapshot.response {
            for (record, page) in reading.records.iter().zip(&reading.page_of) {
                let identity = identity(record);
                if !snapshot.rows.contains_key(&identity) {
                    snapshot
                        .pages
                        .insert(identity.clone(), reading.pages[*page].request.clone());
                    snapshot.rows.insert(identity, Row::of(spec, Arc::clone(record)));
                }
            }
        }
        snapshot
    }

    /// Takes records as an answer shows them now; the others stay as they were. Says whether a record has changed.
    pub fn renew(&mut self, spec: &ListSpec, response: &ListResponse) -> bool {
        let records = response
            .reading()
            .into_iter()
            .flat_map(|reading| &reading.records);
        let rows = records.map(|record| (identity(record), Row::of(spec, Arc::clone(record))));
        self.take(rows)
    }

    fn take(&mut self, rows: impl Iterator<Item = (String, Row)>) -> bool {
        let mut has_changed = false;
        for (id, row) in rows {
            if self.rows.get(&id).is_none_or(|known| known.record != row.record) {
                self.rows.insert(id, row);
                has_changed = true;
            }
        }
        if has_changed {
            self.indexes = Mutex::default();
        }
        has_changed
    }

    /// The record with this identifier.
    pub fn record(&self, id: &str) -> Option<&Record> {
        self.rows.get(id).map(|row| row.record.as_ref())
    }

    /// Whether it has a record with this identifier that is not soft-deleted.
    pub fn is_live(&self, id: &str) -> bool {
        self.rows.get(id).is_some_and(|row| !row.deleted)
    }

    /// The record with this identifier, to keep.
    pub fn shared(&self, id: &str) -> Option<Arc<Record>> {
        Some(Arc::clone(&self.rows.get(id)?.record))
    }

    /// The record with this identifier, and that.
    pub fn entry(&self, id: &str) -> Option<(&str, &Record)> {
        let (id, row) = self.rows.get_key_value(id)?;
        Some((id, row.record.as_ref()))
    }

    /// The request for the page that a record was seen on.
    pub fn page(&self, id: &str) -> Option<&Request> {
        self.pages.get(id)
    }

    /// Every record with its identifier, in the order of the identifiers.
    pub fn records(&self) -> impl Iterator<Item = (&str, &Record)> {
        self.rows
            .iter()
            .map(|(id, row)| (id.as_str(), row.record.as_ref()))
    }

    /// Whether each record shows that it is soft-deleted, in the order of [`Self::records`].
    pub fn deletion_marks(&self) -> impl Iterator<Item = bool> {
        self.rows.values().map(|row| row.deleted)
    }

    /// The records that do not show that they are soft-deleted.
    pub fn live(&self) -> impl Iterator<Item = (&str, &Record)> {
        let live = self.rows.iter().filter(|(_, row)| !row.deleted);
        live.map(|(id, row)| (id.as_str(), row.record.as_ref()))
    }

    /// The records that show that they are soft-deleted.
    pub fn deleted(&self) -> impl Iterator<Item = (&str, &Record)> {
        let deleted = self.rows.iter().filter(|(_, row)| row.deleted);
        deleted.map(|(id, row)| (id.as_str(), row.record.as_ref()))
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Which records show which value of the member at a place; looked up the first time, later remembered.
    pub fn by(&self, place: &Pointer) -> Arc<Index> {
        let mut indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = indexes.get(place) {
            return Arc::clone(index);
        }
        let mut index = Index::default();
        let mut on_pages: HashMap<String, (usize, Vec<&String>)> = HashMap::new();
        let mut showing = 0;
        for (id, row) in &self.rows {
            let value = place.find(&row.record).and_then(spelled);
            if let Some(page) = self.pages.get(id) {
                let (shown, ids) = on_pages.entry(page.line()).or_default();
                *shown += usize::from(value.is_some());
                ids.push(id);
            }
            showing += usize::from(value.is_some());
            if let Some(value) = value {
                let group = index.groups.entry(value).or_default();
                match row.deleted {
                    true => group.deleted.push(id.clone()),
                    false => group.live.push(id.clone()),
                }
            }
        }
        if showing * 2 > self.rows.len() {
            let silent = on_pages
                .into_values()
                .filter(|(shown, ids)| *shown == 0 && ids.len() >= TELLING);
            index.silent = silent.flat_map(|(_, ids)| ids).cloned().collect();
        }
        let index = Arc::new(index);
        indexes.insert(place.clone(), Arc::clone(&index));
        index
    }

    /// Reads the records with these identifiers again, and says whether one has changed. What is no longer on its page is looked
    /// for everywhere.
    pub async fn refresh(
        &mut self,
        spec: &ListSpec,
        target: &Target,
        paging: &Paging,
        ids: &BTreeSet<String>,
    ) -> Result<bool, TargetError> {
        let mut missing = BTreeSet::new();
        let mut pages: Vec<Request> = Vec::new();
        for id in ids {
            match self.pages.get(id) {
                Some(page) if !pages.contains(page) => pages.push(page.clone()),
                Some(_) => {}
                None => _ = missing.insert(id),
            }
        }
        let mut again = HashMap::new();
        // What came right before must not matter: here it is the list without parameters.
        let bare = Request::get(&spec.operation.path);
        for page in pages {
            let page = page.after(bare.clone());
            if let ListResponse::Records(reading) = single_page(target.send(&page).await?, target, paging) {
                let rows = reading.records.into_iter();
                again.extend(rows.map(|record| (identity(&record), Row::of(spec, record))));
            }
        }
        missing.extend(ids.iter().filter(|id| !again.contains_key(*id)));
        let has_changed = self.take(again.into_iter());
        if missing.is_empty() {
            return Ok(has_changed);
        }
        let response = read(target, &self.request, paging).await?;
        if !paging.is_long {
            *self = Self::new(spec, self.request.clone(), response);
            return Ok(true);
        }
        // A record that is found no more proves nothing.
        self.rows.retain(|id, _| !missing.contains(id));
        self.indexes = Mutex::default();
        self.renew(spec, &response);
        Ok(true)
    }
}
