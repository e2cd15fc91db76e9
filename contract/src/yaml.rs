//! YAML text → a JSON value in document order, of a size that is in proportion to the text.
//!
//! An alias repeats what it stands for, and that may have aliases too: a hundred bytes can stand for gigabytes. So the size is
//! counted while the value is made.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// A document of any text may come to so many values and bytes of text.
const ALWAYS_ALLOWED: usize = 1_000_000;

/// A longer one may come to so many for each of its bytes.
const MOST_PER_BYTE: usize = 8;

/// Reads YAML text.
///
/// # Errors
/// The text is not YAML, has a key twice, a key that JSON has no word for, or aliases that make it too large.
pub(crate) fn parse(text: &str) -> Result<Value, yaml_serde::Error> {
    let most = ALWAYS_ALLOWED.max(text.len().saturating_mul(MOST_PER_BYTE));
    // JSON is YAML, but for its escapes of letters in two halves; its own reader is faster, too.
    if text.trim_start().starts_with('{') {
        let left = Cell::new(most);
        let mut json = serde_json::Deserializer::from_str(text);
        let value = Node { left: &left }.deserialize(&mut json);
        if let Ok(value) = value.and_then(|value| json.end().map(|()| value)) {
            return Ok(value);
        }
    }
    let left = Cell::new(most);
    Node { left: &left }.deserialize(yaml_serde::Deserializer::from_str(text))
}

/// A value, and how much the document may still grow.
#[derive(Clone, Copy)]
struct Node<'l> {
    left: &'l Cell<usize>,
}

impl Node<'_> {
    fn take<E: serde::de::Error>(self, size: usize) -> Result<(), E> {
        match self.left.get().checked_sub(size) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(E::custom(
                "its aliases make the document far larger than its text",
            )),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.take(1)?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value without a tag")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    /// JSON has no word for what is no number, nor for the infinite.
    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Value, E> {
        self.take(value.len())?;
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = seq.next_element_seed(self)? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = map.next_key_seed(self)? {
            let key = match key {
                Value::String(key) => key,
                // The status 200 in a list of responses.
                key @ (Value::Number(_) | Value::Bool(_)) => key.to_string(),
                other => return Err(A::Error::custom(format_args!("the key {other} is no text"))),
            };
            let value = map.next_value_seed(self)?;
            if members.contains_key(&key) {
                return Err(A::Error::custom(format_args!("duplicate entry with key {key:?}")));
            }
            members.insert(key, value);
        }
        Ok(members.into())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::parse;

    #[test]
    fn a_document_is_a_json_value() {
        let text = "a: &a [1, -2, 1.5, null, true, x]\n200: *a\ntrue: {}\n'200 ': ''\n";
        let list = json!([1, -2, 1.5, null, true, "x"]);
        assert_eq!(
            parse(text).unwrap(),
            json!({"a": list, "200": list, "true": {}, "200 ": ""})
        );
    }

    #[test]
    fn what_json_has_no_word_for_and_what_stands_twice_is_refused() {
        for (text, reason) in [
            ("a: 1\na: 2", "duplicate entry with key \"a\""),
            ("200: 1\n'200': 2", "duplicate entry with key \"200\""),
            ("[a]: 1", "the key [\"a\"] is no text"),
            ("~: 1", "the key null is no text"),
            ("a: !secret x", "a value without a tag"),
            ("a: [", "did not find"),
        ] {
            let said = parse(text).unwrap_err().to_string();
            assert!(said.contains(reason), "{text}: {said}");
        }
    }

    #[test]
    fn aliases_do_not_make_gigabytes_of_a_few_lines() {
        let wide = format!("a: &a [{}]\n", vec!["x"; 12_000].join(","));
        let levels = ["a", "b", "c", "d", "e", "f", "g"];
        let mut text = wide.clone();
        for pair in levels.windows(2) {
            let [of, to] = pair else { continue };
            text += &format!("{to}: &{to} [{}]\n", vec![format!("*{of}"); 9].join(","));
        }
        let said = parse(&text).unwrap_err().to_string();
        assert!(said.contains("larger than its text"), "{said}");
        assert!(parse(&format!("{wide}b: [*a, *a, *a]")).is_ok());
    }
}
