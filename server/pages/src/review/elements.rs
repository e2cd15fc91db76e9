//! The names of elements of the contract.

use rollcall_contract::{Contract, Origin, Pointer};

/// The elements whose origin passes, each once, in the order of the document.
pub(super) fn elements(contract: &Contract, passes: impl Fn(&Origin) -> bool) -> Vec<String> {
    let mut names = Vec::new();
    for mark in contract.marks.iter().filter(|mark| passes(&mark.origin)) {
        let name = name(contract, &mark.at);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// A name for a place of the contract: the parameter, the operation, or the schema with its member.
fn name(contract: &Contract, at: &Pointer) -> String {
    let segments: Vec<_> = at.segments().iter().map(String::as_str).collect();
    let parameter = || at.find(contract.document().raw())?.get("name")?.as_str();
    match segments.as_slice() {
        ["paths", path, method] => format!("{} {path}", method.to_uppercase()),
        ["paths", _, _, "parameters", _] | ["components", "parameters", _] => {
            parameter().unwrap_or_default().to_owned()
        }
        ["components", _, name] => (*name).to_owned(),
        ["components", "schemas", name, below @ ..] => {
            let members: Vec<_> = below
                .iter()
                .filter(|one| **one != "properties")
                .copied()
                .collect();
            format!("{name}/{}", members.join("/"))
        }
        other => other.join("/"),
    }
}
