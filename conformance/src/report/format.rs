//! The forms that a report can be written in.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

use super::sarif::{self, Results};
use super::{Report, badge, github, har, html, json, junit, markdown, tap};

/// A form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// For programs; its JSON Schema is published.
    Json,
    /// JUnit XML, which most CI services show as test results.
    Junit,
    /// One HTML file that needs nothing else.
    Html,
    /// SARIF 2.1.0, which code hosting shows as findings.
    Sarif,
    /// SARIF 2.1.0 with the violations alone: what passed is left out.
    SarifViolations,
    /// TAP 14.
    Tap,
    /// Markdown, for comments and summaries.
    Markdown,
    /// HAR 1.2: every request with the beginning of its answer.
    Har,
    /// The data of a badge, as shields.io reads it from an address.
    Badge,
    /// Commands for the log of a GitHub workflow: an annotation for each violation.
    Github,
}

/// The word is no form of a report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no form of a report; there are json, junit, html, sarif, sarif-violations, tap, \
     markdown, har, badge and github"
)]
pub struct UnknownFormat(String);

impl Format {
    /// Every form.
    pub const ALL: [Self; 10] = [
        Self::Json,
        Self::Junit,
        Self::Html,
        Self::Sarif,
        Self::SarifViolations,
        Self::Tap,
        Self::Markdown,
        Self::Har,
        Self::Badge,
        Self::Github,
    ];

    /// The name of the form.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Junit => "junit",
            Self::Html => "html",
            Self::Sarif => "sarif",
            Self::SarifViolations => "sarif-violations",
            Self::Tap => "tap",
            Self::Markdown => "markdown",
            Self::Har => "har",
            Self::Badge => "badge",
            Self::Github => "github",
        }
    }

    /// How the name of a file in this form ends, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Junit => "xml",
            Self::Markdown => "md",
            Self::SarifViolations => Self::Sarif.name(),
            _ => self.name(),
        }
    }

    /// The form that the name of a file means, by how it ends.
    pub fn of_file(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        let mut all = Self::ALL.into_iter();
        all.find(|form| form.extension().eq_ignore_ascii_case(extension))
    }
}

impl Report {
    /// Writes the report in one of its forms.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, format: Format, mut to: impl Write) -> io::Result<()> {
        match format {
            Format::Json => json::write_report(self, to),
            Format::Junit => to.write_all(junit::render(self).as_bytes()),
            Format::Html => to.write_all(html::render(self).as_bytes()),
            Format::Sarif => json::write(&sarif::log(self, Results::All), to),
            Format::SarifViolations => json::write(&sarif::log(self, Results::Violations), to),
            Format::Tap => to.write_all(tap::render(self).as_bytes()),
            Format::Markdown => to.write_all(markdown::render(self).as_bytes()),
            Format::Har => json::write(&har::log(self), to),
            Format::Badge => json::write(&badge::data(self), to),
            Format::Github => to.write_all(github::render(self).as_bytes()),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(word: &str) -> Result<Self, UnknownFormat> {
        let mut all = Self::ALL.into_iter();
        all.find(|form| form.name().eq_ignore_ascii_case(word) || form.extension().eq_ignore_ascii_case(word))
            .ok_or_else(|| UnknownFormat(word.to_owned()))
    }
}
