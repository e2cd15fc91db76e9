//! What questions to one list are made of, as far as the target answers it.

use rollcall_contract::{Match, Role, SortKey};

use crate::context::Context;
use crate::corpus::Look;
use crate::query::{Query, including, sorting};
use crate::request::Request;
use crate::seen::{Says, SeenFilter};
use crate::strategy::{Material, Probe, Shape, values};
use crate::target::Trouble;

/// So many records are the material of questions.
const RECORDS: usize = 40;

/// What questions to one list are made of.
pub(super) struct Ground {
    /// The list, as an index into the corpus.
    pub(super) list: usize,
    /// Its filters, each with where its members are seen.
    pub(super) filters: Vec<SeenFilter>,
    /// What a strategy chooses from.
    pub(super) material: Material,
}

impl Ground {
    /// The question that a strategy has chosen.
    pub(super) fn query(&self, probe: &Probe) -> Query {
        let named = probe.filters.iter().filter_map(|(name, value)| {
            let filter = self.filters.iter().find(|filter| filter.name == *name)?;
            Some((filter.clone(), value.clone()))
        });
        Query {
            filters: named.collect(),
            sort: probe.sort.iter().map(|key| SortKey::parse(key)).collect(),
            include: probe.include.clone(),
            ..Query::default()
        }
    }
}

/// What can be asked of a list: filters that have not failed, with the values that find some of its records; sort fields
/// and relations that are answered.
pub(super) async fn ground(context: &mut Context, list: usize, shape: &Shape) -> Result<Ground, Trouble> {
    let mut filters = Vec::new();
    for judged in context.list(list).subject.filters.clone() {
        if let Some(filter) = SeenFilter::of(list, &judged)
            && context.failed(list, &filter.name).is_none()
        {
            if filter.look != Look::Default {
                context.view(list, &filter.look).await?;
            }
            filters.push(filter);
        }
    }
    let records: Vec<String> = context.list(list).live().map(|(id, _)| id.to_owned()).collect();
    let records = context.choice("together").some(&records, RECORDS);
    let rows = records.iter().map(|id| row(context, &filters, id)).collect();
    let model = context.list(list).subject.list.clone();
    let (mut sort, mut include) = (Vec::new(), Vec::new());
    if *shape.sort.end() > 0 {
        let names: Vec<String> = model.sort.iter().map(|(name, _)| name.clone()).collect();
        let names = context.choice("sort").some(&names, 4);
        let names = answered(context, list, Role::Sort, names, sorting).await?;
        sort = names
            .iter()
            .flat_map(|name| [name.clone(), format!("-{name}")])
            .collect();
    }
    if *shape.include.end() > 0 {
        let names: Vec<String> = model
            .relations
            .iter()
            .map(|relation| relation.name.clone())
            .collect();
        let names = context.choice("include").some(&names, 5);
        include = answered(context, list, Role::Include, names, including).await?;
    }
    Ok(Ground {
        list,
        filters,
        material: Material {
            records: rows,
            sort,
            include,
        },
    })
}

/// The filters that find a record, with values that do.
fn row(context: &Context, filters: &[SeenFilter], id: &str) -> Vec<(String, Vec<String>)> {
    let found = filters.iter().filter_map(|filter| {
        let record = context.seen(filter)?.record(id)?;
        let candidates = match (filter.matching, filter.places.is_empty()) {
            (Match::Flag, true) => vec!["true".to_owned()],
            _ => {
                let members = filter.places.iter().map(|place| place.find(record));
                members
                    .flat_map(|member| values(filter.matching, member))
                    .collect()
            }
        };
        let candidates = candidates.into_iter();
        let found: Vec<_> = candidates
            .filter(|value| filter.says(record, value) == Says::Yes)
            .collect();
        (!found.is_empty()).then(|| (filter.name.clone(), found))
    });
    found.collect()
}

/// The names that the target answers when they are given for a parameter, and that have not failed.
async fn answered(
    context: &mut Context,
    list: usize,
    role: Role,
    names: Vec<String>,
    account: fn(&str) -> String,
) -> Result<Vec<String>, Trouble> {
    let subject = &context.list(list).subject;
    let Some(parameter) = subject.parameter(role).map(str::to_owned) else {
        return Ok(Vec::new());
    };
    let path = subject.operation.path.clone();
    let mut answered = Vec::new();
    for name in names {
        let request = Request::get(&path).with(&parameter, &name);
        if context.failed(list, &account(&name)).is_none()
            && context.target.send(&request).await?.is_success()
        {
            answered.push(name);
        }
    }
    Ok(answered)
}
