//! `annotate`: prints a document with the annotations that its names and shapes suggest.
//!
//! The suggestions come from the contract crate. Here they are put into the text of the document, of which everything else
//! stays as it is (`insert.rs`), and the rest of the way to a run is told (`summary.rs`).

mod insert;
mod locate;
mod summary;
#[cfg(test)]
mod tests;
mod tokens;
mod write;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::PathBuf;

use clap::Args;
use rollcall_contract::Document;
use rollcall_contract::suggest::{Unclear, suggest};

use crate::cli::contract::complaints;
use crate::cli::exit::Exit;
use crate::cli::output::{STANDARD, unless_closed};

/// A document may have so many bytes.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

pub(super) const AFTER_HELP: &str = "\
The annotations say what the lists of an API mean. They are suggested by names and shapes: a parameter `created_after` and a \
timestamp `created_at`, a parameter `cursor` and a text `next_cursor` in the answer. Each one has a member `x-suggested` beside it, \
which says the reason. Confirm it, and remove `x-suggested`. Everything else of the document stays as it is written.

Standard error names each parameter of a list for which nothing is suggested, with the reason, and what the runner still needs.

Exit codes: 0 the document is printed; 2 it cannot be read.

    rollcall-conformance annotate openapi.yaml > contract.yaml
    rollcall-conformance run --dry-run --contract contract.yaml";

/// A document.
#[derive(Args, Debug)]
pub(super) struct AnnotateArgs {
    /// An OpenAPI 3.0 or 3.1 document in YAML or JSON, or - for standard input. It is in one file.
    file: PathBuf,
}

impl AnnotateArgs {
    pub(super) fn act(&self, mut out: impl Write, mut progress: impl Write) -> Result<Exit, String> {
        let wrong = |what: String| format!("{}: {what}", self.file.display());
        let text = self.text().map_err(wrong)?;
        let document = Document::parse(&text).map_err(|error| wrong(error.to_string()))?;
        is_openapi(&document).map_err(wrong)?;
        let mut suggestions = suggest(&document);
        let annotated = insert::insert(&text, &document, &suggestions.made).map_err(wrong)?;
        for at in annotated.left_out {
            suggestions.made.retain(|one| one.at != at);
            let name = at
                .find(document.raw())
                .and_then(|element| element.get("name")?.as_str());
            let name = name.unwrap_or("a list").to_owned();
            let why = "a YAML alias repeats it; write it out, or make it a component".to_owned();
            suggestions.unclear.push(Unclear { at, name, why });
        }
        unless_closed(
            out.write_all(annotated.text.as_bytes())
                .and_then(|()| out.flush()),
        )?;
        let told = summary::of(&suggestions, &complaints(annotated.document));
        unless_closed(progress.write_all(told.as_bytes()))?;
        Ok(Exit::Conforms)
    }

    fn text(&self) -> Result<String, String> {
        let read = |source: &mut dyn Read| {
            let mut text = String::new();
            source
                .take(MOST_BYTES + 1)
                .read_to_string(&mut text)
                .map(|_| text)
        };
        let text = match self.file.as_os_str() == STANDARD {
            true => read(&mut io::stdin().lock()),
            false => File::open(&self.file).and_then(|mut file| read(&mut file)),
        };
        let text = text.map_err(|error| error.to_string())?;
        match text.len() as u64 > MOST_BYTES {
            true => Err(format!("it has more than {MOST_BYTES} bytes")),
            false => Ok(text),
        }
    }
}

/// Whether a document says that it is one of OpenAPI 3.
fn is_openapi(document: &Document) -> Result<(), String> {
    match document.raw().get("openapi").and_then(|version| version.as_str()) {
        Some(version) if version.starts_with("3.") => Ok(()),
        Some(version) => Err(format!("at /openapi: the version {version} is not 3.0 or 3.1")),
        None => Err("at /openapi: a document of OpenAPI 3 says its version here".to_owned()),
    }
}
