//! `schema`: prints the JSON Schema of a file.

use std::io::{self, Write};

use clap::{Args, ValueEnum};

use crate::config;

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
}

impl SchemaArgs {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let schema = match self.of {
            Of::Config => config::schema(),
        };
        serde_json::to_writer_pretty(&mut *out, &schema)?;
        writeln!(out)
    }
}
