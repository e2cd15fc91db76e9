//! `export`: people from a database into a file.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use rollcall_import::export::{ExportError, Format, export};
use rollcall_store::clock::Clock;
use rollcall_store::dialect::Database;
use rollcall_store::private_file;

use super::database::{DatabaseArgument, open_to_read};
use super::{Failure, Outcome};

/// Writes the people of a database as a file that `import` reads.
///
/// The id of a person is their key in the integration, else their id in the database. The first person is the person who was
/// added first. Soft-deleted people are left out, also as managers. If the file is imported into an empty database, an export
/// of that database is the same file.
///
/// A CSV cell that a spreadsheet would run as a formula (it begins with =, +, -, @, a tab or a carriage return) gets an
/// apostrophe in front: '=1+1 for the value =1+1. An import takes the apostrophe away. JSON lines have no such cells.
///
/// The database is opened for reading only, so it can be on a read-only disk, and a server can be running on it.
///
/// Exit code: 0 the file is complete, 2 it is not.
#[derive(Args, Debug)]
pub struct Export {
    /// The database.
    #[command(flatten)]
    pub database: DatabaseArgument,
    /// The format of the file.
    #[arg(long, env = "ROLLCALL_FORMAT", value_enum)]
    pub format: Format,
    /// The file to write. An old file is replaced when the new file is complete. Without it, standard output.
    #[arg(long, short, env = "ROLLCALL_OUTPUT", value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// The handle of the integration whose ids are written.
    #[arg(
        long,
        env = "ROLLCALL_INTEGRATION",
        value_name = "HANDLE",
        default_value = "import"
    )]
    pub integration: String,
}

impl Export {
    /// Exports the people.
    pub fn run(self) -> Outcome {
        let connection = open_to_read(&self.database)?;
        if let (Database::File(database), Some(output)) = (&*self.database, &self.output)
            && is_same(database, output)
        {
            return Err(Failure::new(format!(
                "{}: is the database itself; name another file",
                output.display()
            )));
        }
        let write = |file: &mut dyn io::Write| {
            export(
                &connection,
                &self.integration,
                Clock::System.now(),
                self.format,
                file,
            )
        };
        let written = match &self.output {
            None => write(&mut BufWriter::new(io::stdout().lock())),
            Some(path) => replace(path, write)?,
        };
        match written {
            Ok(written) => {
                eprintln!("exported {written}");
                Ok(ExitCode::SUCCESS)
            }
            Err(ExportError::Store(error)) => Err(Failure::store(&self.database, &error)),
            // Who read it has seen enough.
            Err(error) if is_closed(&error) => Ok(ExitCode::SUCCESS),
            Err(error) => {
                let output = self.output.as_deref().unwrap_or(Path::new("standard output"));
                Err(Failure::new(format!("{}: {error}", output.display())))
            }
        }
    }
}

/// Writes beside a file and takes its place when all is written. Only its owner can read a new file; a
/// replaced file keeps its permissions.
fn replace(
    path: &Path,
    write: impl FnOnce(&mut dyn io::Write) -> Result<u64, ExportError>,
) -> Result<Result<u64, ExportError>, Failure> {
    let failure = |why: io::Error| Failure::new(format!("{}: can't be written: {why}", path.display()));
    if path.is_dir() {
        return Err(Failure::new(format!(
            "{}: is a folder; --output names a file",
            path.display()
        )));
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let file = part(Path::new(&beside), path).map_err(failure)?;
    let mut file = BufWriter::new(file);
    let written = write(&mut file).and_then(|written| Ok(file.flush().map(|()| written)?));
    let kept = match &written {
        Ok(_) => fs::rename(&beside, path),
        Err(_) => fs::remove_file(&beside),
    };
    kept.map_err(failure)?;
    Ok(written)
}

/// The file beside `path`; a file that an earlier export left there is replaced.
fn part(beside: &Path, path: &Path) -> io::Result<File> {
    match fs::remove_file(beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let file = private_file::create_new(beside)?;
    if let Ok(metadata) = path.metadata() {
        file.set_permissions(metadata.permissions())?;
    }
    Ok(file)
}

/// Whether both names lead to one file.
fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

fn is_closed(error: &ExportError) -> bool {
    let broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    match error {
        ExportError::Io(error) => broken(error),
        ExportError::Csv(error) => matches!(error.kind(), csv::ErrorKind::Io(error) if broken(error)),
        ExportError::Json(error) => error.io_error_kind() == Some(io::ErrorKind::BrokenPipe),
        ExportError::Store(_) | ExportError::NoColumn(_) => false,
    }
}
