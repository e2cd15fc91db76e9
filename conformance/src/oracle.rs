//! What an exact filter has to return, computed from records that were read without it.

use std::collections::{BTreeMap, BTreeSet};

use rollcall_contract::{Pointer, ValueKind};
use serde_json::Value;

use crate::corpus::{Look, View};
use crate::subject::{ExactFilter, id_of};

/// A filter on one list, and where the member it looks at can be seen.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// The list, as an index into the corpus.
    pub(crate) list: usize,
    /// The parameter's name.
    pub(crate) name: String,
    /// The clause that has it.
    pub(crate) clause: String,
    /// The way to read the list in which the member is seen.
    pub(crate) look: Look,
    /// Where it stands then.
    pub(crate) at: Pointer,
    /// The values it takes.
    pub(crate) kind: ValueKind,
}

/// What a record shows of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// This value, as a filter spells it.
    Value(String),
    /// That it has none.
    Null,
    /// Nothing that tells.
    Unknown,
}

impl Field {
    /// The filter with the view in which its member is seen; none if it is seen nowhere.
    pub(crate) fn of(list: usize, filter: &ExactFilter) -> Option<Self> {
        let (look, at) = match &filter.seen_in {
            Some(seen) if !filter.shown => (Look::Including(seen.include.clone()), seen.at.clone()),
            None if !filter.shown => return None,
            _ => (Look::Default, filter.field.clone()),
        };
        let (name, clause) = (filter.name.clone(), filter.clause.clone());
        Some(Self {
            list,
            name,
            clause,
            look,
            at,
            kind: filter.value.clone(),
        })
    }

    /// Whether the filter is by the record's own identifier.
    pub(crate) fn is_identifier(&self) -> bool {
        self.look == Look::Default && self.at == crate::subject::identifier()
    }

    /// What a record shows of the member, in the view the field is seen in.
    pub(crate) fn shown(&self, record: &Value) -> Shown {
        match self.at.find(record) {
            Some(Value::String(text)) => Shown::Value(text.clone()),
            Some(Value::Bool(flag)) => Shown::Value(flag.to_string()),
            Some(Value::Number(number)) => Shown::Value(number.to_string()),
            Some(Value::Null) => Shown::Null,
            // A relation that has nobody may be null or left out (R9).
            None if self.look != Look::Default => Shown::Null,
            Some(_) | None => Shown::Unknown,
        }
    }

    /// What a record that came back from a filter shows of the member: by itself, or through the view.
    pub(crate) fn shown_by(&self, record: &Value, view: &View) -> Shown {
        if self.look == Look::Default {
            return self.shown(record);
        }
        let known = id_of(record).and_then(|id| view.record(id));
        match known.map(|record| self.shown(record)) {
            // A to-one relation may hide a soft-deleted record (R15).
            None | Some(Shown::Null) => Shown::Unknown,
            Some(shown) => shown,
        }
    }

    /// Whether a record may stand in the answer to `filter=value`.
    pub(crate) fn admits(&self, record: &Value, view: &View, value: &str) -> bool {
        match self.shown_by(record, view) {
            Shown::Value(shown) => folded(&shown) == folded(value),
            Shown::Null => false,
            Shown::Unknown => true,
        }
    }

    /// The identifiers of the records that have to stand in the answer to `filter=value`.
    pub(crate) fn expected(&self, view: &View, value: &str) -> BTreeSet<String> {
        let has = |record: &Value| self.shown(record) == Shown::Value(value.to_owned());
        view.records()
            .filter(|(_, record)| has(record))
            .map(|(id, _)| id.to_owned())
            .collect()
    }

    /// The values that records have, each with its number of records.
    pub(crate) fn values(&self, view: &View) -> BTreeMap<String, usize> {
        let mut values = BTreeMap::new();
        for (_, record) in view.records() {
            if let Shown::Value(value) = self.shown(record) {
                *values.entry(value).or_insert(0) += 1;
            }
        }
        values
    }
}

/// The form in which values that differ by case alone are the same: folding is open (L9).
pub(crate) fn folded(text: &str) -> String {
    text.to_lowercase()
}
