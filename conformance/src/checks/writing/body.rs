//! The body of a write as the contract has it: what may be sent, what may not, and what does the least.

use jiff::Timestamp;
use rollcall_contract::{Contract, Operation};
use serde_json::{Map, Value, json};

use crate::corpus::timestamp;

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
    Moment,
    /// True or false.
    Flag,
}

impl Body {
    /// The body that an operation takes.
    pub(crate) fn of(contract: &Contract, operation: &Operation) -> Self {
        let document = contract.document();
        let schema = operation
            .request_body
            .as_deref()
            .and_then(|name| document.schema(name))
            .map(|schema| document.underlying(schema));
        let Some(schema) = schema else {
            return Self::default();
        };
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

    /// The member that takes a moment.
    pub(crate) fn moment(&self) -> Option<&Member> {
        self.members
            .iter()
            .find(|member| member.takes == FieldKind::Moment)
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
                FieldKind::Moment | FieldKind::Flag => {}
            }
        }
        Value::Object(body)
    }
}

impl Member {
    /// Bodies that must be refused because of this member, as text, each with how reports call it: the member has a value
    /// that careless parsers take for one that it takes, or it is required and missing.
    pub(crate) fn wrong(&self) -> Vec<(String, String)> {
        let name = json!(self.name);
        let near = self.takes.near_misses().into_iter();
        let near = near.filter(|text| text != "null" || !self.nullable);
        let mut wrong: Vec<_> = near
            .map(|text| (format!("{} {text}", self.name), format!("{{{name}:{text}}}")))
            .collect();
        if self.required {
            let right = self.right(Timestamp::UNIX_EPOCH);
            let whole = json!({ self.name.as_str(): right });
            let elsewhere = [
                ("without", "{}".to_owned()),
                ("null without", "null".to_owned()),
                ("an empty list without", "[]".to_owned()),
                ("true in place of", "true".to_owned()),
                ("a list around", json!([whole]).to_string()),
                ("another object around", json!({"data": whole}).to_string()),
                (
                    "capitals in",
                    json!({ self.name.to_uppercase(): right }).to_string(),
                ),
            ];
            wrong.extend(elsewhere.map(|(how, text)| (format!("{how} {}", self.name), text)));
        }
        wrong
    }

    /// A value that a body may have in its place.
    pub(crate) fn right(&self, now: Timestamp) -> Value {
        match self.takes {
            FieldKind::Days { most, .. } => json!(most),
            FieldKind::Moment => json!(timestamp::iso(timestamp::days_later(now, 40))),
            FieldKind::Flag => json!(true),
        }
    }
}

impl FieldKind {
    /// Values that it does not take and careless parsers do, as JSON.
    fn near_misses(self) -> Vec<String> {
        let texts: &[&str] = match self {
            Self::Days { least, most } => {
                // A parser that keeps only the lower bits of such a number gets a number in the range.
                let wrapped = [1_i128 << 32, 1 << 64].map(|turn| turn + i128::from(most));
                let outside = [i128::from(least) - 1, i128::from(most) + 1];
                let texts = [
                    "1.5",
                    "-0.5",
                    "\"30\"",
                    "\" 30\"",
                    "\"30 days\"",
                    "\"\"",
                    "true",
                    "[30]",
                    "{}",
                ];
                let numbers = outside
                    .into_iter()
                    .chain(wrapped)
                    .map(|number| number.to_string());
                return numbers.chain(texts.map(str::to_owned)).collect();
            }
            // No form of any date has a thirteenth month.
            Self::Moment => &[
                "\"no moment\"",
                "\"2027-13-45T00:00:00Z\"",
                "true",
                "\"2027-02-30T00:00:00Z\"",
                "\"2027-06-15T25:00:00Z\"",
                "\"2027-06-15T10:00:00Z and more\"",
                "\"tomorrow\"",
                "\"+1 week\"",
                "[\"2027-06-15T10:00:00Z\"]",
                "{}",
            ],
            Self::Flag => &[
                "\"yes\"",
                "1",
                "0",
                "null",
                "\"true\"",
                "\"false\"",
                "\"\"",
                "\"1\"",
                "[]",
                "[true]",
                "{}",
            ],
        };
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    fn of(schema: &Value) -> Option<Self> {
        match schema["type"].as_str()? {
            "integer" => Some(Self::Days {
                least: schema["minimum"].as_i64()?,
                most: schema["maximum"].as_i64()?,
            }),
            "string" if schema["format"] == "date-time" => Some(Self::Moment),
            "boolean" => Some(Self::Flag),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(operation: &str) -> Body {
        let contract = crate::our_contract().unwrap();
        Body::of(&contract, contract.operation(operation).unwrap())
    }

    #[test]
    fn a_body_is_read_from_its_schema() {
        let deprecate = body("deprecateDirectoryAttribute");
        let takes: Vec<_> = deprecate.members.iter().map(|member| member.takes).collect();
        assert_eq!(
            takes,
            [FieldKind::Moment, FieldKind::Days { least: 0, most: 1095 }]
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
    fn what_is_wrong_is_never_what_is_right() {
        for operation in ["deprecateDirectoryAttribute", "restoreWorkspaceUser"] {
            for member in body(operation).members {
                let right = member.right(Timestamp::UNIX_EPOCH);
                let name = member.name.as_str();
                for (what, text) in member.wrong() {
                    let body: Option<Value> = serde_json::from_str(&text).ok();
                    assert!(body.is_none_or(|body| body[name] != right), "{what}");
                }
            }
        }
    }

    #[test]
    fn a_required_member_may_not_be_left_out() {
        let roles = body("restoreWorkspaceUser").members.remove(0);
        assert!(roles.wrong().iter().any(|(_, body)| body == "{}"));
    }
}
