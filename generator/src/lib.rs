//! Writes Rust from the contract: models, client, server interface and list tables, at build time.
//!
//! `build.rs` of the root package calls [`write_all`]; `generated/lib.rs` includes what it wrote. Each module here writes one
//! file. Invariant: nothing a file says is typed here; names, bounds, words and relations all come from the contract.

mod builders;
mod client;
mod counts;
mod emit;
mod faults;
mod links;
mod lists;
mod models;
mod open;
mod optional;
mod parameters;
mod prepare;
mod records;
mod server;
mod strict;
mod values;
mod words;

use std::path::Path;

use rollcall_contract::Contract;

/// Why generation failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The contract cannot be read.
    #[error(transparent)]
    Contract(#[from] rollcall_contract::Error),
    /// The contract asks for something this generator does not write.
    #[error("{at}: {why}")]
    Unsupported {
        /// The element, by name.
        at: String,
        /// What is missing.
        why: String,
    },
    /// progenitor does not understand the document.
    #[error("progenitor: {0}")]
    Models(String),
    /// A generated file is not Rust.
    #[error("generated {file}: {why}")]
    Syntax {
        /// The file.
        file: &'static str,
        /// The parser's words.
        why: syn::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Writes every generated file for the contract at `contract` into the folder `out`.
pub fn write_all(contract: &Path, out: &Path) -> Result<(), Error> {
    let contract = Contract::read(contract)?;
    for (file, code) in generate(&contract)? {
        std::fs::write(out.join(file), code)?;
    }
    Ok(())
}

/// The generated files, by name.
pub fn generate(contract: &Contract) -> Result<Vec<(&'static str, String)>, Error> {
    parameters::check(contract)?;
    let optional = optional::schemas(contract);
    let models = models::write(contract, &optional, values::MODULE)?.models;
    let open = open::contract(contract)?;
    let open_optional = optional::schemas(&open);
    let models::Written {
        models: open_models,
        client,
    } = models::write(&open, &open_optional, open::MODULE)?;
    let parts = [
        ("values.rs", values::tokens(contract)?),
        (
            "optional.rs",
            optional::tokens(contract, &optional, values::MODULE)?,
        ),
        ("models.rs", models),
        ("client.rs", client),
        ("open_models.rs", open_models),
        (
            "open_optional.rs",
            optional::tokens(&open, &open_optional, open::MODULE)?,
        ),
        ("open_values.rs", open::tokens(&open)?),
        ("faults.rs", faults::tokens()),
        ("words.rs", words::tokens(contract)?),
        ("lists.rs", lists::tokens(contract)?),
        ("records.rs", records::tokens(contract)?),
        ("server.rs", server::tokens(contract)?),
    ];
    parts
        .into_iter()
        .map(|(file, tokens)| Ok((file, emit::print(file, tokens)?)))
        .collect()
}
