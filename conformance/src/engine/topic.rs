//! A part of an API that a check is about: under a contract without it the check does not apply.

use rollcall_contract::{Contract, Filter, Match, Parameter, Relation};

use rollcall_oracle::corpus::members::{Kind, Members};

/// A part of an API that checks are about.
#[derive(Debug)]
pub(crate) struct Topic {
    /// What it is, as it follows "the contract has no".
    pub(crate) what: &'static str,
    /// How a contract has it.
    pub(crate) part: Part,
}

/// How a contract has a part of an API.
#[derive(Debug)]
pub(crate) enum Part {
    /// As parameters of its lists.
    Parameter(fn(&Parameter) -> bool),
    /// As filters of its lists.
    Filter(fn(&Filter) -> bool),
    /// As filters that match in one way.
    Matching(Match),
    /// As members of one kind.
    Member(Kind),
    /// As something of its records, by the name of their schema.
    Record(fn(&Contract, &str) -> bool),
    /// As relations of its lists.
    Relation(fn(&Relation) -> bool),
    /// In another way.
    Other(fn(&Contract) -> bool),
}

impl Topic {
    /// Whether a contract has it.
    pub(crate) fn is_in(&self, contract: &Contract) -> bool {
        let mut lists = contract.lists().map(|(operation, _)| &operation.parameters);
        let mut records = contract.records().into_iter();
        match self.part {
            Part::Parameter(_) | Part::Filter(_) | Part::Matching(_) => {
                lists.any(|parameters| parameters.iter().any(|one| self.is_about(one)))
            }
            Part::Member(kind) => {
                records.any(|record| Members::of(contract, record).of_kind(kind).next().is_some())
            }
            Part::Record(is_in) => records.any(|record| is_in(contract, record)),
            Part::Relation(is_meant) => {
                let mut relations = contract.lists().flat_map(|(_, list)| &list.relations);
                relations.any(is_meant)
            }
            Part::Other(is_in) => is_in(contract),
        }
    }

    /// Whether it is about a parameter of a list.
    pub(crate) fn is_about(&self, parameter: &Parameter) -> bool {
        let filter = parameter.filter.as_ref();
        match self.part {
            Part::Parameter(is_meant) => is_meant(parameter),
            Part::Filter(is_meant) => filter.is_some_and(is_meant),
            Part::Matching(matching) => filter.is_some_and(|filter| filter.matching == matching),
            Part::Member(_) | Part::Record(_) | Part::Relation(_) | Part::Other(_) => false,
        }
    }
}
