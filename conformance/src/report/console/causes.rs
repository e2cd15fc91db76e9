//! One cause of failures: what is concerned, what the specification says, what came back, how to see it again.

use super::{Ink, Page};
use crate::engine::finding::Finding;
use crate::report::difference::{Parts, parts};
use crate::report::text::{self, counted};
use crate::report::{Cause, Checked, Failure};

/// A cause names so many of the things concerned.
const NAMES: usize = 3;
/// A check shows so many of its findings unless everything is to be told.
const SHOWN: usize = 1;
/// The same for the commands of a finding.
const STEPS: usize = 3;

impl Page {
    pub(super) fn cause(&mut self, cause: &Cause<'_>) {
        let title = format!("✗ {}", text::line(&cause.title(NAMES)));
        let title = self.style.paint(Ink::Bad, title);
        self.line(format!("\n{title}"));
        for (number, failure) in cause.failures.iter().enumerate() {
            self.failure(failure);
            if number == 0 || self.style.verbose {
                self.advice(failure.check, cause.advice(failure.check));
            }
        }
        if !cause.rests.is_empty() {
            self.hanging("  not judged because of it: ", &cause.rest_ids());
        }
    }

    fn failure(&mut self, failure: &Failure<'_>) {
        let check = failure.check;
        self.hanging(&super::head(check), check.says);
        for demand in &check.demands {
            self.hanging("       demanded  ", &demand.to_string());
        }
        let shown = if self.style.verbose { usize::MAX } else { SHOWN };
        for finding in failure.findings.iter().take(shown) {
            self.finding(finding, failure.findings.len() > 1);
        }
        let more = failure.findings.len().saturating_sub(shown);
        if more > 0 {
            let more = counted(more, "more finding", "more findings");
            self.quiet(&format!("… {more} (--verbose)"));
        }
    }

    /// Advice is told once for each check: a check may fail for several causes.
    fn advice(&mut self, check: &Checked, advice: &str) {
        if self.advised.insert(check.id) {
            self.hanging("       advice    ", advice);
        }
    }

    fn finding(&mut self, finding: &Finding, named: bool) {
        if named {
            self.hanging("       of        ", &finding.about);
        }
        let (expected, actual) = (text::line(&finding.expected), text::line(&finding.actual));
        let (due, came) = parts(&expected, &actual);
        self.part("       expected  ", due, Ink::Good);
        self.part("       actual    ", came, Ink::Bad);
        let steps = text::steps(finding);
        let shown = if self.style.verbose { usize::MAX } else { STEPS };
        for step in steps.iter().take(shown) {
            let status = self.style.paint(Ink::Quiet, format!("# {}", step.answer()));
            self.line(format!("       {}  {status}", text::line(&step.curl)));
        }
        if steps.len() > shown {
            self.quiet(&format!("# … {} more (--verbose)", steps.len() - shown));
        }
        if self.style.verbose {
            for step in steps.iter().filter(|step| !step.body.is_empty()) {
                self.quiet(&text::line(&step.body));
            }
        }
    }

    /// A sentence in which what differs is painted.
    fn part(&mut self, head: &str, parts: Parts<'_>, ink: Ink) {
        let (before, after) = (parts.before, parts.after);
        if !self.style.colour || before.is_empty() && after.is_empty() {
            return self.hanging(head, &[before, parts.differs, after].concat());
        }
        let differs = self.style.paint(ink, parts.differs);
        self.line(format!("{head}{before}{differs}{after}"));
    }
}
