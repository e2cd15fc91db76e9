//! What the command line says.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;

use clap::Parser;

/// Measures the conformance runner by faults that are drawn from a seed.
#[derive(Debug, Parser)]
pub(crate) struct Options {
    /// The seed the mutants are drawn from
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many mutants are drawn, those that turn out to be equivalent to the model included
    #[arg(long, default_value_t = 200)]
    pub(crate) count: usize,
    /// Only mutants of these numbers, separated by commas
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    pub(crate) only: Vec<usize>,
    /// The seed of the runner
    #[arg(long, default_value_t = 1)]
    pub(crate) runner_seed: u64,
    /// Let the runner try every pair that the data allows
    #[arg(long)]
    pub(crate) thorough: bool,
    /// A folder for the requests of each run, as N.har
    #[arg(long, value_name = "FOLDER")]
    pub(crate) har: Option<PathBuf>,
    /// How many mutants are worked on at once [default: the number of cores]
    #[arg(long, hide_default_value = true, default_value_t = available_parallelism().map_or(1, NonZeroUsize::get))]
    pub(crate) jobs: usize,
    /// The file that keeps results; what it has already is not measured again
    #[arg(long, value_name = "FILE", default_value = "drawn.jsonl")]
    pub(crate) results: PathBuf,
    /// An earlier file of results: faults lost and gained since then are listed
    #[arg(long, value_name = "FILE")]
    pub(crate) compare: Option<PathBuf>,
    /// Where the table is written [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) write: Option<PathBuf>,
    /// Measure nothing: write the table from the results that are there
    #[arg(long)]
    pub(crate) write_only: bool,
    /// Classify mutants and do not run the runner
    #[arg(long)]
    pub(crate) classify_only: bool,
    /// Run the runner on every so-manieth equivalent mutant, too: it must find nothing
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) equivalent_every: usize,
}
