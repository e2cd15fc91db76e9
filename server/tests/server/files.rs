//! The files of the server: who can read them, and reading where nothing can be written.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use rollcall::Timestamp;
use rollcall::list::ListQuery;
use rollcall::lists::DirectoryUsers;
use rollcall_store::dialect::Connection;
use rollcall_store::query::list::list;
use rollcall_store::sql::Sql;
use rollcall_store::tables::table::ReadContext;
use rollcall_store::{begin_copy, missing_schemas};

use crate::process::Process;
use crate::recount;
use crate::shell::Shell;

const PEOPLE: &str = "id,email,first_name,last_name\n1,ann@test.invalid,Ann,Lee\n";

fn with_people() -> Shell {
    let shell = Shell::new();
    shell.file("people.csv", PEOPLE);
    let imported = shell.run(&["import", "--format", "csv", "people.csv"]);
    assert_eq!(imported.code, 0, "{}", imported.err);
    shell
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().unwrap().permissions().mode() & 0o777
}

#[cfg(unix)]
#[test]
fn only_their_owner_can_read_the_files_of_a_database() {
    let shell = with_people();
    let connection = Connection::writer(&shell.path("a.db").into()).unwrap();
    connection
        .execute(&Sql::new("DELETE FROM workspace_logs"))
        .unwrap();
    for file in ["a.db", "a.db-wal", "a.db-shm"] {
        assert_eq!(mode(&shell.path(file)), 0o600, "{file}");
    }
}

#[cfg(unix)]
#[test]
fn only_its_owner_can_read_a_new_export_and_a_replaced_one_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt as _;
    let shell = with_people();
    let export = || {
        let exported = shell.run(&["export", "--format", "jsonl", "-o", "out.jsonl"]);
        assert_eq!(exported.code, 0, "{}", exported.err);
        mode(&shell.path("out.jsonl"))
    };
    // An export that was killed leaves its part; its mode does not count.
    shell.file("out.jsonl.part", "half a line");
    assert_eq!(export(), 0o600);
    std::fs::set_permissions(shell.path("out.jsonl"), std::fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(export(), 0o640);
}

/// SQLite cannot open the file that readers of a write-ahead log share, as on a read-only disk: it follows no link.
#[cfg(unix)]
fn forbid_shared_memory(database: &Path) {
    let file = format!("{}-shm", database.display());
    // An earlier reader has left it.
    _ = std::fs::remove_file(&file);
    std::os::unix::fs::symlink("nowhere", file).unwrap();
}

#[cfg(unix)]
#[test]
fn a_database_is_read_where_nothing_can_be_written() {
    let shell = with_people();
    let expected = shell.run(&["export", "--format", "csv"]).out;
    assert!(expected.contains("ann@test.invalid"), "{expected}");
    forbid_shared_memory(&shell.path("a.db"));
    let exported = shell.run(&["export", "--format", "csv"]);
    assert_eq!((exported.code, exported.out), (0, expected), "{}", exported.err);
    let listed = shell.run(&["token", "list"]);
    assert_eq!(listed.code, 0, "{}", listed.err);
    let imported = shell.run(&["import", "--format", "csv", "people.csv"]);
    assert_eq!(imported.code, 2, "a change needs more: {}", imported.out);
}

#[cfg(unix)]
#[test]
fn changes_that_cannot_be_read_are_not_left_out() {
    let shell = with_people();
    std::fs::write(shell.path("a.db-wal"), b"changes").unwrap();
    forbid_shared_memory(&shell.path("a.db"));
    let exported = shell.run(&["export", "--format", "csv"]);
    assert_eq!((exported.code, exported.out.as_str()), (2, ""));
    assert!(exported.err.contains("copy both files"), "{}", exported.err);
}

#[cfg(unix)]
#[test]
fn every_name_of_a_file_is_the_name_of_a_file() {
    for name in [":memory:", "file:a?mode=memory", "a b#c%41?.db", "ä.db"] {
        let shell = with_people();
        let created = shell.run(&["token", "create", "--database", name, "--owner", "o@test.invalid"]);
        assert_eq!(created.code, 0, "{name}: {}", created.err);
        assert!(shell.path(name).is_file(), "{name}");
        forbid_shared_memory(&shell.path(name));
        let listed = shell.run(&["token", "list", "--database", name]);
        assert!(
            listed.out.contains("o@test.invalid"),
            "{name}: {} {}",
            listed.out,
            listed.err
        );
    }
}

#[test]
fn a_database_of_an_older_schema_is_brought_to_the_present_one_by_what_writes_and_by_nothing_else() {
    let shell = Shell::new();
    let connection = Connection::writer(&shell.path("a.db").into()).unwrap();
    connection
        .script(include_str!("../../store/src/schema/0001_directory.sql"))
        .unwrap();
    connection
        .script(include_str!("../fixtures/schema_1_with_a_person.sql"))
        .unwrap();
    // As it was folded then.
    connection
        .script(
            "UPDATE directory_users SET first_name = 'İsmail Rene\u{301}', first_name_folded = 'i\u{307}smail rene\u{301}'",
        )
        .unwrap();
    connection.set_schema_version(1).unwrap();
    assert!(missing_schemas(&connection).unwrap() > 0);
    // A copy of it goes with the program that made it.
    assert_eq!(shell.run(&["backup", "b.db"]).code, 0);
    for reads in [
        &["export", "--format", "jsonl"][..],
        &["token", "list"],
        &["copy", "--from", "a.db", "--to", "c.db"],
    ] {
        let refused = shell.run(reads);
        assert!(
            refused.code == 2 && refused.err.contains("older than this program"),
            "{}",
            refused.err
        );
    }
    let copy = Connection::reader(&shell.path("b.db").into()).unwrap();
    assert_eq!(
        (
            connection.schema_version().unwrap(),
            copy.schema_version().unwrap()
        ),
        (1, 1)
    );
    assert_eq!(
        shell.run(&["token", "create", "--owner", "o@test.invalid"]).code,
        0
    );
    let exported = shell.run(&["export", "--format", "jsonl"]);
    assert_eq!((exported.code, exported.err.as_str()), (0, "exported 1\n"));
    assert!(exported.out.contains("Treasury"), "{}", exported.out);
    assert_eq!(missing_schemas(&connection).unwrap(), 0);
    let reading = ReadContext {
        now: Timestamp::EPOCH,
        base: "",
        lapsed: false,
        overdue: true,
        memory: None,
    };
    for (query, wanted) in [
        ("filter[email_search]=ann@test", 1),
        ("filter[email_search]=ann@tess", 0),
        ("filter[directory_attribute_id]=dratr_1", 1),
        ("filter[first_name_search]=ismail%20ren%C3%A9", 1),
        ("filter[first_name_search]=%C4%B0SMAIL%20RENE%CC%81", 1),
        ("filter[first_name_search]=rene", 0),
        ("sort=last_name&filter[state]=active", 1),
    ] {
        let query = ListQuery::<DirectoryUsers>::parse(&format!("{query}&page[total]=true")).unwrap();
        let page = list(&connection, &reading, &query).unwrap();
        assert_eq!(page.total, Some(wanted), "{}", query.print());
    }
    let external = Sql::new("SELECT name FROM external_resources");
    let external = connection.query(&external, |cells| cells.string()).unwrap();
    assert_eq!(external, ["handbook"]);
}

#[test]
fn a_database_of_a_newer_version_is_left_alone() {
    let shell = with_people();
    Connection::writer(&shell.path("a.db").into())
        .unwrap()
        .set_schema_version(99)
        .unwrap();
    let exported = shell.run(&["export", "--format", "csv"]);
    assert_eq!((exported.code, exported.out.as_str()), (2, ""));
    assert!(exported.err.contains("99"), "{}", exported.err);
}

#[test]
fn a_demo_keeps_its_directory_if_it_is_told_a_file() {
    let shell = Shell::new();
    let file = shell.path("kept.db");
    let mut demo = Command::new(env!("CARGO_BIN_EXE_rollcall-server"))
        .args(["demo", "--users", "30", "--listen", "127.0.0.1:0", "--database"])
        .arg(&file)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(demo.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let said = lines.find(|line| line.contains("is ready")).unwrap();
    assert!(said.contains("kept.db keeps the directory"), "{said}");
    demo.kill().unwrap();
    demo.wait().unwrap();
    let known = shell.run(&["token", "list", "--database", file.to_str().unwrap()]);
    assert!(known.out.contains("demo"), "{}", known.err);
    let again = shell.run(&[
        "demo",
        "--users",
        "30",
        "--listen",
        "127.0.0.1:0",
        "--database",
        file.to_str().unwrap(),
    ]);
    assert!(
        again.code != 0 && again.err.contains("is there already"),
        "{}",
        again.err
    );
}

#[test]
fn files_of_another_database_are_not_read_into_a_new_one() {
    let shell = with_people();
    shell.file("b.db-wal", "of another database");
    for words in [
        &["backup", "b.db"][..],
        &["token", "list", "--database", "b.db"],
        &["copy", "--from", "a.db", "--to", "b.db"],
        &["demo", "--users", "30", "--database", "b.db"],
    ] {
        let refused = shell.run(words);
        assert!(
            refused.code == 2 && refused.err.contains("b.db-wal"),
            "{words:?}: {}",
            refused.err
        );
        assert!(!shell.path("b.db").exists());
    }
    let refused = shell.run(&["export", "--format", "csv", "-o", "./a.db"]);
    assert!(
        refused.code == 2 && refused.err.contains("the database itself"),
        "{}",
        refused.err
    );
    assert_eq!(shell.run(&["export", "--format", "jsonl"]).code, 0);
}

#[test]
fn half_a_copy_is_not_taken_for_the_whole() {
    let shell = with_people();
    assert_eq!(shell.run(&["copy", "--from", "a.db", "--to", "b.db"]).code, 0);
    begin_copy(&Connection::writer(&shell.path("b.db").into()).unwrap()).unwrap();
    for words in [
        &["export", "--database", "b.db", "--format", "csv"][..],
        &["token", "list", "--database", "b.db"],
        &["copy", "--from", "a.db", "--to", "b.db"],
    ] {
        let refused = shell.run(words);
        assert!(
            refused.code == 2 && refused.err.contains("--resume"),
            "{words:?}: {}",
            refused.err
        );
    }
    assert_eq!(
        shell
            .run(&["copy", "--resume", "--from", "a.db", "--to", "b.db"])
            .code,
        0
    );
    let exported = |name| {
        shell
            .run(&["export", "--database", name, "--format", "jsonl"])
            .out
    };
    assert_eq!(exported("a.db"), exported("b.db"));
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_a_failure_and_no_panic() {
    let shell = with_people();
    shell.file("old.yaml", rollcall::CONTRACT);
    for words in [
        &["token", "list"][..],
        &["token", "create", "--owner", "o@test.invalid"],
        &["openapi"],
        &["copy", "--from", "a.db", "--to", "b.db"],
        &["contract", "diff", "old.yaml"],
        &["routes"],
    ] {
        let said = shell.run_into(
            std::fs::File::options().write(true).open("/dev/full").unwrap(),
            words,
        );
        assert!(
            said.code == 2 && said.err.contains("standard output cannot be written"),
            "{words:?}: {} {}",
            said.code,
            said.err
        );
    }
}

#[cfg(unix)]
#[test]
fn a_server_that_is_told_to_stop_leaves_the_directory_in_one_file() {
    for _ in 0..5 {
        let shell = with_people();
        let mut server = Process::serve(shell.path("a.db"), &[]);
        assert_eq!(
            shell
                .run(&["token", "create", "--name", "last", "--owner", "o@test.invalid"])
                .code,
            0
        );
        server.stop();
        assert!(!shell.path("a.db-wal").exists() && !shell.path("a.db-shm").exists());
        std::fs::copy(shell.path("a.db"), shell.path("b.db")).unwrap();
        let listed = shell.run(&["token", "list", "--database", "b.db"]);
        assert!(listed.out.contains("last"), "{}", listed.out);
    }
}

#[tokio::test]
async fn a_server_is_not_ready_when_a_newer_one_has_changed_the_schema() {
    let shell = with_people();
    let server = Process::serve(shell.path("a.db"), &[]);
    let url = server.base.replace("/api/v1", "/health/ready");
    let ready = async || {
        let answer = reqwest::get(&url).await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    assert_eq!(ready().await.0, 200);
    let connection = Connection::writer(&shell.path("a.db").into()).unwrap();
    connection
        .set_schema_version(connection.schema_version().unwrap() + 1)
        .unwrap();
    let (status, said) = ready().await;
    assert!(status == 503 && said.contains("newer schema"), "{status} {said}");
    assert_eq!(recount::column(&connection, "PRAGMA integrity_check"), ["ok"]);
}
