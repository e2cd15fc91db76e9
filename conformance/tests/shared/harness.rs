//! What the tests by contracts of other APIs have in common: each has a model of its API with quirks, some of which are faults.

use std::fmt::Debug;
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _};
use reqwest::Url;
use rollcall_conformance::report::Causes;
use rollcall_conformance::report::console::{self, Style};
use rollcall_conformance::{Report, RunConfig, TargetConfig, Token, Verdict, checks, run};
use rollcall_contract::Contract;

use crate::drawn::chosen;
use crate::meant::meant;

/// No fault is told as more roots than these.
const MOST_ROOTS: usize = 2;
/// How many models are judged at once.
const AT_ONCE: usize = 4;

/// Judges a server by a contract.
pub(crate) async fn judge_by(contract: &str, base: Url, token: &str) -> Report {
    let mut target = TargetConfig::new(base, Token::new(token).unwrap());
    target.timeout = Duration::from_secs(5);
    let config = RunConfig::new(Contract::parse(contract).unwrap());
    run(target, config, |_| {}).await
}

/// The report as a person reads it, for a test that fails.
pub(crate) fn printed(report: &Report) -> String {
    let mut text = Vec::new();
    let style = Style {
        verbose: true,
        ..Style::PLAIN
    };
    console::write(report, style, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// The names of all quirks of a model.
fn names<Q: Debug>(faults: &[(Q, &str)], conforming: &[Q]) -> Vec<String> {
    let faults = faults.iter().map(|(quirk, _)| quirk);
    faults
        .chain(conforming)
        .map(|quirk| format!("{quirk:?}"))
        .collect()
}

/// Each fault is found, and found first by the check that stands beside it. `SHOW` prints the report of a fault that is not.
pub(crate) async fn finds_each<Q: Copy + Debug>(
    faults: &[(Q, &str)],
    conforming: &[Q],
    judge: impl AsyncFn(Q) -> Report,
) {
    let part = meant(names(faults, conforming));
    let chosen = chosen("faults", part.as_deref(), faults.to_vec(), |(quirk, _)| {
        format!("{quirk:?}")
    });
    let judge = &judge;
    let judged = stream::iter(&chosen).map(|(quirk, check)| async move {
        let report = judge(*quirk).await;
        let failed: Vec<_> = report.failed().map(|check| check.id).collect();
        let shown = match std::env::var_os("SHOW") {
            Some(_) => format!("\n{}", printed(&report)),
            None => String::new(),
        };
        let roots = Causes::of(&report).failed().count();
        let is_found = failed.first() == Some(check) && roots <= MOST_ROOTS;
        (!is_found).then(|| {
            format!("{quirk:?}: found by {failed:?} with {roots} roots, first should be {check}{shown}")
        })
    });
    let complaints = judged.buffer_unordered(AT_ONCE).filter_map(std::future::ready);
    let complaints: Vec<String> = complaints.collect().await;
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// No quirk of a server that conforms is a violation.
pub(crate) async fn accuses_none<Q: Copy + Debug>(
    conforming: &[Q],
    faults: &[(Q, &str)],
    judge: impl AsyncFn(Q) -> Report,
) {
    let part = meant(names(faults, conforming));
    for quirk in chosen("conforming", part.as_deref(), conforming.to_vec(), |quirk| {
        format!("{quirk:?}")
    }) {
        let report = judge(quirk).await;
        let text = printed(&report);
        assert_eq!(report.verdict, Verdict::Conforms, "{quirk:?}\n{text}");
    }
}

/// Every quirk of a model is a fault or conforms, and none is both.
pub(crate) fn has_all<Q: Debug>(faults: &[(Q, &str)], conforming: &[Q], count: usize) {
    let mut named = names(faults, conforming);
    let all = named.len();
    named.sort();
    named.dedup();
    assert_eq!((named.len(), all), (count, count));
}

/// A check either runs, or a note says that it does not apply.
pub(crate) fn tells_of_each_check(report: &Report) {
    let notes = report.notes.join("\n");
    for check in checks::all().filter(|check| check.level != checks::Level::Ruling) {
        let ran = report.checks.iter().any(|one| one.id == check.id);
        let told = notes.split([' ', ',', '\n']).any(|word| word == check.id);
        assert!(ran != told, "{}: {notes}", check.id);
    }
}
