//! `token create|list|revoke`: what callers of the API sign in with (A1).

use std::io::Write as _;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use rollcall::model::LifecycleState;
use rollcall_import::check;
use rollcall_store::access::owners::{self, Inactive};
use rollcall_store::access::tokens::{self, NewToken};
use rollcall_store::change::unit::Unit;
use rollcall_store::clock::Clock;
use rollcall_store::dialect::{Connection, Database};
use rollcall_store::ids::Ids;
use rollcall_store::{Error, WriteContext};

use super::database::{DatabaseArgument, Missing, open, open_to_read};
use super::number::within;
use super::{Failure, Outcome, print};

/// Creates, lists and revokes the tokens that callers of the API send.
#[derive(Args, Debug)]
pub struct Token {
    /// What to do.
    #[command(subcommand)]
    pub action: Action,
}

/// What can be done with tokens.
#[derive(Subcommand, Debug)]
pub enum Action {
    /// Create a token. It is the only line of standard output. It is shown once, because the database has only its hash.
    Create(Create),
    /// List the tokens that are not revoked. It cannot show their secrets, which are stored nowhere.
    List(List),
    /// Revoke a token: it is refused from now on.
    Revoke(Revoke),
}

/// The arguments of `token create`.
#[derive(Args, Debug)]
#[command(mut_arg("database", DatabaseArgument::is_created))]
pub struct Create {
    /// The database.
    #[command(flatten)]
    pub database: DatabaseArgument,
    /// The workspace user that the token belongs to: an email or an id. For a new email, a workspace user is created.
    #[arg(
        long,
        env = "ROLLCALL_OWNER",
        value_name = "EMAIL_OR_ID",
        default_value = "operator@localhost"
    )]
    pub owner: String,
    /// Make the owner active first, if they are deactivated, expired, staged or soft-deleted. This lets an operator in who is
    /// locked out. Without it, such an owner is an error, because the token would be refused. Roles do not change.
    #[arg(long, env = "ROLLCALL_ACTIVATE_OWNER")]
    pub activate_owner: bool,
    /// A name for the token, which `token list` shows.
    #[arg(long, env = "ROLLCALL_TOKEN_NAME", value_name = "NAME", default_value = "command line", value_parser = name)]
    pub name: String,
    /// The scopes of the token, separated by commas. Without this flag, all scopes.
    #[arg(long, env = "ROLLCALL_SCOPES", value_name = "SCOPES", value_delimiter = ',', value_parser = scope)]
    pub scopes: Vec<String>,
    /// The number of days until the token expires.
    #[arg(long, env = "ROLLCALL_DAYS", value_name = "N", default_value_t = 90, value_parser = within::<i64>(1..=3650))]
    pub days: i64,
}

/// The arguments of `token list`.
#[derive(Args, Debug)]
pub struct List {
    /// The database.
    #[command(flatten)]
    pub database: DatabaseArgument,
}

/// The arguments of `token revoke`.
#[derive(Args, Debug)]
pub struct Revoke {
    /// The database.
    #[command(flatten)]
    pub database: DatabaseArgument,
    /// The id of the token, as `token list` shows it.
    #[arg(value_name = "ID")]
    pub id: String,
}

impl Token {
    /// Does it.
    pub fn run(self) -> Outcome {
        match self.action {
            Action::Create(create) => create.run(),
            Action::List(list) => list.run(),
            Action::Revoke(revoke) => revoke.run(),
        }
    }
}

/// Seconds of a day.
const DAY: i64 = 86_400;

impl Create {
    fn run(self) -> Outcome {
        if self.owner.contains('@') {
            check::email("--owner", &self.owner).map_err(Failure::new)?;
        }
        let connection = open(&self.database, Missing::Make)?;
        let context = WriteContext::of_nobody(Clock::System.now());
        let expires_at = context.now.plus_seconds(self.days * DAY).unwrap_or(context.now);
        let all = || tokens::scopes().into_iter().map(str::to_owned).collect();
        let scopes = if self.scopes.is_empty() {
            all()
        } else {
            self.scopes
        };
        let inactive = match self.activate_owner {
            true => Inactive::Activate,
            false => Inactive::Refuse,
        };
        let secret = Unit::run(&connection, &mut Ids::new(), context, |unit| {
            let owner = owners::owner(unit, &self.owner, inactive)?;
            let (name, scopes) = (self.name.as_str(), scopes.as_slice());
            tokens::create(
                unit,
                &NewToken {
                    name,
                    owner: &owner,
                    scopes,
                    expires_at,
                    secret: None,
                },
            )
        });
        let secret = secret.map_err(|error| match error {
            Error::NotFound => Failure::new(format!(
                "--owner {:?}: there is no workspace user with this id; with an email, one is made",
                self.owner
            )),
            Error::MayNotSignIn(why) => Failure::new(format!(
                "--owner {:?}: {why}, so the token would be refused; --activate-owner makes them active first",
                self.owner
            )),
            error => Failure::store(&self.database, &error),
        })?;
        eprintln!(
            "A token of {} for {}, until {expires_at}.",
            self.owner,
            scopes.join(", ")
        );
        eprintln!("It is shown this once. Send it as the header  Authorization: Bearer TOKEN");
        print(|out| writeln!(out, "{secret}")).map_err(|why| {
            Failure::new(format!(
                "{why}; nobody has seen the token, so revoke it (token list, token revoke)"
            ))
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

impl List {
    fn run(self) -> Outcome {
        let connection = open_to_read(&self.database)?;
        let listed = tokens::all(&connection, Clock::System.now());
        let listed = listed.map_err(|error| Failure::store(&self.database, &error))?;
        let heading = ["id", "name", "owner", "scopes", "valid until", "state"].map(str::to_owned);
        let rows = listed.into_iter().map(|listed| {
            let item = listed.item;
            let expires = item
                .timestamp
                .expires_at
                .map(|timestamp| timestamp.to_string())
                .unwrap_or_default();
            let id = item.id.to_string();
            [
                id,
                item.name,
                listed.owner,
                listed.scopes,
                expires,
                state(item.state),
            ]
        });
        let rows: Vec<[String; 6]> = std::iter::once(heading).chain(rows).collect();
        let width = |column: usize| {
            rows.iter()
                .map(|row| row[column].chars().count())
                .max()
                .unwrap_or_default()
        };
        let widths: [usize; 6] = std::array::from_fn(width);
        print(|out| {
            rows.iter().try_for_each(|row| {
                let cells = row
                    .iter()
                    .zip(widths)
                    .map(|(cell, width)| format!("{cell:width$}"));
                writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())
            })
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The state of a token as text. Each token has an end, so it is no news that a token has its end ahead.
fn state(state: LifecycleState) -> String {
    match state {
        LifecycleState::Active | LifecycleState::Expiring => "valid".to_owned(),
        other => other.to_string(),
    }
}

impl Revoke {
    fn run(self) -> Outcome {
        let connection = open(&self.database, Missing::Fail)?;
        revoke(&connection, &self.database, &self.id)?;
        eprintln!("{} is revoked.", self.id);
        Ok(ExitCode::SUCCESS)
    }
}

fn revoke(connection: &Connection, database: &Database, id: &str) -> Result<(), Failure> {
    let context = WriteContext::of_nobody(Clock::System.now());
    let revoked = Unit::run(connection, &mut Ids::new(), context, |unit| {
        tokens::revoke(unit, id)
    });
    revoked.map_err(|error| match error {
        // The id is not repeated: somebody may have given the token instead.
        Error::NotFound => {
            Failure::new("there is no such token in use; `token list` shows their ids (wstok_…)")
        }
        error => Failure::store(database, &error),
    })
}

fn name(text: &str) -> Result<String, String> {
    check::name("name", text)?.ok_or_else(|| "a name has at least one letter".to_owned())
}

fn scope(text: &str) -> Result<String, String> {
    let scopes = tokens::scopes();
    match scopes.contains(&text.trim()) {
        true => Ok(text.trim().to_owned()),
        false => Err(check::unknown("scope", text, scopes.into_iter())),
    }
}
