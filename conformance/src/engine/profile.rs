//! What a target chose where the specification leaves the choice open; as a file, and compared with another target.
//!
//! Invariant: a profile is made of observations only, so that two of them differ exactly where the targets were seen to.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde::{Deserialize, Serialize};

use crate::engine::outcome::Observation;

/// The choices of a target: open point → question → choice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Profile {
    /// The choices.
    pub points: BTreeMap<String, BTreeMap<String, String>>,
}

/// The name of the profile that is built in.
pub const REFERENCE: &str = "reference";
const OUR_CHOICES: &str = include_str!("../../profiles/reference.toml");

/// A profile cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// There is no such file, or it cannot be read.
    #[error("{name}: {error}")]
    Unreadable {
        /// The file.
        name: String,
        /// Why not.
        error: io::Error,
    },
    /// The file is no profile.
    #[error("{name}: {}", error.message().trim_end())]
    NoProfile {
        /// The file.
        name: String,
        /// Why not.
        error: toml::de::Error,
    },
}

/// A question that two profiles answer differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference<'p> {
    /// The open point.
    pub point: &'p str,
    /// The question.
    pub question: &'p str,
    /// What the first says; none if nothing.
    pub one: Option<&'p str>,
    /// What the second says; none if nothing.
    pub other: Option<&'p str>,
}

impl Profile {
    /// What was observed.
    pub fn of<'o>(observations: impl IntoIterator<Item = &'o Observation>) -> Self {
        let observations = observations.into_iter();
        Self::collect(observations.map(|seen| (seen.point, seen.question.as_str(), seen.choice.as_str())))
    }

    /// Choices, each with its open point and its question.
    pub fn collect<'o>(choices: impl IntoIterator<Item = (&'o str, &'o str, &'o str)>) -> Self {
        let mut profile = Self::default();
        for (point, question, choice) in choices {
            let questions = profile.points.entry(point.to_owned()).or_default();
            let seen = questions
                .entry(question.to_owned())
                .or_insert_with(|| choice.to_owned());
            // A target that does now one thing and now the other has chosen to do both.
            if !seen.split(BOTH).any(|seen| seen == choice) {
                *seen = [seen, choice].join(BOTH);
            }
        }
        profile
    }

    /// The profile of a name: [`REFERENCE`], or a file.
    ///
    /// # Errors
    /// There is no such file, or it is no profile.
    pub fn read(name: &str) -> Result<Self, ProfileError> {
        let owned = || name.to_owned();
        let text = match name {
            REFERENCE => OUR_CHOICES.to_owned(),
            file => std::fs::read_to_string(file)
                .map_err(|error| ProfileError::Unreadable { name: owned(), error })?,
        };
        toml::from_str(&text).map_err(|error| ProfileError::NoProfile { name: owned(), error })
    }

    /// Writes the profile as a file that [`Profile::read`] reads.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, mut to: impl io::Write) -> io::Result<()> {
        let text = toml::to_string_pretty(self).map_err(io::Error::other)?;
        to.write_all(text.as_bytes())
    }

    /// What the profile says about a question.
    pub fn choice(&self, point: &str, question: &str) -> Option<&str> {
        self.points.get(point)?.get(question).map(String::as_str)
    }

    /// Every question the profile answers, by open point.
    pub fn questions(&self) -> impl Iterator<Item = (&str, &str)> {
        let points = self.points.iter();
        points.flat_map(|(point, questions)| questions.keys().map(|key| (point.as_str(), key.as_str())))
    }

    /// Where two profiles differ, by open point.
    pub fn differences<'p>(&'p self, other: &'p Self) -> Vec<Difference<'p>> {
        let questions: BTreeSet<_> = self.questions().chain(other.questions()).collect();
        let both = questions.into_iter().map(|(point, question)| Difference {
            point,
            question,
            one: self.choice(point, question),
            other: other.choice(point, question),
        });
        let differences = both.filter(|difference| difference.one != difference.other);
        differences.collect()
    }
}

/// Stands between two choices for one question.
const BOTH: &str = " / ";

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(point: &'static str, question: &str, choice: &str) -> Observation {
        Observation {
            point,
            question: question.to_owned(),
            choice: choice.to_owned(),
        }
    }

    #[test]
    fn a_profile_is_read_as_it_was_written() {
        let profile = Profile::of(&[
            seen("L9", "the case of `a=\"b\"`", "folded"),
            seen("L1", "envelope", "none"),
        ]);
        let mut text = Vec::new();
        profile.write(&mut text).unwrap();
        assert_eq!(toml::from_slice::<Profile>(&text).unwrap(), profile);
    }

    #[test]
    fn two_choices_for_one_question_are_both_kept() {
        let profile = Profile::of(&[
            seen("L9", "case", "a"),
            seen("L9", "case", "b"),
            seen("L9", "case", "a"),
        ]);
        assert_eq!(profile.choice("L9", "case"), Some("a / b"));
    }

    #[test]
    fn profiles_differ_where_a_choice_differs_or_is_missing() {
        let one = Profile::of(&[
            seen("L9", "case", "folded"),
            seen("L9", "comma", "literal"),
            seen("L2", "q", "x"),
        ]);
        let other = Profile::of(&[seen("L9", "case", "exact"), seen("L9", "comma", "literal")]);
        let differences = one.differences(&other);
        let points: Vec<_> = differences
            .iter()
            .map(|difference| (difference.point, difference.question))
            .collect();
        assert_eq!(points, [("L2", "q"), ("L9", "case")]);
        assert_eq!(differences[0].other, None);
        assert_eq!(one.differences(&one), []);
    }

    #[test]
    fn the_profile_that_is_built_in_can_be_read() {
        assert!(Profile::read(REFERENCE).is_ok());
    }
}
