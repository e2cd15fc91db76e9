//! What a list can do: its order, its relations, the form its `included` takes: `x-list` of an operation.

use std::fmt::{self, Display};

use serde::Deserialize;

use crate::ordered::{OneOrMany, Ordered};
use crate::place::Place;
use crate::{Error, Frame, Pointer};

/// The meaning of a list operation; its filters are those of [`crate::Operation::filters`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// The component schema of one record.
    pub record: String,
    /// Where the records are in the answer: the root where the answer is their array.
    pub records: Pointer,
    /// Where the answer shows the cursor of the next page, for lists with pages by cursor.
    pub next: Option<Pointer>,
    /// What `included` holds.
    pub included: Included,
    /// The order without the `sort` parameter.
    pub default_sort: Vec<SortKey>,
    /// The sort fields and the members they look at, in document order.
    pub sort: Vec<(String, Pointer)>,
    /// What can be included, in document order.
    pub relations: Vec<Relation>,
}

/// What `included` holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Included {
    /// The related records, under the relation's member.
    #[default]
    Records,
    /// The names of the relations asked for.
    Names,
}

/// One field of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortKey {
    /// The name of the sort field.
    pub field: String,
    /// Whether the largest comes first.
    pub descending: bool,
}

/// Related records that can be included; asked for as `R`, `R-count` and `R-exists`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The name to ask for, such as `direct-report-users`.
    pub name: String,
    /// The name of its member.
    pub member: String,
    /// Where a record shows the related records.
    pub at: Pointer,
    /// Where it shows their number, if `R-count` can be asked for.
    pub number_at: Option<Pointer>,
    /// Where it shows whether there are any, if `R-exists` can be asked for.
    pub existence_at: Option<Pointer>,
    /// Whether there may be several.
    pub many: bool,
    /// The component schema of one related record; none where `included` holds names.
    pub record: Option<String>,
    /// How the two records join, where members on both sides show it.
    pub join: Option<Join>,
    /// The name of the count that equals its size, where one does.
    pub count: Option<String>,
    /// Where every record shows that count.
    pub count_at: Option<Pointer>,
    /// The list that shows it, given the id of our record.
    pub listed_by: Option<Listing>,
}

/// Equal members of two related records.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// The member of the record that has the relation.
    pub ours: Pointer,
    /// The member of the related record.
    pub theirs: Pointer,
}

/// A list that is filtered by the id of a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listing {
    /// The list's `operationId`.
    pub operation: String,
    /// The name of the parameter that takes the id, such as `filter[manager_id]`.
    pub filter: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    records: Pointer,
    next: Option<Pointer>,
    #[serde(default)]
    included: Included,
    #[serde(default)]
    sort: WrittenSort,
    #[serde(default)]
    relations: Ordered<WrittenRelation>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSort {
    #[serde(default)]
    default: OneOrMany,
    fields: Ordered<Pointer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct WrittenRelation {
    pub(crate) member: Option<String>,
    pub(crate) many: bool,
    pub(crate) record: Option<String>,
    pub(crate) join: Option<Join>,
    pub(crate) count: Option<String>,
    pub(crate) listed_by: Option<Listing>,
}

impl List {
    /// Reads the `x-list` of an operation whose answer is a list of `record`.
    pub(crate) fn read(
        operation: &Place<'_>,
        record: Option<&str>,
        frame: &Frame,
    ) -> Result<Option<Self>, Error> {
        let Some(written) = operation.typed::<Written>("x-list")? else {
            return Ok(None);
        };
        let record = record.ok_or_else(|| {
            operation.error(
                "a list answers an array of a component schema, at `records` of `x-list` where an object surrounds it",
            )
        })?;
        let default: Vec<String> = written.sort.default.into();
        Ok(Some(Self {
            record: record.to_owned(),
            records: written.records,
            next: written.next,
            included: written.included,
            default_sort: default.iter().map(|key| SortKey::parse(key)).collect(),
            sort: written.sort.fields.0,
            relations: written
                .relations
                .0
                .into_iter()
                .map(|(name, relation)| frame.relation(name, relation))
                .collect(),
        }))
    }

    /// The relation called `name`.
    pub fn relation(&self, name: &str) -> Option<&Relation> {
        self.relations.iter().find(|relation| relation.name == name)
    }

    /// The words that `include` takes, in document order.
    pub fn include_words(&self) -> Vec<String> {
        let words = |relation: &Relation| {
            let number = relation.number_at.as_ref().map(|_| relation.count_name());
            let existence = relation.existence_at.as_ref().map(|_| relation.exists_name());
            [Some(relation.name.clone()), number, existence]
        };
        self.relations.iter().flat_map(words).flatten().collect()
    }

    /// The words that `sort` takes, in document order.
    pub fn sort_words(&self) -> Vec<String> {
        let words = |(field, _): &(String, Pointer)| [field.clone(), format!("-{field}")];
        self.sort.iter().flat_map(words).collect()
    }

    /// The member that a sort field looks at.
    pub fn sort_field(&self, name: &str) -> Option<&Pointer> {
        self.sort
            .iter()
            .find_map(|(field, pointer)| (field == name).then_some(pointer))
    }
}

impl Relation {
    /// The word that asks for the number of related records.
    pub fn count_name(&self) -> String {
        format!("{}-count", self.name)
    }

    /// The word that asks whether there is any.
    pub fn exists_name(&self) -> String {
        format!("{}-exists", self.name)
    }
}

impl SortKey {
    /// Reads `field` or `-field`.
    pub fn parse(text: &str) -> Self {
        match text.strip_prefix('-') {
            Some(field) => Self {
                field: field.to_owned(),
                descending: true,
            },
            None => Self {
                field: text.to_owned(),
                descending: false,
            },
        }
    }
}

impl Display for SortKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.descending { "-" } else { "" }, self.field)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_sort_key_prints_as_it_was_written(text in "-?[a-z_]{1,12}") {
            prop_assert_eq!(SortKey::parse(&text).to_string(), text);
        }
    }
}
