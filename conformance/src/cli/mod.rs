//! The command line: arguments in, exit code out.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use reqwest::Url;
use rollcall_contract::Contract;

use crate::events::Event;
use crate::exit::Exit;
use crate::report::{console, json};
use crate::{RunConfig, TargetConfig, Token, checks, our_contract, run};

/// Tells whether an implementation of the Directory and Workspace Provisioning API conforms.
#[derive(Debug, Parser)]
#[command(name = "rollcall-conformance", version, after_help = AFTER_HELP)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Exit codes: 0 the target conforms, as far as it could be looked at; 1 it violates the specification;
2 the run could not be made or showed too little (usage, unreachable, token refused, no records).

A run only reads. The only writes it sends show no token or a wrong one, and have to be refused.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge a target.
    Run(Box<RunArgs>),
    /// List all checks: number, clause, level, what they say and what they need.
    List,
    /// Tell what one check is about.
    Explain {
        /// The number of the check, such as E3.
        id: String,
    },
}

/// What to judge, by what, and where to write about it.
#[derive(Args, Debug)]
struct RunArgs {
    /// The address of the target, version included: https://directory.example/api/v1
    #[arg(long, env = "ROLLCALL_BASE_URL", value_name = "URL")]
    base_url: Url,
    /// The caller's token; better given by the environment, where other users cannot see it. It is in no output.
    #[arg(long, env = "ROLLCALL_TOKEN", hide_env_values = true, value_name = "T")]
    token: String,
    /// Judge by this annotated OpenAPI document in place of the one built in.
    #[arg(long, env = "ROLLCALL_CONTRACT", value_name = "FILE")]
    contract: Option<PathBuf>,
    /// The member in which lists stand, such as data; found by itself where only one can be meant.
    #[arg(long, env = "ROLLCALL_ENVELOPE", value_name = "MEMBER")]
    envelope: Option<String>,
    /// How many seconds to wait for an answer.
    #[arg(long, env = "ROLLCALL_TIMEOUT", value_name = "S", default_value_t = 30)]
    timeout: u64,
    /// How many requests may be sent.
    #[arg(long, env = "ROLLCALL_MAX_REQUESTS", value_name = "N", default_value_t = 3000)]
    max_requests: usize,
    /// Only these checks: numbers (E3) or clauses (§4.4), separated by commas.
    #[arg(long, env = "ROLLCALL_ONLY", value_name = "ID|§", value_delimiter = ',')]
    only: Vec<String>,
    /// Which of the many values to ask for; a report says which seed it used.
    #[arg(long, env = "ROLLCALL_SEED", value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write the report as JSON to this file.
    #[arg(long, env = "ROLLCALL_REPORT", value_name = "FILE.json")]
    report: Option<PathBuf>,
    /// Say nothing about progress.
    #[arg(long, env = "ROLLCALL_QUIET")]
    quiet: bool,
}

impl Cli {
    /// Does what the arguments ask for; what a person should read goes to `out`, progress to standard error.
    ///
    /// # Errors
    /// What prevents it, in a sentence.
    pub async fn act(self, mut out: impl Write) -> Result<Exit, String> {
        let written = match self.command {
            Command::Run(args) => return args.run(out).await,
            Command::List => console::list(checks::all(), &mut out),
            Command::Explain { id } => {
                let check = checks::find(&id).ok_or_else(|| format!("there is no check {id}; see `list`"))?;
                console::explain(check, &mut out)
            }
        };
        written
            .map(|()| Exit::Conforms)
            .map_err(|error| error.to_string())
    }
}

impl RunArgs {
    async fn run(self, out: impl Write) -> Result<Exit, String> {
        let target = self.target()?;
        let contract = match &self.contract {
            Some(file) => Contract::read(file).map_err(|error| error.to_string())?,
            None => our_contract().map_err(|error| error.to_string())?,
        };
        let config = RunConfig {
            seed: self.seed,
            only: self.only.clone(),
            ..RunConfig::new(contract)
        };
        let unknown = |selection: &&String| !checks::all().any(|check| check.is_meant_by(selection));
        if let Some(selection) = self.only.iter().find(unknown) {
            return Err(format!("--only {selection} means no check; see `list`"));
        }
        // Opened first: a report that cannot be written should not cost a run.
        let file = self
            .report
            .as_ref()
            .map(|path| File::create(path).map_err(|error| format!("{}: {error}", path.display())));
        let file = file.transpose()?;
        let report = run(target, config, |event| {
            if !self.quiet {
                progress(&event);
            }
        })
        .await;
        let written = file.map_or(Ok(()), |file| {
            let mut file = BufWriter::new(file);
            json::write(&report, &mut file).and_then(|()| file.flush())
        });
        written
            .and_then(|()| console::write(&report, out))
            .map_err(|error| format!("no report: {error}"))?;
        Ok(Exit::from(&report.verdict))
    }

    fn target(&self) -> Result<TargetConfig, String> {
        let url = &self.base_url;
        if !["http", "https"].contains(&url.scheme()) || url.host().is_none() {
            return Err("--base-url is an address that begins with http:// or https://".to_owned());
        }
        if !url.username().is_empty()
            || url.password().is_some()
            || url.query().is_some()
            || url.fragment().is_some()
        {
            return Err("--base-url has no credentials, query or fragment".to_owned());
        }
        let token = Token::new(self.token.clone()).map_err(|error| format!("--token: {error}"))?;
        if self.token.len() > 7 && url.as_str().contains(&self.token) {
            return Err("--base-url contains the token".to_owned());
        }
        Ok(TargetConfig {
            envelope: self.envelope.clone(),
            timeout: Duration::from_secs(self.timeout.max(1)),
            max_requests: self.max_requests,
            ..TargetConfig::new(url.clone(), token)
        })
    }
}

/// Tells on standard error how far the run is.
fn progress(event: &Event<'_>) {
    let line = match event {
        Event::Surveyed {
            list,
            records: Some(records),
        } => format!("read {list}: {records} records"),
        Event::Surveyed { list, records: None } => format!("read {list}: no list"),
        Event::Checked(check) => format!("{:<4} {}", check.id, check.outcome.word()),
        Event::Started { .. } | Event::Checking { .. } | Event::Finished(_) => return,
    };
    // Nobody is helped if a closed standard error ends the run.
    _ = writeln!(io::stderr(), "{line}");
}
