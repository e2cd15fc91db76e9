//! Reads waivers from a TOML file: a table `[[waiver]]` for each.

use std::ops::Range;

use jiff::civil::Date;
use serde::Deserialize;
use serde::de::Error as _;
use toml::Spanned;

use crate::checks;
use crate::engine::waiver::Waiver;

/// What is wrong with a file of waivers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct WaiverError {
    /// The line.
    pub line: usize,
    /// What is wrong there.
    pub why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Waivers {
    #[serde(default)]
    waiver: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    check: Spanned<String>,
    reason: Spanned<String>,
    #[serde(deserialize_with = "day")]
    expires: Date,
    about: Option<String>,
}

/// Reads the text of a file.
///
/// # Errors
/// It is no such file, a waiver gives no reason, or there is no check of its number.
pub fn read(text: &str) -> Result<Vec<Waiver>, WaiverError> {
    let error = |span: Option<Range<usize>>, why: String| {
        let start = span.map_or(0, |span| span.start).min(text.len());
        let line = text.as_bytes()[..start]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
            + 1;
        WaiverError { line, why }
    };
    let file: Waivers = toml::from_str(text)
        .map_err(|wrong| error(wrong.span(), wrong.message().trim_end().replace('\n', ", ")))?;
    let waiver = |entry: Entry| {
        let number = entry.check.as_ref();
        let Some(check) = checks::find(number) else {
            return Err(error(
                Some(entry.check.span()),
                format!("check: there is no check {number}; see `list`"),
            ));
        };
        if entry.reason.as_ref().trim().is_empty() {
            return Err(error(
                Some(entry.reason.span()),
                "reason: a waiver says why".to_owned(),
            ));
        }
        Ok(Waiver {
            check: check.id.to_owned(),
            reason: entry.reason.into_inner(),
            expires: entry.expires,
            about: entry.about,
        })
    };
    file.waiver.into_iter().map(waiver).collect()
}

/// A day, in quotes or as TOML writes it.
fn day<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Date, D::Error> {
    let text = toml::Value::deserialize(value)?;
    let text = match &text {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    text.parse()
        .map_err(|_| D::Error::custom("expires: a day is expected, such as 2027-01-31"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waivers_are_read() {
        let text = "[[waiver]]\ncheck = 'e3'\nreason = 'known'\nexpires = '2027-01-31'\n\
                    [[waiver]]\ncheck = 'E4'\nreason = 'r'\nexpires = 2027-02-01\nabout = 'filter[email]'\n";
        let waivers = read(text).unwrap();
        assert_eq!(waivers[0].check, "E3");
        assert_eq!(waivers[1].expires.to_string(), "2027-02-01");
        assert_eq!(waivers[1].about.as_deref(), Some("filter[email]"));
        assert_eq!(read("").unwrap(), []);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let with = |check: &str, reason: &str, expires: &str| {
            let text = format!(
                "# known\n[[waiver]]\ncheck = '{check}'\nreason = '{reason}'\nexpires = '{expires}'\n"
            );
            read(&text).unwrap_err()
        };
        let unknown = with("Z9", "r", "2027-01-31");
        assert!(unknown.line == 3 && unknown.why.contains("Z9"), "{unknown}");
        assert_eq!(with("E3", " ", "2027-01-31").line, 4);
        let never = with("E3", "r", "one day");
        assert!(never.line == 5 && never.why.contains("2027-01-31"), "{never}");
        assert!(
            read("[[waiver]]\ncheck = 'E3'\nreason = 'r'\n")
                .unwrap_err()
                .why
                .contains("expires")
        );
    }
}
