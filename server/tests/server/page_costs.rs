//! What a page of any filter in any order costs, beside the first page of the list: counted in steps of the database, so that it
//! holds on any machine.
//!
//! `ROLLCALL_PEOPLE=100000 cargo nextest run -p rollcall-server page_costs` tries it on a larger directory, and
//! `ROLLCALL_MOST=10` lists what costs more than ten first pages.

use rollcall::Timestamp;
use rollcall::list::{Filter, ListQuery, Match, ValueKind};
use rollcall::lists::{DirectoryUsers, WorkspaceLogs, WorkspaceUsers};
use rollcall_demo::{Demo, fill};
use rollcall_store::clock::Clock;
use rollcall_store::dialect::Connection;
use rollcall_store::migrate;
use rollcall_store::query::list::list;
use rollcall_store::tables::column::Column;
use rollcall_store::tables::resource::Resource;
use rollcall_store::tables::table::{ReadContext, Stored};

use crate::recount::column;

/// People, unless the environment asks for more: enough for pages of common and of rare values.
const PEOPLE: u64 = 6_000;

/// How many times the first page a page may cost. Most pairs of a filter and an order cost less than ten times; more cost those
/// whose rows are many and come late in the order, which are passed over first and looked up then.
const MOST: u64 = 17;

/// The same for the log, whose first page costs a third as much: its entries have few members.
const MOST_OF_THE_LOG: u64 = 34;

/// Values of a column, by how many rows have them: the rarest, one in the middle, the most common.
fn by_frequency(connection: &Connection, table: &str, name: &str) -> Vec<String> {
    let values =
        format!("SELECT {name} FROM {table} WHERE {name} IS NOT NULL GROUP BY 1 ORDER BY count(*), 1");
    let values = column(connection, &values);
    let places = [0, values.len() / 2, values.len().saturating_sub(1)];
    places
        .iter()
        .filter_map(|place| values.get(*place).cloned())
        .collect()
}

/// Values that many, few and no records pass.
fn values<R: Resource>(connection: &Connection, filter: &Filter<R::Field>) -> Vec<String> {
    let table = R::Record::TABLE;
    let texts = |values: &[&str]| -> Vec<String> { values.iter().map(|value| (*value).to_owned()).collect() };
    match filter.value {
        ValueKind::Word(words) => texts(words),
        ValueKind::Boolean => texts(&["true", "false"]),
        ValueKind::Trashed { .. } => texts(&["with", "only"]),
        ValueKind::Timestamp { .. } => {
            let created = column(connection, &format!("SELECT created_at FROM {table} ORDER BY 1"));
            let early_middle_late = [1, 50, 99].map(|share| &created[created.len() * share / 100]);
            let known =
                early_middle_late.map(|micros| Timestamp::from_micros(micros.parse().unwrap()).unwrap());
            let known = known.iter().map(Timestamp::to_string);
            known.chain(texts(&["1990-01-01", "2099-01-01"])).collect()
        }
        ValueKind::Text { .. } => {
            let fields = filter.any_of.iter();
            let mut found: Vec<String> = fields
                .flat_map(|field| match R::column(*field) {
                    Column::Plain(name) | Column::Text(name) => by_frequency(connection, table, name),
                    Column::Joined(path) => by_frequency(connection, path.table, path.theirs),
                    Column::Json(_) | Column::State | Column::ExpiredAt => Vec::new(),
                })
                .collect();
            if filter.matching == Match::Contains {
                // A needle of one or two letters is not in the search index: few or no hits cost a look at every row.
                found.extend(["exam", "engineering", "zzqxj"].map(str::to_owned));
            }
            found
        }
    }
}

fn encoded(value: &str) -> String {
    value.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The pages that cost too much.
fn too_costly<R: Resource>(connection: &Connection, reading: &ReadContext<'_>, most: u64) -> Vec<String> {
    let cost = |filter: &str, sort: &str| {
        let query = ListQuery::<R>::parse(&format!("page[size]=100{filter}{sort}")).unwrap();
        let before = connection.steps();
        list(connection, reading, &query).unwrap();
        connection.steps() - before
    };
    let orders = R::SORT
        .iter()
        .flat_map(|(word, _)| [format!("&sort={word}"), format!("&sort=-{word}")]);
    let orders: Vec<String> = orders.chain([String::new()]).collect();
    let filters = R::FILTERS.iter().flat_map(|filter| {
        let values = values::<R>(connection, filter);
        values
            .into_iter()
            .map(|value| format!("&{}={}", filter.name, encoded(&value)))
    });
    let filters: Vec<String> = filters.chain([String::new()]).collect();
    assert!(filters.len() > R::FILTERS.len());
    let first = cost("", "");
    let mut found = Vec::new();
    for filter in &filters {
        for order in &orders {
            let cost = cost(filter, order);
            if cost > most * first {
                found.push(format!(
                    "{}?{filter}{order}: {cost} steps, the first page {first}",
                    R::PATH
                ));
            }
        }
    }
    found
}

#[test]
fn no_page_of_a_filter_in_an_order_costs_far_more_than_the_first_page() {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let (people, most) = (number("ROLLCALL_PEOPLE"), number("ROLLCALL_MOST"));
    let most_of_the_log = most.unwrap_or(MOST_OF_THE_LOG);
    let most = most.unwrap_or(MOST);
    let folder = tempfile::tempdir().unwrap();
    let connection = Connection::writer(&folder.path().join("large.db").into()).unwrap();
    migrate(&connection).unwrap();
    let now = Clock::System.now();
    let demo = Demo {
        users: people.unwrap_or(PEOPLE),
        seed: 1,
        now,
    };
    fill(&connection, &demo, None, |_| ()).unwrap();
    let reading = ReadContext {
        now,
        base: "http://127.0.0.1:8080/api/v1",
        lapsed: false,
        overdue: false,
        memory: None,
    };
    let mut found = too_costly::<DirectoryUsers>(&connection, &reading, most);
    found.extend(too_costly::<WorkspaceUsers>(&connection, &reading, most));
    found.extend(too_costly::<WorkspaceLogs>(
        &connection,
        &reading,
        most_of_the_log,
    ));
    assert!(found.is_empty(), "{} pages:\n{}", found.len(), found.join("\n"));
}
