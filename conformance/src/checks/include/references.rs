//! A list read with all its relations at once, in each form: what single answers are held against, and where records at
//! which a rule is broken are looked for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::relations::{Offered, offered};
use crate::checks::cases::trashed;
use crate::corpus::Projection;
use crate::corpus::predicate::{ObservableFilter, WITH};
use crate::corpus::projection::DeletedScope;
use crate::corpus::query::Query;
use crate::corpus::records::Record;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::http::target::TargetError;
use crate::oracle::Form;

/// Of a list with more pages than this, relations are not read at once: it would cost more than all other queries.
const PAGES: usize = 20;

/// A list with all its relations at once.
#[derive(Debug, Default)]
pub(crate) struct References {
    /// What each relation is asked for by, in each form; none where it is not offered.
    pub(crate) names: BTreeMap<String, [Option<String>; 3]>,
    /// How the list was read with all its relations in each form; none where it could not be.
    pub(crate) projections: [Option<Projection>; 3],
    /// How it was read with the relations of soft-deleted records.
    pub(crate) of_deleted: BTreeMap<(DeletedScope, Form), Projection>,
}

/// The references of a list; reads them when they are asked for first.
pub(crate) async fn of(engine: &mut Engine, list: usize) -> Result<Arc<References>, TargetError> {
    if let Some(known) = engine.recall(list) {
        return Ok(known);
    }
    let mut references = References::default();
    let list_corpus = engine.list(list);
    let pages = list_corpus
        .live()
        .count()
        .div_ceil(list_corpus.paging.at_least.max(1));
    let shows_deleted = list_corpus.snapshot(&Projection::Trashed).is_some();
    for (at, form) in Form::ALL.into_iter().enumerate() {
        let name: fn(&_) -> String = match form {
            Form::Records => |relation| Form::Records.name(relation),
            Form::Count => |relation| Form::Count.name(relation),
            Form::Exists => |relation| Form::Exists.name(relation),
        };
        let offered = offered(engine, name, &mut CheckResult::default()).await?;
        let mut all = Vec::new();
        for one in offered.iter().filter(|one| one.list == list) {
            let names = references.names.entry(one.relation.name.clone()).or_default();
            names[at] = Some(name(&one.relation));
            all.push(name(&one.relation));
        }
        if pages > PAGES || all.is_empty() {
            continue;
        }
        let all = all.join(",");
        references.projections[at] = read(engine, list, Projection::Including(all.clone())).await?;
        for scope in DeletedScope::ALL.into_iter().filter(|_| shows_deleted) {
            let projection = Projection::IncludingOfDeleted(scope, all.clone());
            let read = read(engine, list, projection).await?;
            references
                .of_deleted
                .extend(read.map(|projection| ((scope, form), projection)));
        }
    }
    let references = Arc::new(references);
    engine.remember(list, &references);
    Ok(references)
}

/// A way to read a list, if it could be read so.
async fn read(
    engine: &mut Engine,
    list: usize,
    projection: Projection,
) -> Result<Option<Projection>, TargetError> {
    let snapshot = engine.snapshot(list, &projection).await?;
    let is_read = snapshot.is_some_and(|snapshot| snapshot.response.reading().is_some());
    Ok(is_read.then_some(projection))
}

/// The relation, asked for of the first record of one way to read its list at which something seems wrong.
pub(super) fn suspect(
    engine: &Engine,
    one: &Offered,
    projection: Option<&Projection>,
    seems_wrong: impl Fn(&str, &Record) -> bool,
) -> Option<Offered> {
    let list = engine.list(one.list);
    let by_id = ObservableFilter::of(one.list, list.spec.by_identifier()?)?;
    if engine.failed(one.list, &by_id.name).is_some() {
        return None;
    }
    let snapshot = list.snapshot(projection?)?;
    let (id, record) = snapshot.records().find(|(id, record)| seems_wrong(id, record))?;
    let mut query = Query::by(&by_id, id);
    if list.spec.is_deleted(record) {
        let scope = ObservableFilter::of(one.list, trashed(engine, one.list)?)?;
        query = query.and(&scope, WITH);
    }
    Some(Offered { query, ..one.clone() })
}

/// The references of every list that some relations are of.
pub(super) async fn of_all(
    engine: &mut Engine,
    offered: &[Offered],
) -> Result<BTreeMap<usize, Arc<References>>, TargetError> {
    let lists: BTreeSet<usize> = offered.iter().map(|one| one.list).collect();
    let mut all = BTreeMap::new();
    for list in lists {
        all.insert(list, of(engine, list).await?);
    }
    Ok(all)
}
