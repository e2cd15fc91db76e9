//! A directory that is copied from one database to another is the same there.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rollcall_store::copy::{Step, copy, is_empty};
use rollcall_store::dialect::Connection;
use rollcall_store::migrate;
use rollcall_store::sql::Sql;

use crate::database::TestDatabase;
use crate::harness::{made_file_at, now};
use crate::recount::{assert_counts_right, dump};

fn open(database: &TestDatabase) -> Connection {
    let connection = Connection::writer(database.database()).unwrap();
    migrate(&connection).unwrap();
    connection
}

#[test]
fn a_directory_is_the_same_there_and_back() {
    let (file, there, back) = (made_file_at(now()), TestDatabase::empty(), TestDatabase::file());
    let (from, to, last) = (open(&file), open(&there), open(&back));
    assert!(is_empty(&to).unwrap() && !is_empty(&from).unwrap());
    let copied = copy(&from, &to, |_, _, _| ()).unwrap();
    assert!(
        copied
            .iter()
            .any(|(table, rows)| *table == "directory_users" && *rows == 300)
    );
    assert_eq!(dump(&from), dump(&to));
    assert_eq!(copy(&to, &last, |_, _, _| ()).unwrap(), copied);
    assert_eq!(dump(&from), dump(&last));
    assert_counts_right(&to, now());
}

#[test]
fn a_copy_that_was_interrupted_is_gone_on_with() {
    let (file, there) = (made_file_at(now()), TestDatabase::empty());
    let (from, to) = (open(&file), open(&there));
    for steps in [1, 3, 7] {
        let mut done = 0;
        let interrupted = catch_unwind(AssertUnwindSafe(|| {
            copy(&from, &to, |_, _, _| {
                done += 1;
                assert!(done < steps, "interrupted on purpose");
            })
        }));
        assert!(interrupted.is_err());
    }
    let mut again = 0;
    copy(&from, &to, |step, _, rows| {
        if step == Step::Copies {
            again += rows;
        }
    })
    .unwrap();
    assert!(again < dump(&from).len());
    assert_eq!(dump(&from), dump(&to));
}

#[test]
fn a_side_that_was_written_to_meanwhile_is_noticed() {
    let (file, there) = (made_file_at(now()), TestDatabase::empty());
    let (from, to) = (open(&file), open(&there));
    copy(&from, &to, |_, _, _| ()).unwrap();
    let change =
        "UPDATE workspace_users SET ui_color = 'other' WHERE id = (SELECT min(id) FROM workspace_users)";
    to.execute(&Sql::new(change)).unwrap();
    let why = copy(&from, &to, |_, _, _| ()).unwrap_err().to_string();
    assert!(why.contains("differ in workspace_users;"), "{why}");
}
