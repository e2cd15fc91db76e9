//! `run`: judges a target.
//!
//! Invariant: the token is taken from a flag, the environment or a file, and from there goes to the target only.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use jiff::civil::Date;
use reqwest::Url;
use rollcall_contract::Contract;
use rollcall_oracle::http::target::Notice;
use rollcall_oracle::http::tls::Trust;

use super::output::{self, Output, STANDARD};
use super::{contract, dry_run};
use crate::cli::config::{CHECKS, OUTPUT, TARGET, YES_NO, switch};
use crate::cli::config::{Fault, File, Pair, Settings, address, time};
use crate::cli::exit::Exit;
use crate::engine::profile::Profile;
use crate::engine::waiver::Waiver;
use crate::report::console::{self, Style};
use crate::report::progress::{CLEAR, Progress};
use crate::report::{Format, Report, json};
use crate::run::waiver;
use crate::{RunConfig, TargetConfig, Token, run};

const MISSING_ADDRESS: &str = "the address of the target is missing: \
                               give it by --base-url, ROLLCALL_BASE_URL or base-url in rollcall.toml";
const MISSING_TOKEN: &str = "the token is missing: give it by ROLLCALL_TOKEN, --token-file or --token";

pub(super) const AFTER_HELP: &str = "\
Every setting except the token can also be in the configuration file, under the name of its flag; `schema config` prints \
its JSON Schema. A flag takes precedence over the environment, and the environment over the file.

Exit codes: 0 the target conforms in all that was tested; 1 it violates the specification; 2 the run could not \
be made (usage, configuration, a token that is refused); 3 there is too little evidence; 4 the target does not answer.";

/// What to judge, by what, and where to write about it.
#[derive(Args, Debug)]
#[command(mut_args = switch)]
pub(super) struct RunArgs {
    #[command(flatten)]
    settings: Settings,
    /// The token. Give it by the environment: other users can see the command line. It is in no output.
    #[arg(long, env = "ROLLCALL_TOKEN", hide_env_values = true, value_name = "T", help_heading = TARGET)]
    token: Option<String>,
    /// The configuration file; rollcall.toml in the working directory, if it is there.
    #[arg(long, env = "ROLLCALL_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// List the checks and the first requests of the run, and send nothing.
    #[arg(long, env = "ROLLCALL_DRY_RUN", value_name = YES_NO)]
    dry_run: Option<bool>,
    /// Only the checks that failed in this report of the form json, to see whether they still do.
    #[arg(long, env = "ROLLCALL_LAST_FAILED", value_name = "REPORT", help_heading = CHECKS,
          conflicts_with = "only")]
    last_failed: Option<PathBuf>,
    /// Report for each list how many pairs of parameters met in a query.
    #[arg(long, env = "ROLLCALL_COVERAGE", value_name = YES_NO, help_heading = OUTPUT)]
    coverage: Option<bool>,
    /// End the run at the first check that fails.
    #[arg(long, env = "ROLLCALL_FAIL_FAST", value_name = YES_NO, help_heading = CHECKS)]
    fail_fast: Option<bool>,
}

impl RunArgs {
    pub(super) async fn act(self, today: Date, mut out: impl Write) -> Result<Exit, String> {
        let file = File::find(self.config.as_deref()).map_err(said)?;
        let mut settings = self.settings.clone().over(file.settings.clone());
        if let Some(report) = &self.last_failed {
            settings.only = last_failed(report)?;
        }
        let contract = contract::read(settings.contract.as_deref())?;
        let in_flag = |Fault { key, why }| format!("--{key}: {why}");
        self.settings.verify(&contract).map_err(in_flag)?;
        let in_config = |fault| said(file.wrong(fault));
        file.settings.verify(&contract).map_err(in_config)?;
        let mut config = run_config(&settings, contract, today)?;
        config.fail_fast = self.fail_fast == Some(true);
        let base = settings.base_url.as_deref().map(address).transpose()?;
        if self.dry_run == Some(true) {
            dry_run::write(&config, base.as_ref(), &mut out).map_err(said)?;
            return Ok(Exit::Conforms);
        }
        let base = base.ok_or(MISSING_ADDRESS)?;
        let target = target(&settings, base, self.token(&settings)?)?;
        let outputs = Outputs::open(&settings)?;
        if target.trust.anyone {
            say(
                "WARNING: no certificate is verified. A machine in between can read the token and invent answers.",
            );
        }
        let quiet = settings.quiet == Some(true);
        let live = io::stderr().is_terminal();
        let target = TargetConfig {
            notice: Notice::to(move |what| {
                if !quiet {
                    say(&format!("{}{what}", if live { CLEAR } else { "" }));
                }
            }),
            ..target
        };
        let mut progress = Progress::new(io::stderr(), live, style(live, &settings));
        let report = run(target, config, |event| {
            if !quiet {
                progress.show(&event);
            }
        })
        .await;
        let coverage = self.coverage == Some(true);
        outputs.write(&report, &settings, coverage, &mut out)?;
        Ok(Exit::from(&report.verdict))
    }

    fn token(&self, settings: &Settings) -> Result<Token, String> {
        if self.token.is_some() && self.settings.token_file.is_some() {
            let both = "both --token (ROLLCALL_TOKEN) and --token-file (ROLLCALL_TOKEN_FILE) are given";
            return Err(both.to_owned());
        }
        if let Some(text) = &self.token {
            return Token::new(text).map_err(|error| format!("--token: {error}"));
        }
        let path = settings.token_file.as_deref().ok_or(MISSING_TOKEN)?;
        token_in(path).map_err(|why| in_file("--token-file", path, why))
    }
}

/// What is written when the run is over.
struct Outputs {
    reports: Vec<(Format, Output)>,
    profile: Option<Output>,
}

impl Outputs {
    fn open(settings: &Settings) -> Result<Self, String> {
        let open = |text: &String| {
            let (form, path) = output::report(text).map_err(|why| format!("--report: {why}"))?;
            Ok::<_, String>((form, Output::open(path)?))
        };
        let profile = settings.write_profile.as_deref().map(Output::open).transpose()?;
        let reports: Vec<_> = settings.report.iter().map(open).collect::<Result<_, _>>()?;
        let all = reports.iter().map(|(_, output)| output).chain(&profile);
        if all.filter(|output| output.is_standard()).count() > 1 {
            return Err("only one thing can be written to standard output".to_owned());
        }
        Ok(Self { reports, profile })
    }

    /// Writes everything. What a person reads goes to standard error if a program reads standard output.
    fn write(
        self,
        report: &Report,
        settings: &Settings,
        coverage: bool,
        out: &mut impl Write,
    ) -> Result<(), String> {
        let all = self.reports.iter().map(|(_, output)| output).chain(&self.profile);
        let taken = all.into_iter().any(Output::is_standard);
        for (form, output) in self.reports {
            output.write(|to| report.write(form, to), out)?;
        }
        if let Some(output) = self.profile {
            let profile = report.profile();
            // A run that saw nothing should not wipe out what an earlier one saw.
            match profile.points.is_empty() {
                true => say("nothing was observed: the profile is not written"),
                false => output.write(|to| profile.write(to), out)?,
            }
        }
        let is_terminal = match taken {
            true => io::stderr().is_terminal(),
            false => io::stdout().is_terminal(),
        };
        let style = Style {
            coverage,
            ..style(is_terminal, settings)
        };
        output::unless_closed(match taken {
            true => console::write(report, style, io::stderr()),
            false => console::write(report, style, out),
        })
    }
}

/// How a stream is written to.
fn style(is_terminal: bool, settings: &Settings) -> Style {
    let plain = settings.no_color == Some(true);
    let no_color = std::env::var_os("NO_COLOR").or_else(|| plain.then(|| "1".into()));
    Style::of(is_terminal, no_color.as_deref(), settings.verbose == Some(true))
}

fn run_config(settings: &Settings, contract: Contract, today: Date) -> Result<RunConfig, String> {
    let defaults = RunConfig::new(contract);
    let profile = settings.profile.as_deref().map(Profile::read).transpose();
    let waivers = settings.waivers.as_deref().map(waivers_in).transpose()?;
    Ok(RunConfig {
        thorough: settings.thorough == Some(true),
        seed: settings.seed.unwrap_or(defaults.seed),
        only: settings.only.clone(),
        skip: settings.skip.clone(),
        allow_writes: settings.allow_writes.unwrap_or(defaults.allow_writes),
        fixtures: Pair::map(&settings.fixture),
        searches: Pair::map(&settings.search),
        waivers: waivers.unwrap_or_default(),
        today: Some(today),
        profile: profile.map_err(|error| format!("--profile {error}"))?,
        concurrency: settings.concurrency.unwrap_or(defaults.concurrency),
        ..defaults
    })
}

fn target(settings: &Settings, base: Url, token: Token) -> Result<TargetConfig, String> {
    if token.is_in(base.as_str()) {
        return Err("--base-url contains the token".to_owned());
    }
    let mut trust = Trust {
        anyone: settings.insecure == Some(true),
        ..Trust::default()
    };
    if let Some(path) = &settings.ca_file {
        let pem = std::fs::read(path).map_err(|error| in_file("--ca-file", path, error))?;
        let with_pem = trust.with_pem(&pem);
        trust = with_pem.map_err(|error| in_file("--ca-file", path, error))?;
    }
    let defaults = TargetConfig::new(base, token);
    Ok(TargetConfig {
        envelope: settings.envelope.clone(),
        timeout: settings.timeout.map_or(defaults.timeout, Duration::from_secs),
        max_requests: match (settings.max_requests, settings.thorough) {
            (Some(most), _) => most,
            (None, Some(true)) => RunConfig::THOROUGH_REQUESTS,
            (None, _) => defaults.max_requests,
        },
        budget: settings.budget.as_deref().map(time).transpose()?,
        rate: settings.rate,
        trust,
        ..defaults
    })
}

/// The token in a file, without the end of its line.
fn token_in(path: &Path) -> Result<Token, String> {
    let text = match path.as_os_str() == STANDARD {
        true => io::read_to_string(io::stdin()),
        false => std::fs::read_to_string(path),
    };
    Token::new(text.map_err(said)?.trim()).map_err(said)
}

/// The numbers of the checks that failed in a report.
fn last_failed(path: &Path) -> Result<Vec<String>, String> {
    let complain = |why: String| in_file("--last-failed", path, why);
    let text = std::fs::read_to_string(path).map_err(|error| complain(error.to_string()))?;
    let failed = json::failed(&text);
    let failed = failed.map_err(|error| complain(format!("no report of the form json: {error}")))?;
    match failed.is_empty() {
        true => Err(complain("no check failed in it".to_owned())),
        false => Ok(failed),
    }
}

fn waivers_in(path: &Path) -> Result<Vec<Waiver>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| in_file("--waivers", path, error))?;
    waiver::read(&text).map_err(|error| format!("{}, {error}", path.display()))
}

/// What is wrong with the file that a flag names.
fn in_file(flag: &str, path: &Path, why: impl Display) -> String {
    format!("{flag} {}: {why}", path.display())
}

fn said(error: impl ToString) -> String {
    error.to_string()
}

/// Says something on standard error; nobody is helped if a closed one ends the run.
fn say(line: &str) {
    _ = writeln!(io::stderr(), "{line}");
}
