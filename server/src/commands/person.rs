//! `person add|set|remove|restore|show`: one directory user, through the same code as an import.

use std::io::{Cursor, Write as _};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use rollcall::formula::escape_formula;
use rollcall_import::column::Field;
use rollcall_import::export::{Line, exported_person};
use rollcall_import::{Accepts, Format, Options, Refusal, Report, Request};
use rollcall_store::WriteContext;
use rollcall_store::change::unit::Unit;
use rollcall_store::clock::Clock;
use rollcall_store::dialect::{Connection, Database};
use rollcall_store::ids::Ids;
use rollcall_store::people::directory_sync;
use rollcall_store::people::name_resolution::{self, Candidate};

use super::database::{DatabaseArgument, Missing, open, open_to_read};
use super::import::{handle, states};
use super::{Failure, Outcome, print};

/// Adds, changes, removes and shows one person of the directory.
///
/// A person is described by COLUMN=VALUE, with the columns of a CSV file, which `import --help` names.
/// WHO is an email, the id of a directory user, or the key of the person in an integration.
#[derive(Args, Debug)]
pub struct Person {
    /// What to do.
    #[command(subcommand)]
    pub action: Action,
}

/// What can be done with a person.
#[derive(Subcommand, Debug)]
pub enum Action {
    /// Add a person. Prints the id of the new directory user.
    ///
    /// Example: rollcall-server person add --database directory.db email=ann@example.org first_name=Ann last_name=Lee
    /// org.department=Sales manager=zoe@example.org
    Add(Add),
    /// Change a person: the named columns and no others. COLUMN= without a value empties the column.
    ///
    /// Example: rollcall-server person set --database directory.db ann@example.org state=suspended badge_id=
    Set(Set),
    /// Soft-delete a person: lists leave them out, and imports leave them alone.
    Remove(Who),
    /// Undo `remove`. The person has the same state as before.
    Restore(Who),
    /// Print a person as JSON, with the members that `import` reads.
    Show(Who),
}

/// The arguments of `person add`.
#[derive(Args, Debug)]
#[command(mut_arg("database", DatabaseArgument::is_created))]
pub struct Add {
    /// The database.
    #[command(flatten)]
    pub database: DatabaseArgument,
    /// The handle of the integration that the person belongs to. It is created if it does not exist.
    #[arg(long, env = "ROLLCALL_INTEGRATION", value_name = "HANDLE", default_value = "import", value_parser = handle)]
    pub integration: String,
    /// The values of the person: at least email, first_name and last_name.
    #[arg(value_name = "COLUMN=VALUE", required = true, value_parser = cell)]
    pub cells: Vec<(String, String)>,
}

/// The arguments of `person set`.
#[derive(Args, Debug)]
pub struct Set {
    /// The person to change.
    #[command(flatten)]
    pub who: Who,
    /// The new values.
    #[arg(value_name = "COLUMN=VALUE", required = true, value_parser = cell)]
    pub cells: Vec<(String, String)>,
}

/// The person of an action.
#[derive(Args, Debug)]
pub struct Who {
    /// The database.
    #[command(flatten)]
    pub database: DatabaseArgument,
    /// An email, the id of a directory user, or the key of the person in an integration.
    #[arg(value_name = "WHO")]
    pub who: String,
}

impl Person {
    /// Does it.
    pub fn run(self) -> Outcome {
        match self.action {
            Action::Add(add) => add.run(),
            Action::Set(set) => set.run(),
            Action::Remove(who) => who.set_deleted(true),
            Action::Restore(who) => who.set_deleted(false),
            Action::Show(who) => who.show(),
        }
    }
}

impl Add {
    fn run(self) -> Outcome {
        let connection = open(&self.database, Missing::Make)?;
        let row = Row {
            cells: self.cells,
            integration: self.integration,
            accepts: Accepts::New,
        };
        let email = row.value(Field::Email).unwrap_or_default().to_owned();
        row.import(&connection, &self.database)?;
        let added = candidates(&connection, &self.database, &email)?;
        let added = added.into_iter().find(|one| one.integration == row.integration);
        eprintln!("{email} is added.");
        print(|out| {
            added
                .iter()
                .try_for_each(|added| writeln!(out, "{}", added.found.id))
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Set {
    fn run(mut self) -> Outcome {
        if self
            .cells
            .iter()
            .any(|(column, _)| Field::named(column) == Some(Field::Id))
        {
            return Err(Failure::new("id: it names the person, and cannot be changed"));
        }
        let Who { database, who } = self.who;
        let connection = open(&database, Missing::Fail)?;
        let Candidate {
            found, integration, ..
        } = meant(&connection, &database, &who)?;
        let kept = person(&connection, &database, &found.id, &integration)?;
        // A row has an email and both names.
        let required = [
            (Field::Id, kept.key),
            (Field::Email, kept.email),
            (Field::FirstName, kept.first_name),
            (Field::LastName, kept.last_name),
        ];
        for (field, value) in required {
            if self.cells.iter().all(|(column, _)| column != field.name()) {
                self.cells.push((field.name().to_owned(), value));
            }
        }
        let row = Row {
            cells: self.cells,
            integration,
            accepts: Accepts::Known,
        };
        let report = row.import(&connection, &database)?;
        eprintln!(
            "{who} {}",
            match report.updated {
                0 => "was so already.",
                _ => "is changed.",
            }
        );
        Ok(ExitCode::SUCCESS)
    }
}

impl Who {
    fn set_deleted(self, is_deleted: bool) -> Outcome {
        let Self { database, who } = self;
        let connection = open(&database, Missing::Fail)?;
        let found = meant(&connection, &database, &who)?.found;
        if found.is_trashed == is_deleted {
            let is = if is_deleted {
                "soft-deleted already"
            } else {
                "not soft-deleted"
            };
            return Err(Failure::new(format!("{who} is {is}")));
        }
        let set = Unit::run(
            &connection,
            &mut Ids::new(),
            WriteContext::of_nobody(Clock::System.now()),
            |unit| directory_sync::set_deleted(unit, &found.id, is_deleted),
        );
        set.map_err(|error| Failure::store(&database, &error))?;
        let done = if is_deleted { "soft-deleted" } else { "restored" };
        eprintln!("{who} ({}) is {done}.", found.id);
        Ok(ExitCode::SUCCESS)
    }

    fn show(self) -> Outcome {
        let Self { database, who } = self;
        let connection = open_to_read(&database)?;
        let Candidate {
            found, integration, ..
        } = meant(&connection, &database, &who)?;
        let person = person(&connection, &database, &found.id, &integration)?;
        let is = if found.is_trashed { ", soft-deleted" } else { "" };
        eprintln!("{} of the integration {integration}{is}", found.id);
        let shown = serde_json::to_string_pretty(&Line(&person))
            .map_err(|why| Failure::new(format!("{who} can't be shown: {why}")))?;
        print(|out| writeln!(out, "{shown}"))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A person as a CSV file of one row.
struct Row {
    cells: Vec<(String, String)>,
    integration: String,
    accepts: Accepts,
}

impl Row {
    fn value(&self, field: Field) -> Option<&str> {
        let mut cells = self.cells.iter();
        cells.find_map(|(column, value)| (column == field.name()).then_some(value.as_str()))
    }

    fn file(&self) -> Result<Vec<u8>, csv::Error> {
        let mut file = csv::Writer::from_writer(Vec::new());
        file.write_record(self.cells.iter().map(|(column, _)| column))?;
        let values = self.cells.iter().map(|(_, value)| escape_formula(value.into()));
        file.write_record(values.map(|value| value.into_owned()))?;
        file.into_inner().map_err(|why| why.into_error().into())
    }

    fn import(&self, connection: &Connection, database: &Database) -> Result<Report, Failure> {
        let file = self.file().map_err(|why| Failure::new(why.to_string()))?;
        let request = Request {
            format: Format::Csv,
            options: Options {
                states: states(),
                ..Options::default()
            },
            integration: &self.integration,
            keep_going: false,
            dry_run: false,
            accepts: self.accepts,
        };
        let open = || Ok(Cursor::new(&file));
        let report = rollcall_import::import(
            connection,
            &mut Ids::new(),
            WriteContext::of_nobody(Clock::System.now()),
            open,
            &request,
        );
        let report = report.map_err(|fault| match fault {
            rollcall_import::Fault::Store(error) => Failure::store(database, &error),
            fault => Failure::new(fault.to_string()),
        })?;
        match report.written {
            true => Ok(report),
            false => {
                let of_whom = |refusal: &Refusal| match refusal.entry.starts_with('(') {
                    true => refusal.reason.clone(),
                    false => format!("{}: {}", refusal.entry, refusal.reason),
                };
                let reasons = report.refused.iter().map(of_whom);
                Err(Failure::new(reasons.collect::<Vec<_>>().join("\n")))
            }
        }
    }
}

fn candidates(connection: &Connection, database: &Database, who: &str) -> Result<Vec<Candidate>, Failure> {
    let found = name_resolution::candidates(connection, who);
    found.map_err(|error| Failure::store(database, &error))
}

/// The one person whom a name means.
fn meant(connection: &Connection, database: &Database, who: &str) -> Result<Candidate, Failure> {
    let mut found = candidates(connection, database, who)?.into_iter();
    match (found.next(), found.next()) {
        (None, _) => Err(Failure::new(format!("there is no person {who:?} in {database}"))),
        (Some(one), None) => Ok(one),
        (Some(one), Some(other)) => {
            let shown = |one: &Candidate| format!("{} ({}, {})", one.found.id, one.email, one.integration);
            Err(Failure::new(format!(
                "{who:?} may be {} or {}; name one by the id",
                shown(&one),
                shown(&other)
            )))
        }
    }
}

/// What the directory says of a user.
fn person(
    connection: &Connection,
    database: &Database,
    id: &str,
    integration: &str,
) -> Result<rollcall_import::Person, Failure> {
    let person = exported_person(connection, integration, id, Clock::System.now());
    let person = person.map_err(|error| Failure::store(database, &error))?;
    person.ok_or_else(|| Failure::new(format!("there is no person {id:?} in {database}")))
}

fn cell(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((column, value)) if !column.is_empty() => Ok((column.to_owned(), value.to_owned())),
        _ => Err("is not COLUMN=VALUE, as in first_name=Ann".to_owned()),
    }
}
