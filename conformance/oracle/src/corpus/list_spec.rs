//! What of the contract is judged on a target: the lists, and on each the filters that the specification gives it.
//!
//! The specification speaks of some lists and of the records of some others. A list of ours that it does not know is
//! read where it is offered, and its records are judged by what the specification says of that record, nothing else.

use std::collections::BTreeMap;

use rollcall_contract::{
    Contract, Filter, Frame, List, Match, Method, Operation, Parameter, Pointer, Relation, Role, TrashedWords,
};

use crate::corpus::clause::Clause;
use crate::corpus::members::names;
use crate::corpus::projection::DeletedScope;
use crate::open_points::blanks::Blanks;
use crate::open_points::related_number::RelatedNumbers;

/// A list that is read and judged.
#[derive(Clone, Debug)]
pub struct ListSpec {
    /// The list operation.
    pub operation: Operation,
    /// What the list can do.
    pub list: List,
    /// Whether the specification has the list; if not, a target need not offer it.
    pub specified: bool,
    /// Where its records show their identifier.
    pub identifier: Pointer,
    /// Where the parts of its records are.
    pub frame: Frame,
    /// The operation that shows one record, where the contract has one.
    pub single: Option<Operation>,
    /// The filters to judge: those that stand in a clause that also has the list. A convention that only *may* hold for
    /// this list is not judged, nor a filter whose name or meaning is open, unless the run is told its name.
    pub filters: Vec<JudgedFilter>,
    /// Where its records show the numbers of their relations.
    pub numbers: RelatedNumbers,
    /// Whether the specification says which relations the list takes; other lists take those that they have.
    pub allows_relations: bool,
    /// How it speaks of soft deletion.
    trashed: Option<SoftDeletion>,
}

/// How a list speaks of soft deletion.
#[derive(Clone, Debug)]
struct SoftDeletion {
    /// The parameter.
    name: String,
    /// The member that shows it.
    mark: Pointer,
    /// The values of the parameter.
    words: TrashedWords,
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
    /// Whether it looks at the identifier of the record, for exactly its value.
    pub identifies: bool,
    /// What the target does with blanks around its value; they are kept until it has shown that it cuts them off.
    pub blanks: Blanks,
}

impl ListSpec {
    /// The lists of a contract that the specification has, or whose records it has.
    /// `searches` gives names to the partial filters that have none of their own (L11), by the last part of their member.
    pub fn all(contract: &Contract, searches: &BTreeMap<String, String>) -> Vec<Self> {
        let lists = contract.lists().map(|(operation, list)| Self {
            identifier: contract.identifier.clone(),
            frame: contract.frame.clone(),
            specified: is_specified(operation),
            single: single(contract, operation).cloned(),
            filters: judged(contract, operation, searches),
            numbers: RelatedNumbers::beside(
                names(contract, contract.document().schema(&list.record)),
                &contract.frame,
            ),
            allows_relations: allows_relations(contract, operation),
            trashed: trashed(operation),
            operation: operation.clone(),
            list: list.clone(),
        });
        lists
            .filter(|spec| spec.specified || describes(contract, &spec.list.record))
            .collect()
    }

    /// How reports call the list.
    pub fn name(&self) -> &str {
        &self.operation.path
    }

    /// The parameter and the word that make the list show soft-deleted records too.
    pub fn with_trashed(&self) -> Option<(&str, &str)> {
        self.trashed(DeletedScope::With)
    }

    /// The parameter and the word that make the list show soft-deleted records in one of two ways.
    pub fn trashed(&self, scope: DeletedScope) -> Option<(&str, &str)> {
        let trashed = self.trashed.as_ref()?;
        let word = match scope {
            DeletedScope::With => &trashed.words.with,
            DeletedScope::Only => &trashed.words.only,
        };
        Some((&trashed.name, word))
    }

    /// The values of that parameter.
    pub fn trashed_words(&self) -> Option<&TrashedWords> {
        self.trashed.as_ref().map(|trashed| &trashed.words)
    }

    /// The filters of one kind.
    pub fn matching(&self, matching: Match) -> impl Iterator<Item = &JudgedFilter> {
        self.filters
            .iter()
            .filter(move |judged| judged.filter.matching == matching)
    }

    /// The filter by the record's own identifier.
    pub fn by_identifier(&self) -> Option<&JudgedFilter> {
        self.matching(Match::Exact).find(|judged| judged.identifies)
    }

    /// Whether a parameter is the filter that speaks of soft deletion.
    pub fn is_trashed(&self, name: &str) -> bool {
        self.trashed.as_ref().is_some_and(|own| own.name == name)
    }

    /// The member that shows soft deletion.
    pub fn deletion_mark(&self) -> Option<&Pointer> {
        self.trashed.as_ref().map(|own| &own.mark)
    }

    /// Whether a record shows that it is soft-deleted.
    pub fn is_deleted(&self, record: &serde_json::Value) -> bool {
        let mark = self.deletion_mark().and_then(|mark| mark.find(record));
        mark.is_some_and(|mark| !mark.is_null())
    }

    /// The name of the parameter that plays a role.
    pub fn parameter(&self, role: Role) -> Option<&str> {
        self.operation.role(role).map(|parameter| parameter.name.as_str())
    }

    /// Whether the related records of a relation may be records of the list. Where records refer to others by more than an
    /// identifier, records of another type may have the same one.
    pub fn may_have(&self, relation: &Relation) -> bool {
        self.frame.related.linked.is_none() || relation.record.as_ref() == Some(&self.list.record)
    }

    /// The sort field that looks at the identifier.
    pub fn sort_by_id(&self) -> Option<&str> {
        self.list
            .sort
            .iter()
            .find(|(_, field)| *field == self.identifier)
            .map(|(name, _)| name.as_str())
    }
}

/// Whether the contract has an operation as part of what it is judged by, and not as an extension.
fn is_specified(operation: &Operation) -> bool {
    !operation.origin.extension
}

/// Whether a list takes the relations that the contract has, as far as the contract does not leave others open.
fn allows_relations(contract: &Contract, operation: &Operation) -> bool {
    operation.role(Role::Include).is_some_and(|include| {
        let relations = contract.document().underlying(&include.schema["items"]);
        !include.origin.extension && relations["x-extensible"] != true
    })
}

/// Whether the specification describes the component schema `record`.
fn describes(contract: &Contract, record: &str) -> bool {
    let at = Pointer::of(["components", "schemas", record]);
    let mark = contract.marks.iter().find(|mark| mark.at == at);
    mark.is_none_or(|mark| !mark.origin.extension)
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

/// How a list speaks of soft deletion.
fn trashed(operation: &Operation) -> Option<SoftDeletion> {
    let mut filters = operation.filters();
    filters.find_map(|(parameter, filter)| {
        let is_trashed = filter.matching == Match::Trashed;
        Some(SoftDeletion {
            name: parameter.name.clone(),
            mark: filter.fields.first().filter(|_| is_trashed)?.clone(),
            words: filter.words.clone(),
        })
    })
}

fn judged(
    contract: &Contract,
    operation: &Operation,
    searches: &BTreeMap<String, String>,
) -> Vec<JudgedFilter> {
    let filters = operation.filters().filter_map(|(parameter, filter)| {
        let origin = &parameter.origin;
        let clause = shared_clause(parameter, operation)?;
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
            clause: Clause::of_source(clause),
            identifies: filter.matching == Match::Exact && filter.fields == [contract.identifier.clone()],
            filter: filter.clone(),
            blanks: Blanks::default(),
        })
    });
    filters.collect()
}

/// The clause that has both a list and one of its parameters; none if the parameter is of other clauses alone. A contract without
/// clauses has each parameter on just the list that it is written at.
fn shared_clause<'p>(parameter: &'p Parameter, list: &Operation) -> Option<&'p [String]> {
    let clauses = &parameter.origin.source;
    let shared = clauses.iter().find(|clause| list.origin.source.contains(clause));
    match shared {
        Some(clause) => Some(std::slice::from_ref(clause)),
        None => clauses.is_empty().then_some(&[]),
    }
}

/// The open point of filters that have no name of their own.
pub const NO_NAME: &str = "L11";
/// The open point of a filter whose meaning is not given.
const NO_MEANING: &str = "L12";

#[cfg(test)]
mod tests {
    use super::*;

    fn subjects() -> Vec<ListSpec> {
        ListSpec::all(&Contract::parse(crate::OUR_CONTRACT).unwrap(), &BTreeMap::new())
    }

    #[test]
    fn lists_the_specification_knows_nothing_of_are_not_judged() {
        let names: Vec<_> = subjects()
            .iter()
            .map(|spec| (spec.name().to_owned(), spec.specified))
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
            .map(|spec| spec.matching(Match::Exact).count())
            .collect();
        assert_eq!(count, [13, 0, 1, 0]);
    }

    #[test]
    fn a_single_record_is_found_below_its_list() {
        assert!(subjects().iter().all(|spec| spec.single.is_some()));
    }
}
