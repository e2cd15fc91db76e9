//! The origin of a parameter that operations share, in words: its own description says it for all uses, the parameter of an
//! operation for this use.

use std::collections::BTreeMap;

use crate::words::with_rulings;
use crate::{Operation, Origin, Pointer};

/// Where the uses of the parameter at a place come from, such as
/// ``Specified in §4.1 for `GET /users`; an extension elsewhere; ruling L16.`` None if no operation uses it.
pub(crate) fn origin_of_uses(operations: &[Operation], at: &Pointer) -> Option<String> {
    let uses: Vec<_> = operations
        .iter()
        .flat_map(|operation| operation.parameters.iter().map(move |one| (operation, one)))
        .filter(|(_, parameter)| &parameter.at == at)
        .map(|(operation, parameter)| (operation, &parameter.origin))
        .collect();
    let (_, first) = uses.first()?;
    if uses.iter().all(|(_, origin)| origin == first) {
        return first.in_words();
    }
    let mut specified: Vec<(&Origin, Vec<String>)> = Vec::new();
    for (operation, origin) in uses.iter().filter(|(_, origin)| !origin.extension) {
        let request = format!("`{} {}`", operation.method, operation.path);
        match specified.iter_mut().find(|(known, _)| known == origin) {
            Some((_, requests)) => requests.push(request),
            None => specified.push((origin, vec![request])),
        }
    }
    let clauses = specified.iter().map(|(origin, requests)| {
        let clauses = origin.source.join(", ");
        format!("in {clauses} for {}", requests.join(", "))
    });
    let clauses = clauses.collect::<Vec<_>>().join(", ");
    let elsewhere = match uses.iter().any(|(_, origin)| origin.extension) {
        true => "; an extension elsewhere",
        false => "",
    };
    with_rulings(
        Some(format!("Specified {clauses}{elsewhere}")),
        &first.open_points,
    )
}

/// Ends the description of each shared parameter with the origin that it has in the operation.
pub(crate) fn describe(operations: &mut [Operation]) {
    let shared = operations.iter().flat_map(|operation| &operation.parameters);
    let shared = shared.filter(|parameter| parameter.is_shared());
    let of_uses: BTreeMap<_, _> = shared
        .filter_map(|parameter| Some((parameter.at.clone(), origin_of_uses(operations, &parameter.at)?)))
        .collect();
    let parameters = operations
        .iter_mut()
        .flat_map(|operation| &mut operation.parameters);
    for parameter in parameters {
        let (Some(end), Some(description)) = (of_uses.get(&parameter.at), &mut parameter.description) else {
            continue;
        };
        if let (Some(text), Some(own)) = (
            description.trim_end().strip_suffix(end),
            parameter.origin.in_words(),
        ) {
            *description = format!("{text}{own}");
        }
    }
}
