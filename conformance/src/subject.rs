//! What of the contract is judged on a target: the lists, and on each the filters that the specification gives it.
//!
//! The specification speaks of some lists and of the records of some others. A list of ours that it does not know is
//! read where it is offered, and its records are judged by what the specification says of that record, nothing else.

use std::collections::BTreeMap;

use rollcall_contract::{Contract, Filter, List, Match, Method, Operation, Pointer, Role};

use crate::finding::Clause;
use crate::seen::WITH;

/// A list that is read and judged.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The list operation.
    pub operation: Operation,
    /// What the list can do.
    pub list: List,
    /// Whether the specification has the list; if not, a target need not offer it.
    pub specified: bool,
    /// The operation that shows one record, where the contract has one.
    pub single: Option<Operation>,
    /// The filters to judge: those that stand in a clause that also has the list. A convention that only *may* hold for
    /// this list is not judged, nor a filter whose name or meaning is open, unless the run is told its name.
    pub filters: Vec<JudgedFilter>,
    /// The parameter that speaks of soft deletion, and the member that shows it.
    trashed: Option<(String, Pointer)>,
}

/// A filter that the specification gives to a list.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedFilter {
    /// The parameter's name.
    pub name: String,
    /// The clause that has it.
    pub clause: Clause,
    /// What it means.
    pub filter: Filter,
}

impl Subject {
    /// The lists of a contract that the specification has, or whose records it has.
    /// `searches` gives names to the partial filters that have none of their own (L11), by the last part of their member.
    pub fn all(contract: &Contract, searches: &BTreeMap<String, String>) -> Vec<Self> {
        let lists = contract.lists().map(|(operation, list)| Self {
            specified: is_specified(operation),
            single: single(contract, operation).cloned(),
            filters: judged(operation, searches),
            trashed: trashed(operation),
            operation: operation.clone(),
            list: list.clone(),
        });
        lists
            .filter(|subject| subject.specified || describes(contract, &subject.list.record))
            .collect()
    }

    /// How reports call the list.
    pub fn name(&self) -> &str {
        &self.operation.path
    }

    /// The parameter and the word that make the list show soft-deleted records too.
    pub fn with_trashed(&self) -> Option<(&str, &'static str)> {
        self.trashed.as_ref().map(|(name, _)| (name.as_str(), WITH))
    }

    /// The filters of one kind.
    pub fn matching(&self, matching: Match) -> impl Iterator<Item = &JudgedFilter> {
        self.filters
            .iter()
            .filter(move |judged| judged.filter.matching == matching)
    }

    /// The filter by the record's own identifier.
    pub(crate) fn by_identifier(&self) -> Option<&JudgedFilter> {
        self.matching(Match::Exact)
            .find(|judged| judged.filter.fields == [identifier()])
    }

    /// Whether a parameter is the filter that speaks of soft deletion.
    pub(crate) fn is_trashed(&self, name: &str) -> bool {
        self.trashed.as_ref().is_some_and(|(own, _)| own == name)
    }

    /// The member that shows soft deletion.
    pub(crate) fn deletion_mark(&self) -> Option<&Pointer> {
        self.trashed.as_ref().map(|(_, mark)| mark)
    }

    /// Whether a record shows that it is soft-deleted.
    pub(crate) fn is_deleted(&self, record: &serde_json::Value) -> bool {
        let mark = self.trashed.as_ref().and_then(|(_, mark)| mark.find(record));
        mark.is_some_and(|mark| !mark.is_null())
    }

    /// The name of the parameter that plays a role.
    pub fn parameter(&self, role: Role) -> Option<&str> {
        self.operation.role(role).map(|parameter| parameter.name.as_str())
    }

    /// The sort field that looks at the identifier.
    pub fn sort_by_id(&self) -> Option<&str> {
        self.list
            .sort
            .iter()
            .find(|(_, field)| *field == identifier())
            .map(|(name, _)| name.as_str())
    }
}

/// Where the identifier of any record stands, §2.
pub(crate) fn identifier() -> Pointer {
    Pointer::of(["id"])
}

/// The identifier of a record, if it shows one.
pub(crate) fn id_of(record: &serde_json::Value) -> Option<&str> {
    record.get("id")?.as_str()
}

fn is_specified(operation: &Operation) -> bool {
    !operation.origin.extension && !operation.origin.source.is_empty()
}

/// Whether the specification describes the component schema `record`.
fn describes(contract: &Contract, record: &str) -> bool {
    let at = Pointer::of(["components", "schemas", record]);
    let mark = contract.marks.iter().find(|mark| mark.at == at);
    mark.is_some_and(|mark| !mark.origin.extension && !mark.origin.source.is_empty())
}

/// The GET of one record of a list: its path is the list's with one parameter more.
fn single<'c>(contract: &'c Contract, list: &Operation) -> Option<&'c Operation> {
    contract.operations.iter().find(|operation| {
        let rest = operation
            .path
            .strip_prefix(&list.path)
            .and_then(|rest| rest.strip_prefix("/{"));
        operation.method == Method::Get && rest.is_some_and(|rest| rest.ends_with('}') && !rest.contains('/'))
    })
}

/// The parameter that speaks of soft deletion, and the member it looks at.
fn trashed(operation: &Operation) -> Option<(String, Pointer)> {
    let mut filters = operation.filters();
    filters.find_map(|(parameter, filter)| {
        let is_trashed = filter.matching == Match::Trashed;
        Some((
            parameter.name.clone(),
            filter.fields.first().filter(|_| is_trashed)?.clone(),
        ))
    })
}

fn judged(operation: &Operation, searches: &BTreeMap<String, String>) -> Vec<JudgedFilter> {
    let filters = operation.filters().filter_map(|(parameter, filter)| {
        let origin = &parameter.origin;
        let clause = origin
            .source
            .iter()
            .find(|clause| operation.origin.source.contains(clause))?;
        let is_open = |point| origin.open_points.iter().any(|open| open == point);
        if origin.extension || is_open(NO_MEANING) {
            return None;
        }
        let name = match is_open(NO_NAME) {
            true => searches.get(filter.fields.first()?.last()?)?,
            false => &parameter.name,
        };
        Some(JudgedFilter {
            name: name.clone(),
            clause: Clause::of_source(std::slice::from_ref(clause)),
            filter: filter.clone(),
        })
    });
    filters.collect()
}

/// The open point of filters that have no name of their own.
pub(crate) const NO_NAME: &str = "L11";
/// The open point of a filter whose meaning is not given.
const NO_MEANING: &str = "L12";

#[cfg(test)]
mod tests {
    use super::*;

    fn subjects() -> Vec<Subject> {
        Subject::all(&Contract::parse(crate::OUR_CONTRACT).unwrap(), &BTreeMap::new())
    }

    #[test]
    fn lists_the_specification_knows_nothing_of_are_not_judged() {
        let names: Vec<_> = subjects()
            .iter()
            .map(|subject| (subject.name().to_owned(), subject.specified))
            .collect();
        let expected = [
            ("/directory/users", true),
            ("/directory/attributes", false),
            ("/directory/dimensions", true),
            ("/workspace/users", false),
        ];
        assert_eq!(
            names,
            expected.map(|(name, specified)| (name.to_owned(), specified))
        );
    }

    #[test]
    fn only_filters_the_specification_gives_to_a_list_are_judged_on_it() {
        let count: Vec<_> = subjects()
            .iter()
            .map(|subject| subject.matching(Match::Exact).count())
            .collect();
        assert_eq!(count, [13, 0, 1, 0]);
    }

    #[test]
    fn a_single_record_is_found_below_its_list() {
        assert!(subjects().iter().all(|subject| subject.single.is_some()));
    }
}
