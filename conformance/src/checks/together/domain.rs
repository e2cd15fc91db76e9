//! What can be asked of one list, as far as the target answers it and nothing of it has failed.

use std::collections::BTreeMap;

use rollcall_contract::{Match, Role};
use serde_json::Value;

use crate::checks::PAGE;
use crate::checks::relations::{offered, related};
use crate::checks::sort::sortable;
use crate::context::Context;
use crate::corpus::{Look, Surveyed};
use crate::listing::Listed;
use crate::members::shown_at;
use crate::oracle::{Facts, Form};
use crate::order::Key;
use crate::outcome::Tally;
use crate::plan::{Domain, FilterDomain, Level, RecordSet, Relations, SortColumn, levels};
use crate::query::{Query, including, sorting};
use crate::seen::{Says, SeenFilter, spelled};
use crate::target::Trouble;

/// Of a list with more pages than this, relations are not read as a reference: it would cost more than all other queries.
const PAGES: usize = 20;

/// What can be asked of a list, and what is known to judge the answers by.
pub(super) async fn survey(context: &mut Context, list: usize) -> Result<(Domain, Facts), Trouble> {
    let mut facts = Facts::of(&context.contract, context.list(list));
    let filters = filters(context, list).await?;
    if sortable::lists(context).contains(&list) {
        let sortable = sortable::of(context, list).await?;
        let sorting_fields = sortable.sorting.iter().map(|(field, _)| field.clone());
        facts.sorts = sorting_fields
            .filter(|field| context.failed(list, &sorting(&field.name)).is_none())
            .collect();
    }
    let names = relations(context, list, &mut facts).await?;
    let has_pages = has_pages(context, list).await?;
    let shared = &*context;
    let surveyed = shared.list(list);
    let Some(view) = surveyed.fullest() else {
        return Ok((Domain::default(), facts));
    };
    let records: Vec<(&str, &Value)> = view.records().collect();
    let count = records.len();
    let set = |is_in: &dyn Fn(&str, &Value) -> bool| {
        RecordSet::of(count, |index| is_in(records[index].0, records[index].1))
    };
    let mut domain = Domain {
        usual: set(&|_, record| !surveyed.subject.is_deleted(record)),
        count,
        page_size: surveyed.paging.at_least,
        has_pages,
        ..Domain::default()
    };
    for filter in filters {
        let mut choice = shared.choice(&filter.name);
        let of_deleted = shown(surveyed, &filter, true).into_keys().collect();
        let values = levels(
            &filter,
            &shown(surveyed, &filter, false),
            &of_deleted,
            &mut choice,
        );
        let own = filter.view(surveyed);
        let levels: Vec<Level> = values
            .into_iter()
            .map(|value| {
                let said: Vec<Says> = records
                    .iter()
                    .map(|(_, record)| filter.says_of(record, own, &value.value))
                    .collect();
                Level {
                    included: RecordSet::of(count, |index| said[index] == Says::Yes),
                    excluded: RecordSet::of(count, |index| said[index] == Says::No),
                    value,
                }
            })
            .collect();
        domain.filters.push(FilterDomain {
            is_scope: filter.matching == Match::Trashed,
            levels,
            filter,
        });
    }
    for field in &facts.sorts {
        let keys: Vec<Option<Key>> = records.iter().map(|(_, record)| field.key(record)).collect();
        domain.sorts.push(SortColumn::new(&field.name, &keys));
    }
    for (relation, forms) in facts.relations.iter().zip(names) {
        if forms.iter().all(Option::is_none) {
            continue;
        }
        let reference = facts.references[0].as_ref().and_then(|look| surveyed.view(look));
        let has = set(&|id, record| match (reference, &relation.count) {
            (Some(view), _) => view
                .record(id)
                .is_some_and(|known| !related(known, relation).is_empty()),
            (None, Some(count)) => record["count"][count].as_u64().is_some_and(|count| count > 0),
            (None, None) => true,
        });
        domain.relations.push(Relations { forms, has });
    }
    let everything = domain.everything();
    let request = everything.request(context.list(list));
    domain.takes_everything = matches!(context.ask(list, &request).await?.as_ref(), Listed::Records(_));
    Ok((domain, facts))
}

/// The filters of a list that have not failed, with their members read.
async fn filters(context: &mut Context, list: usize) -> Result<Vec<SeenFilter>, Trouble> {
    let mut filters = Vec::new();
    for judged in context.list(list).subject.filters.clone() {
        let Some(filter) = SeenFilter::of(list, &judged) else {
            continue;
        };
        if context.failed(list, &filter.name).is_some() {
            continue;
        }
        if filter.look != Look::Default {
            context.view(list, &filter.look).await?;
        }
        filters.push(filter);
    }
    Ok(filters)
}

/// The values that records show of a filter's members, each with the number of its records; of all records, or of those
/// that are soft-deleted.
fn shown(list: &Surveyed, filter: &SeenFilter, deleted_only: bool) -> BTreeMap<String, usize> {
    let mut shown = BTreeMap::new();
    let records = filter.view(list).into_iter().flat_map(|view| view.records());
    let records = records.filter(|(_, record)| !deleted_only || list.subject.is_deleted(record));
    for (_, record) in records {
        for member in filter.places.iter().filter_map(|place| shown_at(place, record)) {
            let values: Vec<String> = match member {
                Value::Object(members) => members
                    .values()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect(),
                member => spelled(member).into_iter().collect(),
            };
            for value in values {
                *shown.entry(value).or_default() += 1;
            }
        }
    }
    shown
}

/// What to ask for each relation of a list in each form, as far as it is offered; reads the references.
async fn relations(
    context: &mut Context,
    list: usize,
    facts: &mut Facts,
) -> Result<Vec<[Option<String>; 3]>, Trouble> {
    let mut names = vec![[None, None, None]; facts.relations.len()];
    if context.list(list).subject.parameter(Role::Include).is_none() || facts.relations.is_empty() {
        return Ok(names);
    }
    let pages = context
        .list(list)
        .live()
        .count()
        .div_ceil(context.list(list).paging.at_least.max(1));
    for (at, form) in Form::ALL.into_iter().enumerate() {
        let name: fn(&_) -> String = match form {
            Form::Records => |relation| Form::Records.name(relation),
            Form::Count => |relation| Form::Count.name(relation),
            Form::Exists => |relation| Form::Exists.name(relation),
        };
        let offered = offered(context, name, &mut Tally::default()).await?;
        for one in offered.iter().filter(|one| one.list == list) {
            let name = name(&one.relation);
            let index = facts
                .relations
                .iter()
                .position(|relation| relation.name == one.relation.name);
            if let (Some(index), None) = (index, context.failed(list, &including(&name))) {
                names[index][at] = Some(name);
            }
        }
        let all: Vec<&str> = names.iter().filter_map(|forms| forms[at].as_deref()).collect();
        let look = Look::Including(all.join(","));
        if pages <= PAGES && !all.is_empty() {
            let view = context.view(list, &look).await?;
            let is_whole = view.is_some_and(|view| view.listed.reading().is_some());
            facts.references[at] = is_whole.then_some(look);
        }
    }
    Ok(names)
}

/// Whether pages of a list can be asked for by number.
async fn has_pages(context: &mut Context, list: usize) -> Result<bool, Trouble> {
    let surveyed = context.list(list);
    let is_long = surveyed.live().count() > surveyed.paging.at_least;
    if !is_long || surveyed.subject.parameter(Role::Page).is_none() || context.failed(list, PAGE).is_some() {
        return Ok(false);
    }
    let second = Query::default().on_page(2).request(surveyed);
    let answer = context.ask(list, &second).await?;
    Ok(matches!(answer.as_ref(), Listed::Records(_)))
}
