//! `rollcall`: every operation of the contract as a command, for any server that implements it.
//!
//! The commands follow from the contract at run time (`command.rs`): a new filter is a new flag without a line here. Way of a
//! call: arguments → `request.rs` → `session.rs`, page by page → `output/`.

mod columns;
mod command;
mod output;
mod request;
mod session;

use std::io;
use std::process::ExitCode;

use clap::FromArgMatches as _;
use rollcall_contract::Contract;
use rollcall_shell::ShellFiles;

/// The contract that the commands follow from.
const CONTRACT: &str = include_str!("../../openapi.yaml");

/// Why a call failed.
enum Failure {
    /// The arguments cannot be used. Exit code 2, as for the arguments that clap refuses.
    Usage(String),
    /// There is no answer, or it is a refusal. Exit code 1.
    Call(String),
    /// The output cannot be written. A reader who has seen enough is no failure.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

fn main() -> ExitCode {
    let contract = match Contract::parse(CONTRACT) {
        Ok(contract) => contract,
        Err(why) => return fail(1, &format!("the contract of this program cannot be read: {why}")),
    };
    let mut root = command::root(&contract);
    if std::env::args_os().len() < 2 {
        // By hand: clap takes a variable of the environment for an argument.
        _ = root.print_help();
        return ExitCode::from(2);
    }
    let matches = root.get_matches();
    match run(&contract, &matches) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Output(error)) => fail(1, &format!("the output cannot be written: {error}")),
        Err(Failure::Call(why)) => fail(1, &why),
        Err(Failure::Usage(why)) => fail(2, &why),
    }
}

fn fail(code: u8, why: &str) -> ExitCode {
    eprintln!("error: {why}");
    ExitCode::from(code)
}

fn run(contract: &Contract, matches: &clap::ArgMatches) -> Result<(), Failure> {
    if let Ok(files) = ShellFiles::from_arg_matches(matches) {
        return Ok(files.write(command::root(contract), &mut io::stdout())?);
    }
    let (operation, arguments) = command::chosen(contract, matches)
        .ok_or_else(|| Failure::Usage("there is no such command; see --help".to_owned()))?;
    let session = session::Session::new(arguments)?;
    let request = request::build(contract, operation, session.base(), arguments)?;
    let columns = columns::of(contract, operation, arguments)?;
    let mut output = output::of(arguments, columns, io::stdout().lock());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let records = command::records(operation);
    runtime.block_on(session.call(request, arguments, &records, &mut *output))?;
    Ok(output.end()?)
}
