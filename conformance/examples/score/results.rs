//! The results of the runs.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::measure::Judged;
use crate::plan::Task;
use crate::rival::Tested;
use crate::shared::kept::Kept;

/// One run with what came out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    /// The run.
    pub(crate) task: Task,
    /// What came out.
    #[serde(flatten)]
    pub(crate) came: Came,
}

/// What came out of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Came {
    /// Our runner's result.
    Judged(Judged),
    /// The result of Schemathesis.
    Tested(Tested),
}

/// All results so far.
pub(crate) type Results = Kept<Line>;

impl Results {
    /// The runs that are done.
    pub(crate) fn done(&self) -> HashSet<&Task> {
        self.lines().iter().map(|line| &line.task).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn an_interrupted_scoring_goes_on_after_the_last_whole_line() {
        let path = std::env::temp_dir().join(format!("rollcall-score-{}.jsonl", std::process::id()));
        let line = samples::judged("somebody is missing", 20, 1, &["R1"]);
        let whole = serde_json::to_string(&line).unwrap();
        std::fs::write(&path, format!("{whole}\n{}", &whole[..20])).unwrap();
        let mut results = Results::open(Some(&path)).unwrap();
        assert_eq!(results.lines().len(), 1);
        results
            .add(samples::judged("somebody is missing", 20, 2, &[]))
            .unwrap();
        let again = Results::open(Some(&path)).unwrap();
        assert_eq!(again.lines().len(), 2);
        assert!(again.done().contains(&line.task));
        std::fs::remove_file(path).unwrap();
    }
}
