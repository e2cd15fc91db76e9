//! Commands beside `serve`, as they are typed.

use crate::shell::Shell;

const PEOPLE: &str = "email,first_name,last_name\nzoe@example.net,Zoë,O'Neill\nbo@example.net,Bo,Li\n";

#[test]
fn the_ending_of_a_file_says_its_format() {
    let shell = Shell::new();
    shell.file("people.csv", PEOPLE);
    let said = shell.run(&["import", "people.csv"]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (0, "created 2, updated 0, unchanged 0, refused 0, skipped 0\n")
    );
    shell.file("people.txt", PEOPLE);
    let said = shell.run(&["import", "people.txt"]);
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert!(
        said.err
            .contains("people.txt: the ending does not name a format; add --format ldif"),
        "{}",
        said.err
    );
    assert_eq!(shell.run(&["import", "--format", "csv", "people.txt"]).code, 0);
}

#[test]
fn an_unknown_column_does_not_hide_the_faults_of_rows() {
    let shell = Shell::new();
    let rows = "email,first_name,last_name,shoe_size,hobby\nnobody,A,B,43,x\nzoe@example.net,Zoë,O'Neill,38,y\n,C,D,1,z\n";
    shell.file("people.csv", rows);
    for more in [&["import"][..], &["import", "--keep-going"]] {
        let said = shell.run(&[more, &["people.csv"]].concat());
        assert_eq!(said.code, 1, "{}", said.err);
        for fault in [
            "line 1: (header): unknown column \"shoe_size\"",
            "unknown column \"hobby\"",
            "line 2:",
            "line 4:",
        ] {
            assert!(said.err.contains(fault), "{fault}: {}", said.err);
        }
        assert!(
            said.out.contains("refused 4") && said.out.contains("Nothing was written"),
            "{}",
            said.out
        );
    }
    let exported = shell.run(&["export", "--format", "csv"]);
    assert!(!exported.out.contains('@'), "{}", exported.out);
}

#[test]
fn what_is_skipped_is_explained() {
    let shell = Shell::new();
    let company = format!(
        "{}/tests/fixtures/import/company.ldif",
        env!("CARGO_MANIFEST_DIR")
    );
    let said = shell.run(&["import", &company]);
    assert!(
        said.out.contains("skipped 2") && said.err.contains("organizationalUnit 1 (line 7)"),
        "{}{}",
        said.out,
        said.err
    );
}

#[test]
fn a_token_has_an_owner_and_is_valid_until_it_ends() {
    let shell = Shell::new();
    let created = shell.run(&["token", "create"]);
    assert_eq!(
        (created.code, created.out.lines().count()),
        (0, 1),
        "{}",
        created.err
    );
    let listed = shell.run(&["token", "list"]).out;
    assert!(
        listed.contains("operator@localhost") && listed.contains("valid until"),
        "{listed}"
    );
    let row = listed.lines().nth(1).unwrap();
    assert!(row.ends_with("valid") && !listed.contains("expiring"), "{listed}");
    assert!(!listed.contains(created.out.trim()));
}

#[test]
fn numbers_out_of_range_are_refused_in_words() {
    let shell = Shell::new();
    for (words, range) in [
        (&["token", "create", "--days", "3651"][..], "from 1 to 3650"),
        (&["token", "create", "--days", "many"], "from 1 to 3650"),
        (&["demo", "--users", "0"], "from 1 to 10000000"),
        (&["serve", "--grace", "31"], "from 0 to 30"),
        (&["serve", "--rate-limit", "0"], "from 1 to 4294967295"),
    ] {
        let said = shell.run(words);
        assert_eq!(said.code, 2);
        assert!(
            said.err.contains(&format!("a whole number {range} is needed")),
            "{}",
            said.err
        );
    }
}

#[test]
fn a_log_filter_that_cannot_be_read_is_refused() {
    let shell = Shell::new();
    let said = shell.run(&["--log", "rollcall_server=lots", "token", "list"]);
    assert_eq!(said.code, 2, "{}", said.err);
    assert!(
        said.err.contains("'rollcall_server=lots' for '--log <FILTER>'"),
        "{}",
        said.err
    );
    shell.file("people.csv", PEOPLE);
    let said = shell.run(&["--log", "rollcall_server=debug,warn", "import", "people.csv"]);
    assert_eq!(said.code, 0, "{}", said.err);
}

#[test]
fn an_origin_is_a_scheme_and_a_host() {
    let shell = Shell::new();
    for origin in [
        "app.example.net",
        "https://app.example.net/",
        "https://",
        "ftp://a.b",
        "https://*.example.net",
        "https://A.net",
    ] {
        let said = shell.run(&[
            "serve",
            "--database",
            "no/such/a.db",
            "--listen",
            "127.0.0.1:0",
            "--cors-origin",
            origin,
        ]);
        assert!(
            said.err.contains("an origin is a scheme and a host"),
            "{origin}: {}",
            said.err
        );
    }
    let sound = [
        "serve",
        "--database",
        "no/such/a.db",
        "--listen",
        "127.0.0.1:0",
        "--cors-origin",
        "https://a.net:8443,http://localhost:3000",
    ];
    assert!(shell.run(&sound).err.contains("there is no folder no/such"));
}

#[test]
fn a_backup_is_a_database_of_its_own() {
    let shell = Shell::new();
    shell.file("people.csv", PEOPLE);
    shell.run(&["import", "people.csv"]);
    let people = shell.run(&["export", "--format", "csv"]).out;
    let said = shell.run(&["backup", "copy.db"]);
    assert_eq!((said.code, said.out.as_str()), (0, ""), "{}", said.err);
    // Later changes are not in the copy.
    shell.file("more.csv", "email,first_name,last_name\nlate@example.net,La,Te\n");
    shell.run(&["import", "more.csv"]);
    let copy = shell.path("copy.db").display().to_string();
    assert_eq!(
        shell.run(&["export", "--database", &copy, "--format", "csv"]).out,
        people
    );
    assert!(
        shell
            .run(&["export", "--format", "csv"])
            .out
            .contains("late@example.net")
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&copy).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let again = shell.run(&["backup", "copy.db"]);
    assert!(
        again.code == 2 && again.err.contains("is there already"),
        "{}",
        again.err
    );
    let nowhere = shell.run(&["backup", "no/such/copy.db"]);
    assert_eq!(nowhere.code, 2, "{}", nowhere.err);
    assert!(!shell.path("copy.db.part").exists());
}

#[test]
fn the_contract_is_printed_in_each_form() {
    let shell = Shell::new();
    assert_eq!(shell.run(&["openapi"]).out, rollcall::CONTRACT);
    let json = shell.run(&["openapi", "--format", "json"]).out;
    let own: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        &own,
        rollcall_contract::Document::parse(rollcall::CONTRACT)
            .unwrap()
            .raw()
    );
    let open = shell.run(&["openapi", "--form", "open"]).out;
    assert!(open.contains("listDirectoryUsers") && !open.contains("getDirectoryUser"));
    let said = shell.run(&["openapi", "--html", "review.html"]);
    assert_eq!((said.code, said.out.as_str()), (0, ""));
    let page = std::fs::read_to_string(shell.path("review.html")).unwrap();
    assert!(
        page.contains("id=\"L10\"") && !page.contains("src=") && !page.contains("<link"),
        "it needs nothing else"
    );
}

#[test]
fn contracts_are_compared_by_their_meaning() {
    let shell = Shell::new();
    shell.file("same.yaml", rollcall::CONTRACT);
    let said = shell.run(&["contract", "diff", "same.yaml"]);
    assert_eq!((said.code, said.out.as_str()), (0, "Nothing changed.\n"));
    shell.file(
        "words.yaml",
        &rollcall::CONTRACT.replace(
            "Users who report to this manager.",
            "The reports of this manager.",
        ),
    );
    let said = shell.run(&["contract", "diff", "words.yaml"]);
    let lines = |text: &str| {
        rollcall::CONTRACT
            .lines()
            .position(|line| line.contains(text))
            .unwrap()
            + 1
    };
    let words = format!(
        "words: GET /directory/users, filter[manager_id]: description: has other words\n    openapi.yaml:{}\n    \
         Only readers see it.\n",
        lines("Users who report to this manager.")
    );
    assert_eq!((said.code, said.out), (0, words));
    assert_eq!(
        shell.run(&["contract", "diff", "--no-words", "words.yaml"]).out,
        "Nothing changed.\n"
    );
    shell.file(
        "limit.yaml",
        &rollcall::CONTRACT.replace("maximum: 1095", "maximum: 2000"),
    );
    let why = "The server refuses values that clients could send.";
    let line = lines("maximum: 1095");
    for (format, expected) in [
        (
            "text",
            format!(
                "breaking: ExpiryDays: maximum: 2000 → 1095\n    openapi.yaml:{line}\n    {why}\n    Touches "
            ),
        ),
        (
            "markdown",
            format!("### Breaking\n\n- `ExpiryDays`: maximum: 2000 → 1095. {why} (line {line}; touches "),
        ),
        (
            "github",
            format!(
                "::error file=openapi.yaml,line={line},title=breaking%3A ExpiryDays::maximum: 2000 → 1095. {why} "
            ),
        ),
        ("json", "[\n  {\n    \"effect\": \"breaking\"".to_owned()),
    ] {
        let said = shell.run(&["contract", "diff", "--format", format, "limit.yaml"]);
        assert!(
            said.code == 1 && said.out.starts_with(&expected),
            "{format}: {}",
            said.out
        );
        assert!(
            said.out
                .contains("PATCH /directory/attributes/{attribute}/deprecate"),
            "{format}: {}",
            said.out
        );
    }
    shell.file("broken.yaml", "a: [");
    let said = shell.run(&["contract", "diff", "broken.yaml"]);
    assert!(
        said.code == 2 && said.err.starts_with("error: broken.yaml: not a YAML document"),
        "{}",
        said.err
    );
}

#[test]
fn a_refused_address_is_not_repeated() {
    let shell = Shell::new();
    for address in [
        "postgres://anna:hunter2@db.example:port/people",
        "postgre://anna:hunter2@db.example/people",
    ] {
        for command in [
            vec!["serve", "--database", address],
            vec!["token", "list", "--database", address],
            vec!["copy", "--from", "directory.db", "--to", address],
        ] {
            let said = shell.run(&command);
            assert_eq!(said.code, 2, "{}", said.err);
            assert!(said.err.contains("invalid value for '--"), "{}", said.err);
            assert!(!said.err.contains("hunter2"), "{}", said.err);
        }
    }
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let shell = Shell::new();
    for name in ["bash", "zsh", "fish"] {
        let said = shell.run(&["completions", name]);
        assert!(
            said.code == 0 && said.out.contains("backup") && said.out.contains("cors-origin"),
            "{name}"
        );
    }
    assert_eq!(shell.run(&["man", "pages/man1"]).code, 0);
    for page in [
        "rollcall-server.1",
        "rollcall-server-serve.1",
        "rollcall-server-token-create.1",
    ] {
        assert!(shell.path("pages/man1").join(page).is_file(), "{page}");
    }
}
