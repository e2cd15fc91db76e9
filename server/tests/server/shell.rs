//! The commands of the server, given in a folder of their own.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A folder, in which the commands of the server are given. The database is `a.db`.
pub(crate) struct Shell {
    folder: TempDir,
}

/// What a command printed, and its exit code.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Shell {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// A file of the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        std::fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    pub(crate) fn run(&self, words: &[&str]) -> Said {
        self.run_into(Stdio::piped(), words)
    }

    /// Runs a command whose output goes somewhere else.
    pub(crate) fn run_into(&self, out: impl Into<Stdio>, words: &[&str]) -> Said {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rollcall-server"));
        let Output {
            status,
            stdout,
            stderr,
        } = command
            .args(words)
            .env("ROLLCALL_DATABASE", self.path("a.db"))
            .current_dir(self.folder.path())
            .stdout(out)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Said {
            code: status.code().unwrap(),
            out: text(stdout),
            err: text(stderr),
        }
    }
}
