//! A list read with all its relations at once, in each form: what single answers are held against, and where records at
//! which a rule is broken are looked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use rollcall_contract::Relation;
use rollcall_oracle::corpus::Projection;
use rollcall_oracle::corpus::predicate::{ObservableFilter, WITH};
use rollcall_oracle::corpus::projection::DeletedScope;
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::corpus::records::Record;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::open_points::related_number::RelationForm;

use super::offered::{Offered, described};
use crate::cases::trashed;
use crate::engine::Engine;

/// Of a list with more pages than this, relations are not read at once: it would cost more than all other queries.
const PAGES: usize = 20;

/// A list with all its relations at once.
#[derive(Debug, Default)]
pub(crate) struct References {
    /// What each relation is asked for by, in each form; none where it is not offered.
    pub(crate) offered: BTreeMap<String, [Option<String>; 3]>,
    /// How the list was read with all its relations in each form; none where it could not be.
    pub(crate) projections: [Option<Projection>; 3],
    /// How it was read with the relations of soft-deleted records.
    pub(crate) of_deleted: BTreeMap<(DeletedScope, RelationForm), Projection>,
}

impl References {
    /// How the list was read with all its relations in a form, if it was.
    pub(crate) fn projection(&self, form: RelationForm) -> Option<&Projection> {
        let at = RelationForm::ALL.iter().position(|known| *known == form)?;
        self.projections[at].as_ref()
    }

    /// How the list was read with all its relations in two forms, and so with those of soft-deleted records.
    pub(crate) fn in_both(
        &self,
        form: RelationForm,
        other: RelationForm,
    ) -> impl Iterator<Item = (&Projection, &Projection)> {
        let of_deleted = DeletedScope::ALL.into_iter().filter_map(move |scope| {
            let [ours, theirs] = [form, other].map(|form| self.of_deleted.get(&(scope, form)));
            ours.zip(theirs)
        });
        let live = self.projection(form).zip(self.projection(other));
        live.into_iter()
            .flat_map(move |live| [live].into_iter().chain(of_deleted.clone()))
    }

    /// What the relations that are offered in a form are asked for by.
    pub(crate) fn names(&self, form: RelationForm) -> Vec<&str> {
        let at = RelationForm::ALL.iter().position(|known| *known == form);
        let names = self.offered.values();
        names.filter_map(|names| names[at?].as_deref()).collect()
    }

    /// Every way in which the list was read with its related records.
    pub(crate) fn of_records(&self) -> impl Iterator<Item = &Projection> {
        let of_deleted = self.of_deleted.iter();
        let of_deleted = of_deleted.filter(|((_, form), _)| *form == RelationForm::Records);
        let of_deleted = of_deleted.map(|(_, projection)| projection);
        self.projection(RelationForm::Records)
            .into_iter()
            .chain(of_deleted)
    }

    /// Whether a relation is offered in a form.
    pub(crate) fn offers(&self, relation: &Relation, form: RelationForm) -> bool {
        let mut names = self.offered.get(&relation.name).into_iter().flatten().flatten();
        names.any(|name| *name == form.name(relation))
    }
}

/// The references of a list; reads them when they are asked for first.
pub(crate) async fn of(engine: &mut Engine, list: usize) -> Result<Arc<References>, TargetError> {
    if let Some(known) = engine.recall(list) {
        return Ok(known);
    }
    let mut references = References::default();
    let list_corpus = engine.list(list);
    let size = list_corpus.paging.at_least.max(1);
    let pages = list_corpus.live().count().div_ceil(size);
    let shows_deleted = list_corpus.snapshot(&Projection::Trashed).is_some();
    let described = described(engine, list);
    let names = |form: RelationForm| {
        let relations = described.iter().map(|one| &one.relation);
        let relations = relations.filter(|relation| form.is_of(relation));
        relations.map(|relation| form.name(relation)).collect::<Vec<_>>()
    };
    let all = |form| names(form).join(",");
    if pages <= PAGES && !described.is_empty() {
        let forms = RelationForm::ALL
            .into_iter()
            .filter(|form| !names(*form).is_empty());
        let live = forms.map(|form| Projection::Including(all(form))).collect();
        let corpus = &mut engine.corpus.lists[list];
        corpus.read_side_by_side(&engine.target, live).await?;
        let is_read = |form: &RelationForm| corpus.snapshot(&Projection::Including(all(*form))).is_some();
        let forms: Vec<RelationForm> = RelationForm::ALL.into_iter().filter(is_read).collect();
        let scopes = DeletedScope::ALL.into_iter().filter(|_| shows_deleted);
        let of_deleted = scopes.flat_map(|scope| {
            let forms = forms.iter();
            forms.map(move |form| (scope, *form))
        });
        let of_deleted = of_deleted.map(|(scope, form)| Projection::IncludingOfDeleted(scope, all(form)));
        let of_deleted = of_deleted.collect();
        corpus.read_side_by_side(&engine.target, of_deleted).await?;
    }
    for (at, form) in RelationForm::ALL.into_iter().enumerate() {
        let mut names = names(form);
        if names.is_empty() {
            continue;
        }
        let mut together = match pages > PAGES {
            true => None,
            false => read(engine, list, Projection::Including(names.join(","))).await?,
        };
        if together.is_none() {
            names = offered_alone(engine, &described, form).await?;
            if pages <= PAGES && !names.is_empty() {
                together = read(engine, list, Projection::Including(names.join(","))).await?;
            }
        }
        for one in &described {
            let name = form.name(&one.relation);
            if names.contains(&name) {
                references.offered.entry(one.relation.name.clone()).or_default()[at] = Some(name);
            }
        }
        if pages > PAGES || names.is_empty() {
            continue;
        }
        references.projections[at] = together;
        for scope in DeletedScope::ALL.into_iter().filter(|_| shows_deleted) {
            let projection = Projection::IncludingOfDeleted(scope, names.join(","));
            let read = read(engine, list, projection).await?;
            let read = read.map(|projection| ((scope, form), projection));
            references.of_deleted.extend(read);
        }
    }
    let references = Arc::new(references);
    engine.remember(list, &references);
    Ok(references)
}

/// The names of the relations that are not refused when each is asked for alone: how many a request may have is not
/// specified.
async fn offered_alone(
    engine: &mut Engine,
    described: &[Offered],
    form: RelationForm,
) -> Result<Vec<String>, TargetError> {
    let requests = described.iter().map(|one| (one.list, one.request(engine, form)));
    engine.prefetch(requests.collect()).await?;
    let mut offered = Vec::new();
    for one in described {
        let answer = engine.ask(one.list, &one.request(engine, form)).await?;
        if !answer.exchange().is_refusal() {
            offered.push(form.name(&one.relation));
        }
    }
    Ok(offered)
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
pub(crate) fn suspect(
    engine: &Engine,
    one: &Offered,
    projection: &Projection,
    seems_wrong: impl Fn(&str, &Record) -> bool,
) -> Option<Offered> {
    let list = engine.list(one.list);
    let by_id = ObservableFilter::of(one.list, list.spec.by_identifier()?)?;
    if engine.failed(one.list, &by_id.name).is_some() {
        return None;
    }
    let snapshot = list.snapshot(projection)?;
    let (id, record) = snapshot.records().find(|(id, record)| seems_wrong(id, record))?;
    let mut query = Query::by(&by_id, id);
    if list.spec.is_deleted(record) {
        let scope = ObservableFilter::of(one.list, trashed(engine, one.list)?)?;
        query = query.and(&scope, WITH);
    }
    Some(Offered { query, ..one.clone() })
}

/// The question that a list was read by in one way; none if it was asked for no relation.
pub(crate) fn question(engine: &Engine, list: usize, projection: &Projection) -> Option<Query> {
    let (scope, names) = match projection {
        Projection::Default | Projection::Trashed => return None,
        Projection::Including(names) => (None, names),
        Projection::IncludingOfDeleted(scope, names) => (Some(scope), names),
    };
    let mut query = Query::default();
    if let Some(scope) = scope {
        let filter = ObservableFilter::of(list, trashed(engine, list)?)?;
        query = query.and(&filter, scope.word());
    }
    let names: Vec<&str> = names.split(',').collect();
    Some(query.including(&names))
}
