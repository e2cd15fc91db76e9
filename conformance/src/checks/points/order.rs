//! In what order records come (O9).

use std::cmp::Ordering;

use rollcall_contract::{Pointer, Role};
use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::listing::Pages;
use rollcall_oracle::corpus::members::shown_at;
use rollcall_oracle::corpus::order::{Key, SortField};
use rollcall_oracle::corpus::predicate::folded;
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::http::target::TargetError;
use serde_json::Value;

use super::first_page::{FirstPage, granted};
use crate::checks::CheckFuture;
use crate::discovery::sorting::{self, SortSupport};
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;

/// With fewer records any order looks like some other.
const ENOUGH: usize = 8;
/// So many fields are read in their order to tell the collation.
const TELLING: usize = 3;

pub(super) fn observed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in sorting::lists(engine) {
            usual(engine, list, result).await?;
            fields(engine, list, result).await?;
        }
        result.gap_if_unobserved(format!("a list with {ENOUGH} records"));
        Ok(())
    })
}

/// L5: the order without being asked for one.
async fn usual(engine: &mut Engine, list: usize, result: &mut CheckResult) -> Result<(), TargetError> {
    let whole = FirstPage::of(engine, list, &[]).await?;
    let records = whole.records.unwrap_or_default();
    if records.len() < ENOUGH {
        return Ok(());
    }
    let list_corpus = engine.list(list);
    let by = |order: Ordering| {
        let mut fields = list_corpus.spec.list.sort.iter();
        fields.find(|(_, place)| {
            let keys = records.iter().map(|record| place.find(record)?.as_str());
            let keys: Option<Vec<&str>> = keys.collect();
            keys.is_some_and(|keys| keys.windows(2).all(|pair| pair[0].cmp(pair[1]) == order))
        })
    };
    let is_stable = list_corpus.paging.stable && list_corpus.paging.sort.is_none();
    let choice = match (is_stable, by(Ordering::Less), by(Ordering::Greater)) {
        (false, _, _) => "another each time".to_owned(),
        (_, Some((field, _)), _) => field.clone(),
        (_, _, Some((field, _))) => format!("-{field}"),
        _ => "by nothing that is shown".to_owned(),
    };
    let question = format!("the usual order of {}", list_corpus.spec.name());
    result.observe("L5", question, choice);
    Ok(())
}

/// L5, L6, L7, L19: the fields to sort by. What a list answers to each of them was asked when it was found out whether the
/// field sorts.
async fn fields(engine: &mut Engine, list: usize, result: &mut CheckResult) -> Result<(), TargetError> {
    let spec = engine.list(list).spec.clone();
    let (Some(parameter), name) = (spec.parameter(Role::Sort), spec.name()) else {
        return Ok(());
    };
    let sortable = sorting::of(engine, list).await?;
    let mut nulls = None;
    for (field, place) in &spec.list.sort {
        let Some(query) = sortable.query(field) else {
            continue;
        };
        let requests = sorting::in_both_directions(engine.list(list), query, field);
        let answers = engine.ask_all(list, &requests).await?;
        let [up, down] = answers.as_slice() else { continue };
        let question = format!("{name} sorted by {field}");
        result.observe("L5", question, granted(up.exchange()));
        nulls = nulls.or_else(|| {
            let pages = [up.reading()?, down.reading()?];
            nulls_of(engine.list(list), query, place, pages)
        });
    }
    if let Some(nulls) = nulls {
        result.observe("L5", format!("{name} without the field sorted by"), nulls);
    }
    if let Some(collation) = collation(engine, list, &sortable).await? {
        result.observe("L19", format!("the order of texts in {name}"), collation);
    }
    let unknown = engine.choice("field").word(8);
    let first_page = FirstPage::of(engine, list, &[(parameter, &unknown)]).await?;
    let question = format!("{name} sorted by an unknown field");
    result.observe("L6", question, first_page.granted());
    if let Some((field, _)) = spec.list.sort.first() {
        let twice = format!("{field},-{field}");
        let first_page = FirstPage::of(engine, list, &[(parameter, &twice)]).await?;
        let question = format!("{name} sorted by a field twice");
        result.observe("L7", question, first_page.granted());
    }
    Ok(())
}

/// Where records stand that have nothing to be sorted by, where some that are asked for have and some have not.
fn nulls_of(
    list: &ListCorpus,
    query: &Query,
    place: &Pointer,
    [up, down]: [&Pages; 2],
) -> Option<&'static str> {
    let is_null = |record: &Value| shown_at(place, record).is_some_and(Value::is_null);
    let asked: Vec<&Value> = match query.first_page {
        // The answer has a part of them only.
        true => list.live().map(|(_, record)| &**record).collect(),
        false => up.records.iter().map(|record| &***record).collect(),
    };
    let unset = asked.iter().filter(|record| is_null(record)).count();
    if unset == 0 || unset == asked.len() {
        return None;
    }
    let (lowest, highest) = (up.records.first()?, down.records.first()?);
    Some(match (is_null(lowest), is_null(highest)) {
        (false, false) => "last",
        (true, true) => "first",
        (true, false) => "as the smallest",
        (false, true) => "as the largest",
    })
}

/// The collation that the orders by texts have in common, if their values tell it from every other.
async fn collation(
    engine: &mut Engine,
    list: usize,
    sortable: &SortSupport,
) -> Result<Option<&'static str>, TargetError> {
    let mut rising = [true; COLLATIONS.len()];
    let live: Vec<&Value> = engine.list(list).live().map(|(_, record)| &**record).collect();
    let fields = sortable.sorting.iter().map(|(field, _)| field);
    let fields = fields.filter(|field| is_discriminating(field, &live));
    let fields: Vec<&SortField> = fields.take(TELLING).collect();
    for field in fields {
        let request = Query::default().sorted(&[&field.name]).request(engine.list(list));
        let answer = engine.ask(list, &request).await?;
        let keys = sorting::keys(field, &answer).unwrap_or_default();
        let texts: Vec<String> = keys.into_iter().filter_map(text_of).collect();
        for (rises, (_, key)) in rising.iter_mut().zip(COLLATIONS) {
            *rises &= texts.windows(2).all(|pair| key(&pair[0]) <= key(&pair[1]));
        }
    }
    Ok(match rising {
        [true, false] => Some(COLLATIONS[0].0),
        [false, true] => Some(COLLATIONS[1].0),
        [false, false] => Some("otherwise"),
        [true, true] => None,
    })
}

/// Whether the collations put the values of a field in different orders.
fn is_discriminating(field: &SortField, records: &[&Value]) -> bool {
    let texts = records.iter().filter_map(|record| text_of(field.key(record)?));
    let mut texts: Vec<String> = texts.collect();
    texts.sort_by_key(|text| COLLATIONS[0].1(text));
    !texts.is_sorted_by_key(|text| COLLATIONS[1].1(text))
}

/// What a record shows of a field, if that is a text.
fn text_of(key: Key) -> Option<String> {
    match key {
        Key::Text(text) => Some(text),
        _ => None,
    }
}

/// The form of a text by which it is compared.
type CollationKey = fn(&str) -> String;

/// How texts may be compared.
const COLLATIONS: [(&str, CollationKey); 2] =
    [("by bytes", str::to_owned), ("by letters without case", folded)];
