//! Processor time of the server for one request, next to a server that only sends a body and to bare SQL, in one run.
//!
//!     cargo bench -p rollcall-server -- --users 100000 --seconds 3
//!
//! The server runs in a process of its own, with its usual log level, on a directory made by `demo`. It is asked over 1 and
//! over 16 connections that stay open, as fast as it answers. Processor time hardly depends on what else the machine does.
//! Linux only: processor time is read from /proc.

mod bare;
mod cases;
mod load;
mod process;

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use bare::Bare;
use cases::{Case, cases};
use process::{Process, processor_time};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Connections that ask at once.
const CONNECTIONS: [usize; 2] = [1, 16];
const TOKEN: &str = "bench-token-0123456789";

struct Options {
    users: u64,
    seconds: Duration,
}

fn options() -> Result<Options> {
    let mut options = Options {
        users: 100_000,
        seconds: Duration::from_secs(3),
    };
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        let value = words.next().ok_or(format!("{word} needs a value"))?;
        match word.as_str() {
            "--users" => options.users = value.parse()?,
            "--seconds" => options.seconds = Duration::from_secs(value.parse()?),
            _ => return Err(format!("unknown option {word}; there are --users and --seconds").into()),
        }
    }
    Ok(options)
}

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    if words.next().as_deref() == Some(process::STATIC) {
        return process::serve_static(words.next().unwrap_or_default().parse()?);
    }
    let options = options()?;
    let folder = tempfile::tempdir()?;
    let database = folder.path().join("bench.db");
    eprintln!("making a directory of {} people …", options.users);
    process::make_directory(&database, options.users, TOKEN)?;
    let bare = Bare::open(&database)?;
    let server = Process::server(&database)?;
    println!("| request | connections | server | static body | bare SQL | server ÷ (static + SQL) |");
    println!("|---|---:|---:|---:|---:|---:|");
    for case in cases(&database)? {
        measure(&case, &server, &bare, &options)?;
    }
    Ok(())
}

/// Prints a line for each number of connections; times in microseconds.
fn measure(case: &Case, server: &Process, bare: &Bare, options: &Options) -> Result<()> {
    let request = load::request(&case.target, TOKEN);
    let body = load::body_length(server.address, &request)?;
    let fixed = Process::fixed(body)?;
    let sql = bare.micros(&case.sql, options.seconds / 3)?;
    for connections in CONNECTIONS {
        let ours = cost(server, &request, connections, options)?;
        let fixed = cost(&fixed, &request, connections, options)?;
        println!(
            "| {} | {connections} | {ours:.0} | {fixed:.0} | {sql:.0} | {:.1} |",
            case.name,
            ours / (fixed + sql)
        );
    }
    Ok(())
}

/// Microseconds of processor time that a process takes for a request.
fn cost(process: &Process, request: &[u8], connections: usize, options: &Options) -> Result<f64> {
    load::run(process.address, request, connections, options.seconds / 5)?;
    let before = processor_time(process.id())?;
    let answered = load::run(process.address, request, connections, options.seconds)?;
    let spent = processor_time(process.id())? - before;
    Ok(spent.as_secs_f64() * 1e6 / answered as f64)
}

/// A path as SQLite and the commands take it.
fn text(path: &Path) -> Result<&str> {
    path.to_str()
        .ok_or_else(|| "the folder has a name that is no text".into())
}
