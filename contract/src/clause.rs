//! What each clause of the specification covers, and the origin of a parameter in an operation that follows from it.
//!
//! Operations share parameters, and a clause names a parameter for some of them only. So the origin belongs to the use: the
//! parameter names the clauses that have it anywhere, and `x-clauses` says which of them hold in which operation.

use serde::Deserialize;

use crate::ordered::Ordered;
use crate::{Document, Error, Origin};

/// The clauses that say something about parameters, in document order: `x-clauses`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clauses(Vec<Clause>);

/// What a clause of the specification covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its number, such as `§4.1`.
    pub id: String,
    /// The operations that it specifies, by their `operationId`; none for a convention.
    pub operations: Vec<String>,
    /// The parameters that it names; a `*` stands for any text.
    pub parameters: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenClause {
    #[serde(default)]
    operations: Vec<String>,
    #[serde(default)]
    parameters: Vec<String>,
}

impl Clause {
    fn names(&self, parameter: &str) -> bool {
        self.parameters.iter().any(|pattern| matches(pattern, parameter))
    }

    fn specifies(&self, operation: &str) -> bool {
        self.operations.iter().any(|id| id == operation)
    }
}

impl Clauses {
    pub(crate) fn read(document: &Document) -> Result<Self, Error> {
        let written: Ordered<WrittenClause> = document.root().typed("x-clauses")?.unwrap_or_default();
        let clauses = written.0.into_iter().map(|(id, clause)| Clause {
            id,
            operations: clause.operations,
            parameters: clause.parameters,
        });
        Ok(Self(clauses.collect()))
    }

    /// All clauses, in document order.
    pub fn iter(&self) -> impl Iterator<Item = &Clause> {
        self.0.iter()
    }

    /// Whether a clause specifies an operation.
    pub fn specifies(&self, clause: &str, operation: &str) -> bool {
        self.find(clause)
            .is_some_and(|clause| clause.specifies(operation))
    }

    /// Whether a clause covers a parameter in an operation. A convention does where another clause gives the operation the
    /// parameter.
    pub fn covers(&self, clause: &str, operation: &str, parameter: &str) -> bool {
        let Some(clause) = self.find(clause).filter(|clause| clause.names(parameter)) else {
            return false;
        };
        let gives = |clause: &Clause| clause.specifies(operation) && clause.names(parameter);
        match clause.operations.is_empty() {
            true => self.iter().any(gives),
            false => gives(clause),
        }
    }

    /// The origin of a parameter in an operation: an extension where no clause of the parameter covers the use. A contract
    /// without `x-clauses` has it as it is written.
    pub(crate) fn origin_of_use(&self, written: Origin, operation: &str, parameter: &str) -> Origin {
        if self.0.is_empty() || written.extension || written.source.is_empty() {
            return written;
        }
        let covers = |clause: &String| self.covers(clause, operation, parameter);
        let source: Vec<_> = written
            .source
            .iter()
            .filter(|clause| covers(clause))
            .cloned()
            .collect();
        match source.is_empty() {
            true => Origin {
                extension: true,
                source,
                rules: Vec::new(),
                ..written
            },
            false => Origin { source, ..written },
        }
    }

    fn find(&self, id: &str) -> Option<&Clause> {
        self.iter().find(|clause| clause.id == id)
    }
}

/// Whether a name matches a pattern, in which a `*` stands for any text.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, end)) => {
            name.len() >= pattern.len() - 1 && name.starts_with(start) && name.ends_with(end)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_any_text_between_start_and_end() {
        for (pattern, name, is_match) in [
            ("sort", "sort", true),
            ("sort", "sorts", false),
            ("filter[*]", "filter[a]", true),
            ("filter[*]", "filter[]", true),
            ("filter[*]", "filter[a", false),
            ("filter[*]", "filters[a]", false),
            ("filter[*_search]", "filter[name_search]", true),
            ("filter[*_search]", "filter[name_before]", false),
            ("*", "", true),
            ("*", "a", true),
            // The start and the end of the pattern are apart in the name.
            ("a*a", "a", false),
            ("ab*ba", "aba", false),
            ("ab*ba", "abba", true),
        ] {
            assert_eq!(matches(pattern, name), is_match, "{pattern} {name}");
        }
    }
}
