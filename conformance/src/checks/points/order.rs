//! In what order records come (O9).

use rollcall_contract::{Pointer, Role};
use serde_json::Value;

use super::first_page::FirstPage;
use crate::checks::CheckFuture;
use crate::checks::sort::sortable;
use crate::corpus::members::shown_at;
use crate::corpus::order::{Key, SortField};
use crate::corpus::predicate::folded;
use crate::corpus::query::Query;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::http::target::TargetError;

/// With fewer records any order looks like some other.
const ENOUGH: usize = 8;
/// So many fields are read in their order to tell the collation.
const TELLING: usize = 3;

pub(super) fn observed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in engine.readable() {
            if !engine.list(list).spec.specified {
                continue;
            }
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
    let fields = list_corpus.spec.list.sort.iter();
    let by = |turned: bool| {
        fields.clone().find(|(_, place)| {
            let keys: Option<Vec<_>> = records
                .iter()
                .map(|record| place.find(record)?.as_str())
                .collect();
            keys.is_some_and(|keys| {
                keys.windows(2).all(|pair| {
                    if turned {
                        pair[0] > pair[1]
                    } else {
                        pair[0] < pair[1]
                    }
                })
            })
        })
    };
    let choice = match (
        list_corpus.paging.stable && list_corpus.paging.sort.is_none(),
        by(false),
        by(true),
    ) {
        (false, _, _) => "another each time".to_owned(),
        (_, Some((field, _)), _) => field.clone(),
        (_, _, Some((field, _))) => format!("-{field}"),
        _ => "by nothing that is shown".to_owned(),
    };
    result.observe(
        "L5",
        format!("the usual order of {}", list_corpus.spec.name()),
        choice,
    );
    Ok(())
}

/// L5, L6, L7, L19: the fields to sort by.
async fn fields(engine: &mut Engine, list: usize, result: &mut CheckResult) -> Result<(), TargetError> {
    let spec = engine.list(list).spec.clone();
    let Some(name) = spec.parameter(Role::Sort) else {
        return Ok(());
    };
    let mut nulls = None;
    for (field, place) in &spec.list.sort {
        let first_page = FirstPage::of(engine, list, &[(name, field)]).await?;
        result.observe(
            "L5",
            format!("{} sorted by {field}", spec.name()),
            first_page.granted(),
        );
        let turned = FirstPage::of(engine, list, &[(name, &format!("-{field}"))]).await?;
        nulls = nulls.or(nulls_of(engine, list, place, &first_page, &turned));
    }
    if let Some(nulls) = nulls {
        result.observe(
            "L5",
            format!("{} without the field sorted by", spec.name()),
            nulls,
        );
    }
    if let Some(collation) = collation(engine, list).await? {
        result.observe("L19", format!("the order of texts in {}", spec.name()), collation);
    }
    let unknown = engine.choice("field").word(8);
    let first_page = FirstPage::of(engine, list, &[(name, &unknown)]).await?;
    result.observe(
        "L6",
        format!("{} sorted by an unknown field", spec.name()),
        first_page.granted(),
    );
    if let Some((field, _)) = spec.list.sort.first() {
        let twice = format!("{field},-{field}");
        let first_page = FirstPage::of(engine, list, &[(name, &twice)]).await?;
        result.observe(
            "L7",
            format!("{} sorted by a field twice", spec.name()),
            first_page.granted(),
        );
    }
    Ok(())
}

/// Where records stand that have nothing to be sorted by, where some have and some have not.
fn nulls_of(
    engine: &Engine,
    list: usize,
    place: &Pointer,
    up: &FirstPage,
    down: &FirstPage,
) -> Option<&'static str> {
    let live: Vec<_> = engine.list(list).live().map(|(_, record)| &**record).collect();
    let is_null = |record: &Value| shown_at(place, record).is_some_and(Value::is_null);
    let unset = live.iter().filter(|record| is_null(record)).count();
    if unset == 0 || unset == live.len() {
        return None;
    }
    Some(match (is_null(up.first()?), is_null(down.first()?)) {
        (false, false) => "last",
        (true, true) => "first",
        (true, false) => "as the smallest",
        (false, true) => "as the largest",
    })
}

/// The collation that the orders by texts have in common, if their values tell it from every other.
async fn collation(engine: &mut Engine, list: usize) -> Result<Option<&'static str>, TargetError> {
    let sortable = sortable::of(engine, list).await?;
    let mut rising = [true; COLLATIONS.len()];
    let live: Vec<&Value> = engine.list(list).live().map(|(_, record)| &**record).collect();
    let fields = sortable.sorting.iter().map(|(field, _)| field);
    let discriminating_power = fields.filter(|field| is_telling(field, &live)).take(TELLING);
    let discriminating_power: Vec<SortField> = discriminating_power.cloned().collect();
    for field in &discriminating_power {
        let request = Query::default().sorted(&[&field.name]).request(engine.list(list));
        let answer = engine.ask(list, &request).await?;
        let records = answer.reading().map(|reading| reading.records.as_slice());
        let texts: Vec<_> = records
            .unwrap_or_default()
            .iter()
            .filter_map(|record| match field.key(record)? {
                Key::Text(text) => Some(text),
                _ => None,
            })
            .collect();
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
fn is_telling(field: &SortField, records: &[&Value]) -> bool {
    let texts = records.iter().filter_map(|record| match field.key(record)? {
        Key::Text(text) => Some(text),
        _ => None,
    });
    let mut texts: Vec<String> = texts.collect();
    texts.sort_by_key(|text| COLLATIONS[0].1(text));
    !texts.is_sorted_by_key(|text| COLLATIONS[1].1(text))
}

/// The form of a text by which it is compared.
type CollationKey = fn(&str) -> String;

/// How texts may be compared.
const COLLATIONS: [(&str, CollationKey); 2] =
    [("by bytes", str::to_owned), ("by letters without case", folded)];
