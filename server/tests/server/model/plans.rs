//! How the database finds a page: through an index in the order of the list, never by reading or sorting all of it. Facts
//! about plans rather than times, so that they hold on any machine.

use rollcall::list::{List, ListQuery, Match, ValueKind};
use rollcall::lists::DirectoryUsers;
use rollcall_store::dialect::Connection;
use rollcall_store::query::page::statements;
use rollcall_store::sql::Sql;
use rollcall_store::tables::column::Column;
use rollcall_store::tables::resource::Resource as _;
use rollcall_store::tables::table::ReadContext;
use rusqlite::functions::FunctionFlags;
use rusqlite::params_from_iter;

use super::home::{Home, Way, at};
use super::large::large;
use super::values::NOW;
use crate::database::is_about_files;

/// Two stores with a large directory, whose database has or has not learnt how its values are distributed.
fn stores() -> [Home; 2] {
    let directory = large(400);
    let learnt = Home::of(&directory, Way::Load);
    Connection::writer(&learnt.file().into())
        .unwrap()
        .analyze()
        .unwrap();
    [Home::of(&directory, Way::Load), learnt]
}

/// The steps that find the rows, of each statement behind a query. Those that then read each row are the same for all.
fn plans(home: &Home, query: &str) -> Vec<Vec<String>> {
    let query = ListQuery::<DirectoryUsers>::parse(query).unwrap();
    let connection = Connection::reader(&home.file().into()).unwrap();
    let reading = ReadContext {
        now: at(NOW),
        base: "",
        lapsed: false,
        overdue: false,
        memory: None,
    };
    let raw = rusqlite::Connection::open(home.file()).unwrap();
    // The functions of a connection of the store, for their names alone.
    raw.create_scalar_function("pack", -1, FunctionFlags::SQLITE_UTF8, |_| Ok(0))
        .unwrap();
    let statements = statements(&connection, &reading, &query).unwrap();
    let plan = |sql: &Sql| {
        let mut explained = raw
            .prepare(&format!("EXPLAIN QUERY PLAN {}", connection.spelled(sql)))
            .unwrap();
        let steps = explained
            .query_map(params_from_iter(sql.values()), |row| row.get(3))
            .unwrap();
        let steps = steps.map(Result::<String, _>::unwrap);
        let reads = [
            "CO-ROUTINE w",
            "SCAN w",
            "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
        ];
        steps.filter(|step| !reads.contains(&step.as_str())).collect()
    };
    statements.iter().map(plan).collect()
}

/// The query of the second page, where there is one.
fn next(home: &Home, query: &str) -> Option<String> {
    let page = home.page::<DirectoryUsers>(query).unwrap();
    let (_, address) = page.links.into_iter().find(|(relation, _)| *relation == "next")?;
    Some(address.split_once('?').unwrap().1.to_owned())
}

fn reads_everything(step: &str) -> bool {
    step.starts_with("SCAN t") && !step.contains(" USING ")
}

fn sorts(step: &str) -> bool {
    step.starts_with("USE TEMP B-TREE")
}

/// The first page walks an index, the second one starts in it where the first one ended.
#[track_caller]
fn assert_walks(home: &Home, query: &str) {
    let first = plans(home, query);
    assert!(
        !first
            .iter()
            .flatten()
            .any(|step| reads_everything(step) || sorts(step)),
        "{query}: {first:#?}"
    );
    let Some(next) = next(home, query) else { return };
    let second = plans(home, &next);
    assert!(
        !second
            .iter()
            .flatten()
            .any(|step| reads_everything(step) || sorts(step)),
        "next of {query}: {second:#?}"
    );
    assert!(
        second[0][0].starts_with("SEARCH t"),
        "next of {query}: {second:#?}"
    );
}

fn encoded(filter: &str, value: &str) -> String {
    super::ask::encoded(&[(filter.to_owned(), value.to_owned())])
}

#[test]
fn pages_by_number_and_cursor_follow_an_index_under_every_sort_field() {
    if is_about_files() {
        return;
    }
    for home in stores() {
        assert_walks(&home, "");
        for (word, _) in DirectoryUsers::SORT.iter().filter(|(word, _)| *word != "state") {
            assert_walks(&home, &format!("sort={word}"));
            assert_walks(&home, &format!("sort=-{word}"));
        }
    }
}

#[test]
fn a_sort_by_state_reads_one_state_after_the_other() {
    if is_about_files() {
        return;
    }
    for home in stores() {
        for query in ["sort=state", "sort=-state"] {
            for page in [Some(query.to_owned()), next(&home, query)].iter().flatten() {
                let plans = plans(&home, page);
                assert!(
                    !plans.iter().flatten().any(|step| reads_everything(step)),
                    "{page}: {plans:#?}"
                );
                // Which records are expired, and which expire, depends on the clock: those alone are sorted.
                let sorted = plans
                    .iter()
                    .filter(|steps| steps.iter().any(|step| sorts(step)))
                    .count();
                assert!(sorted <= 2, "{page}: {plans:#?}");
            }
        }
    }
}

#[test]
fn every_exact_filter_and_flag_starts_in_an_index() {
    if is_about_files() {
        return;
    }
    let exact = DirectoryUsers::FILTERS
        .iter()
        .filter(|filter| matches!(filter.matching, Match::Exact | Match::Flag));
    for home in stores() {
        for filter in exact.clone() {
            let value = match filter.value {
                ValueKind::Word(_) => "active",
                ValueKind::Boolean => "true",
                _ => "name1",
            };
            let query = encoded(filter.name, value);
            let plans = plans(&home, &query);
            assert!(plans[0][0].starts_with("SEARCH t USING"), "{query}: {plans:#?}");
            // Few rows that pass a filter whose index is not in the order of ids are looked up and sorted.
            let is_linked = |field| matches!(DirectoryUsers::column(field), Column::Joined(_));
            let may_sort = !filter.all.is_empty() || filter.any_of.iter().copied().any(is_linked);
            assert!(
                may_sort || !plans.iter().flatten().any(|step| sorts(step)),
                "{query}: {plans:#?}"
            );
        }
    }
}

#[test]
fn every_date_filter_finds_few_rows_in_its_own_index_and_starts_in_it_when_sorted_by_it() {
    if is_about_files() {
        return;
    }
    let dates = DirectoryUsers::FILTERS
        .iter()
        .filter(|filter| matches!(filter.matching, Match::Before | Match::After));
    for home in stores() {
        for filter in dates.clone() {
            // Without the soft-deleted users nobody was deleted at any time, and no statement is needed.
            let trashed = encoded("filter[trashed]", "with");
            let is_before = filter.matching == Match::Before;
            let date = if is_before { "2000-01-01" } else { "2099-01-01" };
            let query = format!("{}&{trashed}", encoded(filter.name, date));
            let plans_by_id = plans(&home, &query);
            let steps = plans_by_id.iter().flatten();
            assert!(
                !steps.clone().any(|step| reads_everything(step)),
                "{query}: {plans_by_id:#?}"
            );
            let name = filter
                .name
                .trim_start_matches("filter[")
                .trim_end_matches("_before]")
                .trim_end_matches("_after]");
            let field = format!("{name}_at");
            if !DirectoryUsers::SORT.iter().any(|(word, _)| *word == field) {
                continue;
            }
            for direction in ["", "-"] {
                let query = format!("{query}&sort={direction}{field}");
                assert_walks(&home, &query);
                let plans = plans(&home, &query);
                assert!(plans[0][0].starts_with("SEARCH t USING"), "{query}: {plans:#?}");
            }
        }
    }
}

#[test]
fn a_state_within_a_window_of_dates_is_read_from_one_index() {
    if is_about_files() {
        return;
    }
    for home in stores() {
        let window = [
            encoded("filter[state]", "active"),
            encoded("filter[created_after]", "2025-01-01"),
            encoded("filter[created_before]", "2026-01-01"),
        ];
        let query = format!("{}&sort=-created_at", window.join("&"));
        for page in [Some(query.clone()), next(&home, &query)].iter().flatten() {
            // The second statement is for records without a creation: there are none, and the database knows it.
            let plan = &plans(&home, page)[0];
            assert!(
                plan[0].contains("directory_users_state_created (state=? AND "),
                "{page}: {plan:#?}"
            );
            assert!(!plan.iter().any(|step| sorts(step)), "{page}: {plan:#?}");
        }
    }
}
