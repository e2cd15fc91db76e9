//! A store on a file of its own, with a clock that stands still, and a directory written to it.

use std::path::PathBuf;

use rollcall::Timestamp;
use rollcall::http::Page;
use rollcall::list::ListQuery;
use rollcall_store::change::fields::Fields;
use rollcall_store::change::unit::Unit;
use rollcall_store::clock::Clock;
use rollcall_store::dialect::{Connection, Durability};
use rollcall_store::ids::Ids;
use rollcall_store::query::list::list;
use rollcall_store::tables::resource::Resource;
use rollcall_store::{Error, Opening, Result, Store, WriteContext};
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

use super::link::PREFIXES;
use super::row::{Directory, Row, text};
use super::values::NOW;
use crate::database::TestDatabase;

/// What every address begins with.
const BASE: &str = "http://rollcall.test/api/v1";

/// Members whose folded twin is written beside them, for searching and sorting.
const TEXTS: [(&str, &[&str]); 9] = [
    ("workspace_integrations", &["handle", "domain"]),
    ("directory_dimensions", &["name", "handle"]),
    ("directory_attributes", &["name", "handle"]),
    (
        "directory_users",
        &[
            "first_name",
            "last_name",
            "full_name",
            "email",
            "username",
            "badge_id",
            "employee_id",
            "employee_alt_id",
        ],
    ),
    ("directory_identities", &["full_name", "email"]),
    ("workspace_users", &["name", "handle", "email"]),
    ("workspace_items", &["name"]),
    ("policy_rules", &["role_name"]),
    ("policy_conditions", &["profile_key", "profile_value"]),
];

/// A timestamp from its microseconds.
pub(super) fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).expect("a timestamp of our time")
}

/// How a directory comes into the store: all must give the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// As one change, which says what it touched.
    Run,
    /// As many records whose consequences are worked out at the end.
    Load,
}

/// An open store.
pub(super) struct Home {
    store: Store,
    clock: Clock,
    runtime: Runtime,
    database: TestDatabase,
}

impl Home {
    /// A store that holds this directory and nothing else.
    pub(super) fn of(directory: &Directory, way: Way) -> Self {
        let database = TestDatabase::migrated();
        if way == Way::Load {
            let connection = Connection::writer(database.database()).unwrap();
            let context = WriteContext {
                token: None,
                now: at(NOW),
                actor: None,
                base: BASE,
            };
            Unit::load(&connection, &mut Ids::seeded(1), context, |unit| {
                put(unit, directory)
            })
            .unwrap();
        }
        let clock = Clock::fixed(at(NOW));
        let store = Store::open(Opening {
            durability: Durability::Crash,
            clock: clock.clone(),
            ids: Ids::seeded(2),
            ..Opening::of(database.database(), BASE)
        })
        .unwrap();
        let home = Self {
            store,
            clock,
            runtime: Builder::new_current_thread().build().unwrap(),
            database,
        };
        if way == Way::Run {
            let directory = directory.clone();
            home.write(None, move |unit| {
                put(unit, &directory).map(|()| mark_users_dirty(unit, &directory))
            })
            .unwrap();
        }
        home
    }

    /// The database file, for a look from outside.
    pub(super) fn file(&self) -> PathBuf {
        self.database.path().to_owned()
    }

    /// Moves the clock.
    pub(super) fn set_clock(&self, micros: i64) {
        self.clock.set(at(micros));
    }

    /// Changes the store, in the name of a workspace user or of nobody.
    pub(super) fn write<T: Send + 'static>(
        &self,
        actor: Option<String>,
        work: impl FnOnce(&mut Unit<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.runtime.block_on(self.store.write(actor, work))
    }

    /// The page that a query's text asks for.
    pub(super) fn page<R: Resource>(&self, text: &str) -> Result<Page<R::Record>> {
        let query =
            ListQuery::<R>::parse(text).map_err(|faults| Error::Failed(format!("{text}: {faults:?}")))?;
        let page = self
            .store
            .read(move |snapshot| list::<R>(snapshot.connection, &snapshot.reading, &query));
        self.runtime.block_on(page)
    }
}

fn put(unit: &mut Unit<'_>, directory: &Directory) -> Result<()> {
    for (table, _) in PREFIXES {
        for row in directory.rows(table) {
            unit.insert(table, &fields(table, row))?;
        }
    }
    Ok(())
}

/// Says of every user that their attributes have changed.
fn mark_users_dirty(unit: &mut Unit<'_>, directory: &Directory) {
    let users = directory.rows("directory_users").iter();
    users.for_each(|row| unit.mark_memberships_dirty(text(row, "id")));
}

/// The columns of a row.
pub(super) fn fields(table: &str, row: &Row) -> Fields {
    let texts = TEXTS
        .iter()
        .find(|(known, _)| *known == table)
        .map_or(&[][..], |(_, texts)| texts);
    row.iter()
        .fold(Fields::new(), |fields, (&member, value)| match value {
            _ if texts.contains(&member) => fields.text_or_null(member, value.as_str()),
            _ if member == "metadata" => fields.values(member, value),
            Value::Null => fields.set(member, None::<&str>),
            Value::Bool(flag) => fields.set(member, *flag),
            Value::Number(number) => fields.set(member, number.as_i64()),
            Value::String(text) => fields.set(member, text.as_str()),
            Value::Array(_) | Value::Object(_) => fields.set(member, value.to_string()),
        })
}
