//! Measures the conformance runner by drawn faults: mutants of the shelf's model, drawn from a seed.
//!
//! Every mutant is classified first, apart from the runner; those that are not equivalent to the model are then judged by
//! the runner, each on a free port of this machine. Each result is kept in a file the moment it is there: a run that was
//! interrupted goes on where it stopped, and two files can be compared.

mod compare;
mod judge;
mod options;
mod results;
#[path = "../shared/mod.rs"]
mod shared;
mod table;
mod work;

use std::error::Error;
use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

use options::Options;
use results::Results;

fn main() -> ExitCode {
    match measure(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(options: &Options) -> Result<(), Box<dyn Error>> {
    let mut results = Results::open(Some(&options.results))?;
    if !options.write_only {
        work::through(options, &mut results)?;
    }
    let lines = results.of(options.seed, options.count);
    let mut text = table::Table::new(options, &lines).to_string();
    if let Some(path) = &options.compare {
        let before = Results::open(Some(path))?;
        text.push_str(&compare::difference(
            &before.of(options.seed, options.count),
            &lines,
        ));
    }
    match &options.write {
        Some(path) => std::fs::write(path, text)?,
        None => std::io::stdout().write_all(text.as_bytes())?,
    }
    Ok(())
}
