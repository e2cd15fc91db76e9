//! Failures by cause, and findings with their evidence.

use std::fmt::Write as _;

use super::mark;
use crate::engine::finding::Finding;
use crate::http::exchange::Evidence;
use crate::report::difference::{Parts, parts};
use crate::report::text;
use crate::report::xml::Escaped;
use crate::report::{Cause, Causes, Failure};

/// A cause names so many things in its heading.
const NAMES: usize = 2;
/// A failure shows so many findings at once; the others unfold.
const SHOWN: usize = 2;

/// Every cause, those that are waived last.
pub(super) fn causes(causes: &Causes<'_>) -> String {
    let all = causes.failed().chain(causes.waived());
    let html: String = all.enumerate().map(|(number, one)| cause(number, one)).collect();
    match html.is_empty() {
        true => "<p class=\"none\">No check failed.</p>".to_owned(),
        false => html,
    }
}

/// The cause whose repair tells most: it fails checks, and keeps others from being judged. Nothing where there is one cause
/// alone.
pub(super) fn fix_first(causes: &Causes<'_>) -> String {
    let failed: Vec<_> = causes.failed().collect();
    let weight = |cause: &&&Cause<'_>| cause.failures.len() + cause.rests.len();
    let Some(first) = failed
        .iter()
        .rev()
        .max_by_key(weight)
        .filter(|_| failed.len() > 1)
    else {
        return String::new();
    };
    let place = failed.iter().position(|cause| std::ptr::eq(*cause, *first));
    let names = first.failures.first().map_or_else(String::new, |failure| {
        format!(
            "{} {}",
            failure.check.id,
            failure.check.says.trim_end_matches('.')
        )
    });
    let mut told = text::counted(first.failures.len(), "check fails", "checks fail");
    if !first.rests.is_empty() {
        let rests = text::counted(first.rests.len(), "check is", "checks are");
        _ = write!(told, ", and {rests} not judged because of it");
    }
    format!(
        "<p class=\"fix-first\"><b>Fix first:</b> <a href=\"#cause-{}\">{}</a>. {told}.</p>",
        place.unwrap_or_default(),
        Escaped(&names)
    )
}

fn cause(number: usize, cause: &Cause<'_>) -> String {
    let word = if cause.is_waived() { "waived" } else { "failed" };
    let mut html = format!(
        "<article class=\"cause {word}\" id=\"cause-{number}\">\n<h3><span aria-hidden=\"true\">{}</span> {}</h3>\n",
        mark(word),
        Escaped(&text::line(&cause.title(NAMES)))
    );
    for failure in &cause.failures {
        html.push_str(&failed(failure, cause.about.len() > 1));
    }
    if !cause.rests.is_empty() {
        let rests = cause
            .rests
            .iter()
            .map(|rest| format!("<a class=\"id\" href=\"#check-{0}\">{0}</a>", rest.check.id));
        let rests: Vec<_> = rests.collect();
        _ = writeln!(
            html,
            "<p class=\"rests\">Not judged because of it: {}</p>",
            rests.join(", ")
        );
    }
    html.push_str("</article>\n");
    html
}

fn failed(failure: &Failure<'_>, named: bool) -> String {
    let check = failure.check;
    let mut html = format!(
        "<div class=\"failure\"><p><a class=\"id\" href=\"#check-{0}\">{0}</a> <span class=\"clause\">{1}</span> \
         <span class=\"says\">{2}</span></p>\n",
        check.id,
        Escaped(check.clause),
        Escaped(check.says)
    );
    for note in check.outcome.notes() {
        _ = writeln!(html, "<p class=\"hint\">Known: {}</p>", Escaped(note));
    }
    html.push_str(&findings(&failure.findings, named));
    _ = writeln!(
        html,
        "<p class=\"hint\">Advice: {}</p></div>",
        Escaped(check.advice)
    );
    html
}

/// Findings, the first of them at once; `named` if they have to say what they are about.
pub(super) fn findings(findings: &[&Finding], named: bool) -> String {
    let finding = |finding| one(finding, named);
    let (first, more) = findings.split_at(findings.len().min(SHOWN));
    let mut html: String = first.iter().copied().map(finding).collect();
    if !more.is_empty() {
        let more_findings: String = more.iter().copied().map(finding).collect();
        _ = writeln!(
            html,
            "<details class=\"more\"><summary>{} more</summary>{more_findings}</details>",
            more.len()
        );
    }
    html
}

fn one(finding: &Finding, named: bool) -> String {
    let (due, came) = parts(&finding.expected, &finding.actual);
    let steps: String = text::steps(finding).into_iter().map(step).collect();
    let (about, clause) = (Escaped(&finding.about), Escaped(finding.clause.as_str()));
    let about = match named {
        true => format!("<p class=\"about\">{about} <span class=\"clause\">{clause}</span></p>"),
        false => String::new(),
    };
    format!(
        "<div class=\"finding\">{about}<dl class=\"versus\"><dt>expected</dt><dd class=\"due\">{}</dd><dt>actual</dt><dd class=\"came\">{}</dd></dl>\
         <ul class=\"evidence\">{steps}</ul></div>\n",
        marked(due),
        marked(came)
    )
}

/// A sentence with what differs marked; nothing is marked where nothing is alike.
fn marked(parts: Parts<'_>) -> String {
    let Parts {
        before,
        differs,
        after,
    } = parts;
    let (before, inner, after) = (Escaped(before), Escaped(differs), Escaped(after));
    match differs.is_empty() || before.0.is_empty() && after.0.is_empty() {
        true => format!("{before}{inner}{after}"),
        false => format!("{before}<mark>{inner}</mark>{after}"),
    }
}

fn step(evidence: &Evidence) -> String {
    let media_type = evidence.content_type.as_deref().unwrap_or("no media type");
    let answer = format!("answered {}, {}", evidence.status, Escaped(media_type));
    let answer = match evidence.body.is_empty() {
        true => format!("<p class=\"answer\">{answer}, without a body</p>"),
        false => format!(
            "<details class=\"answer\"><summary>{answer}</summary><pre>{}</pre></details>",
            Escaped(&evidence.body)
        ),
    };
    format!(
        "<li><div class=\"command\"><pre>{}</pre></div>{answer}</li>",
        Escaped(&evidence.curl)
    )
}
