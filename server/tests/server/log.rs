//! The log, and what a proxy says of a request.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use rollcall_store::clock::Clock;
use serde_json::Value;

use crate::harness::{TOKEN, made_file_at};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// Each line is an object, from the first to the last, and the one of a request has the ids that its proxy has given.
#[tokio::test]
async fn every_line_of_a_json_log_is_an_object() {
    let made = made_file_at(Clock::System.now());
    let mut child = Command::new(env!("CARGO_BIN_EXE_rollcall-server"))
        .args([
            "--log-format",
            "json",
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--database",
        ])
        .arg(made.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut objects = lines.map_while(Result::ok).map(|line| {
        let object: Value = serde_json::from_str(&line).expect(&line);
        assert!(
            object["timestamp"].is_string() && object["level"].is_string(),
            "{line}"
        );
        object
    });
    let base = objects
        .find_map(|object| Some(object["message"].as_str()?.split_once(" at ")?.1.to_owned()))
        .unwrap();
    let answer = reqwest::Client::new()
        .get(format!(
            "{base}/directory/users?filter[email]=somebody@example.net"
        ))
        .bearer_auth(TOKEN)
        .header("x-request-id", "proxy-7")
        .header("traceparent", format!("00-{TRACE}-00f067aa0ba902b7-01"))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.headers()["x-request-id"], "proxy-7");
    let logged = objects.find(|object| object["request_id"] == "proxy-7").unwrap();
    assert_eq!(logged["trace_id"], TRACE);
    assert_eq!(logged["operation"], "listDirectoryUsers");
    assert!(!logged.to_string().contains("somebody"));
    child.kill().unwrap();
    child.wait().unwrap();
    objects.for_each(drop);
}
