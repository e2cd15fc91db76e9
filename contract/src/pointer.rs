//! JSON pointers (RFC 6901): into a record where annotations use them, into the document where errors do.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A JSON pointer such as `/timestamp/created_at`; printing and parsing are inverse.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pointer {
    segments: Vec<String>,
}

/// The text is no JSON pointer: it neither is empty nor begins with `/`, or has a `~` that escapes nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no JSON pointer")]
pub struct NotAPointer(String);

impl Pointer {
    /// The pointer to the whole.
    pub fn root() -> Self {
        Self::default()
    }

    /// The pointer through the given names, which are taken literally.
    pub fn of<'a>(segments: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            segments: segments.into_iter().map(str::to_owned).collect(),
        }
    }

    /// The pointer one step further down, to the member called `name`.
    pub fn child(&self, name: &str) -> Self {
        let mut segments = self.segments.clone();
        segments.push(name.to_owned());
        Self { segments }
    }

    /// The names along the way, unescaped.
    pub fn segments(&self) -> &[String] {
        &self.segments
    }

    /// The name of the member pointed at; none for the root.
    pub fn last(&self) -> Option<&str> {
        self.segments.last().map(String::as_str)
    }

    /// The value at this place of `value`, if it has the place.
    pub fn find<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        self.segments.iter().try_fold(value, |value, name| match value {
            Value::Object(members) => members.get(name),
            Value::Array(items) => items.get(name.parse::<usize>().ok()?),
            _ => None,
        })
    }

    /// This place if `value` has it, else the first member on the way to it that is missing.
    ///
    /// In `{"a": {}}` the pointer `/a/b/c` becomes `/a/b`: there someone can add it.
    pub(crate) fn first_missing(&self, value: &Value) -> Self {
        let places = (0..=self.segments.len()).map(|length| Self {
            segments: self.segments[..length].to_vec(),
        });
        let mut places = places.skip_while(|place| place.find(value).is_some());
        places.next().unwrap_or_else(|| self.clone())
    }

    /// What [`Self::find`] finds, to be changed.
    pub fn find_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        self.segments.iter().try_fold(value, |value, name| match value {
            Value::Object(members) => members.get_mut(name),
            Value::Array(items) => items.get_mut(name.parse::<usize>().ok()?),
            _ => None,
        })
    }
}

impl Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.segments
            .iter()
            .try_for_each(|name| write!(f, "/{}", name.replace('~', "~0").replace('/', "~1")))
    }
}

impl FromStr for Pointer {
    type Err = NotAPointer;

    fn from_str(text: &str) -> Result<Self, NotAPointer> {
        let wrong = || NotAPointer(text.to_owned());
        if text.is_empty() {
            return Ok(Self::root());
        }
        let names = text.strip_prefix('/').ok_or_else(wrong)?.split('/');
        let segments = names
            .map(|name| unescape(name).ok_or_else(wrong))
            .collect::<Result<_, _>>()?;
        Ok(Self { segments })
    }
}

/// The name that a segment stands for; none if a `~` is followed by neither 0 nor 1.
fn unescape(segment: &str) -> Option<String> {
    let mut parts = segment.split('~');
    let mut name = parts.next()?.to_owned();
    for part in parts {
        let (letter, rest) = match part.as_bytes().first()? {
            b'0' => ('~', &part[1..]),
            b'1' => ('/', &part[1..]),
            _ => return None,
        };
        name.push(letter);
        name.push_str(rest);
    }
    Some(name)
}

impl TryFrom<String> for Pointer {
    type Error = NotAPointer;

    fn try_from(text: String) -> Result<Self, NotAPointer> {
        text.parse()
    }
}

impl From<Pointer> for String {
    fn from(pointer: Pointer) -> Self {
        pointer.to_string()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parsing_what_was_printed_is_the_identity(segments in prop::collection::vec("[a-z~/0-9é ]{0,6}", 0..5)) {
            let pointer = Pointer { segments };
            prop_assert_eq!(pointer.to_string().parse::<Pointer>(), Ok(pointer));
        }

        #[test]
        fn printing_what_was_parsed_is_the_identity(text in "(/([a-z]|~0|~1){0,4}){0,4}") {
            prop_assert_eq!(text.parse::<Pointer>().map(|pointer| pointer.to_string()), Ok(text));
        }

        #[test]
        fn any_text_is_either_a_pointer_or_an_error(text in ".{0,20}") {
            if let Ok(pointer) = text.parse::<Pointer>() {
                prop_assert_eq!(pointer.to_string(), text);
            }
        }
    }

    #[test]
    fn a_pointer_finds_the_place_serde_json_finds() {
        let value = serde_json::json!({"a/b": [{"~": 1}]});
        for text in ["", "/a~1b", "/a~1b/0/~0", "/a~1b/1", "/c", "/a~1b/x"] {
            let pointer: Pointer = text.parse().unwrap();
            assert_eq!(pointer.find(&value), value.pointer(text), "{text}");
        }
    }

    #[test]
    fn the_first_missing_member_is_where_one_would_add_it() {
        let value = serde_json::json!({"a": {"b": [1]}});
        for (pointer, missing) in [
            ("/a/b/0", "/a/b/0"),
            ("/a/c/d/e", "/a/c"),
            ("/x/y", "/x"),
            ("", ""),
        ] {
            let pointer: Pointer = pointer.parse().unwrap();
            assert_eq!(pointer.first_missing(&value).to_string(), missing);
        }
    }

    #[test]
    fn a_pointer_begins_with_a_slash_and_escapes_properly() {
        for text in ["a", "a/b", "/a~", "/~2", "#/a"] {
            assert!(text.parse::<Pointer>().is_err(), "{text}");
        }
    }
}
