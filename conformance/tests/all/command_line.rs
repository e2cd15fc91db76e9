//! The command line: what it prints, how it exits, that it keeps the token to itself.

use std::process::{Command, Output};

use crate::shelf::{Hooks, Model, TOKEN, all_faults, benign};

fn runner(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rollcall-conformance"));
    command
        .args(arguments)
        .env_remove("ROLLCALL_TOKEN")
        .env_remove("ROLLCALL_BASE_URL");
    command
}

fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// The changes of the variant with this name.
fn hooks(name: &str) -> Hooks {
    let mut variants = all_faults().into_iter().chain(benign::variants());
    variants.find(|variant| variant.name == name).unwrap().hooks()
}

async fn judged(hooks: Hooks, arguments: &[&str]) -> Output {
    let base = Model::new(40, hooks).serve().await;
    let mut command = runner(&["run", "--base-url", base.as_str()]);
    command.args(arguments).env("ROLLCALL_TOKEN", TOKEN);
    tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_exit_code_tells_the_verdict() {
    let conforming = judged(Hooks::default(), &[]).await;
    assert_eq!(conforming.status.code(), Some(0), "{}", text(&conforming));
    let violating = judged(hooks("a count is negative"), &["--only", "S5"]).await;
    assert_eq!(violating.status.code(), Some(1), "{}", text(&violating));
    assert!(
        text(&violating).contains("curl -isS -H \"Authorization: Bearer $TOKEN\""),
        "{}",
        text(&violating)
    );
    let unreachable = runner(&["run", "--base-url", "http://127.0.0.1:1/api/v1", "--token", "t"])
        .output()
        .unwrap();
    assert_eq!(unreachable.status.code(), Some(4));
    assert_eq!(runner(&["run"]).output().unwrap().status.code(), Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_is_in_no_output() {
    let file = std::env::temp_dir().join(format!("rollcall-conformance-{}.json", std::process::id()));
    for name in [
        "a refusal repeats the token",
        "any token will do",
        "a write is refused and carried out",
    ] {
        let output = judged(hooks(name), &["--report", file.to_str().unwrap()]).await;
        let written = std::fs::read_to_string(&file).unwrap();
        for text in [text(&output), written] {
            assert!(!text.contains(TOKEN), "{name}: {text}");
            assert!(!text.contains(&TOKEN[..TOKEN.len() - 6]), "{name}: {text}");
        }
    }
    std::fs::remove_file(file).unwrap();
    let help = runner(&["run", "--help"])
        .env("ROLLCALL_TOKEN", TOKEN)
        .output()
        .unwrap();
    assert!(!text(&help).contains(TOKEN));
    let refused = runner(&["run", "--base-url", "nonsense", "--token", TOKEN])
        .output()
        .unwrap();
    assert!(!text(&refused).contains(TOKEN));
}

#[test]
fn checks_are_listed_and_explained() {
    let list = runner(&["list"]).output().unwrap();
    for id in ["A1", "S11", "E12", "N1"] {
        assert!(text(&list).contains(&format!("\n{id} ")), "{}", text(&list));
    }
    let explained = runner(&["explain", "e3"]).output().unwrap();
    assert!(text(&explained).starts_with("E3  §4.4.2"), "{}", text(&explained));
    assert_eq!(
        runner(&["explain", "Z9"]).output().unwrap().status.code(),
        Some(2)
    );
}

#[test]
fn a_selection_that_means_nothing_is_refused() {
    let output = runner(&[
        "run",
        "--base-url",
        "http://h/api/v1",
        "--token",
        "t",
        "--only",
        "§9.9",
    ])
    .output()
    .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("means no check"), "{}", text(&output));
}
