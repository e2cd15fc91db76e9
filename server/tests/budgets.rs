//! What a page may cost in allocations: budgets that do not depend on the machine.

use allocation_counter::measure;
use rollcall::list::ListQuery;
use rollcall::lists::DirectoryUsers;
use rollcall_demo::{Demo, fill};
use rollcall_store::clock::Clock;
use rollcall_store::dialect::Connection;
use rollcall_store::migrate;
use rollcall_store::query::list::{get, list};
use rollcall_store::tables::table::ReadContext;

/// Allocations of work that has been done before.
fn allocations(mut work: impl FnMut()) -> u64 {
    work();
    measure(work).count_total
}

#[test]
fn a_page_allocates_for_itself_and_not_for_its_records() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("demo.db");
    let connection = Connection::writer(&file.as_path().into()).unwrap();
    migrate(&connection).unwrap();
    let now = Clock::System.now();
    let demo = Demo {
        users: 300,
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
    let page = |query: &str| {
        let query = ListQuery::<DirectoryUsers>::parse(query).unwrap();
        allocations(|| drop(list(&connection, &reading, &query).unwrap()))
    };
    let (few, many) = (page("page[size]=20"), page("page[size]=120"));
    // The text of a page grows by doubling.
    assert!(many <= few + 8, "{few} for 20 records, {many} for 120");
    assert!(few <= 160, "{few} for 20 records");
    let included = "&include=manager-user,directory-identities,direct-report-users-count";
    let (few, many) = (
        page(&format!("page[size]=20{included}")),
        page(&format!("page[size]=120{included}")),
    );
    // Each related record is known by its id, and each record has a list of what belongs to it.
    assert!(many <= few + 8 * 100, "{few} for 20 records, {many} for 120");
    let query = ListQuery::<DirectoryUsers>::parse("page[size]=1").unwrap();
    let record = list(&connection, &reading, &query)
        .unwrap()
        .records
        .read()
        .unwrap()
        .swap_remove(0);
    let one = allocations(|| drop(get::<DirectoryUsers>(&connection, &reading, record.id.as_str()).unwrap()));
    assert!(one <= 70, "{one} for one record");
}
