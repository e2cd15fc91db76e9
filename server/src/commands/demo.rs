//! `demo`: a directory to play with, in a file that goes when the server does, and the commands to do so.

use std::io::{self, IsTerminal, Write as _};
use std::net::SocketAddr;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rollcall_demo::simulation::{FailRate, Latency, Simulation};
use rollcall_demo::{Filled, fill};
use rollcall_store::access::tokens;
use rollcall_store::clock::Clock;
use rollcall_store::dialect::{Connection, Database, Durability};
use rollcall_store::ids::Ids;
use rollcall_store::people::name_resolution;
use rollcall_store::{Error, Opening, Store, migrate};

use super::database::DatabaseParser;
use super::new_file::{check_absent, make_whole};
use super::number::within;
use super::serve::{base, connections, listen, runtime, serve};
use super::signals::Signals;
use super::{Failure, Outcome};
use crate::app::{Settings, VERSION_PATH};
use crate::connection::{CONNECTIONS, ConnectionLimits};
use crate::log_format::say;

/// Serves an invented directory, and prints requests to try. The directory is deleted when the server stops, unless --database
/// keeps it.
#[derive(Args, Debug)]
pub struct Demo {
    /// The number of people.
    #[arg(long, env = "ROLLCALL_USERS", value_name = "N", default_value_t = 1_000)]
    #[arg(value_parser = within::<u64>(1..=10_000_000))]
    pub users: u64,
    /// The seed of the random numbers: the same seed gives the same people.
    #[arg(long, env = "ROLLCALL_SEED", value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// The address to listen on.
    #[arg(
        long,
        env = "ROLLCALL_LISTEN",
        value_name = "ADDRESS",
        default_value = "127.0.0.1:8080"
    )]
    pub listen: SocketAddr,
    /// The delay of each answer of the API, for authors of clients: a time such as 200ms, or a range such as 50ms..2s.
    #[arg(long, value_name = "TIME", default_value = "0s", hide_default_value = true)]
    pub latency: Latency,
    /// The share of requests to the API that fail, such as 5%: they are answered 429 or 503 with Retry-After, or the connection
    /// breaks within the answer. The same seed and the same requests give the same failures.
    #[arg(long, value_name = "PERCENT", default_value = "0%", hide_default_value = true)]
    pub fail_rate: FailRate,
    /// A new file that keeps the directory, for `serve --database FILE` later. Or an empty database of a
    /// PostgreSQL server: postgres://user@host/database.
    #[arg(long, value_name = "FILE|URL", value_parser = DatabaseParser)]
    pub database: Option<Database>,
    /// The token to accept, 16 characters or more. Without it, each start creates a token.
    #[arg(long, env = "ROLLCALL_TOKEN", value_name = "TOKEN", hide_env_values = true, value_parser = long_enough)]
    pub token: Option<String>,
}

fn long_enough(token: &str) -> Result<String, String> {
    let plain = token.bytes().all(|byte| byte.is_ascii_graphic());
    match token.len() >= 16 && plain {
        true => Ok(token.to_owned()),
        false => Err("a token has 16 or more visible ASCII characters".to_owned()),
    }
}

impl Demo {
    /// Fills a new file, says what to try, serves until told to stop.
    pub fn run(self) -> Outcome {
        let runtime = runtime()?;
        let listener = runtime.block_on(async { listen(self.listen) })?;
        let base = base("http", None, &listener)?;
        let folder =
            tempfile::tempdir().map_err(|why| Failure::new(format!("no folder for the demo: {why}")))?;
        let database = match &self.database {
            Some(database) => database.clone(),
            None => Database::File(folder.path().join("demo.db")),
        };
        let token = self
            .token
            .clone()
            .unwrap_or_else(|| tokens::secret(&mut Ids::new()));
        let fill = |database: &Database| {
            let filled = self.fill_empty(database, &token);
            filled.map_err(|error| Failure::store(database, &error))
        };
        let filled = match &database {
            Database::File(file) => {
                check_absent(file, "`serve --database` serves it, or name another file")?;
                make_whole(file, |part| fill(&Database::File(part.to_owned())))
            }
            Database::Postgres(_) => fill(&database),
        }?;
        runtime.block_on(async {
            let store = Store::open(Opening {
                durability: Durability::Crash,
                ..Opening::of(&database, &base)
            });
            let store = store.map_err(|error| Failure::store(&database, &error))?;
            let signals = Signals::listen(false);
            let _ = writeln!(io::stdout(), "{}", self.guide(&base, &token, &filled));
            let limits = ConnectionLimits {
                connections: connections(CONNECTIONS as u32),
                ..ConnectionLimits::default()
            };
            let simulation = Simulation {
                latency: self.latency,
                fail_rate: self.fail_rate,
                seed: self.seed,
            };
            let mut settings = Settings::at(&base);
            settings.limits.simulation = simulation;
            let served = serve(listener, store, settings, limits, None, signals).await;
            say("Stopped.");
            served
        })
    }

    fn fill_empty(&self, database: &Database, token: &str) -> rollcall_store::Result<Filled> {
        let connection = Connection::writer(database)?;
        migrate(&connection)?;
        if name_resolution::users(&connection)? > 0 {
            let why = "it holds people already; `serve --database` serves them";
            return Err(Error::Unavailable(why.to_owned()));
        }
        let progress = match io::stderr().is_terminal() && self.users > 5_000 {
            true => ProgressBar::new(self.users).with_style(style()),
            false => ProgressBar::hidden(),
        };
        let demo = rollcall_demo::Demo {
            users: self.users,
            seed: self.seed,
            now: Clock::System.now(),
        };
        let filled = fill(&connection, &demo, Some(token), |done| {
            progress.set_position(done);
            if done == self.users {
                progress.set_message("working out policy and counts …");
            }
        });
        progress.finish_and_clear();
        filled
    }

    /// What to try, as lines to paste.
    fn guide(&self, base: &str, token: &str, filled: &Filled) -> String {
        let mut lines = vec![
            match &self.database {
                None => format!(
                    "A demo directory of {} people is ready. Ctrl-C ends it, and nothing of it is kept.\n",
                    self.users
                ),
                Some(database) => format!(
                    "A demo directory of {} people is ready. Ctrl-C ends the server; {database} keeps the directory.\n",
                    self.users
                ),
            },
            format!(
                "In a browser:  {}/docs#token={token}",
                base.trim_end_matches(VERSION_PATH)
            ),
            "    This page describes every operation and calls it. The review page is beside it.\n"
                .to_owned(),
            "On the command line:\n".to_owned(),
            format!("  export BASE={base}"),
            format!("  export TOKEN={token}"),
        ];
        let mut show = |what: &str, command: String| lines.push(format!("\n# {what}\n{command}"));
        let get = |path: &str| format!("curl -g -H \"Authorization: Bearer $TOKEN\" \"$BASE{path}\"");
        let patch = |path: &str, body: &str| {
            let head =
                "curl -X PATCH -H \"Authorization: Bearer $TOKEN\" -H \"Content-Type: application/json\"";
            format!("{head} -d '{body}' \"$BASE{path}\"")
        };
        show("list the first people", get("/directory/users?page[size]=2"));
        let Filled {
            domain,
            department,
            rare,
            ..
        } = filled;
        show(
            "filter: part of an email, part of an org value, a state",
            get(&format!("/directory/users?filter[email_search]={rare}")),
        );
        show(
            "",
            get(&format!(
                "/directory/users?filter[org_search]={}&filter[state]=active&page[size]=2",
                department.replace(' ', "%20")
            )),
        );
        show(
            "sort, and the second page",
            get(&format!(
                "/directory/users?filter[email_search]=@{domain}&sort=last_name,-created_at&page=2&page[size]=2"
            )),
        );
        if let Some(manager) = &filled.manager {
            show(
                "include: who reports to somebody, with manager and a count",
                get(&format!(
                    "/directory/users?filter[manager_id]={}&include=manager-user,direct-report-users-count&page[size]=2",
                    manager.id
                )),
            );
        }
        show(
            "dimensions with their attributes",
            get("/directory/dimensions?include=attributes"),
        );
        show(
            "deprecate an attribute: it expires in 30 days",
            patch(
                &format!("/directory/attributes/{}/deprecate", filled.attribute),
                r#"{"expires_after_days": 30}"#,
            ),
        );
        if let Some(user) = &filled.restorable {
            show(
                "restore a workspace user with the roles held before",
                patch(&format!("/workspace/users/{user}/restore"), r#"{"roles": true}"#),
            );
        }
        show(
            "is this server conforming?",
            "cargo run -p rollcall-conformance -- run --base-url \"$BASE\" --token \"$TOKEN\"".to_owned(),
        );
        lines.join("\n").replace("\n# \n", "\n")
    }
}

fn style() -> ProgressStyle {
    let style = ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} people, {elapsed} {msg}");
    style.unwrap_or_else(|_| ProgressStyle::default_bar())
}
