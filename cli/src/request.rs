//! Arguments → the request of an operation.

use clap::ArgMatches;
use reqwest::header::{ACCEPT, HeaderName, HeaderValue};
use reqwest::{Body, Method, Request, Url};
use rollcall_contract::{Contract, Operation, Position};
use serde_json::{Map, Value};

use crate::Failure;
use crate::command::{flag_name, members};

/// The request that the arguments ask for, below the base address.
pub(crate) fn build(
    contract: &Contract,
    operation: &Operation,
    base: &Url,
    arguments: &ArgMatches,
) -> Result<Request, Failure> {
    let method = Method::try_from(operation.method.to_string().as_str());
    let method = method.map_err(|why| Failure::Usage(why.to_string()))?;
    let mut request = Request::new(method, address(operation, base, arguments)?);
    request
        .headers_mut()
        .insert(ACCEPT, HeaderValue::from_static("application/json"));
    for parameter in operation.parameters_in(Position::Header) {
        if let Some(text) = text(arguments, &parameter.name) {
            let unfit = || Failure::Usage(format!("{text:?} cannot be sent as {}", parameter.name));
            let name = HeaderName::try_from(&parameter.name).map_err(|_| unfit())?;
            let value = HeaderValue::try_from(text).map_err(|_| unfit())?;
            request.headers_mut().insert(name, value);
        }
    }
    if operation.request_body.is_some() {
        let json = HeaderValue::from_static("application/json");
        request.headers_mut().insert(reqwest::header::CONTENT_TYPE, json);
        *request.body_mut() = Some(Body::from(body(contract, operation, arguments)?.to_string()));
    }
    Ok(request)
}

fn text<'m>(arguments: &'m ArgMatches, name: &str) -> Option<&'m String> {
    arguments.get_one(&flag_name(name))
}

fn address(operation: &Operation, base: &Url, arguments: &ArgMatches) -> Result<Url, Failure> {
    let mut url = base.clone();
    let id = arguments.try_get_one::<String>("id").ok().flatten();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty();
        for segment in operation.path.split('/').skip(1) {
            match (segment.starts_with('{'), id) {
                (true, Some(id)) if id.is_empty() || id == "." || id == ".." => {
                    return Err(Failure::Usage(format!("{id:?} is no identifier")));
                }
                (true, Some(id)) => path.push(id),
                _ => path.push(segment),
            };
        }
    }
    let given = operation.parameters_in(Position::Query);
    let given: Vec<_> = given
        .filter_map(|one| Some((&one.name, text(arguments, &one.name)?)))
        .collect();
    if !given.is_empty() {
        url.query_pairs_mut().extend_pairs(given);
    }
    Ok(url)
}

/// The body, with the members that were given.
fn body(contract: &Contract, operation: &Operation, arguments: &ArgMatches) -> Result<Value, Failure> {
    let mut body = Map::new();
    for (name, schema) in members(contract, operation) {
        if let Some(text) = text(arguments, name) {
            body.insert(name.to_owned(), value(contract, schema, text));
        }
    }
    Ok(Value::Object(body))
}

/// A value of a member. Text that is no value of its type is sent as text: the server says what is wrong with it.
fn value(contract: &Contract, schema: &Value, text: &str) -> Value {
    let kind = contract
        .document()
        .underlying(schema)
        .get("type")
        .and_then(Value::as_str);
    let is_nullable =
        contract.document().or_null(schema).is_some() || schema.get("nullable") == Some(&Value::Bool(true));
    match kind {
        _ if is_nullable && text == "null" => Value::Null,
        Some("string") => Value::from(text),
        _ => serde_json::from_str(text).unwrap_or_else(|_| Value::from(text)),
    }
}
