//! The command line: what it prints, how it exits, that it keeps the token to itself.

use rollcall_shelf::{Hooks, Model, TOKEN, all_faults, benign};

use std::process::{Command, Output, Stdio};

use crate::folder::Folder;

/// The runner in a folder of its own, without anything of our environment.
pub(crate) fn runner(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rollcall-conformance"));
    command.args(arguments).stdin(Stdio::null());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("ROLLCALL_")) {
        command.env_remove(name);
    }
    command
}

/// Everything that was printed.
pub(crate) fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// The changes of the variant with this name.
pub(crate) fn hooks(name: &str) -> Hooks {
    let mut variants = all_faults().into_iter().chain(benign::variants());
    variants.find(|variant| variant.name == name).unwrap().hooks()
}

/// What the runner prints about a model, whose token it is given.
pub(crate) async fn judged(hooks: Hooks, arguments: &[&str]) -> Output {
    let base = Model::new(40, hooks).serve().await;
    let mut command = runner(&["run", "--base-url", base.as_str()]);
    command.args(arguments).env("ROLLCALL_TOKEN", TOKEN);
    finished(command).await
}

/// What a command prints, while models go on answering.
pub(crate) async fn finished(mut command: Command) -> Output {
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

#[test]
fn a_dry_run_tells_what_it_would_do_and_sends_nothing() {
    let arguments = [
        "run",
        "--base-url",
        "http://127.0.0.1:1/api/v1",
        "--dry-run",
        "--only",
        "E3",
    ];
    let writes = ["--allow-writes", "--fixture", "workspace-user=w1"];
    let output = runner(&arguments).args(writes).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let told = text(&output);
    assert!(
        told.contains("Checks that would run: 1") && told.contains("E3"),
        "{told}"
    );
    assert!(
        told.contains("GET http://127.0.0.1:1/api/v1/directory/users"),
        "{told}"
    );
    let restore = "PATCH /workspace/users/{user}/restore: the fixture workspace-user w1\n";
    let deprecate =
        "PATCH /directory/attributes/{attribute}/deprecate: a directory-attribute that it finds by reading";
    assert!(told.contains(restore) && told.contains(deprecate), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_on_standard_output_stands_there_alone() {
    let output = judged(Hooks::default(), &["--only", "A1", "--report", "json=-"]).await;
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["checks"][0]["id"], "A1");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("conforms"),
        "{}",
        text(&output)
    );
}

#[test]
fn a_report_of_no_known_form_is_refused_before_the_run() {
    let run = [
        "run",
        "--base-url",
        "http://127.0.0.1:1/api/v1",
        "--token",
        "t",
        "--report",
    ];
    for (report, word) in [
        ("x=report.x", "form"),
        ("report.unknown", "form"),
        ("/nowhere/at/all/r.json", "/nowhere"),
    ] {
        let output = runner(&run).arg(report).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{report}: {}", text(&output));
        assert!(text(&output).contains(word), "{report}: {}", text(&output));
    }
}

#[test]
fn skipped_checks_are_not_made() {
    let run = ["run", "--dry-run", "--only", "§4", "--skip", "§4.4,E7"];
    let told = text(&runner(&run).output().unwrap());
    assert!(
        told.contains("\n  E8 ") && !told.contains("\n  E7 ") && !told.contains("§4.4.2 "),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_believes_anyone_is_warned() {
    let output = judged(Hooks::default(), &["--only", "A1", "--insecure"]).await;
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(
        err.contains("WARNING") && out.contains("no certificate was verified"),
        "{err}{out}"
    );
}

#[test]
fn a_file_of_no_authority_is_refused() {
    let file = std::env::temp_dir().join(format!("rollcall-authority-{}.pem", std::process::id()));
    std::fs::write(&file, "hello").unwrap();
    let run = [
        "run",
        "--base-url",
        "https://127.0.0.1:1/api/v1",
        "--token",
        "t",
        "--ca-file",
    ];
    let output = runner(&run).arg(&file).output().unwrap();
    std::fs::remove_file(file).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("BEGIN CERTIFICATE"), "{}", text(&output));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_checks_that_failed_last_are_asked_for_alone() {
    let folder = Folder::new("last-failed");
    let file = folder.path("last.json");
    let report = file.as_str();
    let broken = || hooks("a count is negative");
    let first = judged(broken(), &["--only", "S5,A1", "--report", report]).await;
    assert_eq!(first.status.code(), Some(1), "{}", text(&first));
    let again = judged(broken(), &["--last-failed", report, "--report", "json=-"]).await;
    let ran: serde_json::Value = serde_json::from_slice(&again.stdout).unwrap();
    let ids: Vec<_> = ran["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| &check["id"])
        .collect();
    assert_eq!(ids, ["S5"]);
    judged(Hooks::default(), &["--only", "A1", "--report", report]).await;
    let none = judged(Hooks::default(), &["--last-failed", report]).await;
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none).contains("no check failed in it"), "{}", text(&none));
    std::fs::write(&file, "[]").unwrap();
    let wrong = judged(Hooks::default(), &["--last-failed", report]).await;
    assert!(
        text(&wrong).contains("no report of the form json"),
        "{}",
        text(&wrong)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_can_end_at_the_first_failure() {
    let all = ["--only", "S5,C1", "--fail-fast"];
    let output = judged(hooks("a count is negative"), &all).await;
    let told = text(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("first check that failed (--fail-fast): 1 did not run"),
        "{told}"
    );
}

#[test]
fn a_clause_is_explained_with_all_below_it() {
    let told = text(&runner(&["explain", "§4.4"]).output().unwrap());
    for part in [
        "E3  §4.4.2",
        "N2  §4.4.7",
        "level  must: the specification says so",
    ] {
        assert!(told.contains(part), "{told}");
    }
    let longest = told.lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(100), "{longest:?}");
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let binary = env!("CARGO_BIN_EXE_rollcall-conformance");
    let mut shell = Command::new("bash");
    shell.args([
        "-o",
        "pipefail",
        "-c",
        "\"$0\" schema report | head -c 10",
        binary,
    ]);
    let output = shell.output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        text(&output)
    );
}
