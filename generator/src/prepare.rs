//! The copy of the contract that progenitor reads. It understands less than OpenAPI says; the original stays as it is.

use rollcall_contract::Contract;
use serde_json::Value;

/// What is changed: annotations go; "one of these or null" becomes `nullable`, which it reads loosely; problem+json is called JSON, so that errors are typed; an answer without a body (304)
/// goes, because progenitor knows one success and one error type an operation.
pub(crate) fn for_progenitor(contract: &Contract) -> Value {
    let mut copy = contract.document().raw().clone();
    simplify(contract, &mut copy);
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
        }
    }
    copy
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
            members.values_mut().for_each(|member| simplify(contract, member));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| simplify(contract, item)),
        _ => {}
    }
}
