//! Checks an answer that refuses something: it must be a problem as the contract defines it.

use std::sync::OnceLock;

use jsonschema::Validator;
use rollcall_contract::{Contract, Form};

use crate::answer::Answer;

/// The contract, read once.
pub(crate) fn contract() -> &'static Contract {
    static CONTRACT: OnceLock<Contract> = OnceLock::new();
    CONTRACT.get_or_init(|| Contract::parse(rollcall::CONTRACT).unwrap())
}

fn schema() -> &'static Validator {
    static SCHEMA: OnceLock<Validator> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let schema = contract().document().json_schema("Problem", Form::Strict);
        jsonschema::options()
            .should_validate_formats(true)
            .build(&schema.unwrap())
            .unwrap()
    })
}

impl Answer {
    /// The code of the problem that the answer is; else a sentence that says why it is none.
    pub(crate) fn problem_code(&self) -> Result<String, String> {
        let kind = self.header("content-type");
        if kind != Some("application/problem+json") {
            return Err(format!("{} with Content-Type {kind:?}", self.status));
        }
        let problem = serde_json::from_slice(&self.body).map_err(|error| error.to_string())?;
        if let Some(error) = schema().iter_errors(&problem).next() {
            return Err(format!("{error} at {}", error.instance_path()));
        }
        if problem["status"] != self.status {
            return Err(format!(
                "status {} in the body of {}",
                problem["status"], self.status
            ));
        }
        if problem["request_id"].as_str() != self.header("x-request-id") {
            return Err(format!("request id {} differs", problem["request_id"]));
        }
        Ok(problem["code"].as_str().unwrap_or_default().to_owned())
    }

    /// Fails unless the answer is a problem with this status and code.
    pub(crate) fn assert_problem(&self, status: u16, code: &str) {
        let body = self.body.escape_ascii();
        assert_eq!(
            (self.status, self.problem_code().as_deref()),
            (status, Ok(code)),
            "{body}"
        );
    }
}
