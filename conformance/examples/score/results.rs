//! What was measured, and the file that keeps it: a line of JSON for each run.
//!
//! Invariant: a result is in the file before the next run begins. What could not be measured is in no file, so that it is
//! measured again.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::measure::Judged;
use crate::plan::Task;
use crate::rival::Tested;

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
#[derive(Debug, Default)]
pub(crate) struct Results {
    lines: Vec<Line>,
    file: Option<File>,
}

impl Results {
    /// The results that a file has, to which more will be added; without a file none are kept.
    pub(crate) fn open(path: Option<&Path>) -> std::io::Result<Self> {
        let Some(path) = path else {
            return Ok(Self::default());
        };
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        // A line that was cut off by an interruption is measured again.
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n")?;
        }
        let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        Ok(Self {
            lines: lines.collect(),
            file: Some(file),
        })
    }

    /// The runs that are done.
    pub(crate) fn done(&self) -> HashSet<&Task> {
        self.lines.iter().map(|line| &line.task).collect()
    }

    /// Keeps a result.
    pub(crate) fn add(&mut self, line: Line) -> std::io::Result<()> {
        if let Some(file) = &mut self.file {
            let mut text = serde_json::to_string(&line)?;
            text.push('\n');
            file.write_all(text.as_bytes())?;
        }
        self.lines.push(line);
        Ok(())
    }

    /// Everything measured.
    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
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
