//! Cursors: `server/store/src/query/cursor.rs`, and what a list makes of one. An input is the text of a cursor, or what is encoded
//! in it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rollcall::Timestamp;
use rollcall::list::{ListQuery, Selector};
use rollcall::lists::DirectoryUsers;
use rollcall_demo::Demo;
use rollcall_fuzz::target;
use rollcall_store::Error;
use rollcall_store::dialect::Connection;
use rollcall_store::query::cursor::{Cursor, Question};
use rollcall_store::query::list;
use rollcall_store::tables::table::ReadContext;
use tempfile::TempDir;

target!(property);

thread_local! {
    static DATABASE: (Connection, TempDir) = database();
}

fn property(input: &[u8]) {
    let encoded = ["c_", &URL_SAFE_NO_PAD.encode(input)].concat();
    for text in [String::from_utf8_lossy(input).as_ref(), &encoded] {
        let Some(cursor) = Cursor::parse(text) else {
            continue;
        };
        assert_eq!(Cursor::parse(&cursor.print()), Some(cursor.clone()), "{text}");
        DATABASE.with(|(connection, _)| of_a_list(connection, &cursor));
    }
}

/// Sorts of one, two and more keys.
const SORTS: [&str; 4] = [
    "id",
    "-created_at",
    "last_name,-full_name",
    "state,-updated_at,email",
];

/// A list refuses a cursor that belongs to other records, and for its own gives a part of itself: as many records as make a
/// page, one after the other in its order.
fn of_a_list(connection: &Connection, cursor: &Cursor) {
    for sort in SORTS {
        let all = ListQuery::<DirectoryUsers>::parse(&format!("sort={sort}&page[size]=200")).unwrap();
        let question = Question::of(&all);
        if cursor.question != question {
            let page = page(connection, &all, cursor);
            assert!(matches!(page, Err(Error::BadCursor)), "{sort}: {cursor:?}");
        }
        let own = Cursor {
            question,
            ..cursor.clone()
        };
        match page(connection, &all, &own) {
            Err(Error::BadCursor) => {}
            Err(error) => panic!("{sort}: {error}: {own:?}"),
            Ok(page) => {
                let all = ids(connection, &all).unwrap();
                let place = all
                    .iter()
                    .position(|id| page.first() == Some(id))
                    .unwrap_or_default();
                assert_eq!(all[place..place + page.len()], page, "{sort}: {own:?}");
            }
        }
    }
}

/// Five records behind a cursor, or before it.
fn page(
    connection: &Connection,
    all: &ListQuery<DirectoryUsers>,
    cursor: &Cursor,
) -> rollcall_store::Result<Vec<String>> {
    let query = ListQuery {
        page: Selector::Cursor(cursor.print()),
        size: 5,
        ..all.clone()
    };
    ids(connection, &query)
}

/// The identifiers on a page.
fn ids(connection: &Connection, query: &ListQuery<DirectoryUsers>) -> rollcall_store::Result<Vec<String>> {
    let reading = ReadContext {
        now: now(),
        base: "",
        lapsed: false,
        overdue: true,
        memory: None,
    };
    let page = list::list(connection, &reading, query)?;
    let records = page.records.read().unwrap();
    Ok(records.iter().map(|record| record.id.to_string()).collect())
}

/// A database with a few people, and the folder it is in.
fn database() -> (Connection, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let connection = Connection::writer(&folder.path().join("directory.db").into()).unwrap();
    rollcall_store::migrate(&connection).unwrap();
    let demo = Demo {
        users: 40,
        seed: 1,
        now: now(),
    };
    rollcall_demo::fill(&connection, &demo, None, |_| {}).unwrap();
    (connection, folder)
}

fn now() -> Timestamp {
    "2026-03-01T09:30:00.000000Z".parse().unwrap()
}
