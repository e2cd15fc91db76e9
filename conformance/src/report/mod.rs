//! What a run has shown. The forms it is written in stand below ([`Format`]); all are written from this one value.
//!
//! Invariant: apart from the two members that tell the time, and the journal, a report is the same whenever the same run
//! shows the same.

mod badge;
mod causes;
mod checked;
pub mod compare;
pub mod console;
mod difference;
pub mod events;
mod format;
mod gaps;
mod github;
mod har;
mod html;
pub mod json;
mod junit;
mod markdown;
mod point;
pub mod progress;
mod sarif;
mod tap;
mod text;
mod verdict;
mod xml;

use std::collections::BTreeMap;

use reqwest::Url;
use rollcall_contract::Contract;
use rollcall_oracle::http::journal::Journal;
use rollcall_oracle::plan::Coverage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use causes::{Cause, Causes, Failure, Rest};
pub use checked::{Checked, Demand};
pub use format::{Format, UnknownFormat};
pub use gaps::Gap;
pub use html::write_comparison;
pub use point::{Point, PointObservation};
pub use verdict::Verdict;

use crate::checks::{self, Level};
use crate::engine::outcome::Outcome;
use crate::engine::profile::Profile;

/// The form of the JSON report; it changes when a reader would notice.
pub const FORMAT: u32 = 3;

/// What a run has shown.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// The form of this report.
    pub format: u32,
    /// The version of the runner.
    pub runner: &'static str,
    /// The contract that the target was judged by.
    pub contract: Judgement,
    /// The address of the target.
    pub target: String,
    /// The seed that repeats the run.
    pub seed: u64,
    /// When the run began, by RFC 3339.
    #[schemars(extend("format" = "date-time"))]
    pub started_at: String,
    /// How long it took.
    pub seconds: f64,
    /// What it comes to.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The checks in the order they ran.
    pub checks: Vec<Checked>,
    /// Every point that the specification leaves open, and what the target does about it.
    pub points: Vec<Point>,
    /// What a reader has to know about how the run was made.
    pub notes: Vec<String>,
    /// What is to be said about waivers as such.
    pub waivers: Vec<WaiverNote>,
    /// How much of what can be asked of each list was asked.
    pub coverage: Vec<Coverage>,
    /// The records that were written to, by id.
    pub writes: Vec<String>,
    /// How many requests were sent.
    pub requests: usize,
    /// How many of them by each method.
    pub methods: BTreeMap<String, usize>,
    /// How many checks there are that apply under the contract and judge.
    #[serde(skip)]
    pub applicable: usize,
    /// The requests themselves; only the HAR form shows them.
    #[serde(skip)]
    pub journal: Journal,
}

/// The contract that a target was judged by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// Its title.
    pub title: String,
    /// Its version.
    pub version: String,
}

/// What is to be said about a waiver that did not simply waive a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WaiverNote {
    /// What is the matter with it.
    pub kind: WaiverKind,
    /// The waiver and what to do about it, in a sentence.
    pub note: String,
}

/// What can be the matter with a waiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaiverKind {
    /// Its check does not fail any more.
    Stale,
    /// Its last day has passed.
    Expired,
    /// It means nothing that this run looked at.
    Unused,
}

impl Report {
    /// The choices of the target at open points, as far as the run has observed them.
    pub fn profile(&self) -> Profile {
        Profile::of(self.checks.iter().flat_map(|check| check.outcome.observations()))
    }

    /// The report of a run that begins now.
    pub fn begin(target: &Url, seed: u64, contract: &Contract) -> Self {
        let journal = Journal::start();
        let raw = contract.document().raw();
        let about = |member: &str| raw["info"][member].as_str().unwrap_or_default().to_owned();
        Self {
            format: FORMAT,
            runner: env!("CARGO_PKG_VERSION"),
            contract: Judgement {
                title: about("title"),
                version: about("version"),
            },
            target: target.to_string(),
            seed,
            started_at: format!("{:.3}", journal.started_at()),
            seconds: 0.0,
            verdict: Verdict::could_not_run("the run was not finished"),
            checks: Vec::new(),
            points: point::of(contract, &[]),
            notes: Vec::new(),
            waivers: Vec::new(),
            coverage: Vec::new(),
            writes: Vec::new(),
            requests: 0,
            methods: BTreeMap::new(),
            applicable: checks::applicable(contract)
                .filter(|check| check.level != Level::Ruling)
                .count(),
            journal,
        }
    }

    /// Ends the run: what is counted is counted, what was seen is sorted by open point.
    pub fn end(&mut self, verdict: Verdict, contract: &Contract) {
        self.verdict = verdict;
        self.points = point::of(contract, &self.checks);
        self.methods = self.journal.methods();
        self.requests = self.methods.values().sum();
        let milliseconds = u32::try_from(self.journal.elapsed().as_millis());
        self.seconds = f64::from(milliseconds.unwrap_or(u32::MAX)) / 1000.0;
    }

    /// The check with this number, if it ran.
    pub fn check(&self, id: &str) -> Option<&Checked> {
        self.checks.iter().find(|check| check.id == id)
    }

    /// The checks that failed.
    pub fn failed(&self) -> impl Iterator<Item = &Checked> {
        self.with("failed")
    }

    /// How many checks came to each outcome, the gravest first; outcomes that no check came to are left out.
    pub fn counts(&self) -> Vec<(&'static str, usize)> {
        let count = |word| self.with(word).count();
        let counts = Outcome::WORDS.map(|word| (word, count(word)));
        counts.into_iter().filter(|(_, count)| *count > 0).collect()
    }

    /// The checks with one outcome, by its word.
    pub fn with(&self, word: &str) -> impl Iterator<Item = &Checked> {
        let checks = self.checks.iter();
        checks.filter(move |check| check.outcome.word() == word)
    }

    /// The clauses that checks come from, in the order of the specification, each with its checks in the order they ran.
    pub fn clauses(&self) -> Vec<(&'static str, Vec<&Checked>)> {
        let mut clauses = Vec::new();
        for check in &self.checks {
            add(&mut clauses, check.clause, check);
        }
        clauses.sort_by_key(|(clause, _)| numbers(clause));
        clauses
    }

    /// How much was observed of the open points, in a sentence without its end: `213 answers on 44 of 61 points`; none if
    /// nothing was. What a check observes beside the open points does not count.
    pub(crate) fn observed(&self) -> Option<String> {
        let open = self.points.iter().filter(|point| point.is_open);
        let counts: Vec<_> = open.map(|point| point.observed.len()).collect();
        let answers = text::counted(counts.iter().sum(), "answer", "answers");
        let (seen, all) = (counts.iter().filter(|count| **count > 0).count(), counts.len());
        (seen > 0).then(|| format!("{answers} on {seen} of {all} points"))
    }
}

/// Adds a value to the group with a key, or to a new group at the end.
fn add<K: PartialEq, V>(groups: &mut Vec<(K, Vec<V>)>, key: K, value: V) {
    match groups.iter_mut().find(|(known, _)| *known == key) {
        Some((_, values)) => values.push(value),
        None => groups.push((key, vec![value])),
    }
}

/// The sign of an outcome, for readers who cannot tell colours apart.
fn mark(word: &str) -> &'static str {
    match word {
        "passed" => "✓",
        "failed" => "✗",
        "error" => "!",
        "inconclusive" => "~",
        "waived" => "≈",
        "not judged" => "↷",
        "not exercised" => "○",
        "not offered" => "–",
        _ => "•",
    }
}

/// The numbers of a clause, which is how clauses are ordered: §4.4.10 comes after §4.4.9.
fn numbers(clause: &str) -> Vec<u32> {
    let words = clause.split(|c: char| !c.is_ascii_digit());
    words.filter_map(|word| word.parse().ok()).collect()
}

impl WaiverKind {
    /// The kind in a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Stale => "stale",
            Self::Expired => "expired",
            Self::Unused => "unused",
        }
    }
}
