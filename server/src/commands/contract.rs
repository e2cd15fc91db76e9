//! `contract diff`: what changed between two contracts.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use rollcall_contract::Document;
use rollcall_contract::diff::{Effect, Report};

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
    /// annotations. Changes of descriptions and examples are listed as changes of words. Each change has its line in the new
    /// contract, the operations that it touches, and why it breaks a client or a server.
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
    /// A paragraph for each change.
    Text,
    /// An array with an object for each change.
    Json,
    /// Annotations at the lines of a pull request: breaking changes are errors, others are notices.
    Github,
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
            let read = text.and_then(|text| Ok((parse(&text)?, text)));
            read.map_err(|why| Failure::new(format!("{}: {why}", file.display())))
        };
        let (old, _) = read(&self.old)?;
        let (file, (new, text)) = match &self.new {
            Some(file) => (file.display().to_string(), read(file)?),
            None => {
                let own = parse(rollcall::CONTRACT).map_err(Failure::new)?;
                ("openapi.yaml".to_owned(), (own, rollcall::CONTRACT.to_owned()))
            }
        };
        let mut changes = old.changes(&new);
        if self.no_words {
            changes.retain(|change| change.effect() != Effect::Words);
        }
        let report = Report::new(&changes, &file, &text);
        match self.format {
            Notation::Text => print(|out| write!(out, "{}", report.text()))?,
            Notation::Json => print(|out| writeln!(out, "{:#}", report.json()))?,
            Notation::Github => print(|out| write!(out, "{}", report.github()))?,
            Notation::Markdown => print(|out| write!(out, "{}", report.markdown()))?,
        }
        let is_breaking = changes.iter().any(|change| change.effect() == Effect::Breaking);
        Ok(ExitCode::from(u8::from(is_breaking)))
    }
}

fn parse(text: &str) -> Result<Document, String> {
    Document::parse(text).map_err(|why| why.to_string())
}
