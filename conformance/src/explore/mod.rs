//! What the contract says can be asked of a list, asked and judged: first every value of every filter, later filters, order,
//! relations and pages together.
//!
//! [`domain`] reads what can be asked, the plan chooses the queries, [`send`] sends and judges them, and [`shrink`] makes a
//! query that shows a violation smaller. By the smallest one [`verdict`] decides which check has failed: [`regions`] compares it
//! with the regions of all checks. That may be a check that is done already: then what it came to is revised.

mod asked;
mod blanks;
mod counts;
mod disturbance;
mod domain;
mod foreign;
mod minimal;
mod now_and_then;
mod regions;
mod send;
mod shared_faults;
mod shown;
mod shrink;
mod signs;
mod simpler;
mod suspicion;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rollcall_contract::Pointer;
use rollcall_oracle::http::target::TargetError;

use crate::engine::Engine;
use crate::engine::check::{Check, CheckFuture};
use crate::engine::outcome::CheckResult;
use crate::engine::region::Stage;

use minimal::Minimal;

/// A thorough run draws values and plans queries so many times: each plan lets other things meet.
const ROUNDS: usize = 3;

/// How many times values are drawn and queries are planned.
fn rounds(engine: &Engine) -> usize {
    if engine.config.thorough { ROUNDS } else { 1 }
}

/// What a stage came to, over all lists.
#[derive(Debug, Default)]
pub(crate) struct Explored {
    /// The violations, each with the smallest query that shows it.
    found: Vec<Minimal>,
    /// The lists that most filters find wrong records in: that explains the same beside other parameters.
    failing_by_all_filters: BTreeSet<usize>,
    /// How many queries each check is about.
    queries: BTreeMap<&'static str, usize>,
    /// The filters that each check has to look at, and those that it has looked at.
    filters: BTreeMap<&'static str, Filters>,
    /// What did not stay as it was.
    unsteady: Unsteady,
}

/// Answers that were wrong and did not stay so, and members that change with every request.
#[derive(Debug, Default)]
struct Unsteady {
    /// What looked wrong once, or about members that change with every request.
    seen: Vec<String>,
    /// The places of these members in the records of the list that is explored, if they are not known yet.
    moving: BTreeSet<Pointer>,
}

/// The filters of a check, by list and name.
#[derive(Debug, Default)]
struct Filters {
    there: BTreeSet<String>,
    asked: BTreeSet<String>,
}

/// A check whose queries are planned: counts what the plan of its stage has asked for it. Its violations are revisions, as those
/// of every other check.
pub(crate) fn planned<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        match engine.check.stage {
            Some(stage) => claim(engine, result, stage).await,
            None => Ok(()),
        }
    })
}

async fn claim(engine: &mut Engine, result: &mut CheckResult, stage: Stage) -> Result<(), TargetError> {
    let explored = match engine.recall(stage) {
        Some(known) => known,
        None => {
            // Without a request left the plan is not made anew for each check.
            engine.target.may_send()?;
            let explored = explore(engine, stage).await?;
            explored.unsteady.seen.iter().for_each(|what| result.moved(what));
            explored
        }
    };
    explored.tell(engine.check, result);
    Ok(())
}

/// Explores all lists.
async fn explore(engine: &mut Engine, stage: Stage) -> Result<Arc<Explored>, TargetError> {
    let mut explored = Explored::default();
    for earlier in Stage::ALL {
        let Some(earlier) = engine.recall::<Explored>(earlier) else {
            continue;
        };
        explored.found.extend(earlier.found.iter().cloned());
        let lists = &earlier.failing_by_all_filters;
        explored.failing_by_all_filters.extend(lists);
    }
    for list in engine.readable() {
        send::explore(engine, list, stage, &mut explored).await?;
    }
    let explored = Arc::new(explored);
    engine.remember(stage, &explored);
    Ok(explored)
}

impl Explored {
    fn tell(&self, check: &Check, result: &mut CheckResult) {
        let (id, needs) = (check.id, check.needs);
        result.count_cases(self.queries.get(id).copied().unwrap_or_default());
        match self.filters.get(id) {
            Some(filters) => {
                for name in filters.there.difference(&filters.asked) {
                    result.gap(format!("{name}: {needs}"));
                }
            }
            None => result.gap_if_empty(needs),
        }
    }
}
