//! The body of a write as the contract has it: what may be sent, and what does the least. What may not be sent is in
//! [`super::near_misses`].

use jiff::Timestamp;
use rollcall_contract::{Contract, Operation};
use serde_json::{Map, Value, json};

use rollcall_oracle::open_points::timestamp;

/// The members of a body that can be tried.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    /// The members in the order of the contract.
    pub(crate) members: Vec<Member>,
}

/// One member of a body.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Its name.
    pub(crate) name: String,
    /// Whether a body without it is refused.
    pub(crate) required: bool,
    /// Whether it may be null.
    pub(crate) nullable: bool,
    /// What it takes.
    pub(crate) takes: FieldKind,
}

/// What a member takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// A whole number of days between two bounds, both included.
    Days {
        /// The smallest.
        least: i64,
        /// The largest.
        most: i64,
    },
    /// A date-time.
    Timestamp,
    /// True or false.
    Flag,
}

impl Body {
    /// The body that an operation takes.
    pub(crate) fn of(contract: &Contract, operation: &Operation) -> Self {
        let document = contract.document();
        let name = operation.request_body.as_deref();
        let Some(schema) = name.and_then(|name| document.schema(name)) else {
            return Self::default();
        };
        let schema = document.underlying(schema);
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let members = schema["properties"].as_object().into_iter().flatten();
        let members = members.filter_map(|(name, written)| {
            Some(Member {
                name: name.clone(),
                required: required.iter().any(|one| one == name),
                nullable: document.or_null(document.resolve(written)).is_some(),
                takes: FieldKind::of(document.underlying(written))?,
            })
        });
        Self {
            members: members.collect(),
        }
    }

    /// The first member that takes a timestamp.
    pub(super) fn timestamp(&self) -> Option<&Member> {
        let mut members = self.members.iter();
        members.find(|member| member.takes == FieldKind::Timestamp)
    }

    /// The members that take days, each by its name, with the fewest and the most days.
    pub(super) fn days(&self) -> impl Iterator<Item = (&str, i64, i64)> {
        self.members.iter().filter_map(|member| match member.takes {
            FieldKind::Days { least, most } => Some((member.name.as_str(), least, most)),
            FieldKind::Timestamp | FieldKind::Flag => None,
        })
    }

    /// Whether the write makes a record end; if not, it brings one back.
    pub(crate) fn ends(&self) -> bool {
        self.members.iter().any(|member| member.takes != FieldKind::Flag)
    }

    /// A body that is accepted and does the least: the farthest end, or everything as it was.
    pub(crate) fn minimal_body(&self) -> Value {
        let mut body = Map::new();
        for member in &self.members {
            match member.takes {
                FieldKind::Days { most, .. } => _ = body.insert(member.name.clone(), json!(most)),
                FieldKind::Flag if member.required => _ = body.insert(member.name.clone(), json!(true)),
                FieldKind::Timestamp | FieldKind::Flag => {}
            }
        }
        Value::Object(body)
    }
}

impl Member {
    /// A value that a body may have in its place.
    pub(crate) fn right(&self, now: Timestamp) -> Value {
        match self.takes {
            FieldKind::Days { most, .. } => json!(most),
            FieldKind::Timestamp => json!(timestamp::iso(timestamp::days_later(now, 40))),
            FieldKind::Flag => json!(true),
        }
    }
}

impl FieldKind {
    /// How reports call a value of the kind.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Days { .. } => "a number of days",
            Self::Timestamp => "a timestamp",
            Self::Flag => "a boolean",
        }
    }

    fn of(schema: &Value) -> Option<Self> {
        match schema["type"].as_str()? {
            "integer" => Some(Self::Days {
                least: schema["minimum"].as_i64()?,
                most: schema["maximum"].as_i64()?,
            }),
            "string" if schema["format"] == "date-time" => Some(Self::Timestamp),
            "boolean" => Some(Self::Flag),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(operation: &str) -> Body {
        let contract = rollcall_oracle::our_contract().unwrap();
        Body::of(&contract, contract.operation(operation).unwrap())
    }

    #[test]
    fn a_body_is_read_from_its_schema() {
        let deprecate = body("deprecateDirectoryAttribute");
        let takes: Vec<_> = deprecate.members.iter().map(|member| member.takes).collect();
        assert_eq!(
            takes,
            [FieldKind::Timestamp, FieldKind::Days { least: 0, most: 1095 }]
        );
        assert!(
            deprecate
                .members
                .iter()
                .all(|member| member.nullable && !member.required)
        );
        assert!(deprecate.ends() && !body("restoreWorkspaceUser").ends());
        assert!(body("activateWorkspaceUser").members.is_empty());
    }

    #[test]
    fn what_is_nearly_right_is_never_right() {
        for operation in ["deprecateDirectoryAttribute", "restoreWorkspaceUser"] {
            for member in body(operation).members {
                let right = member.right(Timestamp::UNIX_EPOCH);
                let name = member.name.as_str();
                for one in member.near_misses(Timestamp::UNIX_EPOCH) {
                    let body: Option<Value> = serde_json::from_str(&one.body).ok();
                    assert!(body.is_none_or(|body| body[name] != right), "{}", one.what);
                }
            }
        }
    }

    #[test]
    fn a_required_member_may_not_be_left_out() {
        let roles = body("restoreWorkspaceUser").members.remove(0);
        let near = roles.near_misses(Timestamp::UNIX_EPOCH);
        assert!(
            near.iter()
                .any(|one| one.body == "{}" && one.intent.is_to_be_refused())
        );
    }
}
