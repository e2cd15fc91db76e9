//! How bounds are read (D12).

use rollcall_contract::Match;
use rollcall_oracle::corpus::predicate::{MemberValue, ObservableFilter};
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;

use super::first_page::FirstPage;
use crate::cases::filters;
use crate::checks::CheckFuture;
use crate::checks::dates::time_of_day;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;

/// Forms of a timestamp besides those the specification names.
const FORMS: [(&str, &str); 4] = [
    ("a date-time with an offset", "2021-03-01T00:00:00+02:00"),
    ("a date with a month name", "1 March 2021"),
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
        for (name, reading) in time_of_day::readings(engine).await? {
            result.observe("L15", format!("a time of day in {name}"), reading.describe());
        }
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
        let equal = bounds.first().and_then(|filter| {
            request_with_bound(engine, filter, |shown| match shown {
                MemberValue::Value(timestamp) => Some(timestamp),
                MemberValue::Null | MemberValue::Unknown => None,
            })
        });
        let unset = bounds.iter().find_map(|filter| {
            let last = |shown| (shown == MemberValue::Null).then(|| LAST.to_owned());
            request_with_bound(engine, filter, last)
        });
        for (question, found) in [
            ("a timestamp equal to its bound", equal),
            ("a record without the timestamp", unset),
        ] {
            let Some((list, request)) = found else { continue };
            let first_page = FirstPage::to(engine, list, &request).await?;
            let word = first_page.word_or("outside", &[]);
            result.observe("L16", question, word.replace("other records", "inside"));
        }
        result.gap_if_unobserved("a record with a timestamp");
        Ok(())
    })
}

/// L16: the request for the first live record of which the filter's member gives a bound, by identifier and bound, and the
/// list it goes to.
fn request_with_bound(
    engine: &Engine,
    filter: &ObservableFilter,
    bound: impl Fn(MemberValue) -> Option<String>,
) -> Option<(usize, Request)> {
    let by_id = engine.list(filter.list).spec.by_identifier()?;
    let mut live = engine.seen(filter)?.live();
    let (id, bound) = live.find_map(|(id, record)| Some((id, bound(filter.member_value(record))?)))?;
    let request = engine.query(filter.list, &[(&by_id.name, id), (&filter.name, &bound)]);
    Some((filter.list, request))
}

/// L17: windows over timestamps that no record shows.
async fn unseen(engine: &mut Engine, result: &mut CheckResult) -> Result<(), TargetError> {
    for list in engine.readable() {
        let spec = &engine.list(list).spec;
        let bounds = spec.matching(Match::Before).chain(spec.matching(Match::After));
        let unseen = bounds.filter(|judged| !judged.filter.shown);
        let unseen = unseen.map(|judged| (judged.name.clone(), judged.filter.matching));
        for (name, matching) in unseen.collect::<Vec<_>>() {
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
