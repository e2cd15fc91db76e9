//! A report of the form json, read again: the members that a comparison needs.
//!
//! Invariant: only a report of the form that this runner writes is read, so that no member means something else.

use jiff::Timestamp;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

use crate::engine::outcome::Outcome;
use crate::report::{FORMAT, Judgement, Verdict};

/// A run, as a report tells of it.
#[derive(Clone, Debug, Deserialize)]
pub struct WrittenRun {
    /// The version of the runner.
    pub runner: String,
    /// The contract that the target was judged by.
    pub contract: Judgement,
    /// The address of the target.
    pub target: String,
    /// When the run began.
    pub started_at: Timestamp,
    /// What it came to.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The checks in the order they ran.
    pub checks: Vec<WrittenCheck>,
    /// The open points.
    pub points: Vec<WrittenPoint>,
}

/// One of [`Outcome::WORDS`]. With the reference in sight, serde would borrow it from the report.
pub type Word = &'static str;

/// A check and its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct WrittenCheck {
    /// Its number.
    pub id: String,
    /// Its clause.
    pub clause: String,
    /// What the specification says, in our words.
    pub says: String,
    /// The outcome.
    #[serde(deserialize_with = "outcome")]
    pub outcome: Word,
}

/// An open point and the choices of the target.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct WrittenPoint {
    /// Its number.
    pub id: String,
    /// What is left open.
    pub says: String,
    /// The choices that were observed.
    pub observed: Vec<WrittenChoice>,
}

/// A choice of the target.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct WrittenChoice {
    /// The question.
    pub question: String,
    /// What the target does.
    pub choice: String,
}

impl WrittenRun {
    /// Reads the text of a report.
    ///
    /// # Errors
    /// It is no report, or a report of another form. The sentence names the member, the line and the column.
    pub fn read(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Versioned {
            format: u32,
        }
        let Versioned { format } = parse(text)?;
        if format != FORMAT {
            return Err(format!(
                "the report has form {format}, and this runner reads form {FORMAT}: \
                 make it again with version {} of the runner",
                env!("CARGO_PKG_VERSION")
            ));
        }
        parse(text)
    }

    /// How many checks came to an outcome, by its word.
    pub fn count(&self, word: &str) -> usize {
        self.checks.iter().filter(|check| check.outcome == word).count()
    }

    /// The outcome of a check, by its number.
    pub fn outcome(&self, id: &str) -> Option<Word> {
        let check = self.checks.iter().find(|check| check.id == id)?;
        Some(check.outcome)
    }
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let (path, why) = (error.path().to_string(), error.into_inner());
        match path.as_str() {
            "." => format!("no report of the form json: {why}"),
            _ => format!("no report of the form json: {path}: {why}"),
        }
    })?;
    let end = json.end();
    end.map_err(|why| format!("no report of the form json: {why}"))?;
    Ok(value)
}

/// The word of an outcome, which JSON writes as `not_judged`.
fn outcome<'de, D: Deserializer<'de>>(value: D) -> Result<Word, D::Error> {
    let text = String::deserialize(value)?;
    let words = Outcome::WORDS.into_iter();
    let mut known = words.filter(|word| word.replace(' ', "_") == text);
    known
        .next()
        .ok_or_else(|| D::Error::custom(format!("{text:?} is no outcome of a check")))
}
