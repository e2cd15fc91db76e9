//! What a filter looks at and how it matches: `x-filter` of a list's parameter.

use serde::Deserialize;
use serde_json::Value;

use crate::place::Place;
use crate::{Document, Error, Pointer};

/// The meaning of a filter.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// The members looked at, of which one has to match; empty where [`Filter::all`] says it instead.
    pub fields: Vec<Pointer>,
    /// How a member matches.
    pub matching: Match,
    /// Whether records show the members; if not, the pointers are names only.
    pub shown: bool,
    /// Where a member that is not shown can be seen after all.
    pub seen_in: Option<SeenIn>,
    /// The conditions that a flag stands for together.
    pub all: Vec<Condition>,
    /// Whether the filter's name is meant to differ from the member's.
    pub renamed: bool,
    /// How a `match: trashed` spells its values.
    pub words: TrashedWords,
    /// The values the filter takes.
    pub value: ValueKind,
}

/// How a filter by soft deletion spells its values.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrashedWords {
    /// The value that shows soft-deleted records besides the others.
    pub with: String,
    /// The value that shows soft-deleted records alone.
    pub only: String,
    /// The value that stands for the default, which leaves them out.
    pub without: String,
}

impl Default for TrashedWords {
    fn default() -> Self {
        let [with, only, without] = ["with", "only", "without"].map(str::to_owned);
        Self { with, only, without }
    }
}

impl TrashedWords {
    /// The three values.
    pub fn all(&self) -> [&str; 3] {
        [&self.with, &self.only, &self.without]
    }
}

/// How the member looked at has to stand to the filter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Match {
    /// It equals the value.
    Exact,
    /// It, or one of its values, contains the value.
    Contains,
    /// It is a timestamp before the value.
    Before,
    /// It is a timestamp after the value.
    After,
    /// It is true, or all conditions hold, if and only if the value is `true`.
    Flag,
    /// It is set or not as the value says: with soft-deleted records, only them, or without them ([`TrashedWords`]).
    Trashed,
}

/// A related record in which a member that the record itself does not show can be seen.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeenIn {
    /// The relation to ask for.
    pub include: String,
    /// Where the member then stands.
    pub at: Pointer,
}

/// One of the conditions that a flag stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The member.
    pub field: Pointer,
    /// What has to be so.
    pub test: Test,
}

/// What a [`Condition`] asks of its member.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// It equals this value.
    Is(Value),
    /// It is set (`true`), or it is null (`false`).
    Present(bool),
}

/// The values a filter takes, from its match and the schema of its parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Any text.
    Text {
        /// The most characters it may have.
        max_length: Option<usize>,
    },
    /// One of these words.
    Word(Vec<String>),
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// A date, a date with time, or an ISO 8601 date-time.
    Timestamp,
    /// How to treat soft-deleted records; these words, as far as the schema lists them.
    Trashed(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Written {
    field: Option<Pointer>,
    #[serde(default)]
    any_of: Vec<Pointer>,
    #[serde(rename = "match")]
    matching: Match,
    shown: Option<bool>,
    seen_in: Option<SeenIn>,
    #[serde(default)]
    all: Vec<WrittenCondition>,
    #[serde(default)]
    renamed: bool,
    #[serde(default)]
    words: TrashedWords,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCondition {
    field: Pointer,
    is: Option<Value>,
    present: Option<bool>,
}

impl Filter {
    /// Reads the `x-filter` of a parameter, if it has one.
    pub(crate) fn read(
        document: &Document,
        parameter: &Place<'_>,
        schema: &Value,
    ) -> Result<Option<Self>, Error> {
        let Some(written) = parameter.typed::<Written>("x-filter")? else {
            return Ok(None);
        };
        let place = parameter.need("x-filter")?;
        let all = written
            .all
            .into_iter()
            .map(|condition| condition.read(&place))
            .collect::<Result<Vec<_>, _>>()?;
        let fields: Vec<_> = written.field.into_iter().chain(written.any_of).collect();
        if fields.is_empty() == all.is_empty() {
            return Err(
                place.error("a filter looks at `field`, at `any-of` several, or at `all` of some conditions")
            );
        }
        Ok(Some(Self {
            fields,
            matching: written.matching,
            shown: written.shown.unwrap_or(true),
            seen_in: written.seen_in,
            all,
            renamed: written.renamed,
            words: written.words,
            value: ValueKind::of(written.matching, document.underlying(schema)),
        }))
    }
}

impl WrittenCondition {
    fn read(self, place: &Place<'_>) -> Result<Condition, Error> {
        let test = match (self.is, self.present) {
            (Some(value), None) => Test::Is(value),
            (None, Some(present)) => Test::Present(present),
            _ => return Err(place.error("a condition says either `is` or `present`")),
        };
        Ok(Condition {
            field: self.field,
            test,
        })
    }
}

impl ValueKind {
    fn of(matching: Match, schema: &Value) -> Self {
        let words: Vec<String> = match schema.get("enum").and_then(Value::as_array) {
            Some(values) => values
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            None => Vec::new(),
        };
        match matching {
            Match::Before | Match::After => Self::Timestamp,
            Match::Flag => Self::Boolean,
            Match::Trashed => Self::Trashed(words),
            Match::Exact | Match::Contains => match schema.get("type").and_then(Value::as_str) {
                Some("boolean") => Self::Boolean,
                Some("integer") => Self::Integer,
                _ if !words.is_empty() => Self::Word(words),
                _ => {
                    let max_length = schema.get("maxLength").and_then(Value::as_u64);
                    Self::Text {
                        max_length: max_length.and_then(|length| usize::try_from(length).ok()),
                    }
                }
            },
        }
    }
}
