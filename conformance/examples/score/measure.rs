//! One run of our runner on one target, and what is measured of it.

use std::error::Error;
use std::time::{Duration, Instant};

use rollcall_conformance::engine::outcome::Outcome;
use rollcall_conformance::report::events::Event;
use rollcall_conformance::{Report, RunConfig, TargetConfig, Token, Verdict, run};
use rollcall_oracle::corpus::search;
use rollcall_oracle::http::exchange::Evidence;
use rollcall_shelf::model::CONTRACT;
use rollcall_shelf::{Model, TOKEN, Variant};
use serde::{Deserialize, Serialize};

use crate::plan::Task;
use crate::replay::{self, Shows};

/// What a run has come to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Judged {
    /// The checks that failed, in the order they ran.
    pub(crate) failed: Vec<String>,
    /// Whether it came to a verdict: that the target conforms, or does not.
    pub(crate) decided: bool,
    /// How many requests it sent.
    pub(crate) requests: usize,
    /// How long it took.
    pub(crate) seconds: f64,
    /// After how many seconds the first check failed.
    pub(crate) first: Option<f64>,
    /// The reproductions, one of each check that failed.
    pub(crate) proofs: Vec<Proof>,
}

/// The reproduction of a violation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Proof {
    /// The check that failed.
    pub(crate) check: String,
    /// The requests it is made of.
    pub(crate) requests: Vec<String>,
    /// The most parameters that one of them has.
    pub(crate) parameters: usize,
    /// Whether repeating it shows the violation.
    pub(crate) shows: Shows,
}

/// Judges a variant.
pub(crate) async fn judge(task: &Task, variant: &Variant) -> Result<Judged, Box<dyn Error>> {
    let base = Model::new(task.people, variant.hooks()).serve().await;
    let mut target = TargetConfig::new(base.clone(), Token::new(TOKEN)?);
    target.timeout = Duration::from_secs(10);
    let mut config = RunConfig::new(CONTRACT.clone());
    config.seed = task.seed;
    config.allow_writes = task.writes;
    let names = search::keys(&CONTRACT)
        .into_iter()
        .filter(|_| variant.has_searches());
    config.searches = names
        .map(|key| (key.to_owned(), format!("filter[{key}_search]")))
        .collect();
    let began = Instant::now();
    let mut first = None;
    let report = run(target, config, |event| {
        if let Event::Checked(check) = event
            && matches!(check.outcome, Outcome::Failed { .. })
        {
            first.get_or_insert(began.elapsed().as_secs_f64());
        }
    })
    .await;
    let seconds = began.elapsed().as_secs_f64();
    if let Verdict::Unreachable { why } = &report.verdict {
        return Err(why.clone().into());
    }
    let mut proofs = Vec::new();
    for (check, evidence) in reproductions(&report) {
        proofs.push(Proof {
            check: check.to_owned(),
            requests: evidence.iter().map(|one| one.request.clone()).collect(),
            parameters: evidence.iter().map(|one| one.query.len()).max().unwrap_or(0),
            shows: replay::shows(evidence, &base, variant, task.people).await?,
        });
    }
    Ok(Judged {
        failed: report.failed().map(|check| check.id.to_owned()).collect(),
        decided: matches!(report.verdict, Verdict::Conforms | Verdict::Violates),
        requests: report.requests,
        seconds,
        first,
        proofs,
    })
}

/// The evidence of the first finding of every check that failed.
fn reproductions(report: &Report) -> impl Iterator<Item = (&'static str, &[Evidence])> {
    report.failed().filter_map(|check| {
        let finding = check.outcome.findings().first()?;
        Some((check.id, finding.evidence.as_slice()))
    })
}
