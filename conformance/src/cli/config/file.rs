//! Reads the configuration file. What is wrong with it is told with file, line and key.
//!
//! Invariant: no error shows a line of the file, which may hold a secret where none belongs.

use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::{Fault, Settings};

/// The file that is read if it is there and no other is named.
pub const DEFAULT_FILE: &str = "rollcall.toml";

/// A configuration file that was read.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Where it is.
    pub path: PathBuf,
    /// What it says.
    pub settings: Settings,
    text: String,
}

/// What is wrong with a configuration file.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It cannot be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// Something in it is wrong.
    #[error("{}, line {line}: {key}{}{why}", path.display(), if key.is_empty() { "" } else { ": " })]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// The key; empty where the file is no TOML.
        key: String,
        /// What is wrong with it.
        why: String,
    },
}

/// Said where the token is in the file.
const NO_TOKEN: &str = "a token does not belong in a file that is shared; \
    give it by the environment variable ROLLCALL_TOKEN, or name the file that holds it with token-file";

impl File {
    /// Reads a file; without a name the [`DEFAULT_FILE`], if it is there.
    ///
    /// # Errors
    /// It cannot be read, or something in it is wrong.
    pub fn find(named: Option<&Path>) -> Result<Self, ConfigError> {
        let path = named.unwrap_or(Path::new(DEFAULT_FILE)).to_owned();
        match std::fs::read_to_string(&path) {
            Ok(text) => Self::parse(&path, text),
            Err(error) if named.is_none() && error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(ConfigError::Unreadable { path, error }),
        }
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// Something in it is wrong.
    pub fn parse(path: &Path, text: String) -> Result<Self, ConfigError> {
        match read(&text) {
            Ok(settings) => Ok(Self {
                path: path.to_owned(),
                settings,
                text,
            }),
            Err((key, error)) => {
                let unknown_token = key == "token" && error.message().starts_with("unknown field");
                let why = if unknown_token { NO_TOKEN } else { error.message() };
                Err(ConfigError::Wrong {
                    path: path.to_owned(),
                    line: line(&text, error.span()),
                    why: why.trim_end().replace('\n', ", "),
                    key,
                })
            }
        }
    }

    /// The error that one of the file's values makes.
    pub fn wrong(&self, fault: Fault) -> ConfigError {
        let says_key = |line: &str| {
            let line = line.trim_start().trim_start_matches(['[', '"']);
            let rest = line.strip_prefix(fault.key);
            rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '-'))
        };
        ConfigError::Wrong {
            path: self.path.clone(),
            line: self.text.lines().position(says_key).map_or(1, |line| line + 1),
            key: fault.key.to_owned(),
            why: fault.why,
        }
    }
}

fn read(text: &str) -> Result<Settings, (String, toml::de::Error)> {
    let file = toml::Deserializer::parse(text).map_err(|error| (String::new(), error))?;
    serde_path_to_error::deserialize(file).map_err(|error| {
        let key = error.path().to_string();
        (if key == "." { String::new() } else { key }, error.into_inner())
    })
}

/// The number of the line in which a span begins.
fn line(text: &str, span: Option<Range<usize>>) -> usize {
    let before = text.bytes().take(span.map_or(0, |span| span.start));
    before.filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> String {
        let file = File::parse(Path::new("rollcall.toml"), text.to_owned());
        file.unwrap_err().to_string()
    }

    #[test]
    fn an_error_names_file_line_and_key() {
        for (text, place) in [
            ("seed = 7\nrate = 'quick'\n", "line 2: rate: "),
            ("seed = 7\n\nspeed = 1\n", "line 3: speed: unknown field"),
            ("[fixture]\ndimension = 3\n", "line 2: fixture.dimension: "),
            ("seed = 7\nrate = \n", "line 2: "),
        ] {
            let why = complaint(text);
            assert!(why.starts_with(&format!("rollcall.toml, {place}")), "{why}");
        }
    }

    #[test]
    fn a_token_is_refused_with_the_reason_and_not_repeated() {
        let why = complaint("token = 's3cret'\n");
        let is_reason = why.contains("ROLLCALL_TOKEN") && why.contains("token-file");
        assert!(is_reason && !why.contains("s3cret"), "{why}");
    }

    #[test]
    fn a_value_is_found_again_by_its_key() {
        let text = "seed = 1\n[search]\norg = 'x'\n[fixture]\na = 'b'\n";
        let file = File::parse(Path::new("f.toml"), text.to_owned()).unwrap();
        let fault = Fault {
            key: "fixture",
            why: "no".to_owned(),
        };
        assert_eq!(file.wrong(fault).to_string(), "f.toml, line 4: fixture: no");
    }
}
