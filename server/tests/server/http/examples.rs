//! Every example of the contract, sent to the demo: a request answers 2xx, a refusal is answered in these very words.
//!
//! Identifiers in paths are those of demo records in a state that allows the operation; all else is sent as the contract
//! shows it.

use std::collections::BTreeSet;

use reqwest::{Method, RequestBuilder};
use rollcall_contract::Contract;
use rollcall_server::app::RequestLimits;
use serde_json::{Map, Value, json};

use crate::harness::{Answer, READER, Running, TOKEN};

/// Problems that no request can be sent for: the server has to fail, or to be too busy.
const OF_TROUBLE: [&str; 3] = ["Internal", "TooManyRequests", "Unavailable"];

/// Headers that RFC 9110 and RFC 9111 define for any answer. A contract need not declare them.
const OF_HTTP: [&str; 6] = [
    "cache-control",
    "connection",
    "content-length",
    "content-type",
    "date",
    "vary",
];

/// A server with a limit that no test reaches, so that each answer has the headers of the limit.
async fn server() -> Running {
    Running::with(RequestLimits {
        per_token: Some(1_000_000),
        ..RequestLimits::default()
    })
    .await
}

/// The headers of an answer that a response of the contract does not declare.
fn undeclared(contract: &Contract, response: &Value, answer: &Answer) -> Vec<String> {
    let declared = contract.document().resolve(response)["headers"].as_object();
    let declared: BTreeSet<_> = declared
        .into_iter()
        .flat_map(Map::keys)
        .map(|name| name.to_ascii_lowercase())
        .collect();
    let names = answer.headers.keys().map(|name| name.as_str().to_owned());
    names
        .filter(|name| !OF_HTTP.contains(&name.as_str()) && !declared.contains(name))
        .collect()
}

fn contract() -> Contract {
    Contract::parse(rollcall::CONTRACT).unwrap()
}

/// The values shown for an element (a parameter, a media type): beside its schema, in the schema, or in its items.
fn shown(contract: &Contract, element: &Value) -> Vec<Value> {
    let document = contract.document();
    let schema = document.resolve(&element["schema"]);
    let of_item = &document.resolve(&schema["items"])["example"];
    let several = element["examples"].as_object().into_iter().flat_map(Map::values);
    several
        .map(|example| &document.resolve(example)["value"])
        .chain([&element["example"], &schema["example"], of_item])
        .filter(|value| !value.is_null())
        .cloned()
        .collect()
}

/// A value as it is written in a query or header.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(written).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// One example of a request.
#[derive(Debug)]
enum Example {
    Parameter {
        name: String,
        place: String,
        value: String,
    },
    Body(Value),
}

/// An operation with its path and method.
struct Operation<'c> {
    path: &'c str,
    method: Method,
    raw: &'c Value,
}

fn operations(contract: &Contract) -> Vec<Operation<'_>> {
    let paths = contract.document().raw()["paths"].as_object().unwrap();
    let all = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().iter();
        methods.filter_map(move |(method, raw)| {
            let method: Method = method.to_uppercase().parse().ok()?;
            raw["operationId"]
                .is_string()
                .then_some(Operation { path, method, raw })
        })
    });
    all.collect()
}

impl Operation<'_> {
    fn id(&self) -> &str {
        self.raw["operationId"].as_str().unwrap()
    }

    /// Its path with the identifier of a record that it can be used on.
    async fn addressed(&self, server: &Running) -> String {
        let Some((list, rest)) = self.path.split_once("/{") else {
            return self.path.to_owned();
        };
        let query: &[(&str, &str)] = match self.id() {
            "restoreWorkspaceUser" => &[("filter[trashed]", "only")],
            "deprecateWorkspaceUser" | "deprecateDirectoryAttribute" => &[("filter[state]", "active")],
            "activateWorkspaceUser" | "activateDirectoryUser" => &[("filter[state]", "staged")],
            _ => &[],
        };
        // The first workspace user is the operator, who would lock themselves out.
        let id = server.get(list, query).await.ids().pop().unwrap();
        let rest = rest.split_once('}').unwrap().1;
        format!("{list}/{id}{rest}")
    }

    fn bodies(&self, contract: &Contract) -> Vec<Value> {
        shown(contract, &self.raw["requestBody"]["content"]["application/json"])
    }

    fn examples(&self, contract: &Contract) -> Vec<Example> {
        let parameters = self.raw["parameters"].as_array().into_iter().flatten();
        let parameters = parameters.map(|parameter| contract.document().resolve(parameter));
        let of_parameter = |parameter: &Value| {
            let [name, place] = ["name", "in"].map(|member| parameter[member].as_str().unwrap().to_owned());
            let values = shown(contract, parameter).into_iter();
            values
                .map(move |value| Example::Parameter {
                    name: name.clone(),
                    place: place.clone(),
                    value: written(&value),
                })
                .collect::<Vec<_>>()
        };
        let bodies = self.bodies(contract).into_iter().map(Example::Body);
        parameters.flat_map(of_parameter).chain(bodies).collect()
    }

    /// A request by the operator that sends an example; its body is one that the operation allows.
    fn request(
        &self,
        server: &Running,
        contract: &Contract,
        path: &str,
        example: &Example,
    ) -> RequestBuilder {
        let request = server.bare(self.method.clone(), path).bearer_auth(TOKEN);
        let (request, body) = match example {
            Example::Body(body) => (request, Some(body.clone())),
            Example::Parameter { name, place, value } => {
                let request = match place.as_str() {
                    "query" => request.query(&[(name, value)]),
                    "header" => request.header(name, value),
                    "path" => request,
                    place => panic!("a parameter in {place}"),
                };
                (request, self.bodies(contract).into_iter().next())
            }
        };
        match body {
            Some(body) => request.json(&body),
            None => request,
        }
    }
}

#[tokio::test]
async fn every_example_of_a_request_is_answered_with_success_and_declared_headers() {
    let (contract, reading) = (contract(), server().await);
    let (mut parameters, mut bodies, mut wrong) = (BTreeSet::new(), 0, Vec::new());
    let operations = operations(&contract);
    for operation in &operations {
        for example in operation.examples(&contract) {
            match &example {
                Example::Parameter { name, .. } => drop(parameters.insert((operation.id(), name.clone()))),
                Example::Body(_) => bodies += 1,
            }
            // A change would be in the way of the next.
            let fresh;
            let server = match operation.method == Method::GET {
                true => &reading,
                false => {
                    fresh = server().await;
                    &fresh
                }
            };
            let path = operation.addressed(server).await;
            let answer = server
                .send(operation.request(server, &contract, &path, &example))
                .await;
            if !answer.status.is_success() {
                wrong.push(format!(
                    "{} {example:?}: {} {}",
                    operation.id(),
                    answer.status,
                    answer.text
                ));
            }
            let response = &operation.raw["responses"][answer.status.as_str()];
            for header in undeclared(&contract, response, &answer) {
                wrong.push(format!(
                    "{} {}: undeclared {header}",
                    operation.id(),
                    answer.status
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} examples are answered otherwise:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    for (operation, list) in contract.lists() {
        let has = |name: &str| parameters.contains(&(operation.id.as_str(), name.to_owned()));
        assert!(has("sort"), "{} has no example of sort", operation.id);
        assert_eq!(
            has("include"),
            !list.relations.is_empty(),
            "include of {}",
            operation.id
        );
    }
    assert!(bodies >= 5, "only {bodies} bodies");
}

#[tokio::test]
async fn every_example_of_a_refusal_is_what_the_server_answers() {
    let (contract, server) = (contract(), server().await);
    let examples = contract.document().raw()["components"]["examples"]
        .as_object()
        .unwrap();
    let responses = contract.document().raw()["components"]["responses"]
        .as_object()
        .unwrap();
    let problems = examples
        .iter()
        .filter(|(_, example)| example["value"]["code"].is_string());
    let (mut checked, mut wrong) = (BTreeSet::new(), Vec::new());
    for (name, example) in problems.filter(|(name, _)| !OF_TROUBLE.contains(&name.as_str())) {
        let example = &example["value"];
        let instance = example["instance"].as_str().unwrap();
        let path = instance.strip_prefix("/api/v1").unwrap();
        let record = |list: &'static str| async {
            server
                .get(list, &[("filter[state]", "active")])
                .await
                .ids()
                .pop()
                .unwrap()
        };
        let path = match path.split('/').nth(3) {
            Some(id) if id.starts_with("dratr_") => path.replace(id, &record("/directory/attributes").await),
            Some(id) if id.starts_with("wsusr_") => path.replace(id, &record("/workspace/users").await),
            _ => path.to_owned(),
        };
        let request = |method: Method| server.bare(method, &path).bearer_auth(TOKEN);
        let change = || request(Method::PATCH).json(&json!({}));
        let request = match name.as_str() {
            "UnknownParameter" => {
                let parameter = example["errors"][0]["parameter"].as_str().unwrap();
                request(Method::GET).query(&[(parameter, "x")])
            }
            "Unauthorized" => server.bare(Method::GET, &path),
            "Forbidden" => server.bare(Method::PATCH, &path).bearer_auth(READER),
            "NotFound" => request(Method::GET),
            "NotAcceptable" => request(Method::GET).header("accept", "text/html"),
            "Conflict" => request(Method::PATCH).json(&json!({"roles": true})),
            "PreconditionFailed" => change().header("if-match", "\"old\""),
            "TooLarge" => request(Method::PATCH)
                .body(" ".repeat(65_537))
                .header("content-type", "application/json"),
            "UnsupportedMediaType" => request(Method::PATCH)
                .body("roles=true")
                .header("content-type", "application/x-www-form-urlencoded"),
            "BadBody" => request(Method::PATCH).json(&json!({"expires_after_days": 1096})),
            "ReusedKey" => {
                let other = record("/directory/attributes").await;
                let first = server.bare(Method::PATCH, &format!("/directory/attributes/{other}/deprecate"));
                let first = first
                    .bearer_auth(TOKEN)
                    .header("idempotency-key", "k")
                    .json(&json!({}));
                assert_eq!(server.send(first).await.status, 200);
                request(Method::PATCH).header("idempotency-key", "k")
            }
            name => panic!("no request is known that the problem {name} answers"),
        };
        let answer = server.send(request).await;
        let reference = format!("#/components/examples/{name}");
        let response = responses.values().find(|response| {
            let shown = response["content"]["application/problem+json"]["examples"].as_object();
            shown
                .into_iter()
                .flat_map(Map::values)
                .any(|shown| shown["$ref"] == reference)
        });
        for header in undeclared(&contract, response.unwrap(), &answer) {
            wrong.push(format!("{name}: undeclared {header}"));
        }
        let mut answered = answer.json();
        // The request id is new each time, and the record is one of the demo.
        for member in ["request_id", "instance"] {
            assert!(answered[member].is_string(), "{name}: {answered}");
            answered[member] = example[member].clone();
        }
        if answered != *example {
            wrong.push(format!("{name}:\n  shown {example}\n  real  {answered}"));
        }
        checked.insert(name);
    }
    assert!(
        wrong.is_empty(),
        "{} examples are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert_eq!(checked.len(), 11, "{checked:?}");
}
