//! `rollcall-conformance`: see [`rollcall_conformance`].

use std::io;
use std::process::ExitCode;

use clap::Parser;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use rollcall_conformance::cli::Cli;
use rollcall_conformance::cli::exit::Exit;

#[tokio::main]
async fn main() -> ExitCode {
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    match Cli::parse().act(today, io::stdout().lock()).await {
        Ok(exit) => exit.into(),
        Err(why) => {
            eprintln!("rollcall-conformance: {why}");
            Exit::CouldNotRun.into()
        }
    }
}
