//! The examples of the Rust client.

use super::{Demo, USERS, beside_tests, text};

#[test]
fn list_users_prints_people_with_their_managers() {
    let demo = Demo::start(&[]);
    let output = demo.run(beside_tests("examples/list_users"), &["@"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    assert!(printed.lines().count() > 100, "{printed}");
    for line in printed.lines() {
        let (person, manager) = line.split_once(" reports to ").unwrap();
        assert!(person.contains('@') && !manager.is_empty(), "{line}");
    }
}

#[test]
fn sync_copies_all_users_and_then_those_that_have_changed() {
    let demo = Demo::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("users.jsonl");
    let file = file.to_str().unwrap();
    let sync = || {
        let output = demo.run(beside_tests("examples/sync"), &[file]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    assert_eq!(sync(), format!("{USERS} users: {USERS} added, 0 changed\n"));
    let copy = std::fs::read_to_string(file).unwrap();
    assert_eq!(copy.lines().count(), USERS);
    assert_eq!(sync(), format!("{USERS} users: 0 added, 0 changed\n"));
    assert_eq!(std::fs::read_to_string(file).unwrap(), copy);
    let deactivated = demo.records("directory users list --state deactivated --page-size 1");
    let id = deactivated[0]["id"].as_str().unwrap();
    demo.prints(&format!("directory users activate {id}"));
    let again = sync();
    assert!(again.starts_with(&format!("{USERS} users: 0 added, ")), "{again}");
    let changed = std::fs::read_to_string(file).unwrap();
    let user = changed
        .lines()
        .find(|line| line.contains(&format!("\"id\":\"{id}\"")))
        .unwrap();
    assert!(user.contains("\"state\":\"active\""), "{user}");
}
