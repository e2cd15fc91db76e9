//! What can be asked of one list, as far as the target answers it and nothing of it has failed.

use std::collections::BTreeMap;
use std::sync::Arc;

use rollcall_contract::Match;
use rollcall_oracle::corpus::Projection;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::order::Key;
use rollcall_oracle::corpus::predicate::ObservableFilter;
use rollcall_oracle::corpus::query::{Query, including, sorting};
use rollcall_oracle::corpus::record_set::RecordSet;
use rollcall_oracle::corpus::records::Record;
use rollcall_oracle::corpus::related::{own_count, related};
use rollcall_oracle::corpus::snapshot::Snapshot;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::{Facts, InverseFilters, RelationShapes};
use rollcall_oracle::plan::{
    ClassedValue, Domain, FEW, FilterDomain, PlannedValue, Relations, Shown, SortColumn, levels,
};
use serde_json::Value;

use super::asked::kind;
use super::blanks;
use super::foreign::foreign;
use super::rounds;
use super::shown::{is_null_of_some, names, unlike_most, value_counts};
use crate::discovery::references::{self, References};
use crate::discovery::sorting;
use crate::engine::check::Check;
use crate::engine::region::Stage;
use crate::engine::{Engine, PAGE};

/// So many related records are each asked for by a filter of a relation: a join over two steps shows only for those in between.
const RELATED: usize = 8;

/// What can be asked of a list, and what is known to judge the answers by.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) domain: Arc<Domain>,
    pub(super) facts: Arc<Facts>,
    /// The filters that can be relied on, each with the checks of single values that have to look at it.
    pub(super) expected: Vec<(ObservableFilter, Vec<&'static Check>)>,
}

/// What a stage can ask of a list; of single values only the filters are looked at.
pub(super) async fn known(engine: &mut Engine, list: usize, stage: Stage) -> Result<Known, TargetError> {
    let mut facts = Facts::of(&engine.contract, engine.list(list));
    let mut filters = filters(engine, list).await?;
    let values = drawn(engine, list, &filters);
    if engine.blanks.is_none() {
        engine.blanks = blanks::learn(engine, list, &filters, &values).await?;
        if let Some(blanks) = engine.blanks {
            let lists = engine.corpus.lists.iter_mut();
            lists.for_each(|list| list.read_blanks_as(blanks));
            filters = self::filters(engine, list).await?;
        }
    }
    let expected = expected(engine, list);
    let domain = match stage {
        Stage::Values => domain(engine, list, filters, values),
        Stage::Combinations => combinations(engine, list, (filters, values), &mut facts).await?,
    };
    Ok(Known {
        domain: Arc::new(domain),
        facts: Arc::new(facts),
        expected,
    })
}

/// The filters that can be relied on, each with the checks that have to look at it.
fn expected(engine: &Engine, list: usize) -> Vec<(ObservableFilter, Vec<&'static Check>)> {
    let list_corpus = engine.list(list);
    let filters = list_corpus.spec.filters.iter();
    let relied_on = filters.filter(|judged| engine.failed(list, &judged.name).is_none());
    let checks = relied_on.map(|judged| {
        let seen =
            ObservableFilter::of(list, judged).unwrap_or_else(|| ObservableFilter::unseen(list, judged));
        let checks = kind(list_corpus, &seen).map(|kind| engine.catalogue.owing(kind));
        let checks = checks.into_iter().flatten().collect();
        (seen, checks)
    });
    checks.collect()
}

async fn combinations(
    engine: &mut Engine,
    list: usize,
    (filters, values): (Vec<ObservableFilter>, Vec<Vec<ClassedValue>>),
    facts: &mut Facts,
) -> Result<Domain, TargetError> {
    if sorting::lists(engine).contains(&list) {
        let sortable = sorting::of(engine, list).await?;
        let sorting_fields = sortable.sorting.iter().map(|(field, _)| field.clone());
        facts.sorts = sorting_fields
            .filter(|field| engine.failed(list, &sorting(&field.name)).is_none())
            .collect();
    }
    facts.inverse = InverseFilters::of(list, &engine.list(list).spec);
    facts.shapes = Arc::new(RelationShapes::of(&engine.contract, engine.list(list)));
    let references = references::of(engine, list).await?;
    let names = relations(engine, list, &references, facts);
    let has_pages = has_pages(engine, list).await?;
    let mut domain = domain(engine, list, filters, values);
    domain.has_pages = has_pages;
    let shared = &*engine;
    let list_corpus = shared.list(list);
    let Some(snapshot) = list_corpus
        .widest_snapshot()
        .filter(|snapshot| !snapshot.is_empty())
    else {
        return Ok(domain);
    };
    let records: Vec<(&str, &Record)> = snapshot.records().collect();
    let set = |is_in: &dyn Fn(&str, &Value) -> bool| {
        RecordSet::of(records.len(), |index| is_in(records[index].0, records[index].1))
    };
    for field in &facts.sorts {
        let keys: Vec<Option<Key>> = records.iter().map(|(_, record)| field.key(record)).collect();
        domain.sorts.push(SortColumn::new(&field.name, &keys));
    }
    // Soft-deleted records have relations too, and show them in answers of their own.
    let read: Vec<&Snapshot> = references
        .of_records()
        .filter_map(|projection| list_corpus.snapshot(projection))
        .collect();
    for (relation, forms) in facts.relations.iter().zip(names) {
        if forms.iter().all(Option::is_none) {
            continue;
        }
        let shows = |snapshot: &Snapshot, id: &str| {
            let record = snapshot.record(id);
            record.is_some_and(|known| !related(known, relation).is_empty())
        };
        let has = set(&|id, record| match (read.is_empty(), &relation.count_at) {
            (false, _) => read.iter().any(|snapshot| shows(snapshot, id)),
            (true, Some(_)) => own_count(record, relation).is_some_and(|count| count > 0),
            (true, None) => true,
        });
        domain.relations.push(Relations {
            forms,
            record: relation.record.clone(),
            has,
        });
    }
    let everything = domain.everything();
    let request = everything.request(engine.list(list));
    domain.takes_everything = matches!(
        engine.ask(list, &request).await?.as_ref(),
        ListResponse::Records(_)
    );
    Ok(domain)
}

/// For each filter the values to ask for.
fn drawn(engine: &Engine, list: usize, filters: &[ObservableFilter]) -> Vec<Vec<ClassedValue>> {
    let list_corpus = engine.list(list);
    let shown_by: Vec<BTreeMap<String, usize>> = filters
        .iter()
        .map(|filter| value_counts(list_corpus, filter, None))
        .collect();
    let mut unlike = unlike_most(list_corpus, filters).into_iter();
    let drawn = filters.iter().enumerate().map(|(at, filter)| {
        let mut choice = engine.choice(&filter.name);
        let shown = Shown {
            values: shown_by[at].clone(),
            live: value_counts(list_corpus, filter, Some(false))
                .into_keys()
                .collect(),
            of_deleted: value_counts(list_corpus, filter, Some(true))
                .into_keys()
                .collect(),
            is_null: !filter.is_join(list_corpus) && is_null_of_some(list_corpus, filter),
            foreign: foreign((at, filter), filters, (list_corpus, &shown_by), &mut choice),
            names: names(list_corpus, filter),
            unlike: unlike.next().unwrap_or_default(),
        };
        let mut values = levels(filter, &shown, &mut choice);
        for _ in 1..rounds(engine) {
            let further = levels(filter, &shown, &mut choice).into_iter();
            let is_new = |value: &ClassedValue| values.iter().all(|known| known.value != value.value);
            let further: Vec<ClassedValue> = further.filter(is_new).collect();
            values.extend(further);
        }
        if filter.is_join(list_corpus) {
            let mut related: Vec<&str> = shown_by[at].keys().map(String::as_str).collect();
            related.retain(|id| values.iter().all(|known| known.value != *id));
            let related = choice.some(&related, RELATED).into_iter();
            values.extend(related.map(|id| ClassedValue::shown(id, "a related record")));
        }
        values
    });
    drawn.collect()
}

/// Every filter with its values, and the records that each value finds.
fn domain(
    engine: &Engine,
    list: usize,
    filters: Vec<ObservableFilter>,
    values: Vec<Vec<ClassedValue>>,
) -> Domain {
    let list_corpus = engine.list(list);
    let Some(snapshot) = list_corpus
        .widest_snapshot()
        .filter(|snapshot| !snapshot.is_empty())
    else {
        return Domain::default();
    };
    let count = snapshot.len();
    let deleted: Vec<bool> = snapshot.deletion_marks().collect();
    let mut domain = Domain {
        usual: RecordSet::of(count, |index| !deleted[index]),
        count,
        page_size: list_corpus.paging.at_least,
        ..Domain::default()
    };
    for (filter, values) in filters.into_iter().zip(values) {
        let values = values.into_iter().map(|value| PlannedValue {
            near: value.near.as_ref().map_or_else(RecordSet::default, |near| {
                list_corpus.verdicts(&filter, near).included.clone()
            }),
            verdicts: list_corpus.verdicts(&filter, &value.value),
            value,
        });
        let mut planned = FilterDomain::new(filter.clone(), values.collect(), count);
        if filter.is_join(list_corpus) {
            planned.alone = RELATED;
        } else if filter.matching == Match::Exact && value_counts(list_corpus, &filter, None).len() <= FEW {
            planned.alone = planned.levels.len();
        }
        domain.filters.push(planned);
    }
    domain
}

/// The filters of a list that have not failed, with their members read.
async fn filters(engine: &mut Engine, list: usize) -> Result<Vec<ObservableFilter>, TargetError> {
    let mut filters = Vec::new();
    for judged in engine.list(list).spec.filters.clone() {
        let Some(filter) = ObservableFilter::of(list, &judged) else {
            continue;
        };
        if engine.failed(list, &filter.name).is_some() {
            continue;
        }
        if filter.projection != Projection::Default {
            engine.snapshot(list, &filter.projection).await?;
        }
        filters.push(filter);
    }
    Ok(filters)
}

/// What to ask for each relation of a list in each form, as far as it is offered and has not failed; notes the references.
fn relations(
    engine: &Engine,
    list: usize,
    references: &References,
    facts: &mut Facts,
) -> Vec<[Option<String>; 3]> {
    facts.references.clone_from(&references.projections);
    facts.of_deleted.clone_from(&references.of_deleted);
    let relied_on = |name: &Option<String>| {
        let name = name.as_ref()?;
        engine
            .failed(list, &including(name))
            .is_none()
            .then(|| name.clone())
    };
    let names = facts
        .relations
        .iter()
        .map(|relation| match references.offered.get(&relation.name) {
            Some(names) => names.each_ref().map(relied_on),
            None => [None, None, None],
        });
    names.collect()
}

/// Whether pages of a list can be asked for by number.
async fn has_pages(engine: &mut Engine, list: usize) -> Result<bool, TargetError> {
    let list_corpus = engine.list(list);
    let is_long = list_corpus.live().count() > list_corpus.paging.at_least;
    if !is_long || list_corpus.paging.page.is_none() || engine.failed(list, PAGE).is_some() {
        return Ok(false);
    }
    let second = Query::default().on_page(2).request(list_corpus);
    let answer = engine.ask(list, &second).await?;
    Ok(matches!(answer.as_ref(), ListResponse::Records(_)))
}
