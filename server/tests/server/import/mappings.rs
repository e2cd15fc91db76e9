//! Exports of other systems, read by the mapping files that are kept in `examples/mappings`.

use std::path::{Path, PathBuf};

use rollcall_import::Mapping;

use crate::shell::Shell;

fn mappings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/mappings")
}

/// One of them, by its name.
pub(super) fn kept(name: &str, states: &[String]) -> Mapping {
    let file = mappings().join(format!("{name}.toml"));
    let read = Mapping::read(&std::fs::read_to_string(&file).unwrap(), states);
    read.unwrap_or_else(|fault| panic!("{}: {fault}", file.display()))
}

/// People of the sample exports, and the state each is to come in with.
const PEOPLE: [(&str, &[(&str, &str)]); 5] = [
    (
        "okta",
        &[
            ("zoe.brandao@", "active"),
            ("jurgen.odegard@", "suspended"),
            ("amelie.nguyen@", "staged"),
            ("lukasz.wojcik@", "deactivated"),
        ],
    ),
    (
        "google",
        &[
            ("soren@", "active"),
            ("bjork@", "suspended"),
            ("olena@", "deactivated"),
        ],
    ),
    (
        "entra",
        &[
            ("francois.mueller@", "active"),
            ("radoslaw.zukauskas@", "deactivated"),
        ],
    ),
    (
        "bamboohr",
        &[("genevieve.cote@", "active"), ("ngozi.adebayo@", "deactivated")],
    ),
    (
        "csvde",
        &[("jgroessmann@", "active"), ("nconceicao@", "deactivated")],
    ),
];

#[test]
fn each_sample_export_comes_in_unedited_and_whoever_is_locked_stays_so() {
    for (name, people) in PEOPLE {
        let shell = Shell::new();
        let map = mappings().join(format!("{name}.toml"));
        let sample = mappings().join(format!("samples/{name}.csv"));
        let import = ["import", "--map", map.to_str().unwrap(), sample.to_str().unwrap()];
        let said = shell.run(&import);
        assert!(
            said.code == 0 && said.out.contains("refused 0, skipped 0"),
            "{name}: {}{}",
            said.out,
            said.err
        );
        assert!(said.err.contains("not read: "), "{name}: {}", said.err);
        let again = shell.run(&import);
        assert!(
            again.out.starts_with("created 0, updated 0"),
            "{name}: {}",
            again.out
        );
        let exported = shell.run(&["export", "--format", "jsonl"]).out;
        for (email, state) in people {
            let line = exported
                .lines()
                .find(|line| line.contains(email))
                .unwrap_or_else(|| panic!("{email}: {exported}"));
            assert!(line.contains(&format!(r#""state":"{state}""#)), "{line}");
        }
        // The export of Entra has no managers.
        let has_managers = exported.contains(r#""manager":"#);
        assert_eq!(has_managers, name != "entra", "{name}: {exported}");
    }
}

#[test]
fn every_mapping_has_a_sample_and_names_known_columns() {
    let states = [
        "staged",
        "active",
        "suspended",
        "deactivated",
        "expired",
        "expiring",
    ]
    .map(str::to_owned);
    let files = std::fs::read_dir(mappings())
        .unwrap()
        .map(|file| file.unwrap().path());
    let mut names: Vec<String> = Vec::new();
    for file in files.filter(|file| file.extension().is_some_and(|ending| ending == "toml")) {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        kept(&name, &states);
        names.push(name);
    }
    names.sort();
    let mut known = PEOPLE.map(|(name, _)| name);
    known.sort_unstable();
    assert_eq!(names, known);
}

#[test]
fn members_and_attributes_are_mapped_too_and_a_dry_run_shows_what_would_be_written() {
    let shell = Shell::new();
    shell.file(
        "map.toml",
        "others = \"ignore\"\n[columns]\nmailAddress = \"email\"\ngiven = \"first_name\"\nfamily = \"last_name\"\n\
         enabled = { to = \"state\", values = { true = \"active\", false = \"deactivated\" } }\nteam = \"org.team\"\n\
         phone = \"metadata.phone\"\ntelephoneNumber = \"metadata.phone\"\nroomNumber = \"badge_id\"\n",
    );
    shell.file(
        "people.jsonl",
        "{\"mailAddress\":\"ann@test.invalid\",\"given\":\"Ann\",\"family\":\"Lee\",\"enabled\":false,\"team\":[\"A\",\"B\"],\"phone\":\"1\",\"x\":5}\n",
    );
    let dry = shell.run(&["import", "--map", "map.toml", "--dry-run", "people.jsonl"]);
    let shown = r#"{"id":"ann@test.invalid","email":"ann@test.invalid","first_name":"Ann","last_name":"Lee","state":"deactivated","org":{"team":["A","B"]},"metadata":{"phone":"1"}}"#;
    assert_eq!(dry.out.lines().next(), Some(shown), "{}", dry.err);
    assert!(dry.err.contains("not read: x 1 (line 1)"), "{}", dry.err);
    assert!(shell.run(&["export", "--format", "jsonl"]).out.is_empty());
    shell.file(
        "people.ldif",
        "dn: uid=ann\nobjectClass: person\ncn: Ann Lee\nsn: Lee\ngivenName: Ann\nmail: ann@test.invalid\ntelephoneNumber: 1\nroomNumber: R7\n",
    );
    let said = shell.run(&["import", "--map", "map.toml", "people.ldif"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let exported = shell.run(&["export", "--format", "jsonl"]).out;
    assert!(
        exported.contains(r#""badge_id":"R7""#) && exported.contains(r#""phone":"1""#),
        "{exported}"
    );
}

#[test]
fn what_ldif_says_by_itself_is_left_out_or_read_and_never_mapped() {
    let entry = "dn: uid=ann\nobjectClass: person\ncn: Ann Lee\nsn: Lee\nmail: ann@test.invalid\ntitle: Chief\no: Acme\n";
    for (columns, reason) in [
        (
            "surname = \"metadata.name\"",
            "columns.\"surname\": an import of LDIF reads",
        ),
        (
            "title = \"org.rank\"",
            "columns.\"title\": an import of LDIF reads",
        ),
        ("nsAccountLock = \"ignore\"", "needs this attribute"),
        ("objectClass = \"ignore\"", "needs this attribute"),
        (
            "o = \"org.company\"\norganizationName = \"metadata.o\"",
            "o comes twice",
        ),
    ] {
        let shell = Shell::new();
        shell.file("map.toml", &format!("[columns]\n{columns}\n"));
        shell.file("people.ldif", entry);
        let said = shell.run(&["import", "--map", "map.toml", "people.ldif"]);
        assert!(
            said.code == 2 && said.err.contains(reason),
            "{columns}: {}",
            said.err
        );
    }
    let shell = Shell::new();
    shell.file(
        "map.toml",
        "[columns]\ntitle = \"ignore\"\norganizationName = \"org.company\"\n",
    );
    shell.file("people.ldif", entry);
    let said = shell.run(&["import", "--map", "map.toml", "--clear-missing", "people.ldif"]);
    assert!(
        said.code == 0 && said.err.contains("title 1 (line 6)"),
        "{}",
        said.err
    );
    let exported = shell.run(&["export", "--format", "jsonl"]).out;
    assert!(
        exported.contains("Acme") && !exported.contains("Chief"),
        "{exported}"
    );
}

#[test]
fn of_a_state_and_an_account_the_strictest_counts() {
    for (state, control, expected) in [
        ("active", "514", "deactivated"),
        ("suspended", "514", "deactivated"),
        ("deactivated", "528", "deactivated"),
        ("active", "512", "active"),
        ("", "528", "suspended"),
    ] {
        let shell = Shell::new();
        let text = format!(
            "email,first_name,last_name,state,account.userAccountControl\na@test.invalid,A,B,{state},{control}\n"
        );
        shell.file("people.csv", &text);
        assert_eq!(shell.run(&["import", "people.csv"]).code, 0);
        let exported = shell.run(&["export", "--format", "jsonl"]).out;
        assert!(
            exported.contains(&format!(r#""state":"{expected}""#)),
            "{state}, {control}: {exported}"
        );
    }
}

#[test]
fn a_value_that_the_mapping_does_not_name_refuses_the_row() {
    let shell = Shell::new();
    shell.file(
        "map.toml",
        "[columns]\nStatus = { to = \"state\", values = { Open = \"active\" } }\n",
    );
    shell.file(
        "people.csv",
        "email,first_name,last_name,status\na@test.invalid,A,B,open\nb@test.invalid,A,B,closed\n",
    );
    let said = shell.run(&["import", "--map", "map.toml", "people.csv"]);
    assert_eq!(said.code, 1);
    assert!(
        said.err
            .contains("line 3: b@test.invalid: state: unknown value \"closed\"; allowed: open"),
        "{}",
        said.err
    );
    for (text, reason) in [
        (
            "email,first_name,last_name,status\na@test.invalid,A,B,\n",
            "state: unknown value \"\"",
        ),
        (
            "email,first_name,last_name\na@test.invalid,A,B\n",
            "from a column that the file does not have",
        ),
    ] {
        shell.file("people.csv", text);
        let said = shell.run(&["import", "--map", "map.toml", "people.csv"]);
        assert!(said.code == 1 && said.err.contains(reason), "{}", said.err);
    }
    shell.file("broken.toml", "[columns]\nA = \"emial\"\n");
    let said = shell.run(&["import", "--map", "broken.toml", "people.csv"]);
    assert!(
        said.code == 2 && said.err.contains("did you mean email?"),
        "{}",
        said.err
    );
}

const JSON_MAP: &str = "others = \"ignore\"\n[columns]\nSt = { to = \"state\", values = { A = \"active\", Z = \"deactivated\" } }\n\
    Abt = \"org.department\"\nBoss = \"manager\"\nRoom = \"metadata.room\"\n";

fn json_line(more: &str) -> String {
    format!(r#"{{"email":"a@test.invalid","first_name":"A","last_name":"B"{more}}}"#) + "\n"
}

#[test]
fn nobody_comes_in_as_active_because_a_member_is_missing_or_comes_twice() {
    let member = r#""St":"A""#;
    for (file, reason) in [
        (
            json_line(""),
            "the mapping reads state from a member that no record has",
        ),
        (
            json_line(&format!(",{member}")) + &json_line("").replace("a@", "b@"),
            "line 2: (no email): state: unknown value",
        ),
        (json_line(r#","St":null"#), "state: unknown value"),
        (json_line(r#","St":"Frozen""#), "state: unknown value \"Frozen\""),
        (json_line(r#","St":"Z","state":"active""#), "state is given twice"),
        (json_line(r#","state":"active","St":"Z""#), "state is given twice"),
        (
            json_line(&format!(r#",{member},"Boss":"b@test.invalid","manager":"""#)),
            "manager is given twice",
        ),
        (
            json_line(&format!(r#",{member},"Abt":"X","org":{{"department":"Y"}}"#)),
            "org.department is given twice",
        ),
    ] {
        let shell = Shell::new();
        shell.file("map.toml", JSON_MAP);
        shell.file("people.jsonl", &file);
        let said = shell.run(&["import", "--map", "map.toml", "people.jsonl"]);
        assert!(said.code == 1 && said.err.contains(reason), "{file}{}", said.err);
        let is_of_file = reason.ends_with("no record has");
        assert_eq!(said.err.contains("(file)"), is_of_file, "{file}{}", said.err);
    }
}

#[test]
fn a_member_that_is_null_empties_what_it_is_mapped_to() {
    let shell = Shell::new();
    shell.file("map.toml", JSON_MAP);
    for (members, held) in [
        (r#","St":"A","Abt":"Sales","Room":"4""#, true),
        (r#","St":"A","Abt":null,"Room":null"#, false),
    ] {
        shell.file("people.jsonl", &json_line(members));
        let said = shell.run(&["import", "--map", "map.toml", "people.jsonl"]);
        assert_eq!(said.code, 0, "{}", said.err);
        let exported = shell.run(&["export", "--format", "jsonl"]).out;
        assert_eq!(
            [exported.contains("Sales"), exported.contains("room")],
            [held, held],
            "{exported}"
        );
    }
}

#[test]
fn an_account_that_never_ends_has_no_end_although_it_is_disabled() {
    let shell = Shell::new();
    let header = "email,first_name,last_name,account.userAccountControl,account.accountExpires\n";
    let ldif = "dn: uid=b\nobjectClass: person\ncn: B L\nsn: L\nmail: b@test.invalid\n";
    for (control, expires, has_end) in [
        ("512", "159017472000000000", true),
        ("514", "0", false),
        ("512", "159017472000000000", true),
        ("528", "9223372036854775807", false),
    ] {
        shell.file(
            "people.csv",
            &format!("{header}a@test.invalid,A,L,{control},{expires}\n"),
        );
        shell.file(
            "people.ldif",
            &format!("{ldif}userAccountControl: {control}\naccountExpires: {expires}\n"),
        );
        for (file, integration) in [("people.csv", "csv"), ("people.ldif", "ldif")] {
            let said = shell.run(&["import", "--integration", integration, file]);
            assert_eq!(said.code, 0, "{}", said.err);
        }
        let exported = shell.run(&["export", "--format", "jsonl"]).out;
        let ends = exported.matches("expires_at").count();
        assert_eq!(ends, if has_end { 2 } else { 0 }, "{exported}");
    }
}
