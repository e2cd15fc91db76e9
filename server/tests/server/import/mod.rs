//! Files into a store, and out again.

mod commands;
mod exports;
mod file;
mod mappings;
mod people;
mod refused;
mod round_trip;
mod sources;
mod tokens;

use std::io;
use std::sync::Arc;

use rollcall::Timestamp;
use rollcall::list::ListQuery;
use rollcall::lists::DirectoryUsers;
use rollcall_import::export;
use rollcall_import::{Accepts, Fault, Format, Mapping, Options, Report, Request};
use rollcall_store::WriteContext;
use rollcall_store::clock::Clock;
use rollcall_store::dialect::Connection;
use rollcall_store::ids::Ids;
use rollcall_store::query::list;
use rollcall_store::sql::Sql;
use rollcall_store::tables::table::ReadContext;

use crate::database::TestDatabase;

use crate::recount;

/// A store of its own for one test.
struct Desk {
    connection: Connection,
    ids: Ids,
    clock: Clock,
    _database: TestDatabase,
}

/// What one test changes about a request.
#[derive(Clone, Copy, Default)]
struct How {
    keep_going: bool,
    dry_run: bool,
    integration: Option<&'static str>,
    /// The name of a mapping in `examples/mappings`.
    map: Option<&'static str>,
}

const NOW: &str = "2026-06-01T12:00:00.000000Z";
const KEEP_GOING: How = How {
    keep_going: true,
    dry_run: false,
    integration: None,
    map: None,
};
const DRY_RUN: How = How {
    keep_going: false,
    dry_run: true,
    integration: None,
    map: None,
};

impl Desk {
    fn new() -> Self {
        let database = TestDatabase::migrated();
        let connection = Connection::writer(database.database()).unwrap();
        let clock = Clock::fixed(NOW.parse().unwrap());
        Self {
            connection,
            ids: Ids::seeded(1),
            clock,
            _database: database,
        }
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn pass(&self, seconds: i64) {
        self.clock.set(self.now().plus_seconds(seconds).unwrap());
    }

    fn try_import(&mut self, format: Format, text: &str, how: How) -> Result<Report, Fault> {
        let states = [
            "staged",
            "active",
            "expiring",
            "expired",
            "suspended",
            "deactivated",
        ]
        .map(str::to_owned);
        let mapping = how
            .map
            .map_or_else(Mapping::default, |name| mappings::kept(name, &states));
        let request = Request {
            format,
            options: Options {
                states: states.to_vec(),
                known_by: mapping.known_by,
                mapping: Arc::new(mapping),
                ..Options::default()
            },
            integration: how.integration.unwrap_or("import"),
            keep_going: how.keep_going,
            dry_run: how.dry_run,
            accepts: Accepts::Anyone,
        };
        let context = WriteContext {
            token: None,
            now: self.now(),
            actor: None,
            base: "",
        };
        let open = || Ok::<_, io::Error>(text.as_bytes());
        rollcall_import::import(&self.connection, &mut self.ids, context, open, &request)
    }

    fn import_with(&mut self, format: Format, text: &str, how: How) -> Report {
        let report = self.try_import(format, text, how).unwrap();
        self.assert_counts_right();
        report
    }

    fn import(&mut self, format: Format, text: &str) -> Report {
        self.import_with(format, text, How::default())
    }

    fn csv(&mut self, text: &str) -> Report {
        self.import(Format::Csv, text)
    }

    fn export(&self, format: export::Format) -> String {
        let mut file = Vec::new();
        export::export(&self.connection, "import", self.now(), format, &mut file).unwrap();
        String::from_utf8(file).unwrap()
    }

    /// The cells of the first column.
    /// How many users have a text in their names or ids, as a list finds them.
    fn found(&self, needle: &str) -> usize {
        let query = format!("filter[email_search]={needle}&page[size]=100");
        let query = ListQuery::<DirectoryUsers>::parse(&query).unwrap();
        let reading = ReadContext {
            now: self.now(),
            base: "",
            lapsed: false,
            overdue: true,
            memory: None,
        };
        let page = list::list(&self.connection, &reading, &query).unwrap();
        let records: Vec<serde_json::Value> = serde_json::from_slice(page.records.as_bytes()).unwrap();
        records.len()
    }

    fn column(&self, sql: &str) -> Vec<String> {
        recount::column(&self.connection, sql)
    }

    fn cell(&self, sql: &str) -> String {
        self.column(sql)
            .into_iter()
            .next()
            .unwrap_or_else(|| panic!("no row: {sql}"))
    }

    /// A column of the user with this email.
    fn of(&self, email: &str, column: &str) -> String {
        self.cell(&format!(
            "SELECT {column} FROM directory_users WHERE email = '{email}'"
        ))
    }

    /// What an operation of the API does to a state.
    fn set_state(&self, email: &str, state: &'static str) {
        let mut sql = Sql::new("UPDATE directory_users SET state = ");
        sql.bind(state).push(" WHERE email = ").bind(email);
        assert_eq!(self.connection.execute(&sql).unwrap(), 1);
    }

    fn messages(&self) -> Vec<String> {
        self.column("SELECT action || ': ' || message FROM workspace_logs ORDER BY id")
    }

    /// Everything there is, as text.
    fn dump(&self) -> Vec<String> {
        recount::dump(&self.connection)
    }

    fn assert_counts_right(&self) {
        recount::assert_counts_right(&self.connection, self.now());
    }
}

/// How many of each the report counts: created, updated, unchanged, refused, skipped.
fn numbers(report: &Report) -> [u64; 5] {
    [
        report.created,
        report.updated,
        report.unchanged,
        report.refused.len() as u64,
        report.skipped,
    ]
}

/// The refusals in words.
fn reasons(report: &Report) -> Vec<String> {
    report.refused.iter().map(ToString::to_string).collect()
}

/// A file of `tests/fixtures/import`.
fn fixture(name: &str) -> String {
    let path = format!("{}/tests/fixtures/import/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}
