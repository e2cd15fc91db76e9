//! §3, §4.1: exact filters that take one of a few words, such as the states. Each list is asked for every word that its
//! records show; these are few.

use rollcall_contract::ValueKind;

use super::cases::{is_whole, sound, valued};
use super::exact::sets::{apart, union};
use super::{Check, CheckFuture, Level};
use crate::corpus::predicate::ObservableFilter;
use crate::corpus::query::Query;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::http::target::TargetError;
use crate::plan::sample::is_usable;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "ST1",
        covers: &[],
        clause: "§4.1",
        level: Level::Must,
        says: "Every record that the filter by state returns is in the requested state.",
        needs: "a record of each state",
        finds: "several states at once; a state as stored and not as shown",
        advice: "Compare the state that the record shows. Where it is derived from times, filter by the same \
                 derivation.",
        core: true,
        run: all_sound,
    },
    Check {
        id: "ST2",
        covers: &[],
        clause: "§4.1",
        level: Level::Must,
        says: "No record is found under two states.",
        needs: "two states that records are in",
        finds: "a record that shows the requested state in place of its own",
        advice: "Compare the state that the record shows. Do not put the state of the request into the answer.",
        core: true,
        run: disjoint,
    },
    Check {
        id: "ST3",
        covers: &[],
        clause: "§4.1",
        level: Level::Must,
        says: "All states together find the whole list.",
        needs: "a record, and a stable order where there are several pages",
        finds: "a state that cannot be requested, or that finds only some of its records",
        advice: "Take every state of the specification for the filter, and look for all records that show it.",
        core: true,
        run: covering,
    },
];

/// The filters that take words, with the words that live records show; one that nobody knows is not for these checks.
async fn worded(
    engine: &mut Engine,
    result: &mut CheckResult,
) -> Result<Vec<(ObservableFilter, Vec<String>)>, TargetError> {
    let mut worded = valued(engine, result, |_, filter| filter.is_word()).await?;
    for (filter, words) in &mut worded {
        words.retain(|word| is_usable(word) && filter.takes(word));
    }
    Ok(worded)
}

fn all_sound<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for (filter, words) in worded(engine, result).await? {
            if let ValueKind::Word(known) = &filter.kind {
                let missing = known.iter().filter(|word| !words.contains(word));
                missing.for_each(|word| {
                    result.gap(format!("{}: a record that is {word}", name(engine, &filter)))
                });
            }
            cases.extend(words.iter().map(|word| sound(engine, Query::by(&filter, word))));
        }
        engine.run_cases(cases, result).await?;
        Ok(())
    })
}

fn disjoint<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for (filter, words) in worded(engine, result).await? {
            for (index, one) in words.iter().enumerate() {
                for other in &words[index + 1..] {
                    let queries = [Query::by(&filter, one), Query::by(&filter, other)];
                    cases.push(apart(engine, &filter, &queries));
                }
            }
        }
        engine.run_cases(cases, result).await?;
        result.gap_if_empty("two states that records of one list are in");
        Ok(())
    })
}

fn covering<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let mut cases = Vec::new();
        for (filter, words) in worded(engine, result).await? {
            if words.is_empty() || !is_whole(engine, filter.list) {
                result.gap(format!("{}: a stable order", name(engine, &filter)));
                continue;
            }
            cases.push(union(engine, &filter, &words));
        }
        engine.run_cases(cases, result).await?;
        Ok(())
    })
}

fn name(engine: &Engine, filter: &ObservableFilter) -> String {
    format!("{} {}", engine.list(filter.list).spec.name(), filter.name)
}
