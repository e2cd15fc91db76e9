//! Where a report goes: a file, or standard output.
//!
//! Invariant: a file is opened before the run, so that one that cannot be written costs no run, and emptied after it.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::report::Format;

/// A place to write to.
#[derive(Debug)]
pub(super) struct Output {
    /// None for standard output.
    file: Option<File>,
    path: PathBuf,
}

/// Stands for standard output, and where something is read for standard input.
pub(super) const STANDARD: &str = "-";

impl Output {
    /// Opens a file, or standard output if it is called `-`.
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let complain = |error: io::Error| format!("{}: {error}", path.display());
        let file = match path.as_os_str() == STANDARD {
            true => None,
            false => Some(options.open(path).map_err(complain)?),
        };
        let path = path.to_owned();
        Ok(Self { file, path })
    }

    pub(super) fn is_standard(&self) -> bool {
        self.file.is_none()
    }

    /// Writes in place of what was there.
    pub(super) fn write(
        self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        standard: &mut dyn Write,
    ) -> Result<(), String> {
        let written = match self.file {
            None => content(standard),
            Some(file) => file.set_len(0).and_then(|()| {
                let mut file = BufWriter::new(file);
                content(&mut file).and_then(|()| file.flush())
            }),
        };
        unless_closed(written).map_err(|why| format!("{}: {why}", self.path.display()))
    }
}

/// Writing to a pipe whose reader has gone, as `head` goes, is no fault.
pub(super) fn unless_closed(written: io::Result<()>) -> Result<(), String> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(|error| error.to_string()),
    }
}

/// The form and the place of a report, as `--report` names them.
pub(super) fn report(text: &str) -> Result<(Format, &Path), String> {
    if let Some((form, path)) = text.split_once('=') {
        let form = form.parse::<Format>().map_err(|error| error.to_string())?;
        return Ok((form, Path::new(path)));
    }
    let form = Format::of_file(Path::new(text));
    let form =
        form.ok_or_else(|| format!("the ending of {text} tells no form; say which, such as json={text}"))?;
    Ok((form, Path::new(text)))
}
