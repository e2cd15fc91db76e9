//! `schema`: prints the JSON Schema of a file.

use std::io::{self, Write};

use clap::{Args, ValueEnum};

use crate::cli::config;
use crate::report::json;

/// Of which file.
#[derive(Args, Debug)]
pub(super) struct SchemaArgs {
    /// The file.
    #[arg(value_enum)]
    of: Of,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Of {
    /// The configuration file, rollcall.toml.
    Config,
    /// The JSON form of the report.
    Report,
}

impl SchemaArgs {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match self.of {
            Of::Config => json::write(&config::schema(), out),
            Of::Report => json::write(&json::schema(), out),
        }
    }
}
