//! Settings: flags before the environment, the environment before the file; what is wrong is told with its place.

use rollcall_shelf::{Hooks, Model, TOKEN};
use serde_json::Value;

use crate::command_line::{finished, runner, text};
use crate::folder::Folder;

const SCHEMA: &str = include_str!("../../rollcall.schema.json");
const EXAMPLE: &str = include_str!("../../../docs/rollcall.example.toml");

fn schema() -> jsonschema::Validator {
    jsonschema::validator_for(&serde_json::from_str(SCHEMA).unwrap()).unwrap()
}

fn json(toml: &str) -> Value {
    serde_json::to_value(toml::from_str::<toml::Table>(toml).unwrap()).unwrap()
}

#[test]
fn the_published_schema_is_that_of_the_settings() {
    let now = serde_json::to_value(rollcall_conformance::cli::config::schema()).unwrap();
    let published: Value = serde_json::from_str(SCHEMA).unwrap();
    assert_eq!(
        published, now,
        "write it anew: rollcall-conformance schema config > conformance/rollcall.schema.json"
    );
}

#[test]
fn the_example_is_valid_and_has_every_kind_of_value() {
    let example = json(EXAMPLE);
    let errors: Vec<_> = schema()
        .iter_errors(&example)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let folder = Folder::new("example");
    let file = folder.write("rollcall.toml", EXAMPLE);
    let output = runner(&[
        "run",
        "--dry-run",
        "--waivers",
        &folder.write("w.toml", ""),
        "--config",
        &file,
    ])
    .output()
    .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}

#[test]
fn the_schema_refuses_what_the_runner_refuses() {
    for wrong in [
        "token = 't'",
        "rate = 'quick'",
        "speed = 1",
        "timeout = 0",
        "rate = 0",
        "[fixture]\na = 1",
    ] {
        assert!(!schema().is_valid(&json(wrong)), "{wrong}");
        let folder = Folder::new("refused");
        folder.write("rollcall.toml", wrong);
        let output = runner(&["run", "--dry-run"])
            .current_dir(&folder)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{wrong}: {}", text(&output));
        assert!(
            text(&output).contains("rollcall.toml, line "),
            "{wrong}: {}",
            text(&output)
        );
    }
}

#[test]
fn a_flag_goes_before_the_environment_and_that_before_the_file() {
    let folder = Folder::new("precedence");
    folder.write(
        "rollcall.toml",
        "base-url = 'http://file/api/v1'\nonly = ['E3']\n",
    );
    let told = |arguments: &[&str], environment: Option<&str>| {
        let mut command = runner(&["run", "--dry-run"]);
        command.args(arguments).current_dir(&folder);
        if let Some(url) = environment {
            command.env("ROLLCALL_BASE_URL", url);
        }
        text(&command.output().unwrap())
    };
    let environment = Some("http://environment/api/v1");
    assert!(told(&[], None).contains("GET http://file/api/v1/"));
    assert!(told(&[], environment).contains("GET http://environment/api/v1/"));
    let flag = told(&["--base-url", "http://flag/api/v1", "--only", "E7"], environment);
    assert!(
        flag.contains("GET http://flag/api/v1/") && flag.contains("  E7 ") && !flag.contains("  E3 "),
        "{flag}"
    );
}

#[test]
fn switches_can_be_set_by_the_environment_and_unset_by_a_flag() {
    let told = |arguments: &[&str]| {
        let mut command = runner(&["run", "--dry-run", "--fixture", "workspace-user=w1"]);
        text(
            &command
                .args(arguments)
                .env("ROLLCALL_ALLOW_WRITES", "1")
                .output()
                .unwrap(),
        )
    };
    assert!(told(&[]).contains("the fixture workspace-user w1"));
    assert!(told(&["--allow-writes=false"]).contains("No record would be changed"));
}

#[test]
fn a_value_that_makes_no_sense_is_told_with_its_place() {
    let folder = Folder::new("sense");
    folder.write("rollcall.toml", "seed = 1\n\nonly = ['Z9']\n");
    let in_file = runner(&["run", "--dry-run"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(
        text(&in_file).contains("rollcall.toml, line 3: only: Z9 means no check"),
        "{}",
        text(&in_file)
    );
    let in_flag = runner(&["run", "--dry-run", "--search", "name=x"])
        .output()
        .unwrap();
    assert!(
        text(&in_flag).contains("--search: unknown name name; known: id, metadata, org"),
        "{}",
        text(&in_flag)
    );
    let missing = runner(&["run", "--config", &folder.path("other.toml")])
        .output()
        .unwrap();
    assert!(
        missing.status.code() == Some(2) && text(&missing).contains("other.toml"),
        "{}",
        text(&missing)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_read_from_a_file_or_from_standard_input() {
    let base = Model::new(5, Hooks::default()).serve().await;
    let folder = Folder::new("token");
    let token = folder.write("token", &format!("{TOKEN}\n"));
    folder.write(
        "rollcall.toml",
        &format!("base-url = '{base}'\ntoken-file = '{token}'\n"),
    );
    let mut by_config = runner(&["run", "--only", "A1", "--config"]);
    by_config.arg(folder.path("rollcall.toml"));
    let by_config = finished(by_config).await;
    assert_eq!(by_config.status.code(), Some(0), "{}", text(&by_config));
    let mut by_pipe = runner(&[
        "run",
        "--only",
        "A1",
        "--token-file",
        "-",
        "--base-url",
        base.as_str(),
    ]);
    by_pipe.stdin(std::fs::File::open(token).unwrap());
    let by_pipe = finished(by_pipe).await;
    assert_eq!(by_pipe.status.code(), Some(0), "{}", text(&by_pipe));
    assert!(!text(&by_config).contains(TOKEN) && !text(&by_pipe).contains(TOKEN));
}

#[test]
fn two_tokens_are_one_too_many() {
    let run = ["run", "--base-url", "http://h/api/v1", "--token-file", "/x"];
    let output = runner(&run).env("ROLLCALL_TOKEN", TOKEN).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output).contains("--token-file") && !text(&output).contains(TOKEN),
        "{}",
        text(&output)
    );
}
