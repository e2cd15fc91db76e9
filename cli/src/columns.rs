//! Which members of a record are columns.

use clap::ArgMatches;
use rollcall_contract::{Contract, Operation, Pointer};
use serde_json::Value;

/// The columns of a table and of CSV.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// Those that fit a terminal.
    pub(crate) few: Vec<Pointer>,
    /// All members of the record.
    pub(crate) all: Vec<Pointer>,
}

/// The most columns of a table, unless others are named.
const FEW: usize = 7;

/// The columns that are named, or those of the operation's record; and what `include` asks for.
pub(crate) fn of(contract: &Contract, operation: &Operation, arguments: &ArgMatches) -> Columns {
    if let Some(named) = arguments.get_many::<String>("columns") {
        let named: Vec<Pointer> = named.map(|name| Pointer::of(name.split('.'))).collect();
        return Columns {
            few: named.clone(),
            all: named,
        };
    }
    let record = operation.answer.schema.as_deref().unwrap_or_default();
    let mut all = Vec::new();
    leaves(contract, record, &Pointer::root(), &mut all);
    let included = included(operation, arguments);
    // What a record shows first are the members of its summary, if it has one.
    let few = all
        .iter()
        .filter(|pointer| pointer.segments().len() == 1 && is_scalar(contract, record, pointer));
    let few = few.take(FEW).chain(&included).cloned().collect();
    all.extend(included);
    Columns { few, all }
}

/// The members of an object that are no objects of the contract. Links are addresses of this API; what is included depends on
/// the request.
fn leaves(contract: &Contract, record: &str, at: &Pointer, found: &mut Vec<Pointer>) {
    for name in contract.member_names(record, at) {
        let member = at.child(name);
        let has_members = !contract.member_names(record, &member).is_empty();
        match (at.segments().is_empty(), name) {
            (true, "links" | "included") => {}
            _ if has_members => leaves(contract, record, &member, found),
            _ => found.push(member),
        }
    }
}

fn is_scalar(contract: &Contract, record: &str, member: &Pointer) -> bool {
    let schema = contract.member_schema(record, member);
    let kind = schema.and_then(|schema| contract.document().underlying(schema).get("type")?.as_str());
    !matches!(kind, Some("object" | "array"))
}

/// The members of `included` that the words of `--include` ask for.
fn included(operation: &Operation, arguments: &ArgMatches) -> Vec<Pointer> {
    let words = arguments.try_get_one::<String>("include").ok().flatten();
    let words = words.into_iter().flat_map(|words| words.split(','));
    let relations = operation.list.iter().flat_map(|list| &list.relations);
    let members = words.filter_map(|word| {
        relations.clone().find_map(|relation| match word {
            _ if word == relation.name => Some(relation.member.clone()),
            _ if word == relation.count_name() => Some(relation.count_member()),
            _ if word == relation.exists_name() => Some(relation.exists_member()),
            _ => None,
        })
    });
    members
        .map(|member| Pointer::root().child("included").child(&member))
        .collect()
}

/// The name of a column: `timestamp.created_at`.
pub(crate) fn name(pointer: &Pointer) -> String {
    pointer.segments().join(".")
}

/// The text of a record in a column: nothing where the member is null or absent, JSON where it is an object or array.
pub(crate) fn cell(record: &Value, pointer: &Pointer) -> String {
    match pointer.find(record) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    }
}
