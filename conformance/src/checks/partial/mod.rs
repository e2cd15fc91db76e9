//! §4.1, §4.4.2: partial filters. The checks; what is asked is chosen in [`needles`].

pub(super) mod needles;

use std::sync::Arc;

use rollcall_contract::Match;

use self::needles::Needles;
use super::cases::{exact, filters, nothing, refused_or_sound};
use super::exploration::{Stage, claim};
use super::{Check, CheckFuture, Level};
use crate::corpus::listing::ListResponse;
use crate::corpus::predicate::ObservableFilter;
use crate::corpus::query::Query;
use crate::corpus::search;
use crate::engine::Engine;
use crate::engine::case::Case;
use crate::engine::outcome::CheckResult;
use crate::http::target::TargetError;
use crate::oracle;
use crate::oracle::Violation;

const A_VALUE: &str = "for each filter a record that shows a value of four letters";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "X1",
        covers: &[],
        clause: "§4.4.2",
        level: Level::Must,
        says: "A partial filter finds every record whose value begins with, ends with or contains the requested text.",
        needs: A_VALUE,
        finds: "a search for beginnings or whole words only; a search in another member; missing records",
        advice: "Look for the value anywhere in the member, as it stands. A full-text index finds words and not parts \
                 of words.",
        core: true,
        run: |engine, result| claim(engine, result, Stage::Values, "X1"),
    },
    Check {
        id: "X2",
        covers: &["N3"],
        clause: "§4.4.2",
        level: Level::Must,
        says: "Every record that a partial filter returns contains the requested text.",
        needs: A_VALUE,
        finds: "a filter that is ignored, searches further members, or finds similar values",
        advice: "Look in the one member that the filter names. Similarity and stemming find too much.",
        core: true,
        run: |engine, result| claim(engine, result, Stage::Values, "X2"),
    },
    Check {
        id: "X3",
        covers: &[],
        clause: "§4.4.2",
        level: Level::Must,
        says: "A record is found by its whole value, too.",
        needs: A_VALUE,
        finds: "a value that is not found as a part of itself",
        advice: "A value contains itself: look for a pattern that wants something before or after the needle.",
        core: true,
        run: |engine, result| claim(engine, result, Stage::Values, "X3"),
    },
    Check {
        id: "X4",
        covers: &[],
        clause: "§4.4.2",
        level: Level::Must,
        says: "Several words are one text: a longer text finds fewer records, and the words in another order find \
               none.",
        needs: "a value of two words",
        finds: "a text that is split into words, any or all of which have to match",
        advice: "Look for the text as a whole, blanks included. Do not split it into words.",
        core: true,
        run: phrases,
    },
    Check {
        id: "X5",
        covers: &[],
        clause: "§4.4.2",
        level: Level::Must,
        says: "A text that no value contains finds no record.",
        needs: "a record that is in the list without the filter",
        finds: "a search that finds everything where it should find nothing",
        advice: "Finding nothing is a right answer. Look for a fallback that drops the condition.",
        core: true,
        run: impossible,
    },
    Check {
        id: "X6",
        covers: &[],
        clause: "§4.4.2",
        level: Level::Must,
        says: "The characters % _ ' and \\ stand for themselves in a part of a value, too.",
        needs: A_VALUE,
        finds: "wildcards; texts that become part of a query; characters that cannot be found",
        advice: "Escape % and _ and the escape character itself before LIKE, or use a function that finds a part of a \
                 text.",
        core: true,
        run: |engine, result| claim(engine, result, Stage::Values, "X6"),
    },
    Check {
        id: "X7",
        covers: &[],
        clause: "§4.1",
        level: Level::Must,
        says: "A domain after its @ finds all addresses of the domain, and no character is decoded twice.",
        needs: "a record that shows an email address",
        finds: "an @ that is cut off or read as an operator; + read as a blank",
        advice: "Decode the query once. `%40` is an @, `%2B` is a plus sign, and a bare `+` may mean a blank.",
        core: true,
        run: domains,
    },
    Check {
        id: "X9",
        covers: &[],
        clause: "§4.1",
        level: Level::Guarded,
        says: "The searches of free-form members look at values and not at the names of members.",
        needs: "the searches named in the configuration, and a member name that no value contains",
        finds: "a search over the JSON text",
        advice: "Look through the values of the object. A search over its JSON text finds names and punctuation, too.",
        core: true,
        run: names,
    },
];

/// The partial filters with what to ask them for; what has no value that is fit for it is a gap.
async fn searches(
    engine: &mut Engine,
    result: &mut CheckResult,
) -> Result<Vec<(ObservableFilter, Arc<Needles>)>, TargetError> {
    let mut searches = Vec::new();
    for filter in filters(engine, Match::Contains, result).await? {
        match needles(engine, &filter) {
            Some(needles) => searches.push((filter, needles)),
            None => result.gap(format!("{}: a value of four letters", filter.name)),
        }
    }
    Ok(searches)
}

/// What to ask a filter for, chosen when it is asked for first.
fn needles(engine: &mut Engine, filter: &ObservableFilter) -> Option<Arc<Needles>> {
    let key = format!("{} {}", filter.list, filter.name);
    if let Some(known) = engine.recall::<Option<Arc<Needles>>>(&key) {
        return known.as_ref().clone();
    }
    let chosen = Needles::of(engine, filter).map(Arc::new);
    engine.remember(key, &Arc::new(chosen.clone()));
    chosen
}

fn impossible<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for (filter, needles) in searches(engine, result).await? {
            cases.push(nothing(engine, Query::by(&filter, &needles.nonsense)));
        }
        engine.run_cases(cases, result).await?;
        Ok(())
    })
}

fn phrases<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for (filter, needles) in searches(engine, result).await? {
            for (long, short) in &needles.phrases {
                cases.push(narrowing(engine, &filter, [long, short]));
            }
            let turned = needles.turned.iter();
            cases.extend(turned.map(|turned| refused_or_sound(engine, Query::by(&filter, turned))));
        }
        engine.run_cases(cases, result).await?;
        result.gap_if_empty("a value of two words that a partial filter looks at");
        Ok(())
    })
}

/// A longer needle finds nothing that the shorter one within it does not find, and nothing else that does not belong.
fn narrowing(engine: &Engine, filter: &ObservableFilter, needles: [&String; 2]) -> Case {
    let queries = needles.map(|needle| Query::by(filter, needle));
    let requests = queries
        .each_ref()
        .map(|query| query.request(engine.list(filter.list)));
    let about = (filter.name.clone(), filter.clause.clone());
    let needs = format!("{}: a record that has the words {:?}", filter.name, needles[0]);
    let [long, _] = queries;
    Case::new(filter.list, about, requests.into(), move |answers, list| {
        let unexpected = oracle::unexpected(list, &long, &answers[0]).map(|found| found.shown_by([0]));
        unexpected.or_else(|| beyond(&answers[0], &answers[1]))
    })
    .invalidates([filter.name.clone()])
    .needing(needs)
}

/// The records of the first answer that the second lacks.
fn beyond(long: &ListResponse, short: &ListResponse) -> Option<Violation> {
    let (long, short) = (long.reading()?, short.reading()?);
    let (ours, theirs) = (long.ids(), short.ids());
    let beyond = ours.difference(&theirs).filter(|id| short.reaches(id));
    let beyond = beyond.map(|id| (*id).to_owned()).collect();
    let expected = "all that the longer text finds, found by a part of it";
    Violation::of_records(beyond, expected, |names| {
        format!("{names} by the longer text only")
    })
}

fn domains<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for (filter, needles) in searches(engine, result).await? {
            let domains = needles.domains.iter();
            cases.extend(domains.map(|domain| exact(engine, Query::by(&filter, domain))));
            let encoded = needles.encoded.iter();
            cases.extend(encoded.map(|text| refused_or_sound(engine, Query::by(&filter, text))));
        }
        engine.run_cases(cases, result).await?;
        result.gap_if_empty("a record that shows an email address");
        Ok(())
    })
}

fn names<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for key in search::keys(&engine.contract) {
            if !engine.config.searches.contains_key(key) {
                result.gap(format!("--search {key}=NAME, the name of the search by {key}"));
            }
        }
        for filter in filters(engine, Match::Contains, &mut CheckResult::default()).await? {
            let names = needles::member_names(engine, &filter);
            cases.extend(
                names
                    .iter()
                    .map(|name| refused_or_sound(engine, Query::by(&filter, name))),
            );
        }
        engine.run_cases(cases, result).await?;
        result.gap_if_empty("a search of a free-form member, and a member name that no value contains");
        Ok(())
    })
}
