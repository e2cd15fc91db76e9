//! The members that the contract gives a record, looked up once and not for every record.

use std::collections::BTreeSet;

use rollcall_contract::{Contract, Form, Frame, Pointer, Template};
use serde_json::Value;

/// Below this number, 2 to the power of 53, a fraction of zero is exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What a record shows at a place; none if it shows nothing there. A member that is left out of an object of the record counts
/// as null, such as a timestamp (R1).
pub fn shown_at<'r>(place: &Pointer, record: &'r Value) -> Option<&'r Value> {
    let [object, _] = place.segments() else {
        return place.find(record);
    };
    let is_left_out = record.get(object).is_some_and(Value::is_object);
    place.find(record).or(is_left_out.then_some(&Value::Null))
}

/// A value as a filter spells it; none of what no filter can be asked for.
pub fn spelled(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A count; none of anything but a whole number that is not negative. JSON writes 1 as `1.0` too.
pub fn count_of(value: &Value) -> Option<u64> {
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
    pub fn expects(self) -> &'static str {
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
pub struct Members {
    /// The members of the record, and those of the objects that its frame has for them.
    places: Vec<Member>,
    /// Where it shows its state.
    state: Option<Pointer>,
    /// Whether the specification describes them; of some records it only says that they exist.
    pub described: bool,
}

/// A member of a record.
#[derive(Clone, Debug)]
struct Member {
    place: Pointer,
    kind: Kind,
    /// Whether it is a member by which two sightings of a record can be compared.
    is_comparable: bool,
}

impl Members {
    /// The members of a component schema.
    pub fn of(contract: &Contract, record: &str) -> Self {
        let schema = contract.document().json_schema(record, Form::Judging);
        let definition = schema
            .map(|mut schema| schema["$defs"][record].take())
            .unwrap_or_default();
        let described = definition.get("allOf").is_some() || definition.get("properties").is_some();
        let parts = parts(&contract.frame);
        let mut places = Vec::new();
        let mut add = |place: Pointer, kind: Option<Kind>, is_whole: bool| {
            let kind = kind.unwrap_or_else(|| by_schema(contract, contract.member_schema(record, &place)));
            places.push(Member {
                is_comparable: kind != Kind::Link && !is_whole,
                place,
                kind,
            });
        };
        for name in names(contract, contract.document().schema(record)) {
            let place = Pointer::of([name.as_str()]);
            let within = parts
                .iter()
                .filter(|(part, _)| part.holder().segments().first() == Some(&name));
            let mut kind_of_all = None;
            let mut is_whole = contract.frame.holds_relations(&name);
            for (part, kind) in within {
                is_whole = true;
                kind_of_all = kind.filter(|_| part.is_direct()).or(kind_of_all);
                let members = names(contract, contract.member_schema(record, part.holder()));
                for member in members.iter().filter_map(|name| part.member(name)) {
                    add(part.at(member), *kind, false);
                }
            }
            add(place, kind_of_all, is_whole);
        }
        let state = contract.frame.state.clone();
        Self {
            places,
            state,
            described,
        }
    }

    /// The kind of a member; what lies deeper is of the kind of what it lies in.
    pub fn kind(&self, place: &Pointer) -> Kind {
        let outer = |known: &&Member| place.segments().starts_with(known.place.segments());
        let known = self.places.iter().filter(outer);
        let innermost = known.max_by_key(|known| known.place.segments().len());
        innermost.map_or(Kind::Member, |known| known.kind)
    }

    /// Whether the contract has the member.
    pub fn has(&self, place: &Pointer) -> bool {
        self.places.iter().any(|known| known.place == *place)
    }

    /// Whether a member is the state of the record.
    pub fn is_state(&self, place: &Pointer) -> bool {
        self.state.as_ref() == Some(place)
    }

    /// The members of one kind.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Pointer> {
        let members = self.places.iter().filter(move |known| known.kind == kind);
        members.map(|known| &known.place)
    }

    /// The members that are links.
    pub fn links(&self) -> impl Iterator<Item = &Pointer> {
        self.of_kind(Kind::Link)
    }

    /// The members by which two sightings of a record can be compared. Links are left out, whose content is open (R2),
    /// and relations, which depend on the request. Of an object of the frame the members are compared.
    pub fn comparable(&self) -> impl Iterator<Item = &Pointer> {
        let comparable = self.places.iter().filter(|known| known.is_comparable);
        comparable.map(|known| &known.place)
    }
}

/// The names of the properties of a schema, those of its parts included.
pub fn names(contract: &Contract, schema: Option<&Value>) -> BTreeSet<String> {
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

/// The parts of a frame whose members are members of the record, each with the kind of all of them.
fn parts(frame: &Frame) -> Vec<(&Template, Option<Kind>)> {
    let parts = [
        (&frame.members, None),
        (&frame.timestamps, Some(Kind::Timestamp)),
        (&frame.count, Some(Kind::Count)),
        (&frame.links, Some(Kind::Link)),
    ];
    let parts = parts.into_iter();
    parts
        .filter_map(|(part, kind)| Some((part.as_ref()?, kind)))
        .collect()
}

/// The kind of a member of a record by its schema.
fn by_schema(contract: &Contract, schema: Option<&Value>) -> Kind {
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
