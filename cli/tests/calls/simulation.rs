//! A demo that makes trouble, as authors of clients ask for it.

use serde_json::Value;

use super::{Demo, TOKEN, USERS, beside_tests, text};

/// What a client sees that does not try again: the status, or 0 for a connection that broke off.
fn outcomes(demo: &Demo, count: usize) -> Vec<u16> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let mut outcomes = Vec::new();
        for _ in 0..count {
            let request = client.get(format!("{}/directory/users?page[size]=1", demo.base));
            let Ok(answer) = request.bearer_auth(TOKEN).send().await else {
                outcomes.push(0);
                continue;
            };
            let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
            let body = answer.json::<Value>().await;
            assert!(matches!(status, 200 | 429 | 503), "{status}");
            if status != 200 {
                assert_eq!(headers["retry-after"], "1");
                assert_eq!(body.as_ref().unwrap()["status"], status);
            }
            outcomes.push(if body.is_ok() { status } else { 0 });
        }
        outcomes
    })
}

#[test]
fn the_same_seed_makes_the_same_trouble() {
    let options = |seed| ["--fail-rate", "50%", "--latency", "0ms..2ms", "--seed", seed];
    let first = outcomes(&Demo::start(&options("3")), 60);
    for outcome in [0, 200, 429, 503] {
        assert!(first.contains(&outcome), "{first:?}");
    }
    assert_eq!(outcomes(&Demo::start(&options("3")), 60), first);
    assert_ne!(outcomes(&Demo::start(&options("4")), 60), first);
}

#[test]
fn the_client_gets_through() {
    let demo = Demo::start(&["--fail-rate", "30%", "--seed", "5"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("users.jsonl");
    let output = demo.run(beside_tests("examples/sync"), &[file.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(
        text(&output.stdout),
        format!("{USERS} users: {USERS} added, 0 changed\n")
    );
    let attributes = demo.records("directory attributes list --state active --page-size 5");
    for attribute in attributes {
        let id = attribute["id"].as_str().unwrap();
        demo.prints(&format!(
            "directory attributes deprecate {id} --expires-after-days 3"
        ));
    }
}

#[test]
fn trouble_that_cannot_be_read_is_refused() {
    for options in [
        ["--fail-rate", "5"],
        ["--fail-rate", "101%"],
        ["--latency", "2s..1s"],
        ["--latency", "1h"],
    ] {
        let mut command = std::process::Command::new(beside_tests("rollcall-server"));
        let output = command.arg("demo").args(options).output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(2),
            "{options:?}: {}",
            text(&output.stderr)
        );
    }
}
