//! Cursors (L2): a place in the answer to a question, as text that only this server reads. A page behind one costs the same at
//! any depth.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rollcall::list::{List, ListQuery};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::sql::Value;

/// How every cursor begins.
const MARK: &str = "c_";

/// A place between two records of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Cursor {
    /// The list, its filters and its sort; it means nothing under others.
    pub question: Question,
    /// Whether what comes before the place is wanted rather than what comes behind.
    pub backward: bool,
    /// The values of the record at the place, as `Order::push_kept` reads them.
    pub values: Vec<Value>,
}

/// Which records are asked for in which order: a digest, so that a cursor is short and shows no value of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question(String);

/// So many bytes of the digest tell questions apart. Nobody gains by two that are alike.
const DIGEST: usize = 9;

impl Question {
    /// What a query asks for.
    pub fn of<L: List>(query: &ListQuery<L>) -> Self {
        let digest = Sha256::digest([L::PATH, "?", &query.question()].concat());
        Self(URL_SAFE_NO_PAD.encode(&digest[..DIGEST]))
    }
}

#[derive(Serialize, Deserialize)]
struct Written(String, bool, Vec<serde_json::Value>);

impl Cursor {
    /// As text.
    pub fn print(&self) -> String {
        let json = |value: &Value| match value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(flag) => serde_json::Value::from(i64::from(*flag)),
            Value::Int(number) => serde_json::Value::from(*number),
            Value::Text(text) | Value::Needle(text) => serde_json::Value::from(text.as_str()),
        };
        let written = Written(
            self.question.0.clone(),
            self.backward,
            self.values.iter().map(json).collect(),
        );
        // Strings, numbers and null always serialise.
        let bytes = serde_json::to_vec(&written).unwrap_or_default();
        [MARK, &URL_SAFE_NO_PAD.encode(bytes)].concat()
    }

    /// Reads what [`Cursor::print`] wrote; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text.strip_prefix(MARK)?).ok()?;
        let Written(question, backward, values) = serde_json::from_slice(&bytes).ok()?;
        let value = |json| match json {
            serde_json::Value::Null => Some(Value::Null),
            serde_json::Value::String(text) => Some(Value::Text(text)),
            serde_json::Value::Number(number) => number.as_i64().map(Value::Int),
            _ => None,
        };
        Some(Self {
            question: Question(question),
            backward,
            values: values.into_iter().map(value).collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::Null),
            any::<i64>().prop_map(Value::Int),
            any::<String>().prop_map(Value::Text)
        ]
    }

    proptest! {
        #[test]
        fn parsing_what_was_printed_is_the_identity(
            question in ".{0,20}", backward in any::<bool>(), values in prop::collection::vec(value(), 0..5),
        ) {
            let cursor = Cursor { question: Question(question), backward, values };
            prop_assert_eq!(Cursor::parse(&cursor.print()), Some(cursor));
        }

        #[test]
        fn any_text_is_a_cursor_or_nothing(text in "(c_)?.{0,40}") {
            let _ = Cursor::parse(&text);
        }
    }
}
