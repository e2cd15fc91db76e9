//! Commands, their output, and what they say when a call fails.

use std::collections::BTreeSet;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use unicode_width::UnicodeWidthStr as _;

use super::{Demo, TOKEN, USERS, text};

impl Demo {
    /// What a command prints; it has to succeed.
    pub(super) fn prints(&self, line: &str) -> String {
        let output = self.rollcall(line);
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        text(&output.stdout).to_owned()
    }

    fn rollcall(&self, line: &str) -> Output {
        let arguments: Vec<&str> = line.split(' ').collect();
        self.run(env!("CARGO_BIN_EXE_rollcall").into(), &arguments)
    }

    /// The records that a command prints as JSON lines.
    pub(super) fn records(&self, line: &str) -> Vec<Value> {
        let printed = self.prints(line);
        printed
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

#[test]
fn a_list_is_one_page_or_all_of_them() {
    let demo = Demo::start(&[]);
    let page = demo.rollcall("directory users list --page-size 20 --page-total true --trashed with");
    assert_eq!(text(&page.stdout).lines().count(), 20);
    let note = format!("note: this is one page of {USERS} records; --all gives the records of all pages\n");
    assert_eq!(text(&page.stderr), note);
    let all = demo.records("directory users list --all --page-size 100 --trashed with");
    let ids: BTreeSet<&str> = all.iter().map(|user| user["id"].as_str().unwrap()).collect();
    assert_eq!((ids.len(), all.len()), (USERS, USERS));
}

#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    let demo = Demo::start(&[]);
    for form in ["table", "jsonl", "csv"] {
        let mut call = Command::new(env!("CARGO_BIN_EXE_rollcall"))
            .args(["directory", "users", "list", "--all", "--output", form])
            .env("ROLLCALL_URL", &demo.base)
            .env("ROLLCALL_TOKEN", TOKEN)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(call.stdout.take());
        let output = call.wait_with_output().unwrap();
        assert_eq!(text(&output.stderr), "", "{form}");
        assert!(output.status.success(), "{form}");
    }
}

#[test]
fn filters_order_and_relations_are_flags() {
    let demo = Demo::start(&[]);
    let users = demo.records("directory users list --state active --manager true --sort -last_name,id --include direct-report-users");
    assert!(!users.is_empty());
    for user in &users {
        assert_eq!(
            (&user["state"], &user["is_manager"]),
            (&"active".into(), &true.into())
        );
        assert!(
            !user["included"]["direct_report_users"]
                .as_array()
                .unwrap()
                .is_empty()
        );
    }
    let id = users[0]["id"].as_str().unwrap();
    let user = demo.records(&format!("directory users get {id}"));
    assert_eq!((user.len(), &user[0]["id"]), (1, &users[0]["id"]));
}

#[test]
fn csv_has_all_members_and_a_table_has_those_that_are_named() {
    let demo = Demo::start(&[]);
    let printed =
        demo.prints("directory users list --output csv --page-size 5 --include direct-report-users-count");
    let mut reader = csv::Reader::from_reader(printed.as_bytes());
    let names = reader.headers().unwrap().clone();
    let wanted = [
        "id",
        "email",
        "metadata",
        "timestamp.created_at",
        "count.direct_report_users",
        "included.direct_report_users_count",
    ];
    for name in wanted {
        assert!(names.iter().any(|one| one == name), "{name}: {names:?}");
    }
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 5);
    let column = |name| names.iter().position(|one| one == name).unwrap();
    for row in &rows {
        assert!(row[column("id")].starts_with("drusr_"));
        assert_eq!(
            row[column("count.direct_report_users")],
            row[column("included.direct_report_users_count")]
        );
    }
    let table =
        demo.prints("directory users list --output table --page-size 2 --columns id,timestamp.created_at");
    assert!(
        table.contains("timestamp.created_at") && !table.contains("email"),
        "{table}"
    );
    assert_eq!(table.matches("drusr_").count(), 2, "{table}");
}

#[test]
fn a_change_takes_its_body_from_flags() {
    let demo = Demo::start(&[]);
    let attributes = demo.records("directory attributes list --state active --page-size 1");
    let id = attributes[0]["id"].as_str().unwrap();
    let changed = demo.records(&format!(
        "directory attributes deprecate {id} --expires-at 2099-01-31T00:00:00Z"
    ));
    assert_eq!(
        changed[0]["timestamp"]["expires_at"],
        "2099-01-31T00:00:00.000000Z"
    );
    let changed = demo.records(&format!(
        "directory attributes deprecate {id} --expires-after-days 30 --idempotency-key k1"
    ));
    let repeated = demo.records(&format!(
        "directory attributes deprecate {id} --expires-after-days 30 --idempotency-key k1"
    ));
    assert_eq!(changed, repeated);
}

#[test]
fn a_refusal_says_what_is_allowed_and_ends_with_1() {
    let demo = Demo::start(&[]);
    let refused = demo.rollcall("directory dimensions list --sort nane");
    assert_eq!((refused.status.code(), text(&refused.stdout)), (Some(1), ""));
    let said = text(&refused.stderr);
    assert!(
        said.starts_with("error: the server answered 400 Bad Request: --sort: \"nane\" is not a sort field"),
        "{said}"
    );
    assert!(
        said.contains("\n  --sort takes: ") && said.contains("name"),
        "{said}"
    );
    let missing = demo.rollcall("directory users get drusr_00000000000000000000000000");
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("404 Not Found"));
    for output in [refused, missing] {
        assert!(!text(&output.stderr).contains(TOKEN));
    }
}

#[test]
fn arguments_that_cannot_be_used_end_with_2() {
    let demo = Demo::start(&[]);
    for line in [
        "directory users list --shoe-size 3",
        "directory users list --page 2 --all",
        "directory users get",
        "directory users get ..",
        "directory users list --output xml",
        "directory users list --columns id,emial",
        "directory users list --url ftp://127.0.0.1/",
        "directory users dismiss drusr_1",
    ] {
        let output = demo.rollcall(line);
        assert_eq!(output.status.code(), Some(2), "{line}: {}", text(&output.stderr));
    }
    let program = env!("CARGO_BIN_EXE_rollcall");
    let output = Command::new(program)
        .args(["directory", "users", "list"])
        .env_remove("ROLLCALL_TOKEN")
        .output();
    let output = output.unwrap();
    assert_eq!(
        text(&output.stderr),
        "error: a token is missing: set ROLLCALL_TOKEN\n"
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn the_first_line_says_what_the_program_does() {
    let program = || Command::new(env!("CARGO_BIN_EXE_rollcall"));
    let bare = program().env("ROLLCALL_TOKEN", TOKEN).output().unwrap();
    let help = program().arg("--help").output().unwrap();
    assert_eq!((bare.status.code(), help.status.code()), (Some(2), Some(0)));
    for output in [bare, help] {
        let first = text(&output.stdout).lines().next();
        assert_eq!(
            first,
            Some("Calls a server of the Directory and Workspace Provisioning API")
        );
    }
    let short = program()
        .args(["directory", "users", "list", "-h"])
        .output()
        .unwrap();
    assert!(
        !text(&short.stdout).contains("Specified in"),
        "{}",
        text(&short.stdout)
    );
    let long = program()
        .args(["directory", "users", "list", "--help"])
        .output()
        .unwrap();
    assert!(text(&long.stdout).contains("Specified in"));
}

#[test]
fn every_table_fits_the_terminal_and_one_record_is_shown_whole() {
    let demo = Demo::start(&[]);
    let contract = rollcall_contract::Contract::parse(include_str!("../../../openapi.yaml")).unwrap();
    let table = |words: &[&str]| {
        let mut call = Command::new(env!("CARGO_BIN_EXE_rollcall"));
        call.args(words).args(["--output", "table"]);
        call.env("ROLLCALL_URL", &demo.base)
            .env("ROLLCALL_TOKEN", TOKEN)
            .env("NO_PROXY", "127.0.0.1")
            .env("COLUMNS", "80");
        let output = call.output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
        let table = text(&output.stdout).to_owned();
        for line in table.lines() {
            assert!(line.width() <= 80, "{words:?}: {line}");
        }
        (table, text(&output.stderr).to_owned())
    };
    let lists = contract.operations.iter().filter(|one| one.list.is_some());
    for operation in lists.filter(|one| !one.path.contains('{')) {
        let words: Vec<&str> = operation.path.split('/').skip(1).collect();
        let (rows, _) = table(&[&words[..], &["list"]].concat());
        assert!(rows.lines().count() > 3, "{words:?}: {rows}");
    }
    let user = &demo.records("directory users list --page-size 1")[0];
    let (one, _) = table(&["directory", "users", "get", user["id"].as_str().unwrap()]);
    for name in ["email", "timestamp.created_at", "count.direct_report_users"] {
        assert!(one.contains(name), "{name}: {one}");
    }
    let (none, said) = table(&["directory", "users", "list", "--email", "nobody"]);
    assert_eq!(
        (none.as_str(), said.as_str()),
        ("", "No directory users found.\n")
    );
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let output = Command::new(env!("CARGO_BIN_EXE_rollcall"))
        .args(["directory", "users", "list", "--url", "http://127.0.0.1:1/api/v1"])
        .env("ROLLCALL_TOKEN", TOKEN)
        .env("NO_PROXY", "127.0.0.1")
        .output()
        .unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.starts_with("error: http://127.0.0.1:1: ") && said.contains("is the server running there?"),
        "{said}"
    );
}
