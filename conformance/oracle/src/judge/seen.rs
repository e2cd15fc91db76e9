//! The relations that records showed in earlier answers: of a list that is too long to be read with all relations, any two
//! answers have to agree.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::corpus::ListCorpus;
use crate::corpus::listing::Pages;
use crate::corpus::projection::DeletedScope;
use crate::corpus::query::Query;
use crate::corpus::records::{Record, id_of};

/// A relation in a form, asked for beside a word for soft deletion or none: the word may matter (R15).
type Asked = (Option<DeletedScope>, String);

/// The relations that records showed.
#[derive(Clone, Debug, Default)]
pub struct Seen(BTreeMap<Asked, HashMap<String, Sight>>);

/// A record that shows a relation, and the query that it answers.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The record as it was shown.
    pub record: Arc<Record>,
    /// The query whose answer showed it.
    pub query: Arc<Query>,
}

impl Seen {
    /// The record as it showed a relation first.
    pub fn sight(&self, list: &ListCorpus, query: &Query, name: &str, id: &str) -> Option<&Sight> {
        self.0.get(&(query.deleted_scope(list), name.to_owned()))?.get(id)
    }

    /// The only record that showed a relation, if it is one: it was asked for alone, to be held against.
    pub fn only(&self) -> Option<&Sight> {
        let mut sights = self.0.values().flat_map(HashMap::values);
        sights.next().filter(|_| sights.next().is_none())
    }

    /// Forgets how a record showed a relation.
    pub fn forget(&mut self, list: &ListCorpus, query: &Query, name: &str, id: &str) {
        if let Some(sights) = self.0.get_mut(&(query.deleted_scope(list), name.to_owned())) {
            sights.remove(id);
        }
    }

    /// Notes the relations of an answer, as far as they are new.
    pub fn note(&mut self, list: &ListCorpus, query: &Query, reading: &Pages) {
        if query.include.is_empty() {
            return;
        }
        let (shared, scope) = (Arc::new(query.clone()), query.deleted_scope(list));
        for name in &query.include {
            let sights = self.0.entry((scope, name.clone())).or_default();
            for record in &reading.records {
                if let Some(id) = id_of(record).filter(|id| !sights.contains_key(*id)) {
                    let sight = Sight {
                        record: Arc::clone(record),
                        query: Arc::clone(&shared),
                    };
                    sights.insert(id.to_owned(), sight);
                }
            }
        }
    }
}
