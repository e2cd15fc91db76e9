//! §5, writing: without the token nothing is written.
//!
//! Only requests that have to be refused are sent, on ids found by reading, and none at all where even reading is open
//! to everybody: there a write would be carried out.

use rollcall_contract::{Contract, Method, Operation, Parameter, Pointer};
use serde_json::{Map, Value, json};

use super::Looking;
use crate::context::Context;
use crate::corpus::Look;
use crate::exchange::Exchange;
use crate::finding::Finding;
use crate::members::names;
use crate::outcome::Tally;
use crate::request::{Credentials, Request, Wrong, segment};
use crate::subject::id_of;
use crate::target::Trouble;

/// The record to write to, and the request that shows whether it changed.
struct Victim {
    id: String,
    witness: Option<Request>,
}

const REFUSED: [Credentials; 2] = [Credentials::Nothing, Credentials::Wrong(Wrong::Other)];

pub(super) fn refused(context: &mut Context) -> Looking<'_> {
    Box::pin(async {
        let mut tally = Tally::default();
        let operations = context.contract.operations.iter();
        let writes =
            operations.filter(|operation| operation.method == Method::Patch && !operation.origin.extension);
        for operation in writes.cloned().collect::<Vec<_>>() {
            if reading_is_open(context).await? {
                tally.gap("protected reading: where anybody may read, a write might be carried out");
                break;
            }
            match victim(context, &operation).await? {
                None => tally.gap(format!("an id for {}", operation.path)),
                Some(victim) => attempt(context, &operation, &victim, &mut tally).await?,
            }
        }
        Ok(tally)
    })
}

async fn attempt(
    context: &Context,
    operation: &Operation,
    victim: &Victim,
    tally: &mut Tally,
) -> Result<(), Trouble> {
    let base = &context.target.config().base_url;
    for credentials in REFUSED {
        let request = Request::patch(path(operation, &victim.id), body(context, operation), credentials);
        let before = witnessed(context, victim).await?;
        let exchange = context.target.send(&request).await?;
        let finding = |actual: String, evidence: Vec<&Exchange>| Finding {
            about: operation.path.clone(),
            clause: "§5".to_owned(),
            expected: format!("a refusal {}, and an unchanged record", credentials.describe()),
            actual,
            evidence: evidence
                .into_iter()
                .map(|exchange| exchange.evidence(base))
                .collect(),
        };
        if exchange.is_success() {
            // One unprotected write is enough.
            tally.finding(finding(format!("status {}", exchange.status), vec![&exchange]));
            return Ok(());
        }
        if let Some((before, _)) = &before
            && let Some((after, shown)) = witnessed(context, victim).await?
            && *before != after
        {
            match changes_again(context, &request, victim).await? {
                true => {
                    let actual = format!("status {}, and the record {} changed", exchange.status, victim.id);
                    tally.finding(finding(actual, vec![&exchange, &shown]));
                    return Ok(());
                }
                false => tally.moved(format!("{} changed while a write to it was refused", victim.id)),
            }
        }
        match matches!(exchange.status, 401 | 403) {
            true => tally.case(),
            false => tally.gap(format!(
                "{} refused with 401 or 403: {} may have another reason",
                operation.path, exchange.status
            )),
        }
    }
    Ok(())
}

/// Whether the record changes once more when the refused request is sent once more: data that moves rarely does.
async fn changes_again(context: &Context, request: &Request, victim: &Victim) -> Result<bool, Trouble> {
    for _ in 0..3 {
        let before = witnessed(context, victim).await?;
        context.target.send(request).await?;
        let after = witnessed(context, victim).await?;
        if before.map(|(record, _)| record) != after.map(|(record, _)| record) {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn reading_is_open(context: &Context) -> Result<bool, Trouble> {
    for list in context.corpus.lists.iter().filter(|list| list.offered) {
        for credentials in REFUSED {
            let request = Request::get(&list.subject.operation.path).showing(credentials);
            if context.target.send(&request).await?.is_success() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// A record the operation could be applied to: from a list of such records, else from a relation that names one.
async fn victim(context: &mut Context, operation: &Operation) -> Result<Option<Victim>, Trouble> {
    let Some(parameter) = operation.path_parameters().next().cloned() else {
        return Ok(None);
    };
    for index in 0..context.corpus.lists.len() {
        let list = context.list(index);
        if operation.answer.schema.as_ref() == Some(&list.subject.list.record)
            && let Some(view) = list.view(&Look::Default)
            && let Some((id, _)) = view.records().find(|(_, record)| id_of(record).is_some())
        {
            let id = id.to_owned();
            let single = list.subject.single.clone();
            return Ok(Some(Victim {
                witness: witness(context, single, &id).await?,
                id,
            }));
        }
    }
    for index in 0..context.corpus.lists.len() {
        if let Some(id) = related(context, index, &parameter).await? {
            let lists = context.corpus.lists.iter().map(|list| &list.subject);
            let same = lists.filter(|subject| operation.answer.schema.as_ref() == Some(&subject.list.record));
            let single = same.filter_map(|subject| subject.single.clone()).next();
            return Ok(Some(Victim {
                witness: witness(context, single, &id).await?,
                id,
            }));
        }
    }
    Ok(None)
}

/// The id of the parameter's kind that some relation of a list shows.
async fn related(
    context: &mut Context,
    list: usize,
    parameter: &Parameter,
) -> Result<Option<String>, Trouble> {
    let contract = std::sync::Arc::clone(&context.contract);
    for relation in context.list(list).subject.list.relations.clone() {
        let Some(schema) = &relation.record else { continue };
        let is_wanted = |member: &str| {
            let written = contract.member_schema(schema, &Pointer::of([member]));
            let name = written.and_then(|written| contract.document().schema_name(written));
            name.is_some() && name == parameter.schema_name.as_deref()
        };
        if !names(&contract, contract.document().schema(schema))
            .iter()
            .any(|name| is_wanted(name))
        {
            continue;
        }
        let Some(view) = context
            .view(list, &Look::Including(relation.name.clone()))
            .await?
        else {
            continue;
        };
        let at = Pointer::of(["included", &relation.member]);
        let included = view.records().filter_map(|(_, record)| at.find(record));
        let mut records = included.flat_map(|value| match value {
            Value::Array(records) => records.iter().collect::<Vec<_>>(),
            one => vec![one],
        });
        let prefix = prefix(&contract, parameter);
        let id = records.find_map(|record| {
            let mut members = record.as_object()?.iter().filter(|(name, _)| is_wanted(name));
            members.find_map(|(_, value)| {
                value
                    .as_str()
                    .filter(|id| id.starts_with(&prefix))
                    .map(str::to_owned)
            })
        });
        if id.is_some() {
            return Ok(id);
        }
    }
    Ok(None)
}

/// What ids of the parameter's kind begin with.
fn prefix(contract: &Contract, parameter: &Parameter) -> String {
    let schema = contract.document().underlying(&parameter.schema);
    let pattern = schema.get("pattern").and_then(Value::as_str).unwrap_or_default();
    pattern
        .trim_start_matches('^')
        .split('[')
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// The request for the single record, if the target offers it.
async fn witness(context: &Context, single: Option<Operation>, id: &str) -> Result<Option<Request>, Trouble> {
    let Some(single) = single else { return Ok(None) };
    let request = Request::get(path(&single, id));
    let exchange = context.target.send(&request).await?;
    Ok((exchange.is_success() && exchange.json().is_some()).then_some(request))
}

/// The record as it is, without what may change by being looked at: counts of log entries, links, relations.
async fn witnessed(context: &Context, victim: &Victim) -> Result<Option<(Value, Exchange)>, Trouble> {
    let Some(request) = &victim.witness else {
        return Ok(None);
    };
    let exchange = context.target.send(request).await?;
    let record = exchange.json().map(|mut record| {
        if let Some(members) = record.as_object_mut() {
            members.retain(|name, _| !["count", "links", "included"].contains(&name.as_str()));
        }
        record
    });
    Ok(record.map(|record| (record, exchange)))
}

fn path(operation: &Operation, id: &str) -> String {
    let mut path = operation.path.clone();
    for parameter in operation.path_parameters() {
        path = path.replace(&format!("{{{}}}", parameter.name), &segment(id));
    }
    path
}

/// A body the operation would accept: what it requires, and the largest of each number, which does the least.
fn body(context: &Context, operation: &Operation) -> Value {
    let document = context.contract.document();
    let schema = operation
        .request_body
        .as_deref()
        .and_then(|name| document.schema(name));
    let Some(schema) = schema.map(|schema| document.underlying(schema)) else {
        return json!({});
    };
    let required = |name: &str| {
        let names = schema["required"].as_array();
        names.is_some_and(|names| names.iter().any(|one| one == name))
    };
    let mut body = Map::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let property = document.underlying(property);
        match property["type"].as_str() {
            Some("boolean") if required(name) => _ = body.insert(name.clone(), json!(true)),
            Some("string") if required(name) => _ = body.insert(name.clone(), property["example"].clone()),
            Some("integer") if property.get("maximum").is_some() => {
                body.insert(name.clone(), property["maximum"].clone());
            }
            _ => {}
        }
    }
    Value::Object(body)
}
