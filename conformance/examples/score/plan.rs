//! Every run of a scoring.

use serde::{Deserialize, Serialize};

use crate::options::Options;
use crate::subjects::{SOUND, Subject, Subjects};

/// How many people a target has that is there for comparison: the variants that conform, and those that Schemathesis is
/// given.
pub(crate) const PEOPLE: usize = 200;
/// How many people a directory has whose reading alone is measured.
pub(crate) const MANY: usize = 1000;
/// How often Schemathesis is given the model itself, to know what it reports of that.
const BASELINES: u64 = 3;

/// One run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Task {
    /// What judges.
    pub(crate) tool: Tool,
    /// The name of the target.
    pub(crate) target: String,
    /// How many people the target has.
    pub(crate) people: usize,
    /// The seed of the run; for Schemathesis the number of the repetition.
    pub(crate) seed: u64,
    /// Whether it may write.
    pub(crate) writes: bool,
}

/// What judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Tool {
    /// Our runner.
    Runner,
    /// Schemathesis.
    Schemathesis,
}

/// Every run, those that tell most first.
pub(crate) fn tasks(options: &Options, subjects: &Subjects) -> Vec<Task> {
    let mut tasks = Vec::new();
    tasks.extend((1..=options.seeds).map(|seed| Task {
        people: MANY,
        writes: false,
        ..runner(SOUND, PEOPLE, seed)
    }));
    for people in &options.sizes {
        for seed in 1..=options.seeds {
            let faults = subjects.faults().map(Subject::name);
            tasks.extend(faults.map(|name| runner(name, *people, seed)));
        }
    }
    let benign = subjects.benign().map(Subject::name);
    tasks.extend(benign.flat_map(|name| (1..=options.benign_seeds).map(|seed| runner(name, PEOPLE, seed))));
    if options.schemathesis.is_some() {
        tasks.extend((1..=BASELINES).map(|repetition| rival(SOUND, repetition)));
        let others = subjects.faults().chain(subjects.benign()).map(Subject::name);
        let others = others.filter(|name| *name != SOUND);
        tasks.extend(others.step_by(options.every.get()).map(|name| rival(name, 1)));
    }
    tasks
}

fn runner(target: &str, people: usize, seed: u64) -> Task {
    Task {
        tool: Tool::Runner,
        target: target.to_owned(),
        people,
        seed,
        writes: true,
    }
}

fn rival(target: &str, seed: u64) -> Task {
    Task {
        tool: Tool::Schemathesis,
        ..runner(target, PEOPLE, seed)
    }
}
