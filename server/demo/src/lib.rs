//! A made-up directory, the same for the same seed, size and time: something to try the service on, and to test against.
//!
//! Place in the flow: [`fill`] writes into an empty store as an import would, through a unit of work, so that `org`, policy
//! users and counts follow by themselves. The first people are cast by hand, so that a directory of twenty has every state;
//! everybody after them is drawn. People are written as they are drawn, so that a million of them need no more memory than
//! a thousand.

mod access;
mod around;
mod author;
mod cast;
mod catalogue;
mod dimensions;
mod names;
mod people;
mod person;
mod policy;
mod rng;
pub mod simulation;
#[cfg(test)]
mod tests;

use rollcall::Timestamp;
use rollcall_store::access::tokens;
use rollcall_store::change::unit::Unit;
use rollcall_store::dialect::Connection;
use rollcall_store::ids::Ids;
use rollcall_store::{Result, WriteContext, tables};

use author::Author;

/// What is to be made up.
#[derive(Clone, Copy, Debug)]
pub struct Demo {
    /// How many directory users, soft-deleted ones among them.
    pub users: u64,
    /// The seed of the random numbers: identifiers, names and the token follow from it.
    pub seed: u64,
    /// The present. Everything happened in the three years before it.
    pub now: Timestamp,
}

/// What came of it: what somebody who wants to try the API needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filled {
    /// The secret of a token with every scope.
    pub token: String,
    /// The workspace user it belongs to.
    pub operator: String,
    /// The person at the top. Alone in a directory of one; else a manager.
    pub manager: Option<Sample>,
    /// An active attribute that decides about access: something to deprecate.
    pub attribute: String,
    /// A workspace user who has expired and held roles: somebody to restore.
    pub restorable: Option<String>,
    /// The handle of a dimension.
    pub dimension: &'static str,
    /// The name of an attribute in it that people have.
    pub department: &'static str,
    /// The domain of nine emails in ten.
    pub domain: &'static str,
    /// A part of one email and no other.
    pub rare: &'static str,
}

/// A directory user, to be looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The identifier.
    pub id: String,
    /// The last name; with it, one user is found.
    pub last_name: String,
    /// The email.
    pub email: String,
}

/// Days of the past there are.
const DAYS: i64 = 3 * 365;
/// How long the token lasts (A1).
const TOKEN_DAYS: i64 = 90;
/// Seconds of a day.
const DAY: i64 = 86_400;
/// The name of the token.
const TOKEN_NAME: &str = "demo";

/// Fills an empty store that has its schema and that nobody else has open. `token` is the secret to use; without one, it
/// follows from the seed. `progress` is told how many users there are so far.
pub fn fill(
    connection: &Connection,
    demo: &Demo,
    token: Option<&str>,
    progress: impl FnMut(u64),
) -> Result<Filled> {
    let mut ids = Ids::seeded(demo.seed);
    let context = WriteContext {
        token: None,
        now: demo.now,
        actor: None,
        base: "",
    };
    connection.loading(|connection| {
        // Built in one go behind the last record, the search index takes a fraction of the time.
        for table in tables::searched() {
            connection.drop_search(table.name, table.searched)?;
        }
        let filled = Unit::load(connection, &mut ids, context, |unit| {
            write(unit, demo, token, progress)
        })?;
        for table in tables::searched() {
            connection.create_search(table.name, table.searched)?;
        }
        connection.analyze()?;
        Ok(filled)
    })
}

fn write(unit: &mut Unit<'_>, demo: &Demo, token: Option<&str>, progress: impl FnMut(u64)) -> Result<Filled> {
    let mut author = Author::new(unit, demo)?;
    let catalogue = catalogue::write(&mut author)?;
    policy::write(&mut author, &catalogue)?;
    let met = people::write(&mut author, &catalogue, demo.users, progress)?;
    let operator = author.operator;
    let scopes: Vec<String> = tokens::scopes().into_iter().map(str::to_owned).collect();
    let new = tokens::NewToken {
        name: TOKEN_NAME,
        owner: &operator,
        scopes: &scopes,
        expires_at: demo.now.plus_seconds(TOKEN_DAYS * DAY).unwrap_or(demo.now),
        secret: token,
    };
    Ok(Filled {
        token: tokens::create(unit, &new)?,
        operator,
        manager: met.first,
        attribute: catalogue.sample(),
        restorable: met.restorable,
        dimension: dimensions::DEPARTMENT,
        department: dimensions::DEPARTMENTS[0],
        domain: names::DOMAINS[0],
        rare: names::RARE,
    })
}
