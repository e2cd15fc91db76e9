//! A database file that is made under another name first, so that under its own name it is always whole.

use std::io;
use std::path::{Path, PathBuf};

use rollcall_store::private_file;

use super::Failure;

/// The files that SQLite keeps beside a database, by how their names end.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Fails if there is a file, or if files of another database would be taken for those of a new one with this name.
pub(super) fn check_absent(file: &Path, hint: &str) -> Result<(), Failure> {
    if file.exists() {
        let shown = file.display();
        return Err(Failure::new(format!("{shown}: is there already; {hint}")));
    }
    check_nothing_beside(file)
}

/// Makes `file` of an empty file with `.part` at the end of its name, which only its owner can read, and gives what `make` gives.
/// If `make` fails, nothing is left.
pub(super) fn make_whole<T>(
    file: &Path,
    make: impl FnOnce(&Path) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let part = with_ending(file, ".part");
    let failed = |why: io::Error| Failure::new(format!("{}: {why}", part.display()));
    // An earlier run that was stopped left them.
    remove(&part).map_err(failed)?;
    private_file::create_new(&part).map_err(failed)?;
    let made = make(&part).inspect_err(|_| {
        let _ = remove(&part);
    })?;
    std::fs::rename(&part, file).map_err(failed)?;
    Ok(made)
}

/// Fails if files of another database would be taken for those of a new one with this name.
pub(super) fn check_nothing_beside(file: &Path) -> Result<(), Failure> {
    let found = BESIDE
        .map(|ending| with_ending(file, ending))
        .into_iter()
        .find(|beside| beside.exists());
    match found {
        None => Ok(()),
        Some(found) => Err(Failure::new(format!(
            "{}: is left from another database and would be read into {}; remove it, or name another file",
            found.display(),
            file.display()
        ))),
    }
}

/// Removes a database file and the files beside it. A missing file is no error.
fn remove(file: &Path) -> io::Result<()> {
    let beside = BESIDE.map(|ending| with_ending(file, ending));
    for file in beside.iter().map(PathBuf::as_path).chain([file]) {
        match std::fs::remove_file(file) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(why),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

fn with_ending(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
