//! How a bound with a time of day is read (D11): one record, with bounds an hour before and after it.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use rollcall_contract::Match;
use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::predicate::{MemberValue, ObservableFilter};
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::Violation;
use rollcall_oracle::open_points::date_bound::BoundReading;
use rollcall_oracle::open_points::timestamp::{self, iso, with_blank};
use serde_json::Value;

use super::bounds::{Window, windows};
use crate::checks::CheckFuture;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;
use crate::engine::{Engine, TOGETHER};

/// A bound this far from a record is on the same day, and not so near that it matters whether it is included.
const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// One record that a filter can find, and bounds on its day.
#[derive(Clone)]
struct DayOfRecord {
    window: Window,
    id: String,
    /// The timestamp of the record.
    at: Timestamp,
}

/// Judges each pair of filters, alone and together.
pub(super) fn read_alike<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for window in windows(engine, true) {
            let Some(day) = DayOfRecord::of(engine, window.clone()) else {
                let (before, after) = (&window.before.name, &window.after.name);
                result.gap(format!(
                    "{before} and {after}: a record in the middle hours of its day"
                ));
                continue;
            };
            for filter in [&day.window.before, &day.window.after] {
                cases.extend(day.alone(engine, filter).await?);
            }
            cases.extend(day.together(engine).await?);
        }
        engine.run_cases(cases, result).await?;
        result.gap_if_empty("a record in the middle hours of its day");
        Ok(())
    })
}

/// How the target reads the bounds of each filter, as far as a record shows it.
pub(in crate::checks) async fn readings(
    engine: &mut Engine,
) -> Result<Vec<(String, BoundReading)>, TargetError> {
    let mut readings = Vec::new();
    for window in windows(engine, true) {
        let Some(day) = DayOfRecord::of(engine, window) else {
            continue;
        };
        for filter in [&day.window.before, &day.window.after] {
            let mut found = Vec::new();
            for query in day.queries(engine, filter) {
                let answer = engine
                    .ask(filter.list, &query.request(engine.list(filter.list)))
                    .await?;
                found.push(day.is_in(&answer));
                if BoundReading::of(&found).is_some() {
                    break;
                }
            }
            readings.extend(BoundReading::of(&found).map(|reading| (filter.name.clone(), reading)));
        }
    }
    Ok(readings)
}

impl DayOfRecord {
    /// A record at least two hours from midnight.
    fn of(engine: &Engine, window: Window) -> Option<Self> {
        let list = engine.list(window.list);
        let mut records = list.widest_snapshot()?.records();
        let (id, at) = records.find_map(|(id, record)| {
            let at = timestamp_of(&window, record)?;
            let second = at.as_second().rem_euclid(86_400);
            let findable = window.scope.is_some() || !list.spec.is_deleted(record);
            (findable && (7_200..79_200).contains(&second)).then(|| (id.to_owned(), at))
        })?;
        Some(Self { window, id, at })
    }

    /// The bounds at which the record is found, and is not found, if the time of day counts; then the first and the last one of
    /// its day.
    fn bounds(&self, matching: Match) -> [Timestamp; 4] {
        let (earlier, later) = (timestamp::later(self.at, -HOUR), timestamp::later(self.at, HOUR));
        let first = timestamp::midnight(self.at);
        let last = timestamp::later(first, SignedDuration::from_secs(86_399));
        match matching {
            Match::Before => [later, earlier, first, last],
            _ => [earlier, later, first, last],
        }
    }

    /// The questions by one filter and each bound, about the record alone.
    fn queries(&self, engine: &Engine, filter: &ObservableFilter) -> Vec<Query> {
        let bounds = self.bounds(filter.matching).into_iter();
        let queries = bounds.map(|bound| Query::by(filter, iso(bound)));
        queries.filter_map(|query| self.alone_in(engine, query)).collect()
    }

    /// A question about the record alone.
    fn alone_in(&self, engine: &Engine, query: Query) -> Option<Query> {
        let by_id = engine.list(self.window.list).spec.by_identifier()?;
        let by_id = ObservableFilter::of(self.window.list, by_id)?;
        Some(self.window.scoped(query.and(&by_id, &self.id)))
    }

    fn is_in(&self, answer: &ListResponse) -> bool {
        let reading = answer.reading();
        reading.is_some_and(|reading| reading.ids().contains(self.id.as_str()))
    }

    /// Whether the record has moved away from its day.
    fn has_moved(&self, list: &ListCorpus) -> bool {
        let snapshot = list.widest_snapshot();
        let record = snapshot.and_then(|snapshot| snapshot.record(&self.id));
        record.and_then(|record| timestamp_of(&self.window, record)) != Some(self.at)
    }

    /// The bounds of one filter are read as timestamps, or as whole days.
    async fn alone(
        &self,
        engine: &mut Engine,
        filter: &ObservableFilter,
    ) -> Result<Option<Case>, TargetError> {
        let mut queries = self.queries(engine, filter);
        let requests = |engine: &Engine, queries: &[Query]| -> Vec<_> {
            let list = engine.list(filter.list);
            queries.iter().map(|query| query.request(list)).collect()
        };
        let first = queries
            .get(..2)
            .map(|queries| requests(engine, queries))
            .unwrap_or_default();
        let answers = engine.ask_all(filter.list, &first).await?;
        let found: Vec<bool> = answers.iter().map(|answer| self.is_in(answer)).collect();
        if BoundReading::of(&found).is_some() {
            // The other bounds of the day tell nothing more.
            queries.truncate(2);
        }
        let requests = requests(engine, &queries);
        let (day, matching) = (self.clone(), filter.matching);
        let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| {
            let found: Vec<bool> = answers.iter().map(|answer| day.is_in(answer)).collect();
            if day.has_moved(list) || BoundReading::of(&found).is_some() {
                return None;
            }
            let bounds = day.bounds(matching);
            let expected = format!(
                "{}, which has {}, under the bound {} and not under {}; or the same under every bound of its day",
                day.id,
                day.at,
                iso(bounds[0]),
                iso(bounds[1])
            );
            let told = bounds.iter().zip(&found).map(|(bound, found)| {
                let word = if *found { "found" } else { "not found" };
                format!("{word} under {}", iso(*bound))
            });
            let actual = Vec::from_iter(told).join(", ");
            Violation::of_records([day.id.clone()].into(), expected, |_| actual)
        };
        let about = (filter.name.clone(), filter.clause.clone());
        let case = Case::new(filter.list, about, requests, judge).resting_on(self.rests_on(engine));
        Ok((!queries.is_empty()).then(|| case.invalidates([filter.name.clone()])))
    }

    /// A window of two bounds. One of two hours has few records, so that it needs no further filter.
    fn between(&self, end: &str, begin: &str) -> Query {
        let [before, after] = [&self.window.before, &self.window.after];
        self.window.scoped(Query::by(after, begin).and(before, end))
    }

    /// How bounds are written together: with a blank, while alone they are written as ISO 8601, so that a form which one filter reads in
    /// another time zone shows. A target whose filters both read a date with time in its own zone is not judged by that: they name none.
    async fn spelling(&self, engine: &mut Engine) -> Result<fn(Timestamp) -> String, TargetError> {
        let list = self.window.list;
        let filters = [&self.window.before, &self.window.after];
        let [[end, _, ..], [begin, _, ..]] = filters.map(|filter| self.bounds(filter.matching));
        let between = self.between(&with_blank(end), &with_blank(begin));
        let answer = engine.ask(list, &between.request(engine.list(list))).await?;
        if self.is_in(&answer) {
            return Ok(with_blank);
        }
        let mut found = Vec::new();
        for filter in filters {
            for bound in &self.bounds(filter.matching)[..2] {
                let Some(query) = self.alone_in(engine, Query::by(filter, with_blank(*bound))) else {
                    return Ok(iso);
                };
                let answer = engine.ask(list, &query.request(engine.list(list))).await?;
                found.push(self.is_in(&answer));
            }
        }
        let in_one_zone = [[false, false, true, true], [true, true, false, false]];
        Ok(match in_one_zone.iter().any(|zone| found == zone) {
            true => iso,
            false => with_blank,
        })
    }

    /// Two bounds together find the record exactly if each finds it alone.
    async fn together(&self, engine: &mut Engine) -> Result<Vec<Case>, TargetError> {
        let spelled = self.spelling(engine).await?;
        let [before, after] = [&self.window.before, &self.window.after];
        let bounds = |filter: &ObservableFilter| {
            let [inside, outside, ..] = self.bounds(filter.matching);
            [inside, outside]
        };
        let pairs = [(0, 0), (0, 1), (1, 0)];
        let engine = &*engine;
        let cases = pairs.into_iter().filter_map(|(one, other)| {
            let (end, begin) = (bounds(before)[one], bounds(after)[other]);
            let window = self.between(&spelled(end), &spelled(begin));
            let bounds = [Query::by(before, iso(end)), Query::by(after, iso(begin))];
            let bounds = bounds.into_iter().map(|query| self.alone_in(engine, query));
            let bounds = bounds.collect::<Option<Vec<_>>>()?;
            let queries = [vec![window], bounds].concat();
            let list = engine.list(self.window.list);
            let requests = queries.iter().map(|query| query.request(list)).collect();
            let day = self.clone();
            let judge = move |answers: &[Arc<ListResponse>], list: &ListCorpus| {
                let [both, before, after] = [0, 1, 2].map(|at: usize| day.is_in(&answers[at]));
                let is_refused = answers[0].reading().is_none();
                if is_refused || day.has_moved(list) || both == (before && after) {
                    return None;
                }
                let word = |found: bool| if found { "found" } else { "not found" };
                let expected = format!(
                    "{}, which has {}, between two bounds if each finds it",
                    day.id, day.at
                );
                let actual = format!(
                    "{} after {} and before {}; {} before {} alone, {} after {} alone",
                    word(both),
                    spelled(begin),
                    spelled(end),
                    word(before),
                    iso(end),
                    word(after),
                    iso(begin)
                );
                Violation::of_records([day.id.clone()].into(), expected, |_| actual)
            };
            let names = [before.name.clone(), after.name.clone()];
            let about = (names.join(" and "), before.clause.clone());
            let case = Case::new(self.window.list, about, requests, judge);
            Some(case.resting_on(self.rests_on(engine)).invalidates(names))
        });
        Ok(cases.collect())
    }

    /// The parameters that the questions take for granted.
    fn rests_on(&self, engine: &Engine) -> Vec<String> {
        let by_id = engine.list(self.window.list).spec.by_identifier();
        let by_id = by_id.map(|judged| judged.name.clone());
        by_id.into_iter().chain([TOGETHER.to_owned()]).collect()
    }
}

/// The timestamp that a record shows.
fn timestamp_of(window: &Window, record: &Value) -> Option<Timestamp> {
    match window.before.member_value(record) {
        MemberValue::Value(text) => timestamp::read(&text),
        MemberValue::Null | MemberValue::Unknown => None,
    }
}
