//! The store → people, some at a time, in the order of their ids; all in one state of the store.
//!
//! What an import would refuse is not written: a manager who is soft-deleted (there is no row to name), and the expiry of
//! somebody who is active. So a file this writes comes in whole, and into an empty store gives the same file again.

use std::collections::HashMap;
use std::io::Write;

use clap::ValueEnum;
use rollcall::Timestamp;
use rollcall::model::DirectoryUserState as State;
use rollcall_store::Error;
use rollcall_store::dialect::Connection;
use rollcall_store::people::directory_sync::{self, Exported};
use serde_json::Value;

use super::{Columns, Csv, ExportError, Jsonl};
use crate::{Membership, Person, in_order};

/// The formats an export writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Comma-separated values with a header row.
    Csv,
    /// One JSON object per line.
    Jsonl,
}

/// Writes all live users, each under the key by which an integration knows them; gives how many they are.
///
/// # Errors
/// When the store can't be read or the file can't be written.
pub fn export<W: Write>(
    connection: &Connection,
    integration: &str,
    now: Timestamp,
    format: Format,
    file: W,
) -> Result<u64, ExportError> {
    connection.transaction(false, |connection| {
        let people = People {
            connection,
            integration,
            now,
        };
        match format {
            Format::Jsonl => {
                let mut lines = Jsonl::new(file);
                let written = people.each(|person| lines.write(person))?;
                lines.finish()?;
                Ok(written)
            }
            Format::Csv => {
                let mut columns = Columns::default();
                people.each(|person| {
                    columns.observe(person);
                    Ok(())
                })?;
                let mut rows = Csv::new(file, columns)?;
                let written = people.each(|person| rows.write(person))?;
                rows.finish()?.flush()?;
                Ok(written)
            }
        }
    })
}

struct People<'s> {
    connection: &'s Connection,
    integration: &'s str,
    now: Timestamp,
}

impl People<'_> {
    fn each(&self, mut see: impl FnMut(&Person) -> Result<(), ExportError>) -> Result<u64, ExportError> {
        let (mut after, mut seen) = (String::new(), 0);
        loop {
            let users = directory_sync::exported(self.connection, self.integration, &after, self.now)?;
            let Some(last) = users.last() else { return Ok(seen) };
            after.clone_from(&last.id);
            let ids = users.iter().map(|user| user.id.as_str());
            let mut attributes = attributes(self.connection, ids)?;
            for user in users {
                let attributes = attributes.remove(&user.id).unwrap_or_default();
                see(&person(user, attributes))?;
                seen += 1;
            }
        }
    }
}

/// One user, soft-deleted or not, under the key by which an integration knows them.
///
/// # Errors
/// When the store can't be read.
pub fn exported_person(
    connection: &Connection,
    integration: &str,
    id: &str,
    now: Timestamp,
) -> Result<Option<Person>, Error> {
    let Some(user) = directory_sync::exported_user(connection, integration, id, now)? else {
        return Ok(None);
    };
    let attributes = attributes(connection, [id])?.remove(id).unwrap_or_default();
    Ok(Some(person(user, attributes)))
}

/// The attributes of these users.
fn attributes<'i>(
    connection: &Connection,
    users: impl IntoIterator<Item = &'i str>,
) -> Result<HashMap<String, Vec<Membership>>, Error> {
    let mut attributes: HashMap<String, Vec<Membership>> = HashMap::new();
    for has in directory_sync::memberships(connection, users)? {
        let membership = Membership {
            dimension: has.dimension,
            name: has.name,
        };
        attributes.entry(has.user).or_default().push(membership);
    }
    Ok(attributes)
}

fn person(user: Exported, attributes: Vec<Membership>) -> Person {
    let kept = user.kept;
    Person {
        key: user.key,
        email: kept.email,
        username: Some(kept.username),
        first_name: kept.first_name,
        last_name: kept.last_name,
        full_name: Some(kept.full_name),
        badge_id: kept.badge_id,
        employee_id: kept.employee_id,
        employee_alt_id: kept.employee_alt_id,
        manager: user.manager,
        attributes: in_order(attributes),
        metadata: match kept.metadata {
            Value::Object(metadata) => metadata,
            _ => serde_json::Map::new(),
        },
        state: Some(kept.state.to_string()),
        expires_at: kept.expires_at.filter(|_| kept.state != State::Active),
        ..Person::default()
    }
}
