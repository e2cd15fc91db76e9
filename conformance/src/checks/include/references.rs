//! A list read with all its relations at once, in each form: what single answers are held against, and where records at
//! which a rule is broken are looked for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::relations::{Offered, offered};
use crate::checks::asking::trashed;
use crate::context::Context;
use crate::corpus::Look;
use crate::oracle::Form;
use crate::outcome::Tally;
use crate::query::Query;
use crate::records::Record;
use crate::seen::{SeenFilter, WITH};
use crate::target::Trouble;

/// Of a list with more pages than this, relations are not read at once: it would cost more than all other queries.
const PAGES: usize = 20;

/// A list with all its relations at once.
#[derive(Debug, Default)]
pub(crate) struct References {
    /// What each relation is asked for by, in each form; none where it is not offered.
    pub(crate) names: BTreeMap<String, [Option<String>; 3]>,
    /// How the list was read with all its relations in each form; none where it could not be.
    pub(crate) looks: [Option<Look>; 3],
    /// How it was read with the related records of soft-deleted ones.
    pub(crate) with_deleted: Option<Look>,
}

/// The references of a list; reads them when they are asked for first.
pub(crate) async fn of(context: &mut Context, list: usize) -> Result<Arc<References>, Trouble> {
    if let Some(known) = context.references.get(&list) {
        return Ok(Arc::clone(known));
    }
    let mut references = References::default();
    let surveyed = context.list(list);
    let pages = surveyed.live().count().div_ceil(surveyed.paging.at_least.max(1));
    let shows_deleted = surveyed.view(&Look::Trashed).is_some();
    for (at, form) in Form::ALL.into_iter().enumerate() {
        let name: fn(&_) -> String = match form {
            Form::Records => |relation| Form::Records.name(relation),
            Form::Count => |relation| Form::Count.name(relation),
            Form::Exists => |relation| Form::Exists.name(relation),
        };
        let offered = offered(context, name, &mut Tally::default()).await?;
        let mut all = Vec::new();
        for one in offered.iter().filter(|one| one.list == list) {
            let names = references.names.entry(one.relation.name.clone()).or_default();
            names[at] = Some(name(&one.relation));
            all.push(name(&one.relation));
        }
        if pages > PAGES || all.is_empty() {
            continue;
        }
        references.looks[at] = read(context, list, Look::Including(all.join(","))).await?;
        if form == Form::Records && shows_deleted {
            let look = Look::IncludingOfDeleted(all.join(","));
            references.with_deleted = read(context, list, look).await?;
        }
    }
    let references = Arc::new(references);
    context.references.insert(list, Arc::clone(&references));
    Ok(references)
}

/// A way to read a list, if it could be read so.
async fn read(context: &mut Context, list: usize, look: Look) -> Result<Option<Look>, Trouble> {
    let view = context.view(list, &look).await?;
    let is_read = view.is_some_and(|view| view.listed.reading().is_some());
    Ok(is_read.then_some(look))
}

/// The relation, asked for of the first record of one way to read its list at which something seems wrong.
pub(super) fn suspect(
    context: &Context,
    one: &Offered,
    look: Option<&Look>,
    seems_wrong: impl Fn(&str, &Record) -> bool,
) -> Option<Offered> {
    let list = context.list(one.list);
    let by_id = SeenFilter::of(one.list, list.subject.by_identifier()?)?;
    if context.failed(one.list, &by_id.name).is_some() {
        return None;
    }
    let view = list.view(look?)?;
    let (id, record) = view.records().find(|(id, record)| seems_wrong(id, record))?;
    let mut query = Query::by(&by_id, id);
    if list.subject.is_deleted(record) {
        let scope = SeenFilter::of(one.list, trashed(context, one.list)?)?;
        query = query.and(&scope, WITH);
    }
    Some(Offered { query, ..one.clone() })
}

/// The references of every list that some relations are of.
pub(super) async fn of_all(
    context: &mut Context,
    offered: &[Offered],
) -> Result<BTreeMap<usize, Arc<References>>, Trouble> {
    let lists: BTreeSet<usize> = offered.iter().map(|one| one.list).collect();
    let mut all = BTreeMap::new();
    for list in lists {
        all.insert(list, of(context, list).await?);
    }
    Ok(all)
}
