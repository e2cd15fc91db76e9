//! How bounds are read (D12).

use rollcall_contract::Match;

use super::first_page::FirstPage;
use crate::checks::CheckFuture;
use crate::checks::cases::filters;
use crate::corpus::predicate::{MemberValue, ObservableFilter};
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::http::target::TargetError;

/// Forms of a timestamp besides those the specification names.
const FORMS: [(&str, &str); 4] = [
    ("a date-time with an offset", "2021-03-01T00:00:00+02:00"),
    ("a date in words", "1 March 2021"),
    ("seconds since 1970", "1614556800"),
    ("a text that is no timestamp", "nonsense"),
];
/// A timestamp before all data.
const FIRST: &str = "1900-01-01T00:00:00Z";
/// A timestamp after all data.
const LAST: &str = "2199-12-31T00:00:00Z";

pub(super) fn observed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        unseen(engine, result).await?;
        let bounds = filters(engine, Match::Before, &mut CheckResult::default()).await?;
        if let Some(filter) = bounds.first() {
            let whole = FirstPage::of(engine, filter.list, &[]).await?;
            for (question, form) in FORMS {
                let first_page = FirstPage::of(engine, filter.list, &[(&filter.name, form)]).await?;
                let choice = match (first_page.records.is_some(), first_page.ids() == whole.ids()) {
                    (true, false) => "accepted".to_owned(),
                    // A bound that all data is on one side of looks just so.
                    (true, true) => "accepted or ignored".to_owned(),
                    (false, _) => first_page.granted(),
                };
                result.observe("L15", question, choice);
            }
        }
        for (index, filter) in bounds.iter().enumerate() {
            if index == 0 {
                border(engine, filter, result).await?;
            }
            if nulls(engine, filter, result).await? {
                break;
            }
        }
        result.gap_if_unobserved("a record with a timestamp");
        Ok(())
    })
}

/// L16: whether a bound belongs to what it bounds.
async fn border(
    engine: &mut Engine,
    filter: &ObservableFilter,
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    let shown = of_live(engine, filter, |shown| match shown {
        MemberValue::Value(timestamp) => Some(timestamp),
        MemberValue::Null | MemberValue::Unknown => None,
    });
    let (Some((id, timestamp)), Some(by_id)) = (shown, by_id(engine, filter)) else {
        return Ok(());
    };
    let first_page = FirstPage::of(engine, filter.list, &[(&by_id, &id), (&filter.name, &timestamp)]).await?;
    result.observe(
        "L16",
        "a timestamp equal to its bound",
        match first_page.word(&[]).as_str() {
            "[]" => "outside",
            "other records" => "inside",
            word => word,
        },
    );
    Ok(())
}

/// L16: whether a record without a timestamp is before any; whether that could be seen.
async fn nulls(
    engine: &mut Engine,
    filter: &ObservableFilter,
    result: &mut CheckResult,
) -> Result<bool, TargetError> {
    let unset = of_live(engine, filter, |shown| (shown == MemberValue::Null).then_some(()));
    let (Some((id, ())), Some(by_id)) = (unset, by_id(engine, filter)) else {
        return Ok(false);
    };
    let first_page = FirstPage::of(engine, filter.list, &[(&by_id, &id), (&filter.name, LAST)]).await?;
    result.observe(
        "L16",
        "a record without the timestamp",
        match first_page.word(&[]).as_str() {
            "[]" => "outside",
            "other records" => "inside",
            word => word,
        },
    );
    Ok(true)
}

/// The first live record of which the filter's member tells something, and what it tells.
fn of_live<T>(
    engine: &Engine,
    filter: &ObservableFilter,
    tell: impl Fn(MemberValue) -> Option<T>,
) -> Option<(String, T)> {
    let mut records = engine.seen(filter)?.records();
    let spec = &engine.list(filter.list).spec;
    records.find_map(|(id, record)| {
        let told = tell(filter.shown(record)).filter(|_| !spec.is_deleted(record))?;
        Some((id.to_owned(), told))
    })
}

fn by_id(engine: &Engine, filter: &ObservableFilter) -> Option<String> {
    let by_id = engine.list(filter.list).spec.by_identifier()?;
    Some(by_id.name.clone())
}

/// L17: windows over timestamps that no record shows.
async fn unseen(engine: &mut Engine, result: &mut CheckResult) -> Result<(), TargetError> {
    for list in engine.readable() {
        let spec = &engine.list(list).spec;
        let bounds = spec.matching(Match::Before).chain(spec.matching(Match::After));
        let unseen: Vec<_> = bounds
            .filter(|judged| !judged.filter.shown)
            .map(|judged| (judged.name.clone(), judged.filter.matching))
            .collect();
        for (name, matching) in unseen {
            let bound = if matching == Match::Before { LAST } else { FIRST };
            let first_page = FirstPage::of(engine, list, &[(&name, bound)]).await?;
            let choice = match first_page.first() {
                Some(_) => "finds records".to_owned(),
                // Whether there is anything to be found is for the data to say.
                None => first_page.granted(),
            };
            result.observe("L17", name, choice);
        }
    }
    Ok(())
}
