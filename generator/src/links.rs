//! Where the links of a record lead. Every link is the record itself or a list filtered by the record's id.

use rollcall_contract::{Contract, Link};

use crate::Error;

/// The members of `links` of a record or summary, each with the text between the base address and the id, which always
/// comes last; in document order.
pub(crate) fn paths(contract: &Contract, schema: &str) -> Result<Vec<(String, String)>, Error> {
    let links = contract.links(schema)?.into_iter();
    links
        .map(|link| Ok((link.member.clone(), path(contract, &link)?)))
        .collect()
}

fn path(contract: &Contract, link: &Link) -> Result<String, Error> {
    let wrong = |why: &str| Error::Unsupported {
        at: format!("x-link of {}", link.member),
        why: why.to_owned(),
    };
    let operation = contract
        .operation(&link.operation)
        .ok_or_else(|| wrong("no such operation"))?;
    match &link.filter {
        Some(filter) => {
            let name = filter.replace('[', "%5B").replace(']', "%5D");
            Ok(format!("{}?{name}=", operation.path))
        }
        None => {
            let end = operation.path.find('{').filter(|_| operation.path.ends_with('}'));
            let end = end.ok_or_else(|| wrong("the path of a single record ends in its id"))?;
            Ok(operation.path[..end].to_owned())
        }
    }
}
