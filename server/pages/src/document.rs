//! The contract as it is served: it names the server that it comes from.

use std::sync::OnceLock;

use axum::Extension;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};
use rollcall_contract::{Contract, Document};

use super::{ASK_AGAIN, Address};

/// The contract as a model.
///
/// # Errors
/// The contract that was built in is no contract; the tests read it too.
pub(crate) fn model() -> Result<&'static Contract, String> {
    static MODEL: OnceLock<Result<Contract, String>> = OnceLock::new();
    let model = MODEL.get_or_init(|| Contract::parse(rollcall::CONTRACT).map_err(|error| error.to_string()));
    model.as_ref().map_err(Clone::clone)
}

/// A text of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// How much it demands.
    pub form: Form,
    /// How it is written.
    pub notation: Notation,
}

/// How much a document demands of the server that it describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// What this server does.
    Own,
    /// What the specification demands of any server; a client made from it reads the answers of all servers that conform.
    Open,
}

/// How a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Notation {
    /// YAML.
    Yaml,
    /// JSON.
    Json,
}

impl Notation {
    fn write(self, document: &Document) -> Result<String, rollcall_contract::Error> {
        match self {
            Self::Yaml => document.to_yaml(),
            Self::Json => document.to_json(),
        }
    }
}

impl Served {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::new(Form::Own, Notation::Yaml),
        Self::new(Form::Own, Notation::Json),
        Self::new(Form::Open, Notation::Yaml),
        Self::new(Form::Open, Notation::Json),
    ];

    /// A form in a notation.
    pub const fn new(form: Form, notation: Notation) -> Self {
        Self { form, notation }
    }

    /// Its path below the base address.
    pub const fn path(self) -> &'static str {
        match (self.form, self.notation) {
            (Form::Own, Notation::Yaml) => "/openapi.yaml",
            (Form::Own, Notation::Json) => "/openapi.json",
            (Form::Open, Notation::Yaml) => "/openapi-open.yaml",
            (Form::Open, Notation::Json) => "/openapi-open.json",
        }
    }

    /// A few words about it.
    pub const fn summary(self) -> &'static str {
        match self.form {
            Form::Own => "The contract of this server",
            Form::Open => "The contract for callers of any server that conforms",
        }
    }

    /// The text as it is published, with the address of the demo server.
    ///
    /// # Errors
    /// The contract that was built in is no contract.
    pub fn text(self) -> Result<&'static str, String> {
        static TEXTS: [OnceLock<Result<String, String>>; 3] = [const { OnceLock::new() }; 3];
        let text = match (self.form, self.notation) {
            (Form::Own, Notation::Yaml) => return Ok(rollcall::CONTRACT),
            (Form::Own, Notation::Json) => &TEXTS[0],
            (Form::Open, Notation::Yaml) => &TEXTS[1],
            (Form::Open, Notation::Json) => &TEXTS[2],
        };
        let written = text.get_or_init(|| {
            let own = model()?.document();
            let text = match self.form {
                Form::Own => self.notation.write(own),
                Form::Open => own.open_form().and_then(|open| self.notation.write(&open)),
            };
            text.map_err(|error| error.to_string())
        });
        written.as_deref().map_err(Clone::clone)
    }

    /// The text with the address of this server in place of the demo server's.
    fn at(self, base: &str) -> Result<String, String> {
        let published = model()?.document().raw()["servers"][0]["url"].as_str();
        let published = published.ok_or("the contract names no server")?;
        // The first place is that of `servers`; those below are in examples.
        Ok(self.text()?.replacen(published, base, 1))
    }

    /// Answers a request for it.
    pub(super) fn answer(self, headers: &HeaderMap, Extension(address): Extension<Address>) -> Response {
        let media_type = match self.notation {
            Notation::Yaml => "application/yaml",
            Notation::Json => "application/json",
        };
        match self.at(&address.seen_by(headers)) {
            Ok(text) => ([(CONTENT_TYPE, media_type), (CACHE_CONTROL, ASK_AGAIN)], text).into_response(),
            Err(error) => {
                tracing::error!(%error, "the contract cannot be served");
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_served_document_differs_from_the_published_one_in_the_address_alone() {
        for served in Served::ALL {
            let read = |text: &str| Document::parse(text).expect("a document").raw().clone();
            let mut expected = read(served.text().expect("a text"));
            let here = "https://[::1]:8443/api/v1";
            expected["servers"][0]["url"] = Value::from(here);
            assert_eq!(read(&served.at(here).expect("a text")), expected, "{served:?}");
        }
    }
}
