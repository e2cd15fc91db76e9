//! A run: read what there is, look into every selected statement, tell what happened.

mod selection;
pub mod waiver;

use std::collections::BTreeSet;
use std::sync::Arc;

use reqwest::Url;
use rollcall_oracle::corpus::{Corpus, Projection};
use rollcall_oracle::http::exchange::{Exchange, shortened};
use rollcall_oracle::http::target::{Target, TargetConfig, TargetError};

use crate::checks::{self, Check};
use crate::engine::Engine;
use crate::engine::config::RunConfig;
use crate::engine::outcome::{CheckResult, Outcome, Revision};
use crate::report::events::Event;
use crate::report::{Checked, Report, Verdict};
use crate::run::waiver::Waivers;

/// Judges a target.
///
/// A run only reads, but for writes that carry no token or a wrong one and must be refused. A run that may write changes the
/// records named as fixtures, else a few that it finds by reading; the report names them.
/// Every step is told to `events`. The report says what went wrong also where the run could not be made.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use rollcall_conformance::{RunConfig, TargetConfig, Token, Verdict, our_contract, run};
///
/// let target = TargetConfig::new("http://127.0.0.1:8080/api/v1".parse()?, Token::new("secret")?);
/// let report = run(target, RunConfig::new(our_contract()?), |_| {}).await;
/// assert_eq!(report.verdict, Verdict::Conforms);
/// # Ok(())
/// # }
/// ```
pub async fn run(
    target: TargetConfig,
    config: RunConfig,
    mut events: impl FnMut(Event<'_>) + Send,
) -> Report {
    let selected = config.checks();
    let mut report = Report::begin(&target.base_url, config.seed, &config.contract);
    report.notes.extend(target.trust.note());
    report.notes.extend(
        config
            .inapplicable()
            .iter()
            .map(|(what, checks)| not_applicable(what, checks)),
    );
    let mut waivers = Waivers::new(config.waivers.clone(), config.today);
    events(Event::Started {
        checks: selected.len(),
    });
    let contract = Arc::clone(&config.contract);
    let verdict = match Target::new(target, config.concurrency, report.journal.clone()) {
        Err(error) => Verdict::could_not_run(format!("no HTTP client could be made: {error}")),
        Ok(target) => {
            let corpus = Corpus::new(&config.contract, &config.searches);
            let mut engine = Engine::new(config, target, corpus, checks::CATALOGUE);
            let verdict = judge(&mut engine, &selected, &mut waivers, &mut report, &mut events).await;
            report.notes.extend(left_out(&engine));
            report.notes.extend(errors_of_open_requests(&engine));
            report.writes = engine.written;
            report.coverage = engine.coverage;
            verdict
        }
    };
    report.waivers = waivers.notes();
    report.end(verdict, &contract);
    events(Event::Finished(&report.verdict));
    report
}

/// What is told of checks that do not apply.
pub(crate) fn not_applicable(what: &str, checks: &[&str]) -> String {
    format!(
        "not applicable, because the contract has no {what}: {}",
        checks.join(", ")
    )
}

async fn judge(
    engine: &mut Engine,
    selected: &[&'static Check],
    waivers: &mut Waivers,
    report: &mut Report,
    events: &mut (impl FnMut(Event<'_>) + Send),
) -> Verdict {
    if selected.is_empty() {
        return Verdict::could_not_run("no check is selected");
    }
    let mut unread = Vec::new();
    for list in 0..engine.corpus.lists.len() {
        let is_specified = engine.list(list).spec.specified;
        match engine.corpus.crawl(&engine.target, list).await {
            Err(error @ TargetError::NoAnswer { is_late, .. }) if !(is_late && is_specified) => {
                unread.push((list, error));
            }
            Err(error) => return Verdict::of_target_error(&error),
            Ok(list) => {
                let records = list
                    .snapshot(&Projection::Default)
                    .and_then(|snapshot| snapshot.response.reading());
                let records = records.map(|reading| reading.records.len());
                events(Event::ListRead {
                    list: list.spec.name(),
                    records,
                });
            }
        }
    }
    // The last one first, so that the others keep their places.
    for (list, error) in unread.into_iter().rev() {
        if !checks::leave_out(engine, list, &error).await {
            return Verdict::of_target_error(&error);
        }
    }
    if let Some(why) = closed(engine) {
        return Verdict::could_not_run(why);
    }
    if let Some(seconds) = expected_seconds(engine) {
        let budget = engine.target.config().budget;
        events(Event::Expected { seconds, budget });
    }
    for check in selected {
        events(Event::Checking { id: check.id });
        engine.begin(check);
        let mut result = CheckResult::default();
        let (began, sent) = (report.journal.elapsed(), report.journal.sent());
        let outcome = match (check.run)(engine, &mut result).await {
            Ok(()) => {
                let due = engine.revisions.extract_if(.., |one| one.check == check.id);
                due.for_each(|revision| result.finding(revision.finding));
                waivers.excuse(check.id, result.outcome())
            }
            // What is left out for want of time is a gap, and no failure of the run.
            Err(TargetError::Time { .. }) => {
                result.gap("more time than --budget");
                waivers.excuse(check.id, result.outcome())
            }
            Err(error) => {
                checks::note_unanswered(engine, &error);
                cut_short(check, result, &error, waivers, &mut report.notes)
            }
        };
        checks::judge_unanswered(engine).await;
        if let Outcome::Observed { observations } = &outcome {
            engine.observed.extend_from_slice(observations);
        }
        if !outcome.findings().is_empty() {
            engine.failing.insert(check.id);
        }
        let took = report.journal.elapsed() - began;
        let one = Checked::new(check, outcome).demanding(&engine.contract);
        let one = one.taking(took, report.journal.sent() - sent);
        events(Event::Checked(&one));
        let failed = matches!(one.outcome, Outcome::Failed { .. });
        report.checks.push(one);
        revise(&mut engine.revisions, waivers, report, events);
        let left = selected.len() - report.checks.len();
        if failed && engine.config.fail_fast && left > 0 {
            report.notes.push(format!(
                "the run ended at the first check that failed (--fail-fast): {left} did not run"
            ));
            break;
        }
    }
    Verdict::of(&report.checks)
}

/// Adds violations to checks that are done already. What is of a check that was not selected is never told.
fn revise(
    revisions: &mut Vec<Revision>,
    waivers: &mut Waivers,
    report: &mut Report,
    events: &mut (impl FnMut(Event<'_>) + Send),
) {
    for done in &mut report.checks {
        let mut is_revised = false;
        let id = done.id;
        for revision in revisions.extract_if(.., |one| one.check == id) {
            let before = std::mem::replace(&mut done.outcome, Outcome::Error { why: String::new() });
            done.revise(waivers.excuse(id, before.with(revision.finding)));
            is_revised = true;
        }
        if is_revised {
            events(Event::Revised(done));
        }
    }
}

/// What a check comes to that could not be finished: what it had found by then stays found, unless waivers excuse it all.
fn cut_short(
    check: &Check,
    result: CheckResult,
    error: &TargetError,
    waivers: &mut Waivers,
    notes: &mut Vec<String>,
) -> Outcome {
    let unfinished = Outcome::Error {
        why: error.to_string(),
    };
    let found = match result.outcome() {
        found @ Outcome::Failed { .. } => waivers.excuse(check.id, found),
        _ => return unfinished,
    };
    match found {
        Outcome::Failed { .. } => {
            let id = check.id;
            notes.push(format!(
                "{id} found what it tells of and could not be finished: {error}"
            ));
            found
        }
        _ => unfinished,
    }
}

/// A run sends about so many requests, and so many of them one after the other.
const REQUESTS: f64 = 2_300.0;
const IN_A_ROW: f64 = 450.0;
/// A thorough run sends so many times more.
const THOROUGH: f64 = 3.8;
/// A run that takes less time than this need not be told of before.
const LONG: f64 = 20.0;

/// How long the run is expected to take, if that is long: by the answers so far.
fn expected_seconds(engine: &Engine) -> Option<u64> {
    let each = engine.target.average_time()?.as_secs_f64();
    let times = if engine.config.thorough { THOROUGH } else { 1.0 };
    let concurrency = engine.config.concurrency.max(1);
    let rate = engine.target.config().rate.unwrap_or(f64::MAX);
    let in_turn = IN_A_ROW + (REQUESTS - IN_A_ROW) / concurrency as f64;
    let seconds = (each * in_turn).max(REQUESTS / rate) * times;
    (seconds >= LONG).then_some(seconds.ceil() as u64)
}

/// What to say of queries that were left out for want of time or of requests.
fn left_out(engine: &Engine) -> Option<String> {
    let config = engine.target.config();
    let why = match config.budget {
        Some(budget) => format!(
            "the run may take {} s (--budget). The most telling ones came first",
            budget.as_secs()
        ),
        None => format!(
            "violations took the requests of their list, and the run may send {} (--max-requests)",
            config.max_requests
        ),
    };
    let asked: usize = engine.coverage.iter().map(|one| one.queries).sum();
    (engine.left_out > 0).then(|| {
        format!(
            "{} of {asked} planned queries were left out: {why}.",
            engine.left_out
        )
    })
}

/// What to say of requests that the specification leaves open and that ended in an error of the server (A4).
fn errors_of_open_requests(engine: &Engine) -> Option<String> {
    let broken = engine
        .first_pages
        .values()
        .filter(|exchange| exchange.status >= 500);
    let broken = broken.map(|exchange| format!("{} ({})", exchange.request.line(), exchange.status));
    let broken: BTreeSet<String> = broken.collect();
    let first = broken.first()?;
    Some(format!(
        "{} of the requests that the specification leaves open ended in an error of the server, which no sentence forbids; \
         the first is {}",
        broken.len(),
        shortened(first, 200)
    ))
}

/// Why nothing can be judged, if no specified list answers with anything: a wrong token, a wrong address.
fn closed(engine: &Engine) -> Option<String> {
    let mut answers = Vec::new();
    for list in engine.corpus.lists.iter().filter(|list| list.spec.specified) {
        let exchange = list.snapshot(&Projection::Default)?.response.exchange();
        if !matches!(exchange.status, 300..=404) {
            return None;
        }
        answers.push((list.spec.name(), exchange));
    }
    let base = &engine.target.config().base_url;
    let server = &engine.contract.document().raw()["servers"][0]["url"];
    let server: Option<Url> = server.as_str().and_then(|url| url.parse().ok());
    let version = server
        .as_ref()
        .map_or("", |server| server.path().trim_end_matches('/'));
    Some(why_closed(&answers, base, version))
}

/// What the answers of the lists say, and what to do about it, if every address ends in this version (§9).
fn why_closed(answers: &[(&str, &Exchange)], base: &Url, version: &str) -> String {
    let told = answers.iter().map(|(list, exchange)| match &exchange.location {
        Some(location) => format!("{list} answers {} and leads to {location}", exchange.status),
        None => format!("{list} answers {}", exchange.status),
    });
    let told = Vec::from_iter(told).join(", ");
    let any = |wanted: fn(u16) -> bool| answers.iter().any(|(_, exchange)| wanted(exchange.status));
    let advice = if any(|status| (300..400).contains(&status)) {
        "the runner sends the token to no other host and follows no redirect to another path: give the address that answers".to_owned()
    } else if any(|status| matches!(status, 401 | 403)) {
        "is the token valid?".to_owned()
    } else if base.path().trim_end_matches('/').ends_with(version) {
        "is the address complete?".to_owned()
    } else {
        let base = base.as_str().trim_end_matches('/');
        format!("an address ends in the version: try --base-url {base}{version}")
    };
    format!("{told}; {advice}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::finding::Finding;
    use crate::engine::waiver::Waiver;
    use rollcall_oracle::corpus::clause::Clause;

    fn cut_short_with(findings: usize, waived: bool) -> (Outcome, Vec<String>) {
        let check = checks::find("E3").unwrap();
        let mut result = CheckResult::default();
        result.count_case();
        for _ in 0..findings {
            result.finding(Finding::new(
                "users filter[state]",
                Clause::of_check(check.clause),
                ("nothing else", "something else"),
                Vec::new(),
            ));
        }
        let waiver = Waiver {
            check: check.id.to_owned(),
            reason: "known".to_owned(),
            expires: "2027-01-31".parse().unwrap(),
            about: None,
        };
        let mut waivers = Waivers::new(waived.then_some(waiver).into_iter().collect(), None);
        let mut notes = Vec::new();
        let error = TargetError::Budget { limit: 30 };
        let outcome = cut_short(check, result, &error, &mut waivers, &mut notes);
        (outcome, notes)
    }

    #[test]
    fn what_was_found_before_a_check_was_cut_short_stays_found() {
        let (outcome, notes) = cut_short_with(2, false);
        assert_eq!((outcome.word(), outcome.findings().len()), ("failed", 2));
        assert!(notes[0].starts_with("E3 ") && notes[0].contains("30 requests"));
    }

    #[test]
    fn a_check_that_was_cut_short_is_not_passed_or_waived() {
        for (findings, waived) in [(0, false), (0, true), (1, true)] {
            let (outcome, notes) = cut_short_with(findings, waived);
            assert_eq!((outcome.word(), notes.len()), ("error", 0), "{findings} {waived}");
        }
    }
}
