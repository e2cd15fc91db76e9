//! Which members of a record are columns.

use clap::ArgMatches;
use rollcall_contract::{Contract, Operation, Pointer};
use serde_json::Value;

use crate::Failure;

/// The columns of a table and of CSV.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// The columns that fit a terminal.
    pub(crate) few: Vec<Pointer>,
    /// All members of the record.
    pub(crate) all: Vec<Pointer>,
    /// Whether they were asked for by name.
    pub(crate) are_named: bool,
}

/// The most columns of a table, unless others are named.
const FEW: usize = 7;

/// The columns that are named, or those of the operation's record; and what `include` asks for.
pub(crate) fn of(
    contract: &Contract,
    operation: &Operation,
    arguments: &ArgMatches,
) -> Result<Columns, Failure> {
    let record = operation.answer.schema.as_deref().unwrap_or_default();
    let mut all = Vec::new();
    leaves(contract, record, &Pointer::root(), &mut all);
    if let Some(named) = arguments.get_many::<String>("columns") {
        let named = named
            .map(|name| known(name, &all))
            .collect::<Result<Vec<_>, _>>()?;
        return Ok(Columns {
            few: named.clone(),
            all: named,
            are_named: true,
        });
    }
    let included = included(operation, arguments);
    // What a record shows first are the members of its summary, if it has one. The id of another record tells a reader least.
    let scalars = all
        .iter()
        .filter(|pointer| pointer.segments().len() == 1 && is_scalar(contract, record, pointer));
    let (references, own): (Vec<_>, Vec<_>) = scalars.partition(|pointer| name(pointer).ends_with("_id"));
    let few = own.into_iter().chain(references).take(FEW);
    let few = few.chain(&included).cloned().collect();
    all.extend(included);
    let are_named = false;
    Ok(Columns { few, all, are_named })
}

/// The member with this name: one of the record, an object of them, or something in a member that may hold anything. What
/// `include` brings depends on the request.
fn known(text: &str, members: &[Pointer]) -> Result<Pointer, Failure> {
    let pointer = Pointer::of(text.split('.'));
    let segments = pointer.segments();
    let is_other = matches!(segments.first().map(String::as_str), Some("included" | "links"));
    let is_beside = |member: &Pointer| {
        let shared = member.segments().len().min(segments.len());
        member.segments()[..shared] == segments[..shared]
    };
    if is_other || members.iter().any(is_beside) {
        return Ok(pointer);
    }
    let names: Vec<String> = members.iter().map(name).collect();
    let near = names
        .iter()
        .max_by(|one, other| strsim::jaro_winkler(one, text).total_cmp(&strsim::jaro_winkler(other, text)));
    let near = near
        .map(|near| format!("; did you mean {near}?"))
        .unwrap_or_default();
    Err(Failure::Usage(format!(
        "--columns: the record has no member {text:?}{near}\n  --columns takes: {}",
        names.join(", ")
    )))
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
            _ if word == relation.name => Some(relation.at.clone()),
            _ if word == relation.count_name() => relation.number_at.clone(),
            _ if word == relation.exists_name() => relation.existence_at.clone(),
            _ => None,
        })
    });
    members.collect()
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

/// Text of a server for a terminal: without control characters.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .map(|one| if one.is_control() { '\u{fffd}' } else { one })
        .collect()
}
