//! The copy of the contract that progenitor reads. It understands less than OpenAPI says; the original stays as it is.

use rollcall_contract::Contract;
use serde_json::{Map, Value, json};

/// These things change:
/// - a parameter that operations share is written in each of them, with the origin that it has there;
/// - annotations go;
/// - "one of these or null" becomes `nullable`, which it reads loosely;
/// - problem+json is called JSON, so that errors are typed;
/// - an answer without a body (304) goes, because progenitor knows one success and one error type of an operation;
/// - for a client of any server, every success and every error of an operation has one status;
/// - the array of a comma-separated parameter becomes a string, because progenitor would send a parameter for each item.
pub(crate) fn for_progenitor(contract: &Contract, is_open: bool) -> Value {
    let mut copy = contract.document().raw().clone();
    write_parameters(contract, &mut copy);
    simplify(contract, &mut copy);
    drop_words(contract, &mut copy);
    if let Some(paths) = copy.get_mut("paths").and_then(Value::as_object_mut) {
        let operations = paths
            .values_mut()
            .filter_map(Value::as_object_mut)
            .flat_map(|item| item.values_mut());
        for responses in operations
            .filter_map(|one| one.get_mut("responses"))
            .filter_map(Value::as_object_mut)
        {
            responses.retain(|status, _| !status.starts_with('3'));
            if is_open {
                any_status(responses);
            }
        }
    }
    copy
}

/// Writes the parameters of each operation in it, as the operation has them.
fn write_parameters(contract: &Contract, copy: &mut Value) {
    for operation in &contract.operations {
        let own = copy.pointer_mut(&format!("{}/parameters", operation.at));
        let Some(Value::Array(own)) = own else { continue };
        for written in own {
            *written = contract.document().resolve(written).clone();
            let mut parameters = operation.parameters.iter();
            if let Some(parameter) = parameters.find(|one| written["name"] == one.name.as_str())
                && let Some(description) = &parameter.description
            {
                written["description"] = json!(description);
            }
        }
    }
}

/// One answer for success, and one for each kind of error, which look alike.
fn any_status(responses: &mut Map<String, Value>) {
    let of = |first: char| {
        let mut all = responses.iter();
        all.find_map(|(status, response)| status.starts_with(first).then(|| response.clone()))
    };
    let (success, error) = (of('2'), of('4'));
    let statuses = [("2XX", success), ("4XX", error.clone()), ("5XX", error)];
    let statuses = statuses
        .into_iter()
        .filter_map(|(status, response)| Some((status.to_owned(), response?)));
    *responses = statuses.collect();
}

fn simplify(contract: &Contract, value: &mut Value) {
    match value {
        Value::Object(members) => {
            let or_null = contract.document().or_null_in(members).cloned();
            if let Some(one) = or_null {
                members.shift_remove("anyOf");
                members.insert("nullable".into(), true.into());
                members.insert("allOf".into(), vec![one].into());
            }
            members.retain(|name, _| !name.starts_with("x-"));
            if let Some(problem) = members.shift_remove("application/problem+json") {
                members.insert("application/json".into(), problem);
            }
            if members.shift_remove("explode") == Some(false.into()) {
                members.shift_remove("style");
                members.insert("schema".into(), json!({"type": "string"}));
            }
            members.values_mut().for_each(|member| simplify(contract, member));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| simplify(contract, item)),
        _ => {}
    }
}

/// Drops the enums that only `include` and `sort` refer to: the list tables have their words.
fn drop_words(contract: &Contract, copy: &mut Value) {
    let schemas = copy
        .pointer_mut("/components/schemas")
        .and_then(Value::as_object_mut);
    let Some(schemas) = schemas else { return };
    let parameters = contract
        .operations
        .iter()
        .flat_map(|operation| &operation.parameters);
    for parameter in parameters.filter(|parameter| parameter.is_comma_separated) {
        if let Some(name) = contract.document().schema_name(&parameter.schema["items"]) {
            schemas.shift_remove(name);
        }
    }
}
