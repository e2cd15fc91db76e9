//! `person`: one directory user on the command line.

use serde_json::{Value, json};

use crate::shell::{Said, Shell};

const ANN: [&str; 3] = ["email=ann@example.org", "first_name=Ann", "last_name=Lee"];

fn person(shell: &Shell, action: &str, arguments: &[&str]) -> Said {
    shell.run(&[&["person", action], arguments].concat())
}

fn done(said: Said) -> String {
    assert_eq!(said.code, 0, "{}", said.err);
    said.out
}

fn refused(said: &Said, reason: &str) {
    assert!(
        said.code == 2 && said.err.contains(reason),
        "{reason}: {}",
        said.err
    );
}

fn shown(shell: &Shell, who: &str) -> Value {
    serde_json::from_str(&done(person(shell, "show", &[who]))).unwrap()
}

#[test]
fn a_person_is_added_changed_removed_and_restored() {
    let shell = Shell::new();
    let id = done(person(
        &shell,
        "add",
        &[&ANN[..], &["org.department=Sales; R\\;D", "badge_id==1+1"]].concat(),
    ));
    let ann = json!({
        "id": "ann@example.org", "email": "ann@example.org", "username": "ann", "first_name": "Ann", "last_name": "Lee",
        "full_name": "Ann Lee", "badge_id": "=1+1", "state": "active", "org": {"department": ["R;D", "Sales"]},
    });
    for who in ["ann@example.org", "ANN@example.org", id.trim()] {
        assert_eq!(shown(&shell, who), ann, "{who}");
    }
    done(person(
        &shell,
        "add",
        &[
            "email=bo@example.org",
            "first_name=Bo",
            "last_name=Li",
            "manager=ann@example.org",
        ],
    ));
    let changes = [
        "bo@example.org",
        "state=suspended",
        "manager=",
        "email=li@example.org",
        "metadata.desk=4",
    ];
    done(person(&shell, "set", &changes));
    let bo = json!({
        "id": "bo@example.org", "email": "li@example.org", "username": "bo", "first_name": "Bo", "last_name": "Li",
        "full_name": "Bo Li", "state": "suspended", "metadata": {"desk": "4"},
    });
    assert_eq!(
        shown(&shell, "bo@example.org"),
        bo,
        "by the key of the integration"
    );
    let again = person(&shell, "set", &["li@example.org", "state=suspended"]);
    assert!(
        again.code == 0 && again.err.contains("was so already"),
        "{}",
        again.err
    );

    done(person(&shell, "remove", &["ann@example.org"]));
    let exported = done(shell.run(&["export", "--format", "jsonl"]));
    assert!(!exported.contains("ann@example.org") && exported.contains("li@example.org"));
    let gone = person(&shell, "show", &["ann@example.org"]);
    assert!(gone.err.contains("soft-deleted"), "{}", gone.err);
    done(person(&shell, "restore", &["ann@example.org"]));
    assert_eq!(shown(&shell, "ann@example.org"), ann);
}

#[test]
fn a_person_is_not_taken_for_another() {
    let shell = Shell::new();
    done(person(&shell, "add", &ANN));
    refused(&person(&shell, "add", &ANN), "is in the directory already");
    refused(
        &person(&shell, "set", &["nobody@example.org", "first_name=No"]),
        "there is no person",
    );
    let there = [&["--integration", "there"], &ANN[..]].concat();
    let other = done(person(&shell, "add", &there));
    refused(
        &person(&shell, "set", &["ann@example.org", "state=suspended"]),
        "name one by the id",
    );
    done(person(&shell, "set", &[other.trim(), "state=suspended"]));
    assert_eq!(shown(&shell, other.trim())["state"], "suspended");
    refused(&person(&shell, "set", &[other.trim(), "id=x"]), "id:");
    done(person(&shell, "remove", &[other.trim()]));
    refused(&person(&shell, "remove", &[other.trim()]), "soft-deleted already");
    refused(
        &person(&shell, "set", &[other.trim(), "state=active"]),
        "is soft-deleted",
    );
    refused(&person(&shell, "add", &there), "already, soft-deleted");
    refused(
        &person(&shell, "restore", &["ann@example.org"]),
        "not soft-deleted",
    );
    assert_eq!(shown(&shell, "ann@example.org")["state"], "active");
}

#[test]
fn a_bad_value_names_its_column() {
    let shell = Shell::new();
    let with = |more: &[&'static str]| [&ANN[1..], more].concat();
    for (cells, reason) in [
        (with(&[]), "email"),
        (with(&["email=ann"]), "email: has no @"),
        (
            with(&["email=ann@example.org", "stat=active"]),
            "did you mean state?",
        ),
        (
            with(&["email=ann@example.org", "manager=bo@example.org"]),
            "manager",
        ),
        (
            with(&["email=ann@example.org", "email=bo@example.org"]),
            "comes twice",
        ),
        (with(&["email"]), "COLUMN=VALUE"),
        (with(&["email=ann@example.org", "badge_id=a\nb"]), "badge_id"),
    ] {
        refused(&person(&shell, "add", &cells), reason);
    }
    let exported = done(shell.run(&["export", "--format", "jsonl"]));
    assert_eq!(exported, "");
}
