//! The model as a whole: operations, rules, open points, over the document they were read from.

use std::path::Path;

use serde::Deserialize;

use crate::ordered::{OneOrMany, Ordered};
use crate::{Clauses, Document, Error, Frame, List, Mark, Operation, Pointer, origin};

/// What the API means.
#[derive(Clone, Debug)]
pub struct Contract {
    /// Where every record shows its identifier; `x-identifier`, or `/id`.
    pub identifier: Pointer,
    /// Where the parts of a record are; `x-frame`, or the usual places.
    pub frame: Frame,
    /// The operations, in document order.
    pub operations: Vec<Operation>,
    /// What the clauses of the specification cover.
    pub clauses: Clauses,
    /// The rules of the specification that elements claim to carry, in document order.
    pub rules: Vec<Rule>,
    /// The points that the specification leaves open and that are settled here, in document order.
    pub open_points: Vec<OpenPoint>,
    /// Every element that says where it comes from, in document order.
    pub marks: Vec<Mark>,
    document: Document,
}

/// A rule of the specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name that elements refer to it by.
    pub id: String,
    /// The clauses that state it.
    pub source: Vec<String>,
    /// The rule in a sentence.
    pub says: String,
}

/// A point that the specification leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenPoint {
    /// Its number, such as `L10`.
    pub id: String,
    /// What is left open.
    pub says: String,
    /// The answers that conform, in document order.
    pub accepts: Vec<Accepted>,
}

/// An answer to an open point that conforms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Its name within the point, such as `from-zero`.
    pub id: String,
    /// The answer in a sentence.
    pub says: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRule {
    source: OneOrMany,
    says: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPoint {
    says: String,
    accepts: Ordered<String>,
}

impl WrittenPoint {
    fn read(self, id: String) -> OpenPoint {
        let accepts = self.accepts.0.into_iter();
        OpenPoint {
            id,
            says: self.says,
            accepts: accepts.map(|(id, says)| Accepted { id, says }).collect(),
        }
    }
}

impl Contract {
    /// Reads YAML text.
    ///
    /// # Errors
    /// The text is no document (see [`Document::parse`]) or no contract (see [`Contract::of`]).
    pub fn parse(yaml: &str) -> Result<Self, Error> {
        Self::of(Document::parse(yaml)?)
    }

    /// Reads a YAML file.
    ///
    /// # Errors
    /// The file is no document (see [`Document::read`]) or no contract (see [`Contract::of`]).
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::of(Document::read(path)?)
    }

    /// Builds the model of a document.
    ///
    /// # Errors
    /// An annotation, or a part of the document that the model needs, is missing, mistyped or unknown.
    pub fn of(document: Document) -> Result<Self, Error> {
        let rules: Ordered<WrittenRule> = document.root().typed("x-rules")?.unwrap_or_default();
        let points: Ordered<WrittenPoint> = document.root().typed("x-open-points")?.unwrap_or_default();
        let rules = rules.0.into_iter().map(|(id, rule)| Rule {
            id,
            source: rule.source.into(),
            says: rule.says,
        });
        let identifier = document.root().typed("x-identifier")?;
        let clauses = Clauses::read(&document)?;
        let frame: Frame = document.root().typed("x-frame")?.unwrap_or_default();
        let contract = Self {
            identifier: identifier.unwrap_or_else(|| Pointer::of(["id"])),
            operations: Operation::read_all(&document, &clauses, &frame)?,
            clauses,
            frame,
            rules: rules.collect(),
            open_points: points.0.into_iter().map(|(id, point)| point.read(id)).collect(),
            marks: origin::marks(&document)?,
            document,
        };
        for (name, _) in contract.document.schemas() {
            contract.counts(name)?;
            contract.links(name)?;
            contract.made_of(name)?;
            contract.state_times(name)?;
        }
        Ok(contract)
    }

    /// Why the operations of a document are no part of a contract: the first reason for each.
    pub fn refusals(document: &Document) -> Vec<Error> {
        let read = || {
            let frame: Frame = document.root().typed("x-frame")?.unwrap_or_default();
            Operation::read_each(document, &Clauses::read(document)?, &frame)
        };
        match read() {
            Ok(read) => read.into_iter().filter_map(Result::err).collect(),
            Err(error) => vec![error],
        }
    }

    /// The document the model was read from.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The operation with this `operationId`.
    pub fn operation(&self, id: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.id == id)
    }

    /// The list operations, in document order.
    pub fn lists(&self) -> impl Iterator<Item = (&Operation, &List)> {
        self.operations
            .iter()
            .filter_map(|operation| Some((operation, operation.list.as_ref()?)))
    }

    /// The component schemas that lists are made of, in document order and without repetition.
    pub fn records(&self) -> Vec<&str> {
        let mut records = Vec::new();
        for (_, list) in self.lists() {
            if !records.contains(&list.record.as_str()) {
                records.push(list.record.as_str());
            }
        }
        records
    }
}
