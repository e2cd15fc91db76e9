//! Failures by cause.

use maud::{Markup, html};

use super::elements::{demands, link, prose};
use super::findings::findings;
use crate::report::text::{self, counted};
use crate::report::{Cause, Causes, Failure, mark};

/// How many things a cause names in its heading.
const NAMES: usize = 2;

/// Every cause, the waived ones last.
pub(super) fn causes(causes: &Causes<'_>) -> Markup {
    html! {
        @for (number, cause) in causes.failed().chain(causes.waived()).enumerate() {
            @let word = if cause.is_waived() { "waived" } else { "failed" };
            article.cause.(word) id={ "cause-" (number) } {
                h3 { span aria-hidden="true" { (mark(word)) } " " (text::line(&cause.title(NAMES))) }
                @for failure in &cause.failures { (failed(cause, failure)) }
                @if !cause.rests.is_empty() {
                    p.rests {
                        "Not judged because of it: "
                        @for (i, rest) in cause.rests.iter().enumerate() { @if i > 0 { ", " } (link("id", rest.check.id)) }
                    }
                }
            }
        }
        @if causes.causes.is_empty() { p.none { "No check failed." } }
    }
}

/// The cause with the most checks that it fails or keeps from being judged. Empty if there is only one cause.
pub(super) fn fix_first(causes: &Causes<'_>) -> Markup {
    let failed: Vec<_> = causes.failed().collect();
    // Of equal causes `max_by_key` takes the last; the page names the first.
    let reversed = failed.iter().enumerate().rev();
    let heaviest = reversed.max_by_key(|(_, cause)| cause.failures.len() + cause.rests.len());
    html! {
        @if let Some((number, cause)) = heaviest.filter(|_| failed.len() > 1) {
            p.fix-first {
                b { "Fix first:" } " " a href={ "#cause-" (number) } {
                    @if let Some(Failure { check, .. }) = cause.failures.first() {
                        (check.id) " " (prose(check.says.trim_end_matches('.')))
                    }
                }
                ". " (counted(cause.failures.len(), "check fails", "checks fail"))
                @if !cause.rests.is_empty() {
                    ", and " (counted(cause.rests.len(), "check is", "checks are")) " not judged because of it"
                }
                "."
            }
        }
    }
}

/// A check that fails for a cause. Its findings say what they are about if the cause is about several things.
fn failed(cause: &Cause<'_>, failure: &Failure<'_>) -> Markup {
    let (check, named) = (failure.check, cause.about.len() > 1);
    html! {
        div.failure {
            p { (link("id", check.id)) " " span.clause { (check.clause) } " " span.says { (prose(check.says)) } }
            (demands(check))
            @for note in check.outcome.notes() { p.hint { "Known: " (note) } }
            (findings(&failure.findings, named))
            p.hint { "Advice: " (prose(cause.advice(check))) }
        }
    }
}
