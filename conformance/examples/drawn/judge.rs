//! One run of the runner on one mutant.

use std::error::Error;
use std::fs::File;
use std::time::{Duration, Instant};

use rollcall_conformance::report::{Causes, Format};
use rollcall_conformance::{RunConfig, TargetConfig, Token, run};
use rollcall_oracle::corpus::search;
use rollcall_shelf::model::CONTRACT;
use rollcall_shelf::mutation::Mutant;
use rollcall_shelf::mutation::sample::PEOPLE;
use rollcall_shelf::{Model, TOKEN};

use crate::options::Options;
use crate::results::Judged;

/// Judges a mutant as a foreign target would be, writes included.
pub(crate) async fn judge(
    mutant: &Mutant,
    options: &Options,
    index: usize,
) -> Result<Judged, Box<dyn Error>> {
    let base = Model::new(PEOPLE, mutant.hooks()).serve().await;
    let mut target = TargetConfig::new(base, Token::new(TOKEN)?);
    target.timeout = Duration::from_secs(10);
    let mut config = RunConfig::new(CONTRACT.clone());
    config.seed = options.runner_seed;
    config.thorough = options.thorough;
    if options.thorough {
        target.max_requests = RunConfig::THOROUGH_REQUESTS;
    }
    config.allow_writes = true;
    let names = search::keys(&CONTRACT).into_iter();
    config.searches = names
        .map(|key| (key.to_owned(), format!("filter[{key}_search]")))
        .collect();
    let began = Instant::now();
    let report = run(target, config, |_| {}).await;
    let seconds = began.elapsed().as_secs_f64();
    if let Some(folder) = &options.har {
        report.write(Format::Har, File::create(folder.join(format!("{index}.har")))?)?;
    }
    Ok(Judged {
        failed: report.failed().map(|check| check.id.to_owned()).collect(),
        roots: Causes::of(&report).failed().count(),
        verdict: format!("{:?}", report.verdict).chars().take(120).collect(),
        requests: report.requests,
        seconds,
    })
}
