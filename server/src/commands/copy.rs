//! `copy`: a whole directory from one database to another.

use std::io::{self, IsTerminal, Write as _};
use std::process::ExitCode;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rollcall_store::copy::{Step, copy, is_empty, rows};
use rollcall_store::dialect::Database;

use super::database::{DatabaseParser, Missing, open, open_to_read, open_unfinished};
use super::{Failure, Outcome, print};

/// Copies a whole directory from one database to another, for example from a file to a PostgreSQL server. At the end, every
/// row of the copy is compared with the source.
///
/// One state of the source is copied. A server can run on the source; changes that it makes meanwhile are not in the copy. The
/// target must be empty. If the copy is interrupted, the same command with --resume goes on where it stopped.
#[derive(Args, Debug)]
pub struct Copy {
    /// The database to copy.
    #[arg(long, value_name = "FILE|URL", value_parser = DatabaseParser)]
    pub from: Database,
    /// The database to copy to. A file is created if it does not exist.
    #[arg(long, value_name = "FILE|URL", value_parser = DatabaseParser)]
    pub to: Database,
    /// Go on with a copy that was interrupted. Neither database may have changed since.
    #[arg(long)]
    pub resume: bool,
}

impl Copy {
    /// Copies, compares, and says how many rows each table has.
    pub fn run(self) -> Outcome {
        let from = open_to_read(&self.from)?;
        let to = match self.resume {
            true => open_unfinished(&self.to)?,
            false => open(&self.to, Missing::Make)?,
        };
        let failed_from = |error| Failure::store(&self.from, &error);
        let failed_to = |error| Failure::store(&self.to, &error);
        if !self.resume && !is_empty(&to).map_err(failed_to)? {
            return Err(Failure::new(format!(
                "{}: it is not empty; --resume goes on with a copy that was interrupted",
                self.to
            )));
        }
        let progress = match io::stderr().is_terminal() {
            true => ProgressBar::new(rows(&from).map_err(failed_from)?).with_style(style()),
            false => ProgressBar::hidden(),
        };
        let mut step = None;
        let copied = copy(&from, &to, |now, table, rows| {
            if step != Some((now, table)) {
                if now == Step::Compares && step.is_none_or(|(before, _)| before == Step::Copies) {
                    progress.set_position(0);
                }
                step = Some((now, table));
                let what = match now {
                    Step::Copies => "copying",
                    Step::Compares => "comparing",
                };
                progress.set_message(format!("{what} {table}"));
            }
            progress.inc(rows as u64);
        });
        progress.finish_and_clear();
        let copied = copied.map_err(|error| {
            Failure::new(format!(
                "copying to {}: {error}. The copy is not complete; the same command with --resume goes on with it",
                self.to
            ))
        })?;
        let all: u64 = copied.iter().map(|(_, rows)| rows).sum();
        print(|out| {
            for (table, rows) in &copied {
                writeln!(out, "{rows:>12}  {table}")?;
            }
            writeln!(
                out,
                "{all:>12}  rows are the same in {} and {}",
                self.from, self.to
            )
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

fn style() -> ProgressStyle {
    let style = ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} rows, {elapsed} {msg}");
    style.unwrap_or_else(|_| ProgressStyle::default_bar())
}
