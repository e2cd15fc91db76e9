//! A parameter of a list as the rules look at it, and what they read in it.

use serde_json::{Map, Value, json};

use super::members::{Member, Members, enum_words, kind};
use super::name::Name;
use super::words::{PHRASES, Phrase, Words};
use crate::place::Place;
use crate::{Document, Pointer};

/// A list: an operation with what is known of its answer.
pub(super) struct List<'d> {
    pub(super) document: &'d Document,
    /// The operation.
    pub(super) place: Place<'d>,
    /// Its method and path.
    pub(super) name: String,
    /// Where the answer has its records.
    pub(super) records: Pointer,
    /// What tells that they are there.
    pub(super) why: String,
    /// The name of the component schema of a record.
    pub(super) record: &'d str,
    /// The record's members.
    pub(super) members: std::rc::Rc<Members<'d>>,
    /// The answer around the records.
    pub(super) answer: Place<'d>,
    /// The parameters of its query, through references.
    pub(super) parameters: Vec<Place<'d>>,
}

impl List<'_> {
    /// Whether a parameter of the query has such a name.
    pub(super) fn has_parameter(&self, is_meant: impl Fn(&str) -> bool) -> bool {
        let mut given = self
            .parameters
            .iter()
            .filter_map(|parameter| parameter.value().get("name")?.as_str());
        given.any(|name| is_meant(&Name::of_parameter(name).joined()))
    }
}

/// A parameter of a list.
pub(super) struct Question<'l, 'd> {
    pub(super) list: &'l List<'d>,
    /// Its name as it is sent.
    pub(super) sent: &'d str,
    pub(super) name: Name,
    /// What its schema comes down to.
    pub(super) schema: Place<'d>,
    description: String,
}

/// What is read in a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reading {
    /// It is a filter: its `x-filter`.
    Filter(Value, String),
    /// It plays a role in the list: its `x-role`, and what `x-list` has to say with it.
    Role {
        role: &'static str,
        list: Map<String, Value>,
        why: String,
    },
    /// It is not understood.
    Unclear(String),
}

impl Reading {
    /// A filter on one member.
    pub(super) fn filter(at: &Pointer, matching: &str, why: impl Into<String>) -> Option<Self> {
        Some(Self::Filter(
            json!({"field": at.to_string(), "match": matching}),
            why.into(),
        ))
    }

    pub(super) fn role(role: &'static str, why: impl Into<String>) -> Option<Self> {
        Some(Self::Role {
            role,
            list: Map::new(),
            why: why.into(),
        })
    }

    pub(super) fn unclear(why: impl Into<String>) -> Option<Self> {
        Some(Self::Unclear(why.into()))
    }
}

impl<'l, 'd> Question<'l, 'd> {
    /// A parameter of `list`; none if it lacks a name or a schema.
    pub(super) fn of(list: &'l List<'d>, parameter: &Place<'d>) -> Option<Self> {
        let sent = parameter.value().get("name")?.as_str()?;
        let schema = parameter.child("schema")?;
        let told = [parameter, &schema, &schema.underlying()].map(|place| {
            place
                .value()
                .get("description")
                .and_then(Value::as_str)
                .unwrap_or_default()
        });
        Some(Self {
            list,
            sent,
            name: Name::of_parameter(sent),
            description: told.join(" ").to_lowercase(),
            schema: schema.underlying(),
        })
    }

    pub(super) fn members(&self) -> &'l Members<'d> {
        &self.list.members
    }

    pub(super) fn kind(&self) -> Option<&'d str> {
        kind(self.schema.value())
    }

    /// The words that it takes, also each of several.
    pub(super) fn words(&self) -> Option<Vec<&'d str>> {
        let items = self.schema.child("items").map(|items| items.underlying());
        enum_words(self.schema.value()).or_else(|| enum_words(items?.value()))
    }

    pub(super) fn is_called(&self, names: Words) -> bool {
        names.has(&self.name.joined())
    }

    /// Whether the record has a member of just this name.
    pub(super) fn is_member(&self) -> bool {
        self.members()
            .named(&self.name.words)
            .is_ok_and(Member::is_scalar)
    }

    /// Whether its value is a point in time.
    pub(super) fn is_time(&self) -> bool {
        let format = self
            .schema
            .value()
            .get("format")
            .and_then(Value::as_str)
            .unwrap_or_default();
        ["date", "time", "8601"].iter().any(|part| format.contains(part))
    }

    pub(super) fn says(&self, phrase: &str) -> bool {
        self.description.contains(phrase)
    }

    /// How its description says that a text matches.
    pub(super) fn phrase(&self) -> Option<Phrase> {
        let (phrase, _) = PHRASES
            .iter()
            .find(|(_, texts)| texts.split(", ").any(|text| self.says(text)))?;
        Some(*phrase)
    }

    /// The words of the description, without signs at their edges. The name of a member, such as `created_at`, is one of them.
    pub(super) fn described_words(&self) -> impl Iterator<Item = &str> {
        let signs = |letter: char| !letter.is_alphanumeric() && !['-', '_'].contains(&letter);
        self.description
            .split(char::is_whitespace)
            .flat_map(move |word| word.split(signs))
            .filter(|word| !word.is_empty())
    }
}
