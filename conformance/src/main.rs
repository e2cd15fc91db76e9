//! `rollcall-conformance`: see [`rollcall_conformance`].

use std::io;
use std::process::ExitCode;

use clap::Parser;
use rollcall_conformance::cli::Cli;
use rollcall_conformance::exit::Exit;

#[tokio::main]
async fn main() -> ExitCode {
    match Cli::parse().act(io::stdout().lock()).await {
        Ok(exit) => exit.into(),
        Err(why) => {
            eprintln!("rollcall-conformance: {why}");
            Exit::CouldNotRun.into()
        }
    }
}
