//! The relations of a list, and for each a short question that shows it.

use rollcall_contract::{Included, Relation, Role};
use rollcall_oracle::corpus::listing::Pages;
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::corpus::records::id_at;
use rollcall_oracle::corpus::related::{own_count, related};
use rollcall_oracle::corpus::{ListCorpus, Projection};
use rollcall_oracle::http::request::Request;
use rollcall_oracle::judge;
use rollcall_oracle::open_points::related_number::RelationForm;
use serde_json::Value;

use crate::cases::{first_page, read, selective_query};
use crate::engine::Engine;

/// A relation of a list that the target offers, and a short question whose records have it, if any have.
#[derive(Clone, Debug)]
pub(crate) struct Offered {
    pub(crate) list: usize,
    pub(crate) relation: Relation,
    pub(crate) query: Query,
    /// Whether related records may be soft-deleted, so that they are shown and counted or not (R15).
    pub(crate) may_hide: bool,
}

/// The relations of a list of the specification whose records show them.
pub(crate) fn described(engine: &Engine, list: usize) -> Vec<Offered> {
    let list_corpus = engine.list(list);
    let shows_records = list_corpus.spec.list.included != Included::Names;
    if !shows_records || list_corpus.spec.parameter(Role::Include).is_none() {
        return Vec::new();
    }
    let short = selective_query::all(engine, list);
    let relations = list_corpus.spec.list.relations.iter();
    let described = relations.map(|relation| Offered {
        list,
        relation: relation.clone(),
        query: selective_query::best(&short, |records| {
            discriminating_power(list_corpus, relation, records)
        }),
        may_hide: may_hide(engine, relation),
    });
    described.collect()
}

/// How much records tell of a relation: some should have it, some not.
fn discriminating_power(list: &ListCorpus, relation: &Relation, records: &[&Value]) -> usize {
    let has = records.iter().filter(|record| likely(list, relation, record));
    let has = has.count();
    has.min(10) * 4 + (records.len() - has).min(5)
}

/// Whether a record probably has a relation: by its count, by the records that were read with the relation, or by the member
/// that joins both.
fn likely(list: &ListCorpus, relation: &Relation, record: &Value) -> bool {
    if relation.count_at.is_some() {
        return own_count(record, relation).is_some_and(|count| count > 0);
    }
    if let Some(snapshot) = list.snapshot(&Projection::Including(relation.name.clone())) {
        let seen = id_at(&list.spec.identifier, record).and_then(|id| snapshot.record(id));
        return seen.is_some_and(|seen| !related(seen, relation).is_empty());
    }
    let ours = relation.join.as_ref().and_then(|join| join.ours.find(record));
    ours.is_some_and(|ours| !ours.is_null())
}

/// Whether the related records are those of a list that has soft-deleted ones.
fn may_hide(engine: &Engine, relation: &Relation) -> bool {
    let Some(summary) = &relation.record else {
        return true;
    };
    let document = engine.contract.document();
    engine.contract.lists().any(|(operation, list)| {
        let schema = document.schema(&list.record).map(Value::to_string);
        let has = schema.is_some_and(|schema| schema.contains(&format!("/{summary}\"")));
        let mut filters = operation.filters();
        (has || list.record == *summary)
            && filters.any(|(_, filter)| filter.matching == rollcall_contract::Match::Trashed)
    })
}

impl Offered {
    /// The short question, with the relation in a form.
    pub(crate) fn request(&self, engine: &Engine, form: RelationForm) -> Request {
        self.asking(engine, &[&form.name(&self.relation)])
    }

    /// The short question, with these words for `include`.
    pub(crate) fn asking(&self, engine: &Engine, names: &[&str]) -> Request {
        let query = self.query.clone().including(names);
        query.request(engine.list(self.list))
    }

    /// The relation, asked for on the first page where that has records with it and records without, and the short
    /// question has not.
    pub(crate) fn contrasted(mut self, engine: &Engine) -> Self {
        let list = engine.list(self.list);
        let differ = |records: Vec<&Value>| {
            let has = records
                .iter()
                .filter(|record| likely(list, &self.relation, record));
            (1..records.len()).contains(&has.count())
        };
        let expected = judge::expected(list, &self.query);
        let short = expected.iter();
        let short = short.filter_map(|id| Some(&**list.widest_snapshot()?.record(id)?));
        let read = read(list, &Projection::Default).into_iter();
        let first = read.flat_map(Pages::on_first_page).map(|record| &**record);
        if !differ(short.collect()) && differ(first.collect()) {
            self.query = first_page();
        }
        self
    }

    /// The parameters that a question about it uses.
    pub(crate) fn uses(&self) -> Vec<String> {
        self.query.clone().including(&[&self.relation.name]).uses()
    }
}
