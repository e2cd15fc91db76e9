//! Refuses a parameter that the generated router would not read: the server would answer 400 to what its contract documents.

use rollcall_contract::{Contract, Method, Operation, Parameter, Position};

use crate::Error;

/// Checks every parameter of every operation.
///
/// # Errors
/// Names the first parameter that nothing reads, and its operation.
pub(crate) fn check(contract: &Contract) -> Result<(), Error> {
    for operation in &contract.operations {
        for parameter in &operation.parameters {
            let why = match parameter.position {
                Position::Path => continue,
                Position::Query => query(operation, parameter),
                Position::Header => header(operation, parameter),
            };
            if let Some(why) = why {
                return Err(Error::Unsupported {
                    at: format!(
                        "{} {} ({}), parameter {}",
                        operation.method, operation.path, operation.id, parameter.name
                    ),
                    why,
                });
            }
        }
    }
    Ok(())
}

/// Why nothing reads a query parameter. A list reads its filters and roles; no other operation reads the query.
fn query(operation: &Operation, parameter: &Parameter) -> Option<String> {
    let has_meaning = parameter.filter.is_some() || parameter.role.is_some();
    match (operation.list.is_some(), has_meaning) {
        (true, true) => None,
        (true, false) => Some("nothing reads it: it has neither x-filter nor x-role".to_owned()),
        (false, _) => Some("nothing reads it: only a list (x-list) has parameters in the query".to_owned()),
    }
}

/// Why nothing reads a header: the router knows those of conditional and of repeated requests (O11).
fn header(operation: &Operation, parameter: &Parameter) -> Option<String> {
    let read: &[&str] = match (operation.method, &operation.list) {
        (Method::Patch, _) => &["If-Match", "Idempotency-Key"],
        (Method::Get, None) => &["If-None-Match"],
        _ => &[],
    };
    if read.iter().any(|name| name.eq_ignore_ascii_case(&parameter.name)) {
        return None;
    }
    let reads = match read {
        [] => "no header".to_owned(),
        names => names.join(" and "),
    };
    Some(format!("nothing reads it: the router reads {reads} here"))
}
