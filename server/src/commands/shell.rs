//! `completions` and `man`: files for shells and for `man`, made from the command line's own description.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Command};
use clap_complete::Shell;

use super::{Failure, Outcome};

/// Prints completions for a shell: `rollcall-server completions bash > /etc/bash_completion.d/rollcall-server`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Writes the manual pages into a folder, one for each command.
#[derive(Args, Debug)]
pub struct Man {
    /// The folder, such as /usr/local/share/man/man1.
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

impl Completions {
    /// Prints the completions of `command`.
    pub fn run(self, mut command: Command) -> Outcome {
        let name = command.get_name().to_owned();
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut command, name, &mut text);
        // A reader that has seen enough and closed the pipe is no failure.
        let _ = io::stdout().write_all(&text);
        Ok(ExitCode::SUCCESS)
    }
}

impl Man {
    /// Writes the pages of `command`.
    pub fn run(self, command: Command) -> Outcome {
        let failed = |why: io::Error| Failure::new(format!("{}: {why}", self.folder.display()));
        std::fs::create_dir_all(&self.folder).map_err(failed)?;
        clap_mangen::generate_to(command, &self.folder).map_err(failed)?;
        Ok(ExitCode::SUCCESS)
    }
}
