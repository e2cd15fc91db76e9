//! The report as SARIF 2.1.0: a rule for each check, a result for each violation.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::checks;
use crate::engine::finding::Finding;
use crate::engine::outcome::Outcome;
use crate::report::{Checked, Report, text};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Which results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Results {
    /// One at least for each check.
    All,
    /// Those of violations.
    Violations,
}

/// The checks of a report as rules, and their results.
pub(super) fn log(report: &Report, wanted: Results) -> Value {
    let rules: Vec<_> = report.checks.iter().map(rule).collect();
    let result = |check| results_of(report, check, wanted);
    let results: Vec<_> = report.checks.iter().enumerate().flat_map(result).collect();
    let counts: BTreeMap<_, _> = report.counts().into_iter().collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "rollcall-conformance", "version": report.runner, "rules": rules}},
            "automationDetails": {"id": format!("rollcall-conformance/{}", report.target)},
            "invocations": [{
                "executionSuccessful": report.verdict.why().is_none(),
                "startTimeUtc": report.started_at,
                "toolExecutionNotifications": notifications(report),
            }],
            "properties": {
                "verdict": report.verdict.word(),
                "contract": report.contract,
                "seed": report.seed,
                "requests": report.requests,
                "outcomes": counts,
            },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(check: &Checked) -> Value {
    let known = checks::find(check.id);
    let help = known.map(|known| format!(" It needs {} and finds {}.", known.needs, known.finds));
    let help = help.unwrap_or_default();
    let advice = known.map_or("", |known| known.advice);
    let demands = check.demands.iter().map(ToString::to_string);
    let demands: Vec<String> = demands.collect();
    json!({
        "id": check.id,
        "shortDescription": {"text": check.says},
        "fullDescription": {"text": format!("{}{help}", check.says)},
        "help": {"text": format!("Specification, {}. {} {advice} {}", check.clause, check.says, demands.join(" ")).trim()},
        "defaultConfiguration": {"level": "error"},
        "properties": {"clause": check.clause, "level": check.level},
    })
}

fn results_of(report: &Report, (rule, check): (usize, &Checked), wanted: Results) -> Vec<Value> {
    let findings = check.outcome.findings().iter();
    let result = |finding| violation(report, rule, check, finding);
    let mut results: Vec<_> = findings.map(result).collect();
    if results.is_empty() && wanted == Results::All {
        let kind = match check.outcome {
            Outcome::Passed { .. } => "pass",
            Outcome::Observed { .. } => "informational",
            Outcome::Failed { .. } | Outcome::Waived { .. } => "fail",
            Outcome::Inconclusive { .. } | Outcome::Error { .. } => "open",
            Outcome::NotExercised { .. } | Outcome::NotOffered { .. } | Outcome::NotJudged { .. } => {
                "notApplicable"
            }
        };
        let level = if kind == "fail" { "error" } else { "none" };
        let text = match (check.outcome.word(), check.outcome.notes().join("; ")) {
            (word, notes) if notes.is_empty() => word.to_owned(),
            (word, notes) => format!("{word}: {notes}"),
        };
        results.push(json!({
            "ruleId": check.id,
            "ruleIndex": rule,
            "kind": kind,
            "level": level,
            "message": {"text": text},
            "locations": [location(report, "")],
        }));
    }
    results
}

fn violation(report: &Report, rule: usize, check: &Checked, finding: &Finding) -> Value {
    let path = finding.evidence.first().map_or("", |evidence| &evidence.path);
    let mut result = json!({
        "ruleId": check.id,
        "ruleIndex": rule,
        "kind": "fail",
        "level": "error",
        "message": {"text": text::finding(finding)},
        "locations": [location(report, path)],
        "partialFingerprints": {"finding/v1": format!("{}/{}/{}", check.id, finding.clause, finding.about)},
        "properties": {"evidence": finding.evidence},
    });
    if let Outcome::Waived { reason, .. } = &check.outcome {
        result["suppressions"] = json!([{"kind": "external", "status": "accepted", "justification": reason}]);
    }
    result
}

/// Where a violation is: the beginning of an address, since a target has no files and an answer no lines.
fn location(report: &Report, path: &str) -> Value {
    let uri = format!("{}{path}", report.target.trim_end_matches('/'));
    let region = json!({"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1});
    json!({"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}})
}

/// What is to be said about the run as such.
fn notifications(report: &Report) -> Vec<Value> {
    let notification = |level: &str, text: &str| json!({"level": level, "message": {"text": text}});
    let why = report.verdict.why().map(|why| notification("error", why));
    let waivers = report.waivers.iter();
    let waivers = waivers.map(|waiver| notification("warning", &waiver.note));
    let notes = report.notes.iter().map(|note| notification("note", note));
    why.into_iter().chain(waivers).chain(notes).collect()
}
