//! `contract diff`: what changed between two contracts.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use rollcall_contract::Document;
use rollcall_contract::diff::{Effect, markdown};

use super::{Failure, Outcome, print};

/// Compares contracts of the API.
#[derive(Args, Debug)]
pub struct Contract {
    /// What to do.
    #[command(subcommand)]
    pub action: Action,
}

/// What can be done with contracts.
#[derive(Subcommand, Debug)]
pub enum Action {
    /// List the changes between two contracts, and say of each whether it breaks clients of the old contract.
    ///
    /// It compares the meaning: parameters, limits, filters, sort fields, relations, members, enumerations, and the x-
    /// annotations. Changes of descriptions and examples are listed as changes of words.
    ///
    /// Exit code: 0 clients of the old contract work with the new one, 1 a change is breaking, 2 a contract cannot be read.
    Diff(Diff),
}

/// The arguments of `contract diff`.
#[derive(Args, Debug)]
pub struct Diff {
    /// The old contract, YAML or JSON.
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// The new contract; without it, the contract of this server.
    #[arg(value_name = "NEW")]
    pub new: Option<PathBuf>,
    /// How the changes are written.
    #[arg(long, value_enum, default_value_t = Notation::Text)]
    pub format: Notation,
    /// Leave out changes of descriptions and examples.
    #[arg(long)]
    pub no_words: bool,
}

/// How changes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Notation {
    /// A line for each change.
    Text,
    /// Markdown, with a heading for each kind of change.
    Markdown,
}

impl Contract {
    /// Does it.
    pub fn run(self) -> Outcome {
        let Action::Diff(diff) = self.action;
        diff.run()
    }
}

impl Diff {
    fn run(self) -> Outcome {
        let read = |file: &PathBuf| {
            // A fault that names no file is given one.
            let text = std::fs::read_to_string(file).map_err(|why| why.to_string());
            let document = text.and_then(|text| Document::parse(&text).map_err(|why| why.to_string()));
            document.map_err(|why| Failure::new(format!("{}: {why}", file.display())))
        };
        let old = read(&self.old)?;
        let new = match &self.new {
            Some(file) => read(file)?,
            None => Document::parse(rollcall::CONTRACT).map_err(|why| Failure::new(why.to_string()))?,
        };
        let mut changes = old.changes(&new);
        if self.no_words {
            changes.retain(|change| change.effect != Effect::Words);
        }
        match self.format {
            Notation::Markdown => print(|out| write!(out, "{}", markdown(&changes)))?,
            Notation::Text if changes.is_empty() => print(|out| writeln!(out, "Nothing changed."))?,
            Notation::Text => print(|out| {
                changes.iter().try_for_each(|change| {
                    writeln!(
                        out,
                        "{:<10}  {}: {}",
                        change.effect, change.element, change.difference
                    )
                })
            })?,
        }
        let is_breaking = changes.iter().any(|change| change.effect == Effect::Breaking);
        Ok(ExitCode::from(u8::from(is_breaking)))
    }
}
