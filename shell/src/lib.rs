//! `completions` and `man`, two commands that each program has: files for shells and for `man`, made from the description of
//! its command line.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Command, Subcommand};
use clap_complete::Shell;

/// The commands `completions` and `man`.
#[derive(Debug, Subcommand)]
pub enum ShellFiles {
    /// Print completions for a shell. For bash, save the output in /etc/bash_completion.d.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write the manual pages into a folder, one for each command.
    Man {
        /// The folder, such as /usr/local/share/man/man1.
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
    },
}

impl ShellFiles {
    /// Writes the files of a program: completions to `out`, manual pages into their folder.
    ///
    /// # Errors
    /// `out` or the folder cannot be written.
    pub fn write(self, mut program: Command, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Completions { shell } => {
                let name = program.get_name().to_owned();
                // In memory first: the generator panics if it cannot write.
                let mut text = Vec::new();
                clap_complete::generate(shell, &mut program, name, &mut text);
                out.write_all(&text)
            }
            Self::Man { folder } => write_pages(program, &folder)
                .map_err(|why| io::Error::new(why.kind(), format!("{}: {why}", folder.display()))),
        }
    }
}

fn write_pages(program: Command, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(program, folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Command {
        let program = Command::new("demo").subcommand(Command::new("list").about("Lists all"));
        ShellFiles::augment_subcommands(program)
    }

    #[test]
    fn completions_know_every_command() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let mut out = Vec::new();
            ShellFiles::Completions { shell }
                .write(program(), &mut out)
                .unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(
                text.contains("list") && text.contains("completions"),
                "{shell}: {text}"
            );
        }
    }

    #[test]
    fn every_command_has_a_page() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("man1");
        let man = ShellFiles::Man {
            folder: folder.clone(),
        };
        man.write(program(), &mut io::sink()).unwrap();
        for page in ["demo.1", "demo-list.1", "demo-man.1"] {
            assert!(folder.join(page).is_file(), "{page}");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let folder = file.path().join("man1");
        let man = ShellFiles::Man {
            folder: folder.clone(),
        };
        let why = man.write(program(), &mut io::sink()).unwrap_err().to_string();
        assert!(why.starts_with(&folder.display().to_string()), "{why}");
    }
}
