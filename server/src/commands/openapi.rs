//! `openapi`: the contract as a file.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use rollcall_pages::{Form, Notation, Served, review};

use super::{Failure, Outcome, print};

/// Prints the contract of the API, OpenAPI 3.0.3.
///
/// The form `own` describes this server: every operation, also our extensions of the specification. The form `open`
/// is for callers of any server: it has what the specification has, and a client made from it reads the answers of every
/// server that conforms.
#[derive(Args, Debug)]
pub struct Openapi {
    /// Which servers the contract describes.
    #[arg(long, value_enum, default_value_t = Form::Own)]
    pub form: Form,
    /// How the contract is written.
    #[arg(long, value_enum, default_value_t = Notation::Yaml)]
    pub format: Notation,
    /// Write the review page to this file instead: operations by clause, the meaning of filters, sort fields and relations,
    /// and all decisions, as one HTML file that needs no network.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["form", "format"])]
    pub html: Option<PathBuf>,
}

impl Openapi {
    /// Prints the contract, or writes the page.
    pub fn run(self) -> Outcome {
        let Some(file) = self.html else {
            let text = Served::new(self.form, self.format).text().map_err(Failure::new)?;
            print(|out| out.write_all(text.as_bytes()))?;
            return Ok(ExitCode::SUCCESS);
        };
        let page = review::file().map_err(Failure::new)?;
        if let Err(why) = std::fs::write(&file, page) {
            // Half a page must not pass for a whole one.
            let _ = std::fs::remove_file(&file);
            return Err(Failure::new(format!("{}: {why}", file.display())));
        }
        eprintln!("The review page is {}.", file.display());
        Ok(ExitCode::SUCCESS)
    }
}
