//! Findings with their evidence.

use maud::{Markup, html};
use rollcall_oracle::http::exchange::Evidence;

use crate::engine::finding::Finding;
use crate::report::difference::{Parts, parts};
use crate::report::text;

/// How many findings are shown at once; the others unfold.
const SHOWN: usize = 2;

/// Findings, the first of them at once. They say what they are about if they are `named`.
pub(super) fn findings(findings: &[&Finding], named: bool) -> Markup {
    let (first, more) = findings.split_at(findings.len().min(SHOWN));
    html! {
        @for finding in first { (one(finding, named)) }
        @if !more.is_empty() {
            details.more { summary { (more.len()) " more" } @for finding in more { (one(finding, named)) } }
        }
    }
}

fn one(finding: &Finding, named: bool) -> Markup {
    let (expected, actual) = parts(&finding.expected, &finding.actual);
    html! {
        div.finding {
            @if named { p.about { (finding.about) " " span.clause { (finding.clause) } } }
            dl.versus {
                dt { "expected" } dd.due { (highlighted(expected)) }
                dt { "actual" } dd.came { (highlighted(actual)) }
            }
            ul.evidence { @for evidence in text::steps(finding) { (step(evidence)) } }
        }
    }
}

/// A sentence with the difference marked. Nothing is marked if the sentences have nothing in common.
fn highlighted(sentence: Parts<'_>) -> Markup {
    let is_plain = sentence.differs.is_empty() || sentence.before.is_empty() && sentence.after.is_empty();
    html! { (sentence.before) @if is_plain { (sentence.differs) } @else { mark { (sentence.differs) } } (sentence.after) }
}

/// A request, and its answer folded.
fn step(evidence: &Evidence) -> Markup {
    let media_type = evidence.content_type.as_deref().unwrap_or("no media type");
    let answer = match evidence.status {
        Some(status) => format!("answered {status}, {media_type}"),
        None => "no answer".to_owned(),
    };
    html! {
        li {
            div.command { pre { (evidence.curl) } }
            @if evidence.body.is_empty() { p.answer { (answer) ", without a body" } }
            @else { details.answer { summary { (answer) } pre { (evidence.body) } } }
        }
    }
}
