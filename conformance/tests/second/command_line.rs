//! `--contract FILE` on the command line.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::CONTRACT;
use crate::model::{Library, Quirk, TOKEN};

/// The file of the library's contract.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/second/library.yaml");

/// The runner in a folder without a configuration file, and without settings of our environment.
pub(crate) fn runner(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rollcall-conformance"));
    command.args(arguments).current_dir(env!("CARGO_TARGET_TMPDIR"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("ROLLCALL_")) {
        command.env_remove(name);
    }
    command
}

pub(crate) fn text(output: &Output) -> String {
    let both = [&output.stdout, &output.stderr];
    both.map(|stream| String::from_utf8_lossy(stream).into_owned())
        .concat()
}

/// What a run says of the library's contract with something replaced in it.
fn said_of(name: &str, (part, other): (&str, &str)) -> (Option<i32>, String) {
    assert!(CONTRACT.contains(part), "{part}");
    let file: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, CONTRACT.replacen(part, other, 1)).unwrap();
    let output = runner(&["run", "--dry-run", "--contract", file.to_str().unwrap()])
        .output()
        .unwrap();
    (output.status.code(), text(&output))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_judges_by_the_contract_in_a_file() {
    for (quirk, code) in [(Quirk::None, 0), (Quirk::LengthIsLeast, 1)] {
        let base = Library::new(quirk).serve().await;
        let mut command = runner(&["run", "--base-url", base.as_str()]);
        command
            .env("ROLLCALL_TOKEN", TOKEN)
            .env("ROLLCALL_CONTRACT", FILE);
        let output = tokio::task::spawn_blocking(move || command.output().unwrap())
            .await
            .unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", text(&output));
        assert!(
            text(&output).contains("judged by Library 2.0.0"),
            "{}",
            text(&output)
        );
    }
}

#[test]
fn a_contract_that_lacks_something_is_refused_with_the_place() {
    let cases = [
        (
            "no-cursor.yaml",
            ("        next: /paging/after\n", ""),
            "at /paths/~1titles/get/x-list: `next` of `x-list` and a parameter with the role `cursor` belong together",
        ),
        (
            "no-records.yaml",
            ("records: /data", "records: /items"),
            "at /paths/~1titles/get/responses/200: the answer has no member /items, where `x-list` has its records",
        ),
        (
            "no-identifier.yaml",
            ("x-identifier: /code", "x-identifier: /key"),
            "at /paths/~1titles/get: Title has no member /key that is a string",
        ),
        (
            "no-member.yaml",
            (
                "x-filter: {field: /name, match: exact}",
                "x-filter: {field: /label, match: exact}",
            ),
            "at /paths/~1titles/get/parameters/1/x-filter: Title has no member /label",
        ),
        (
            "no-match.yaml",
            (
                "x-filter: {field: /name, match: exact}",
                "x-filter: {field: /name, match: equal}",
            ),
            "at /paths/~1titles/get/parameters/1/x-filter: unknown variant `equal`",
        ),
        (
            "no-yaml.yaml",
            ("openapi: 3.0.3", "openapi: ["),
            "not a YAML document: ",
        ),
    ];
    for (name, change, said) in cases {
        let (code, text) = said_of(name, change);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(name) && text.contains(said), "{said}\n{text}");
    }
}

#[test]
fn what_does_not_apply_is_left_out_of_the_list_and_told_before_a_run() {
    let list = text(&runner(&["list", "--contract", FILE]).output().unwrap());
    let ids: Vec<_> = list.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(
        ids.contains(&"E1") && !ids.contains(&"I1") && !ids.contains(&"W1"),
        "{list}"
    );
    let dry = text(
        &runner(&["run", "--dry-run", "--contract", FILE])
            .output()
            .unwrap(),
    );
    assert!(
        dry.contains("not applicable, because the contract has no relation: "),
        "{dry}"
    );
    assert!(dry.contains("GET /titles") && dry.contains("GET /loans"), "{dry}");
}
