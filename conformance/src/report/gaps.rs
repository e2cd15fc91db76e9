//! What a run did not test. Checks that lack the same stand together.

use crate::checks::{ALLOW_WRITES, Level};
use crate::engine::outcome::Outcome;
use crate::report::text::counted;
use crate::report::{Checked, Report, Verdict, add};

/// Checks that lack the same.
#[derive(Debug)]
pub struct Gap<'r> {
    /// The checks, in the order they ran.
    pub checks: Vec<&'r Checked>,
    /// What they lack, or what happened to them.
    pub notes: Vec<&'r str>,
}

impl Gap<'_> {
    /// The numbers of the checks: `W1, W2, W3`.
    pub fn ids(&self) -> String {
        let ids: Vec<_> = self.checks.iter().map(|check| check.id).collect();
        ids.join(", ")
    }
}

impl Report {
    /// The checks with one outcome, by its word, together where they lack the same.
    pub fn gaps(&self, word: &str) -> Vec<Gap<'_>> {
        let mut gaps = Vec::new();
        for check in self.with(word) {
            add(&mut gaps, check.outcome.notes(), check);
        }
        let gaps = gaps.into_iter();
        gaps.map(|(notes, checks)| Gap { checks, notes }).collect()
    }

    /// The verdict as it stands after the name of the target: `conforms for reading`.
    pub fn headline(&self) -> &'static str {
        match &self.verdict {
            Verdict::Conforms if self.without_writes() > 0 => "conforms for reading",
            Verdict::Conforms if self.inconclusive() > 0 => "conforms in all that was confirmed",
            Verdict::Conforms if self.without_data() > 0 => "conforms in all that its data shows",
            verdict => verdict.sentence(),
        }
    }

    /// How many checks saw what looked wrong and could not be confirmed.
    fn inconclusive(&self) -> usize {
        self.with("inconclusive").count()
    }

    /// What a reader has to know about the verdict: why there is none, or else its limits. A sentence each.
    pub(super) fn reasons(&self) -> Vec<String> {
        let why = self.verdict.why().map(str::to_owned);
        why.into_iter().chain(self.limits()).collect()
    }

    /// What the verdict does not speak of, a sentence each.
    pub fn limits(&self) -> Vec<String> {
        if self.verdict.why().is_some() {
            return Vec::new();
        }
        let mut limits = Vec::new();
        let is_judged = |check: &&Checked| check.level != Level::Ruling;
        let ran = self.checks.iter().filter(is_judged).count();
        let all = self.applicable;
        if ran < all {
            limits.push(format!("Only {ran} of {all} checks were selected."));
        }
        let checks_need = |count| counted(count, "check needs", "checks need");
        let writes = self.without_writes();
        if writes > 0 {
            let checks = checks_need(writes);
            limits.push(format!("Writing was not tested: {checks} {ALLOW_WRITES}."));
        }
        let data = self.without_data();
        if data > 0 {
            let checks = checks_need(data);
            limits.push(format!("{checks} data or settings that this run did not have."));
        }
        let inconclusive = self.inconclusive();
        if inconclusive > 0 {
            let checks = counted(inconclusive, "check", "checks");
            limits.push(format!(
                "{checks} saw a wrong answer that could not be confirmed."
            ));
        }
        limits
    }

    fn without_writes(&self) -> usize {
        self.checks.iter().filter(|check| lacks_writes(check)).count()
    }

    fn without_data(&self) -> usize {
        let without = self.with("not exercised");
        without.filter(|check| !lacks_writes(check)).count()
    }
}

fn lacks_writes(check: &Checked) -> bool {
    matches!(&check.outcome, Outcome::NotExercised { needs } if needs.iter().any(|need| need == ALLOW_WRITES))
}
