//! In what order records come (O9).

use rollcall_contract::{Pointer, Role};
use serde_json::Value;

use super::came::Came;
use crate::checks::Looking;
use crate::checks::sort::sortable;
use crate::context::Context;
use crate::members::shown_at;
use crate::order::{Key, SortField};
use crate::outcome::Tally;
use crate::query::Query;
use crate::seen::folded;
use crate::target::Trouble;

/// With fewer records any order looks like some other.
const ENOUGH: usize = 8;
/// So many fields are read in their order to tell the collation.
const TELLING: usize = 3;

pub(super) fn observed<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for list in context.readable() {
            if !context.list(list).subject.specified {
                continue;
            }
            usual(context, list, tally).await?;
            fields(context, list, tally).await?;
        }
        tally.gap_if_unobserved(format!("a list with {ENOUGH} records"));
        Ok(())
    })
}

/// L5: the order without being asked for one.
async fn usual(context: &mut Context, list: usize, tally: &mut Tally) -> Result<(), Trouble> {
    let whole = Came::of(context, list, &[]).await?;
    let records = whole.records.unwrap_or_default();
    if records.len() < ENOUGH {
        return Ok(());
    }
    let surveyed = context.list(list);
    let fields = surveyed.subject.list.sort.iter();
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
        surveyed.paging.stable && surveyed.paging.sort.is_none(),
        by(false),
        by(true),
    ) {
        (false, _, _) => "another each time".to_owned(),
        (_, Some((field, _)), _) => field.clone(),
        (_, _, Some((field, _))) => format!("-{field}"),
        _ => "by nothing that is shown".to_owned(),
    };
    tally.observe(
        "L5",
        format!("the usual order of {}", surveyed.subject.name()),
        choice,
    );
    Ok(())
}

/// L5, L6, L7, L19: the fields to sort by.
async fn fields(context: &mut Context, list: usize, tally: &mut Tally) -> Result<(), Trouble> {
    let subject = context.list(list).subject.clone();
    let Some(name) = subject.parameter(Role::Sort) else {
        return Ok(());
    };
    let mut nulls = None;
    for (field, place) in &subject.list.sort {
        let came = Came::of(context, list, &[(name, field)]).await?;
        tally.observe(
            "L5",
            format!("{} sorted by {field}", subject.name()),
            came.granted(),
        );
        let turned = Came::of(context, list, &[(name, &format!("-{field}"))]).await?;
        nulls = nulls.or(nulls_of(context, list, place, &came, &turned));
    }
    if let Some(nulls) = nulls {
        tally.observe(
            "L5",
            format!("{} without the field sorted by", subject.name()),
            nulls,
        );
    }
    if let Some(collation) = collation(context, list).await? {
        tally.observe(
            "L19",
            format!("the order of texts in {}", subject.name()),
            collation,
        );
    }
    let unknown = context.choice("field").word(8);
    let came = Came::of(context, list, &[(name, &unknown)]).await?;
    tally.observe(
        "L6",
        format!("{} sorted by an unknown field", subject.name()),
        came.granted(),
    );
    if let Some((field, _)) = subject.list.sort.first() {
        let twice = format!("{field},-{field}");
        let came = Came::of(context, list, &[(name, &twice)]).await?;
        tally.observe(
            "L7",
            format!("{} sorted by a field twice", subject.name()),
            came.granted(),
        );
    }
    Ok(())
}

/// Where records stand that have nothing to be sorted by, where some have and some have not.
fn nulls_of(context: &Context, list: usize, place: &Pointer, up: &Came, down: &Came) -> Option<&'static str> {
    let live: Vec<_> = context.list(list).live().map(|(_, record)| &**record).collect();
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
async fn collation(context: &mut Context, list: usize) -> Result<Option<&'static str>, Trouble> {
    let sortable = sortable::of(context, list).await?;
    let mut rising = [true; COLLATIONS.len()];
    let live: Vec<&Value> = context.list(list).live().map(|(_, record)| &**record).collect();
    let fields = sortable.sorting.iter().map(|(field, _)| field);
    let telling = fields.filter(|field| is_telling(field, &live)).take(TELLING);
    let telling: Vec<SortField> = telling.cloned().collect();
    for field in &telling {
        let request = Query::default()
            .sorted(&[&field.name])
            .request(context.list(list));
        let answer = context.ask(list, &request).await?;
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
