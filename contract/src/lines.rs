//! The line of a place in a YAML text. A value does not know its line, but an error of the reader does: so a reader that fails
//! at the place finds its line.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::Pointer;

/// The line of the key or item at `at`, from 1. Of a place that the text does not have, the line of the nearest place above.
pub(crate) fn line_of(text: &str, at: &Pointer) -> usize {
    let mut path = at.segments();
    while let Some((_, above)) = path.split_last() {
        let read = Stop { path }.deserialize(yaml_serde::Deserializer::from_str(text));
        if let Some(place) = read.err().and_then(|error| error.location()) {
            return place.line();
        }
        path = above;
    }
    1
}

/// Fails at the place that the path leads to from here, and nowhere else.
#[derive(Clone, Copy)]
struct Stop<'p> {
    path: &'p [String],
}

impl Stop<'_> {
    fn pass<E: Error>(self) -> Result<(), E> {
        match self.path.is_empty() {
            true => Err(E::custom("this is the place")),
            false => Ok(()),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Stop<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Stop<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value without a tag")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.pass()
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.pass()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.pass()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.pass()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.pass()
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.pass()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.pass()?;
        let (index, rest) = next(self.path);
        let mut position = 0_usize;
        loop {
            let item = match position.to_string() == index {
                true => seq.next_element_seed(Stop { path: rest })?,
                false => seq.next_element::<IgnoredAny>()?.map(drop),
            };
            if item.is_none() {
                return Ok(());
            }
            position += 1;
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.pass()?;
        let (name, rest) = next(self.path);
        let stop_at = rest.is_empty().then_some(name);
        while let Some(key) = map.next_key_seed(Key { stop_at })? {
            match key == name {
                true => map.next_value_seed(Stop { path: rest })?,
                false => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

fn next(path: &[String]) -> (&str, &[String]) {
    path.split_first()
        .map_or(("", &[]), |(first, rest)| (first, rest))
}

/// Reads a key, and fails at the key to stop at.
#[derive(Clone, Copy)]
struct Key<'p> {
    stop_at: Option<&'p str>,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Key<'_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_bool<E: Error>(self, key: bool) -> Result<String, E> {
        self.visit_str(&key.to_string())
    }

    fn visit_i64<E: Error>(self, key: i64) -> Result<String, E> {
        self.visit_str(&key.to_string())
    }

    fn visit_u64<E: Error>(self, key: u64) -> Result<String, E> {
        self.visit_str(&key.to_string())
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<String, E> {
        match self.stop_at == Some(key) {
            true => Err(E::custom("this is the place")),
            false => Ok(key.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::line_of;

    #[test]
    fn a_place_has_the_line_of_its_key_or_item() {
        let text = "a: 1\nb:\n  - x\n  - c: {d: 2,\n      e: [3,\n        4]}\n\n  # a comment\n  - &f\n    g: >-\n      h\n      i\n200:\n  j: *f\n";
        for (at, line) in [
            ("", 1),
            ("/a", 1),
            ("/b", 2),
            ("/b/0", 3),
            ("/b/1", 4),
            ("/b/1/c/d", 4),
            ("/b/1/c/e", 5),
            ("/b/1/c/e/1", 6),
            ("/b/2/g", 10),
            ("/200", 13),
            ("/200/j", 14),
            // What the text does not have is looked for above.
            ("/b/1/c/z", 4),
            ("/b/9/c", 2),
            ("/z/z", 1),
        ] {
            assert_eq!(line_of(text, &at.parse().unwrap()), line, "{at}");
        }
    }

    #[test]
    fn an_item_of_any_kind_has_its_line() {
        let text = "a:\n- null\n- true\n- -1\n- 2\n- 1.5\n- x\n- []\n- {}\n";
        for (index, line) in (2..=9).enumerate() {
            assert_eq!(
                line_of(text, &format!("/a/{index}").parse().unwrap()),
                line,
                "{index}"
            );
        }
        assert_eq!(line_of(text, &"/a/8".parse().unwrap()), 1);
    }

    #[test]
    fn a_key_of_any_kind_is_found_by_its_text() {
        let text = "x: 0\ntrue:\n  a: 1\nfalse: 2\n-1:\n  b: 3\n404:\n  c: 4\n";
        for (at, line) in [
            ("/true", 2),
            ("/true/a", 3),
            ("/false", 4),
            ("/-1", 5),
            ("/-1/b", 6),
            ("/404", 7),
            ("/404/c", 8),
            ("/other", 1),
        ] {
            assert_eq!(line_of(text, &at.parse().unwrap()), line, "{at}");
        }
    }

    #[test]
    fn a_text_that_is_no_yaml_has_its_first_line() {
        assert_eq!(line_of("\"", &"/a".parse().unwrap()), 1);
    }
}
