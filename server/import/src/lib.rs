//! The files an import reads: LDIF (RFC 2849), CSV and JSON lines, each turned into the same entries.
//!
//! Place in the flow: a file → [`Reader`] → [`Entry`] after [`Entry`] → [`import`] → the store. No reader knows the
//! store, and none follows a reference: a manager or a member is the *key* of another entry, which may come
//! later in the file. `plan` follows them, `write` writes.
//!
//! Invariant: whatever the bytes, a reader answers with entries and refusals in file order, in bounded memory,
//! and never panics. No reason quotes a value of an attribute nobody asked for, so a password can't reach a log.

pub mod check;
pub mod column;
mod csv;
mod dictionary;
pub mod dn;
pub mod export;
pub mod first_bytes;
mod jsonl;
mod ldif;
mod lines;
mod mapping;
mod merge;
mod number;
pub(crate) mod passed_over;
mod plan;
mod present_columns;
mod request;
mod row;
mod run;
mod standing;
mod store_lookup;
#[cfg(test)]
mod tests;
mod write;

use std::collections::HashSet;
use std::io::BufRead;
use std::sync::Arc;

use rollcall::Timestamp;
use serde_json::{Map, Value};

pub use mapping::Mapping;
pub use passed_over::{Names, Occurrences, PassedOver};
pub use present_columns::PresentColumns;
pub use request::{Accepts, Fault, Report, Request};
pub use run::import;

/// The longest email address accepted, in characters.
pub const MAX_EMAIL: usize = 254;
/// The longest name, identifier or attribute accepted, in characters.
pub const MAX_NAME: usize = 255;

/// The most characters of a full name: a first and a last name with a space between them.
pub const MAX_FULL_NAME: usize = 2 * MAX_NAME + 1;

/// The most characters of the reason of a refusal.
const MAX_REASON: usize = 1_400;
/// The longest line (LDIF, JSON lines) or row (CSV) accepted, in bytes.
pub const MAX_LINE: usize = 1 << 20;
/// The most memory one LDIF record may take, in bytes: some 400,000 members of a group. Attributes that the import does not
/// read take none.
pub const MAX_ENTRY_BYTES: usize = 64 << 20;

/// The dimensions an LDIF file fills, by handle.
pub mod dimension {
    /// Where `ou` goes.
    pub const DEPARTMENT: &str = "department";
    /// Where `departmentNumber` goes.
    pub const DEPARTMENT_NUMBER: &str = "department_number";
    /// Where `l` goes.
    pub const LOCATION: &str = "location";
    /// Where `title` goes.
    pub const TITLE: &str = "title";
    /// Where groups go.
    pub const GROUPS: &str = "groups";
}

/// The member of [`Person::metadata`] that keeps the second and further `mail` values of an LDIF entry.
pub const OTHER_MAIL: &str = "other_mail";

/// One thing read from an import file.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The first line of the record, counted from 1 (in LDIF the line of its `dn`).
    pub line: u64,
    /// What it is.
    pub kind: Kind,
}

/// What an entry of an import file can be.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A directory user.
    Person(Box<Person>),
    /// A named set of people; only LDIF has them.
    Group(Group),
}

/// A person as an import file describes them, and as an export file is written from.
///
/// Names, identifiers and attributes are never empty, have no spaces around them and no control characters.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Person {
    /// What the source knows the person by: in LDIF the id that its server gave the entry, else the normalised DN ([`dn`]); else
    /// `id`, else the field of [`Options::known_by`], else the email in small letters.
    pub key: String,
    /// What the key is: the name of an attribute or a column, or `DN`.
    pub identified_by: &'static str,
    /// The normalised DN, by which other entries of an LDIF file refer to this one.
    pub dn: Option<String>,
    /// The email address: at most [`MAX_EMAIL`] characters, exactly one `@`, something on both sides of it.
    pub email: String,
    /// The username, when the file has one (`uid` in LDIF).
    pub username: Option<String>,
    /// The first name.
    pub first_name: String,
    /// The last name.
    pub last_name: String,
    /// The full name, when the file has one (`cn` in LDIF).
    pub full_name: Option<String>,
    /// The badge identifier.
    pub badge_id: Option<String>,
    /// The employee identifier (`employeeNumber` in LDIF).
    pub employee_id: Option<String>,
    /// The alternative employee identifier.
    pub employee_alt_id: Option<String>,
    /// The manager: the key of their entry, or in CSV and JSON lines their email.
    pub manager: Option<String>,
    /// The attributes, ordered by dimension and within one as in the file, each at most once.
    pub attributes: Vec<Membership>,
    /// Free-form metadata.
    pub metadata: Map<String, Value>,
    /// The state, one of [`Options::states`].
    pub state: Option<String>,
    /// When the person expires or expired.
    pub expires_at: Option<Timestamp>,
    /// Whether the source says that the account is neither locked nor disabled and does not expire; only LDIF does.
    pub is_open: bool,
}

impl Person {
    /// The place of a field that a person may be without, but for the manager, the state and the expiry.
    fn optional(&mut self, field: column::Field) -> Option<&mut Option<String>> {
        match field {
            column::Field::Username => Some(&mut self.username),
            column::Field::FullName => Some(&mut self.full_name),
            column::Field::BadgeId => Some(&mut self.badge_id),
            column::Field::EmployeeId => Some(&mut self.employee_id),
            column::Field::EmployeeAltId => Some(&mut self.employee_alt_id),
            _ => None,
        }
    }
}

/// That a person has an attribute of a dimension.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Membership {
    /// The handle of the dimension.
    pub dimension: String,
    /// The name of the attribute.
    pub name: String,
}

/// A named set of people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its name (`cn`).
    pub name: String,
    /// The keys of its members in file order, each once. A `memberUid` names a username instead of a DN and is
    /// kept as `uid=<username>`: look a member up as a key first, then by [`username_of`].
    pub members: Vec<String>,
}

impl Person {
    /// The DN, if it is not the key: what other entries call the person.
    fn other_name(&self) -> Option<&str> {
        self.dn.as_deref().filter(|dn| *dn != self.key)
    }
}

/// The username a member of a [`Group`] names, when it names one and not an entry: `uid=<username>`.
#[must_use]
pub fn username_of(member: &str) -> Option<&str> {
    member
        .strip_prefix("uid=")
        .filter(|name| !name.contains([',', '+']))
}

/// Why something in an import file was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {entry}: {reason}")]
pub struct Refusal {
    /// The line at fault where there is one, else the first line of the entry; counted from 1.
    pub line: u64,
    /// What to recognise the entry by: its DN or email, shortened, without control characters.
    pub entry: String,
    /// What is wrong, naming the attribute; shortened and without control characters, since files can have names of any length.
    pub reason: String,
    /// Whether it concerns the whole file: a part of it cannot be read, or a column of it means nothing. Nothing is written then.
    pub fatal: bool,
}

impl Refusal {
    fn new(line: u64, entry: &str, reason: impl AsRef<str>) -> Self {
        Self {
            line,
            entry: check::label(entry),
            reason: check::shown(reason.as_ref(), MAX_REASON),
            fatal: false,
        }
    }

    fn fatal(line: u64, entry: &str, reason: impl AsRef<str>) -> Self {
        Self {
            fatal: true,
            ..Self::new(line, entry, reason)
        }
    }
}

/// What a reader has to know beside the file.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Gives a person without an email the address `username@domain`; without it they are refused (A10).
    pub email_domain: Option<String>,
    /// The states a row may name: those of a directory user in the contract.
    pub states: Vec<String>,
    /// The column that a row without `id` is known by, if not by the email.
    pub known_by: Option<KnownBy>,
    /// What the columns of a foreign export are.
    pub mapping: Arc<Mapping>,
    /// Whether an LDIF file empties what it could have and never names.
    pub clear_missing: bool,
}

/// What the rows of a file without `id` are known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KnownBy {
    /// The employee identifier.
    #[value(name = "employee_id")]
    EmployeeId,
    /// The alternative employee identifier.
    #[value(name = "employee_alt_id")]
    EmployeeAltId,
    /// The username.
    #[value(name = "username")]
    Username,
}

/// The formats an import understands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// LDIF content records, RFC 2849.
    Ldif,
    /// Comma-separated values with a header row.
    Csv,
    /// One JSON object per line.
    Jsonl,
}

/// Reads an import file, entry by entry.
///
/// For a progress bar, count the bytes `source` gives.
pub struct Reader<R: BufRead>(Source<R>);

/// A mapping as it holds for files of one format.
///
/// # Errors
/// When it maps what files of this format say by themselves.
pub fn mapping_for(format: Format, mapping: Mapping) -> Result<Mapping, String> {
    match format {
        Format::Ldif => ldif::mapping(mapping),
        Format::Csv | Format::Jsonl => Ok(mapping),
    }
}

enum Source<R: BufRead> {
    Ldif(ldif::Ldif<R>),
    Csv(Box<csv::Csv<R>>),
    Jsonl(jsonl::Jsonl<R>),
}

impl<R: BufRead> Reader<R> {
    /// A reader of `source`, which is in `format`.
    pub fn new(format: Format, source: R, options: Options) -> Self {
        Self(match format {
            Format::Ldif => Source::Ldif(ldif::Ldif::new(source, options)),
            Format::Csv => Source::Csv(Box::new(csv::Csv::new(source, options))),
            Format::Jsonl => Source::Jsonl(jsonl::Jsonl::new(source, options)),
        })
    }

    /// What was not read so far: entries that are neither person nor group, such as an `ou`, and attributes without a place here.
    pub fn passed_over(&self) -> PassedOver {
        match &self.0 {
            Source::Ldif(ldif) => ldif.passed_over().clone(),
            Source::Csv(csv) => csv.passed_over().clone(),
            Source::Jsonl(jsonl) => jsonl.passed_over().clone(),
        }
    }

    /// What the file has shown so far to have a place for; complete when it is read.
    pub fn present_columns(&self) -> &PresentColumns {
        match &self.0 {
            Source::Ldif(ldif) => ldif.present_columns(),
            Source::Csv(csv) => csv.present_columns(),
            Source::Jsonl(jsonl) => jsonl.present_columns(),
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Entry, Refusal>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Source::Ldif(ldif) => ldif.next(),
            Source::Csv(csv) => csv.next(),
            Source::Jsonl(jsonl) => jsonl.next(),
        }
    }
}

/// Orders memberships as [`Person::attributes`] promises, and drops those that come twice.
pub(crate) fn in_order(mut memberships: Vec<Membership>) -> Vec<Membership> {
    let mut seen = HashSet::new();
    memberships.retain(|membership| seen.insert(membership.clone()));
    memberships.sort_by(|one, other| one.dimension.cmp(&other.dimension));
    memberships
}
