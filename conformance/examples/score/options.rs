//! What the command line says.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;

use clap::Parser;

/// Measures the conformance runner against its own shelf of faults and of variants that conform.
#[derive(Debug, Parser)]
pub(crate) struct Options {
    /// How many people the targets with a fault have
    #[arg(long, value_delimiter = ',', default_values_t = [20, 200, 2000])]
    pub(crate) sizes: Vec<usize>,
    /// How many seeds every fault is judged with at every size
    #[arg(long, default_value_t = 3)]
    pub(crate) seeds: u64,
    /// How many seeds every variant that conforms is judged with
    #[arg(long, default_value_t = 20)]
    pub(crate) benign_seeds: u64,
    /// Only variants whose name has this part
    #[arg(long, value_name = "NAME-PART")]
    pub(crate) only: Option<String>,
    /// How many runs are made at once [default: the number of cores]
    #[arg(long, hide_default_value = true, default_value_t = available_parallelism().map_or(1, NonZeroUsize::get))]
    pub(crate) jobs: usize,
    /// The file that keeps results; what it has already is not measured again
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Where the table is written [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) write: Option<PathBuf>,
    /// Measure nothing: write the table from the results that are there
    #[arg(long, requires = "resume")]
    pub(crate) write_only: bool,
    /// The executable of Schemathesis, to measure it beside the runner
    #[arg(long, value_name = "PATH")]
    pub(crate) schemathesis: Option<PathBuf>,
    /// Of the targets, Schemathesis is given the first and every so-manieth after it: a run of it takes long
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    pub(crate) every: NonZeroUsize,
}

impl Options {
    /// The command that measures the same again, without the paths of this machine.
    pub(crate) fn command(&self) -> String {
        let sizes: Vec<_> = self.sizes.iter().map(ToString::to_string).collect();
        let mut command = format!(
            "cargo run --release -p rollcall-conformance --example score -- --sizes {} --seeds {} --benign-seeds {}",
            sizes.join(","),
            self.seeds,
            self.benign_seeds,
        );
        if let Some(only) = &self.only {
            command.push_str(&format!(" --only '{only}'"));
        }
        if self.every > NonZeroUsize::MIN {
            command.push_str(&format!(" --every {}", self.every));
        }
        command.push_str(&format!(" --jobs {}", self.jobs));
        command
            .push_str(" --resume score.jsonl --schemathesis schemathesis --write docs/conformance-shelf.md");
        command
    }
}
