//! The command line, and the examples of the Rust client, against a demo server.

#![expect(
    clippy::unwrap_used,
    reason = "a test that unwraps fails with a trace, which is what a test is for"
)]

mod commands;
mod examples;
mod simulation;

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

const TOKEN: &str = "rollcall_test-of-the-command-line";
/// People in the demo: more than a page has.
const USERS: usize = 230;

/// A running demo.
struct Demo {
    process: Child,
    base: String,
}

impl Demo {
    /// Starts `rollcall-server demo` on a free port.
    fn start(options: &[&str]) -> Self {
        let mut process = Command::new(beside_tests("rollcall-server"))
            .args([
                "demo",
                "--listen",
                "127.0.0.1:0",
                "--token",
                TOKEN,
                "--users",
                &USERS.to_string(),
            ])
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap())
            .lines()
            .map_while(Result::ok);
        let mut bases = lines.filter_map(|line| Some(line.trim().strip_prefix("export BASE=")?.to_owned()));
        let base = bases.next().expect("the demo says where it is");
        // The demo goes on writing; nobody has to read it.
        std::thread::spawn(move || bases.count());
        Self { process, base }
    }

    /// Runs a program with the address and the token of the demo in its environment.
    fn run(&self, program: PathBuf, arguments: &[&str]) -> Output {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env("ROLLCALL_URL", &self.base)
            .env("ROLLCALL_TOKEN", TOKEN);
        command.env("NO_PROXY", "127.0.0.1").output().unwrap()
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        // A demo that has ended already leaves nothing to do.
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

/// A program that was built with the tests, which lie in `deps`.
fn beside_tests(name: &str) -> PathBuf {
    let here = std::env::current_exe().unwrap();
    let program = here.parent().unwrap().parent().unwrap().join(name);
    assert!(
        program.exists(),
        "{} is missing; test the whole workspace",
        program.display()
    );
    program
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}
