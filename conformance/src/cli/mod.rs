//! The command line: arguments in, exit code out. One file for each subcommand that does more than print.

mod annotate;
mod compare;
pub mod config;
mod contract;
mod diff;
mod dry_run;
pub mod exit;
mod output;
mod run;
mod schema;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{CommandFactory as _, Parser, Subcommand};
use jiff::civil::Date;
use rollcall_shell::ShellFiles;

use crate::checks;
use crate::cli::exit::Exit;
use crate::report::console;

/// Tells whether an implementation of the Directory and Workspace Provisioning API conforms.
#[derive(Debug, Parser)]
#[command(name = "rollcall-conformance", version, after_help = AFTER_HELP)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Exit codes: 0 the target conforms in all that was tested; 1 it violates the specification; 2 the run could not \
be made (usage, configuration, a token that is refused); 3 there is too little evidence; 4 the target does not answer.

A run only reads, unless --allow-writes is given. With it, the run changes the records that --fixture names, \
else a few that it finds by reading. The report names them. Without it, the only writes carry no token or a wrong one, \
and must be refused.

    export ROLLCALL_TOKEN=…
    rollcall-conformance run --base-url https://directory.example/api/v1";

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge a target.
    #[command(after_help = run::AFTER_HELP)]
    Run(Box<run::RunArgs>),
    /// List all checks: number, clause, level, statement, and the data that each needs.
    List {
        /// Only the checks that apply under this contract.
        #[arg(long, env = "ROLLCALL_CONTRACT", value_name = "FILE")]
        contract: Option<PathBuf>,
    },
    /// Explain checks: the statement, the data that it needs, the faults that it finds, advice, the requests that it sends, and the
    /// open points that it touches.
    Explain {
        /// Numbers of checks, such as E3, or clauses with all below them, such as §4.4.
        #[arg(value_name = "ID|§", required = true)]
        of: Vec<String>,
        /// The requests and open points of this contract in place of the built-in contract.
        #[arg(long, env = "ROLLCALL_CONTRACT", value_name = "FILE")]
        contract: Option<PathBuf>,
    },
    /// Print an OpenAPI document of any API with the annotations that its names and shapes suggest.
    #[command(after_help = annotate::AFTER_HELP)]
    Annotate(annotate::AnnotateArgs),
    /// Compare the choices of two targets at open points. Exit codes: 0 they are the same; 1 they differ.
    Diff(diff::DiffArgs),
    /// Show reports side by side: implementations by clause and check, the history of each, and the choices that differ.
    /// Exit code 1: a check failed in the last report of an implementation and not in its report before.
    Compare(compare::CompareArgs),
    /// Print the JSON Schema of a file that the runner writes or reads.
    Schema(schema::SchemaArgs),
    #[command(flatten)]
    Shell(ShellFiles),
}

impl Cli {
    /// Runs the command. Its result goes to `out`, progress to standard error.
    ///
    /// # Errors
    /// What prevents it, in a sentence.
    pub async fn act(self, today: Date, mut out: impl Write) -> Result<Exit, String> {
        let written = match self.command {
            Command::Run(args) => return args.act(today, out).await,
            Command::Diff(args) => return args.act(out),
            Command::Compare(args) => return args.act(out),
            Command::Annotate(args) => return args.act(out, io::stderr().lock()),
            Command::List { contract } => {
                let contract = contract::read(contract.as_deref())?;
                console::list(checks::applicable(&contract), &mut out)
            }
            Command::Explain { of, contract } => {
                let contract = contract::read(contract.as_deref())?;
                let mut wanted: Vec<&checks::Check> = Vec::new();
                for of in &of {
                    let meant: Vec<_> = match of.starts_with('§') {
                        true => checks::all().filter(|check| check.is_meant_by(of)).collect(),
                        false => checks::find(of).into_iter().collect(),
                    };
                    if meant.is_empty() {
                        return Err(format!("no check has the number or the clause {of}; see `list`"));
                    }
                    wanted.extend(meant);
                }
                console::explain(&wanted, &contract, &mut out)
            }
            Command::Schema(args) => args.write(&mut out),
            Command::Shell(files) => files.write(Self::command(), &mut out),
        };
        output::unless_closed(written).map(|()| Exit::Conforms)
    }
}
