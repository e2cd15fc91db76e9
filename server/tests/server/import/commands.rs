//! `import`, `export` and `token` as they are typed.

use std::path::Path;

use rollcall_store::dialect::Connection;

use crate::shell::Shell;

fn fixture(name: &str) -> String {
    format!("{}/tests/fixtures/import/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_file_goes_in_and_comes_out() {
    let shell = Shell::new();
    let company = fixture("company.ldif");
    let said = shell.run(&["import", "--format", "ldif", "--dry-run", &company]);
    let (people, end): (Vec<&str>, Vec<&str>) = said.out.lines().partition(|line| line.starts_with('{'));
    assert_eq!((said.code, people.len()), (0, 3), "{}", said.out);
    let expected = [
        "created 5, updated 0, unchanged 0, refused 0, skipped 2",
        "This was a dry run: nothing was written.",
    ];
    assert_eq!(end, expected);
    let said = shell.run(&["import", "--format", "ldif", &company]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (0, "created 5, updated 0, unchanged 0, refused 0, skipped 2\n")
    );
    let said = shell.run(&["export", "--format", "csv", "-o", "out.csv"]);
    assert_eq!(
        (said.code, said.out.as_str(), said.err.as_str()),
        (0, "", "exported 5\n")
    );
    assert_eq!(
        shell.run(&["export", "--format", "csv"]).out,
        std::fs::read_to_string(shell.path("out.csv")).unwrap()
    );
    assert!(!shell.path("out.csv.part").exists());
    let said = shell.run(&["import", "--format", "csv", "out.csv"]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (0, "created 0, updated 0, unchanged 5, refused 0, skipped 0\n")
    );
}

#[test]
fn refusals_are_listed_and_set_the_exit_code() {
    let shell = Shell::new();
    let refused = fixture("refused.csv");
    let said = shell.run(&["import", "--format", "csv", &refused]);
    assert_eq!(said.code, 1);
    assert!(
        said.err
            .contains("line 9: bell@test.invalid: first_name: has the control character U+0007"),
        "{}",
        said.err
    );
    assert!(
        said.out.contains("created 0, updated 0, unchanged 0, refused 6")
            && said.out.contains("Nothing was written"),
        "{}",
        said.out
    );
    let said = shell.run(&["import", "--format", "csv", "--keep-going", &refused]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (1, "created 1, updated 0, unchanged 0, refused 6, skipped 0\n")
    );
    let said = shell.run(&["import", "--format", "csv", "--email-domain", "x y", &refused]);
    assert_eq!(said.code, 2);
}

#[test]
fn what_cannot_be_done_says_why_in_one_line() {
    let shell = Shell::new();
    let folder = shell.path("").display().to_string();
    shell.file(
        "broken.db",
        &"not a database, whatever its name says ".repeat(100),
    );
    let people = fixture("people.csv");
    let cases: [(&[&str], &str); 9] = [
        (
            &["import", "--format", "csv", "nowhere.csv"],
            "nowhere.csv: No such file",
        ),
        (
            &["import", "--format", "csv", &folder],
            "is a folder; name a file",
        ),
        (&["import", "--format", "csv", "/dev/null"], "no regular file"),
        (
            &["import", "--format", "csv", "--database", &folder, &people],
            "is a folder; --database names a file",
        ),
        (
            &["import", "--format", "csv", "--database", "no/such/a.db", &people],
            "there is no folder no/such; make it first",
        ),
        (
            &["import", "--format", "csv", "--database", "broken.db", &people],
            "broken.db: the database is damaged or not one of ours",
        ),
        (&["export", "--format", "csv"], "there is no such database"),
        (&["token", "list"], "there is no such database"),
        (
            &["token", "create", "--owner", "wsusr_1"],
            "there is no workspace user with this id",
        ),
    ];
    for (words, expected) in cases {
        let said = shell.run(words);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{words:?}: {}", said.err);
        assert!(
            said.err.starts_with("error: ") && said.err.contains(expected),
            "{words:?}: {}",
            said.err
        );
        assert_eq!(said.err.lines().count(), 1, "{words:?}: {}", said.err);
    }
    assert!(!Path::new("nowhere.csv").exists());
}

#[test]
fn a_file_of_another_format_is_recognised() {
    let shell = Shell::new();
    let cases = [
        ("people.ldif", "csv", "--format ldif"),
        ("people.ldif", "jsonl", "--format ldif"),
        ("people.csv", "ldif", "--format csv"),
        ("people.jsonl", "csv", "--format jsonl"),
    ];
    for (name, format, hint) in cases {
        let said = shell.run(&["import", "--format", format, &fixture(name)]);
        assert_eq!(said.code, 1, "{}", said.err);
        assert!(said.err.contains(hint), "{name} as {format}: {}", said.err);
    }
}

#[test]
fn a_token_is_made_listed_and_revoked() {
    let shell = Shell::new();
    let said = shell.run(&[
        "token",
        "create",
        "--owner",
        "ann@test.invalid",
        "--name",
        "ci",
        "--scopes",
        "directory:read",
        "--days",
        "1",
    ]);
    assert_eq!(said.code, 0, "{}", said.err);
    let secret = said.out.lines().last().unwrap();
    assert!(secret.starts_with("rollcall_") && said.out.lines().count() == 1);
    assert!(
        !said.err.contains(secret) && said.err.contains("directory:read"),
        "{}",
        said.err
    );
    let listed = shell.run(&["token", "list"]);
    assert!(
        !listed.out.contains(secret) && listed.out.contains("ci") && listed.out.contains("ann@test.invalid"),
        "{}",
        listed.out
    );
    let id = listed
        .out
        .lines()
        .nth(1)
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .to_owned();
    assert_eq!(shell.run(&["token", "revoke", &id]).code, 0);
    assert_eq!(shell.run(&["token", "list"]).out.lines().count(), 1);
    let said = shell.run(&["token", "revoke", secret]);
    assert_eq!(said.code, 2);
    assert!(
        said.err.contains("no such token") && !said.err.contains(secret),
        "{}",
        said.err
    );
}

#[test]
fn an_unknown_scope_names_the_nearest_and_the_allowed() {
    let shell = Shell::new();
    let said = shell.run(&[
        "token",
        "create",
        "--owner",
        "ann@test.invalid",
        "--scopes",
        "directory:raed",
    ]);
    assert_eq!(said.code, 2);
    assert!(
        said.err.contains(
            "did you mean directory:read? allowed: attributes:write, directory:read, workspace:write"
        ),
        "{}",
        said.err
    );
    assert!(!shell.path("a.db").exists());
}

#[test]
fn a_failed_export_leaves_the_old_file() {
    let shell = Shell::new();
    shell.run(&["import", "--format", "csv", &fixture("people.csv")]);
    shell.file("out.csv", "old");
    let said = shell.run(&[
        "export",
        "--format",
        "csv",
        "--database",
        "other.db",
        "-o",
        "out.csv",
    ]);
    assert_eq!(said.code, 2);
    assert_eq!(std::fs::read_to_string(shell.path("out.csv")).unwrap(), "old");
}

#[test]
fn a_file_of_another_program_is_left_as_it_is() {
    let shell = Shell::new();
    let file = shell.path("foreign.db");
    let foreign = Connection::writer(&file.clone().into()).unwrap();
    foreign
        .script("PRAGMA journal_mode = DELETE; CREATE TABLE theirs (a TEXT)")
        .unwrap();
    drop(foreign);
    let before = std::fs::read(&file).unwrap();
    let said = shell.run(&["token", "list", "--database", "foreign.db"]);
    assert_eq!(said.code, 2);
    assert!(
        said.err.contains("it holds tables of another program"),
        "{}",
        said.err
    );
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[test]
fn reading_commands_do_not_wait_for_who_writes() {
    let shell = Shell::new();
    shell.run(&["import", "--format", "csv", &fixture("people.csv")]);
    let writer = Connection::writer(&shell.path("a.db").into()).unwrap();
    writer.script("BEGIN IMMEDIATE").unwrap();
    assert_eq!(shell.run(&["export", "--format", "jsonl"]).out.lines().count(), 3);
    assert_eq!(shell.run(&["token", "list"]).code, 0);
}
