//! Measures the runner against its own shelf of targets and writes what comes out as a table.
//!
//! Every variant is served on a free port of this machine and judged as a foreign target would be. Each result is kept in
//! a file the moment it is there: a scoring that was interrupted goes on where it stopped.

mod figures;
mod measure;
mod options;
mod plan;
mod replay;
mod results;
mod rival;
#[cfg(test)]
mod samples;
#[path = "../shared/mod.rs"]
mod shared;
mod subjects;
mod table;
mod work;

use std::error::Error;
use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

use options::Options;
use results::Results;
use subjects::Subjects;
use table::Table;

fn main() -> ExitCode {
    match score(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn score(options: &Options) -> Result<(), Box<dyn Error>> {
    let subjects = Subjects::chosen(options.only.as_deref());
    let tasks = plan::tasks(options, &subjects);
    let mut results = Results::open(options.resume.as_deref())?;
    if !options.write_only {
        work::through(tasks, options, &subjects, &mut results)?;
    }
    let text = Table::new(options, &subjects, results.lines()).to_string();
    match &options.write {
        Some(path) => std::fs::write(path, text)?,
        None => std::io::stdout().write_all(text.as_bytes())?,
    }
    Ok(())
}
