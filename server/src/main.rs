//! The command line: arguments → command → exit code.

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use rollcall_server::commands::{
    backup, contract, copy, demo, export, import, openapi, person, print, routes, serve, token,
};
use rollcall_server::log_format::LogFormat;
use rollcall_shell::ShellFiles;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// The reference server of the Directory and Workspace Provisioning API.
///
/// Begin with `rollcall-server demo`: it starts a directory of invented people, and prints requests to try.
#[derive(Parser)]
#[command(
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true
)]
struct Arguments {
    /// The level of the log on standard error, such as info, or rollcall=debug. Requests are logged at the level info.
    #[arg(
        long,
        global = true,
        env = "ROLLCALL_LOG",
        value_name = "FILTER",
        default_value = "info"
    )]
    log: Targets,
    /// The format of the log: a line of text, or a JSON object on each line.
    #[arg(
        long,
        global = true,
        env = "ROLLCALL_LOG_FORMAT",
        value_name = "FORMAT",
        value_enum,
        default_value_t
    )]
    log_format: LogFormat,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Demo(demo::Demo),
    Serve(serve::Serve),
    Import(import::Import),
    Export(export::Export),
    Person(person::Person),
    Copy(copy::Copy),
    Token(token::Token),
    Backup(backup::Backup),
    Openapi(openapi::Openapi),
    Contract(contract::Contract),
    /// Prints every path that the server answers at, with the scope that a token needs.
    Routes,
    #[command(flatten)]
    Shell(ShellFiles),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
    let lines = match arguments.log_format {
        LogFormat::Text => lines.with_ansi(io::stderr().is_terminal()).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    arguments.log_format.take_effect();
    tracing_subscriber::registry()
        .with(lines)
        .with(arguments.log)
        .init();
    let outcome = match arguments.command {
        Command::Demo(command) => command.run(),
        Command::Serve(command) => command.run(),
        Command::Import(command) => command.run(),
        Command::Export(command) => command.run(),
        Command::Person(command) => command.run(),
        Command::Copy(command) => command.run(),
        Command::Token(command) => command.run(),
        Command::Backup(command) => command.run(),
        Command::Openapi(command) => command.run(),
        Command::Contract(command) => command.run(),
        Command::Routes => print(|out| out.write_all(routes::table().as_bytes())).map(|()| ExitCode::SUCCESS),
        Command::Shell(files) => {
            print(|out| files.write(Arguments::command(), out)).map(|()| ExitCode::SUCCESS)
        }
    };
    outcome.unwrap_or_else(|failure| failure.report())
}
