//! A check as data: what it says, where it comes from, and the function that tests it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use rollcall_contract::{Contract, Rule};
use rollcall_oracle::http::target::TargetError;
use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::engine::region::{Region, Stage};
use crate::engine::topic::Topic;

/// One statement of the specification, and how it is looked into.
#[derive(Debug)]
pub struct Check {
    /// Its number, such as `E3`.
    pub id: &'static str,
    /// Further numbers of the catalogue of requirements that it establishes as well.
    pub covers: &'static [&'static str],
    /// The clause it comes from.
    pub clause: &'static str,
    /// The sentences of the specification that a target breaks if it fails, by their names in `x-rules` of the contract. Empty for
    /// an observation, which never fails.
    pub demands: &'static [&'static str],
    /// How binding it is.
    pub level: Level,
    /// What the specification says, in our words.
    pub says: &'static str,
    /// What the target has to have for the check to be exercised.
    pub needs: &'static str,
    /// The faults it is there to find.
    pub finds: &'static str,
    /// Where an implementer should look first when it fails. Empty for an observation, which never fails.
    pub advice: &'static str,
    /// Whether it looks at records, so that without any of its kind a run has shown nothing.
    pub core: bool,
    /// The parts of an API that it is about. Under a contract that lacks one it does not apply.
    pub(crate) topics: &'static [Topic],
    /// The part of the exploration that plans its queries; none if it asks by itself.
    pub(crate) stage: Option<Stage>,
    /// The planned queries and the violations that it is about.
    pub(crate) region: Region,
    pub(crate) run: Run,
}

/// Every check, section by section, in the order of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Catalogue(pub(crate) &'static [&'static [Check]]);

impl Catalogue {
    /// The checks, in the order of a run.
    pub(crate) fn all(self) -> impl Iterator<Item = &'static Check> {
        self.0.iter().copied().flatten()
    }

    /// The check that runs first.
    pub(crate) fn first(self) -> &'static Check {
        &self.0[0][0]
    }
}

/// How binding a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The specification says so.
    Must,
    /// The specification says so of data that the target may not have.
    Guarded,
    /// The specification leaves it open; it is reported and never fails.
    Observe,
    /// A profile says so: a ruling on what the specification leaves open, which the target claims to follow.
    Ruling,
}

/// A check at work. What it has counted when trouble ends it stays counted: the tally is not its own.
pub(crate) type CheckFuture<'a> = Pin<Box<dyn Future<Output = Result<(), TargetError>> + Send + 'a>>;
/// How a check looks into what it says, and counts.
pub(crate) type Run = for<'a> fn(&'a mut Engine, &'a mut CheckResult) -> CheckFuture<'a>;

/// The fields that most entries of a table have in common; an entry says the others. It does nothing by itself.
pub(crate) const BASE: Check = Check {
    id: "",
    covers: &[],
    clause: "",
    demands: &[],
    level: Level::Must,
    says: "",
    needs: "",
    finds: "",
    advice: "",
    core: false,
    topics: &[],
    stage: None,
    region: Region::NONE,
    run: |_, _| Box::pin(async { Ok(()) }),
};

impl Check {
    /// The sentences of the specification that a target breaks if it fails, as far as the contract has them.
    pub fn demanded<'c>(&self, contract: &'c Contract) -> impl Iterator<Item = &'c Rule> {
        let demands = self.demands;
        let rules = demands.iter();
        rules.filter_map(|id| contract.rules.iter().find(|rule| rule.id == *id))
    }

    /// Whether a selection means this check: its number or one it covers, a clause it comes from or one above it.
    pub fn is_meant_by(&self, selection: &str) -> bool {
        if let Some(clause) = selection.strip_prefix('§') {
            let mut own = self.clause.split(", ").map(|own| own.trim_start_matches('§'));
            return own.any(|own| {
                own == clause || own.strip_prefix(clause).is_some_and(|rest| rest.starts_with('.'))
            });
        }
        let mut ids = self.covers.iter().chain([&self.id]);
        ids.any(|id| id.eq_ignore_ascii_case(selection))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Must => "must",
            Self::Guarded => "guarded",
            Self::Observe => "observe",
            Self::Ruling => "ruling",
        })
    }
}
