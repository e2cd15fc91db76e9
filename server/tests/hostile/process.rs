//! The server as a process, on a database with a demo directory.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use rollcall_store::clock::Clock;
use tempfile::TempDir;

use crate::client::{Client, PATIENCE, STEP};
use crate::demo;

/// A running process.
pub(crate) struct Process {
    child: Child,
    address: SocketAddr,
    log: Receiver<String>,
    _folder: TempDir,
}

impl Process {
    /// Starts `rollcall-server serve` with these options.
    pub(crate) fn start(options: &[&str]) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_rollcall-server"));
        server.arg("serve").args(options);
        Self::spawn(server)
    }

    /// The same in a shell that allows so many open files.
    #[cfg(target_os = "linux")]
    pub(crate) fn start_with_open_files(files: u32) -> Self {
        let mut shell = Command::new("sh");
        let script = format!("ulimit -n {files}; exec \"$0\" serve \"$@\"");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_rollcall-server")]);
        Self::spawn(shell)
    }

    fn spawn(mut command: Command) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("demo.db");
        demo::create(&file, Clock::System.now());
        command.args(["--listen", "127.0.0.1:0", "--database"]).arg(&file);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = follow(&mut child);
        let base = wait_for_line(&log, " at http://").unwrap();
        let address = base.rsplit_once("http://").unwrap().1;
        let address = address.split('/').next().unwrap().parse().unwrap();
        Self {
            child,
            address,
            log,
            _folder: folder,
        }
    }

    /// A new connection to it.
    pub(crate) fn connect(&self) -> Client {
        Client::connect(self.address)
    }

    /// Waits for a line of the log that contains this text.
    pub(crate) fn expect_log(&self, text: &str) {
        assert!(
            wait_for_line(&self.log, text).is_some(),
            "the log has no line with {text:?}"
        );
    }

    /// Sends SIGTERM.
    pub(crate) fn terminate(&self) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status().unwrap();
        assert!(sent.success());
    }

    /// Whether it ends by itself, with success.
    pub(crate) fn ends_in_success(&mut self) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            std::thread::sleep(STEP);
        }
        false
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// Reads the log as it is written, so that the process never waits for a reader.
fn follow(child: &mut Child) -> Receiver<String> {
    let stderr = child.stderr.take().unwrap();
    let (sender, log) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            // A test that needs no more lines has dropped its end.
            _ = sender.send(line);
        }
    });
    log
}

fn wait_for_line(log: &Receiver<String>, text: &str) -> Option<String> {
    loop {
        let line = log.recv_timeout(PATIENCE).ok()?;
        if line.contains(text) {
            return Some(line);
        }
    }
}
