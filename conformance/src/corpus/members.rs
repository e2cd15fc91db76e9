//! The members that the contract gives a record, looked up once and not for every record.

use std::collections::BTreeSet;

use rollcall_contract::{Contract, Form, Pointer};
use serde_json::Value;

/// The objects every resource has, §2; their members are members of the record too.
const COMMON: [&str; 3] = ["timestamp", "count", "links"];
/// Below this number, 2 to the power of 53, a fraction of zero is exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What a record shows at a place; none if it shows nothing there. A timestamp that is left out counts as null (R1).
pub(crate) fn shown_at<'r>(place: &Pointer, record: &'r Value) -> Option<&'r Value> {
    let [object, _] = place.segments() else {
        return place.find(record);
    };
    let is_timestamp = object == COMMON[0] && record.get(COMMON[0]).is_some_and(Value::is_object);
    place.find(record).or(is_timestamp.then_some(&Value::Null))
}

/// A value as a filter spells it; none of what no filter can be asked for.
pub(crate) fn spelled(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A count; none of anything but a whole number that is not negative. JSON writes 1 as `1.0` too.
pub(crate) fn count_of(value: &Value) -> Option<u64> {
    let whole = || {
        value
            .as_f64()
            .filter(|number| number.fract() == 0.0 && (0.0..EXACT).contains(number))
    };
    value.as_u64().or_else(|| whole().map(|number| number as u64))
}

/// The part of a record that a member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Any member that is none of the following.
    Member,
    /// A value from a closed list.
    Enumerated,
    /// A string with a pattern.
    Identifier,
    /// A timestamp, or the object of them.
    Timestamp,
    /// A count, or the object of them.
    Count,
    /// A link, or the object of them.
    Link,
    /// An object without given members.
    FreeForm,
}

impl Kind {
    /// What the specification expects of it.
    pub(crate) fn expects(self) -> &'static str {
        match self {
            Self::Member => "every member of the table, of its type, and null only where the table says so",
            Self::Enumerated => "one of the values listed",
            Self::Identifier => "the prefix of the resource, then lowercase letters and digits",
            Self::Timestamp => {
                "every timestamp of the table, null or an ISO 8601 date-time in UTC (workspace users: with microseconds)"
            }
            Self::Count => "every count of the table, an integer that is not negative",
            Self::Link => "every link of the table, a string",
            Self::FreeForm => "an object, with or without members",
        }
    }
}

/// The members of a record.
#[derive(Clone, Debug)]
pub(crate) struct Members {
    /// Each member with its kind: those of the record, and those of its common objects.
    places: Vec<(Pointer, Kind)>,
    /// Whether the specification describes them; of some records it only says that they exist.
    pub(crate) described: bool,
}

impl Members {
    /// The members of a component schema.
    pub(crate) fn of(contract: &Contract, record: &str) -> Self {
        let schema = contract.document().json_schema(record, Form::Judging);
        let definition = schema
            .map(|mut schema| schema["$defs"][record].take())
            .unwrap_or_default();
        let described = definition.get("allOf").is_some() || definition.get("properties").is_some();
        let mut places = Vec::new();
        for name in names(contract, contract.document().schema(record)) {
            let place = Pointer::of([name.as_str()]);
            let schema = contract.member_schema(record, &place);
            let kind = kind(contract, &name, schema);
            if COMMON.contains(&name.as_str()) {
                places.extend(
                    names(contract, schema)
                        .iter()
                        .map(|member| (place.child(member), kind)),
                );
            }
            places.push((place, kind));
        }
        Self { places, described }
    }

    /// The kind of a member; what lies deeper is of the kind of what it lies in.
    pub(crate) fn kind(&self, place: &Pointer) -> Kind {
        let first = place.segments().first().map(|name| Pointer::of([name.as_str()]));
        let known = self
            .places
            .iter()
            .find(|(known, _)| Some(known) == first.as_ref());
        known.map_or(Kind::Member, |(_, kind)| *kind)
    }

    /// Whether the contract has the member.
    pub(crate) fn has(&self, place: &Pointer) -> bool {
        self.places.iter().any(|(known, _)| known == place)
    }

    /// The members of one kind.
    pub(crate) fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Pointer> {
        self.places
            .iter()
            .filter(move |(_, known)| *known == kind)
            .map(|(place, _)| place)
    }

    /// The members that are links.
    pub(crate) fn links(&self) -> impl Iterator<Item = &Pointer> {
        let links = self.places.iter().filter(|(_, kind)| *kind == Kind::Link);
        links.map(|(place, _)| place)
    }

    /// The members by which two sightings of a record can be compared. Links are left out, whose content is open (R2),
    /// and relations, which depend on what was asked for; of a common object its members are compared, not the whole.
    pub(crate) fn comparable(&self) -> impl Iterator<Item = &Pointer> {
        let comparable = self.places.iter().filter(|(place, kind)| {
            let whole = place.segments().len() == 1 && COMMON.contains(&place.last().unwrap_or_default());
            *kind != Kind::Link && !whole && place.last() != Some("included")
        });
        comparable.map(|(place, _)| place)
    }
}

/// The names of the properties of a schema, those of its parts included.
pub(crate) fn names(contract: &Contract, schema: Option<&Value>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut open: Vec<&Value> = schema.into_iter().collect();
    while let Some(schema) = open.pop() {
        let schema = contract.document().resolve(schema);
        names.extend(
            schema["properties"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, _)| name.clone()),
        );
        open.extend(schema["allOf"].as_array().into_iter().flatten());
    }
    names
}

/// The kind of a member of a record: by its name where every resource of ours has it, else by its schema.
fn kind(contract: &Contract, name: &str, schema: Option<&Value>) -> Kind {
    let common = [Kind::Timestamp, Kind::Count, Kind::Link];
    if let Some(index) = COMMON.iter().position(|common| *common == name) {
        return common[index];
    }
    let Some(schema) = schema.map(|schema| contract.document().underlying(schema)) else {
        return Kind::Member;
    };
    if schema["format"] == "date-time" {
        Kind::Timestamp
    } else if schema.get("enum").is_some() {
        Kind::Enumerated
    } else if schema.get("pattern").is_some() {
        Kind::Identifier
    } else if schema["type"] == "object" && schema.get("properties").is_none() {
        Kind::FreeForm
    } else {
        Kind::Member
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_count_is_a_whole_number_however_it_is_written() {
        for (value, count) in [
            (json!(3), Some(3)),
            (json!(3.0), Some(3)),
            (json!(u64::MAX), Some(u64::MAX)),
            (json!(3.5), None),
            (json!(-1.0), None),
            (json!(1e300), None),
            (json!("3"), None),
        ] {
            assert_eq!(count_of(&value), count, "{value}");
        }
    }

    #[test]
    fn the_members_of_a_directory_user_are_those_of_the_tables() {
        let contract = crate::our_contract().unwrap();
        let user = Members::of(&contract, "DirectoryUser");
        let count = |kind| {
            user.of_kind(kind)
                .filter(|place| place.segments().len() == 2)
                .count()
        };
        assert_eq!(
            (count(Kind::Timestamp), count(Kind::Count), count(Kind::Link)),
            (6, 28, 10)
        );
        assert!(user.described);
        assert_eq!(user.of_kind(Kind::FreeForm).count(), 2);
        assert!(!Members::of(&contract, "DirectoryDimension").described);
    }
}
