//! `serve` in a process of its own.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A server in a process of its own.
pub(crate) struct Process {
    child: Child,
    /// The address of the API.
    pub(crate) base: String,
}

impl Process {
    /// Serves a database at a free port.
    pub(crate) fn serve(database: &Path, options: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rollcall-server"))
            .args(["serve", "--listen", "127.0.0.1:0", "--database"])
            .arg(database)
            .args(options)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let base = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| Some(format!("http{}", line.split_once(" at http")?.1)))
            .expect("the line that says where it serves");
        // The pipe is read to its end, or the server would wait for it.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, base }
    }

    /// SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Process {
    /// Sends a signal by its name, such as `HUP`.
    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &pid]).status();
        assert!(sent.unwrap().success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be dead already.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}
