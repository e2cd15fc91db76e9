//! `serve` in a process of its own.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

/// A server in a process of its own.
pub(crate) struct Process {
    child: Child,
    /// The address of the API.
    pub(crate) base: String,
    log: Arc<Mutex<Vec<String>>>,
}

impl Process {
    /// Serves a database at a free port.
    pub(crate) fn serve(database: impl AsRef<OsStr>, options: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rollcall-server"))
            .args(["serve", "--listen", "127.0.0.1:0", "--database"])
            .arg(database.as_ref())
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
        let log = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&log);
        std::thread::spawn(move || {
            lines
                .map_while(Result::ok)
                .for_each(|line| kept.lock().unwrap().push(line))
        });
        Self { child, base, log }
    }

    /// What it has logged since it serves.
    pub(crate) fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    /// SIGTERM, until it has ended.
    #[cfg(unix)]
    pub(crate) fn stop(&mut self) {
        self.signal("TERM");
        assert!(self.child.wait().unwrap().success());
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
