//! `compare`: reports of several targets, or of several runs, side by side.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::output::Output;
use crate::cli::exit::Exit;
use crate::report::compare::{Comparison, WrittenRun, table};
use crate::report::console::Style;
use crate::report::write_comparison;

/// The largest report that is read, in bytes. One of 132 checks has half a megabyte.
const MAX_BYTES: u64 = 64 << 20;

/// The most reports that are compared.
const MAX_REPORTS: usize = 100;

/// Reports, and where to write the comparison.
#[derive(Args, Debug)]
pub(super) struct CompareArgs {
    /// Files that `run --report json=FILE` wrote. A name before `=` is the name of the implementation; without one it is the
    /// address of the target. Reports with the same name are its history.
    #[arg(required = true, value_name = "[NAME=]FILE")]
    reports: Vec<String>,
    /// Write a page to this file in place of the table; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl CompareArgs {
    pub(super) fn act(&self, mut out: impl Write) -> Result<Exit, String> {
        if self.reports.len() > MAX_REPORTS {
            return Err(format!(
                "{} reports are more than {MAX_REPORTS}",
                self.reports.len()
            ));
        }
        let reports = self.reports.iter().map(|text| report(text));
        let reports = reports.collect::<Result<Vec<_>, _>>()?;
        same_contract(&reports)?;
        let named = reports.into_iter().map(|report| (report.name, report.run));
        let comparison = Comparison::of(named);
        match &self.html {
            Some(file) => Output::open(file)?.write(|to| write_comparison(&comparison, to), &mut out)?,
            None => {
                let style = Style::of(
                    io::stdout().is_terminal(),
                    std::env::var_os("NO_COLOR").as_deref(),
                    false,
                );
                super::output::unless_closed(table::write(&comparison, style, &mut out))?;
            }
        }
        Ok(match comparison.is_worse() {
            true => Exit::Violates,
            false => Exit::Conforms,
        })
    }
}

/// A report that was read.
struct NamedReport {
    file: PathBuf,
    name: String,
    run: WrittenRun,
}

fn report(text: &str) -> Result<NamedReport, String> {
    let (name, file) = match text.split_once('=') {
        Some((name, file)) => (Some(name), Path::new(file)),
        None => (None, Path::new(text)),
    };
    let complain = |why: String| format!("{}: {why}", file.display());
    let text = read(file).map_err(|error| complain(error.to_string()))?;
    let run = WrittenRun::read(&text).map_err(complain)?;
    let name = name.map_or_else(|| run.target.clone(), str::to_owned);
    let file = file.to_owned();
    Ok(NamedReport { file, name, run })
}

/// The text of a file that is not too large.
fn read(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(file)?.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        let why = format!("a report has at most {} MiB", MAX_BYTES >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(text)
}

/// Targets that were judged by contracts of different APIs have nothing in common.
fn same_contract(reports: &[NamedReport]) -> Result<(), String> {
    let Some((first, others)) = reports.split_first() else {
        return Ok(());
    };
    let titled = |report: &NamedReport| {
        format!(
            "{} is about {:?}",
            report.file.display(),
            report.run.contract.title
        )
    };
    match others
        .iter()
        .find(|other| other.run.contract.title != first.run.contract.title)
    {
        Some(other) => Err(format!(
            "the reports are about different APIs: {}, {}",
            titled(first),
            titled(other)
        )),
        None => Ok(()),
    }
}
