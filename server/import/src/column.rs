//! The columns of a CSV file and the members of a JSON line: named once, for import and export alike.
//!
//! | column | holds |
//! |---|---|
//! | `id` (or `key`) | what other rows may name as manager; the email when it is left out |
//! | `email` … `state` | the field of that name; an empty cell is none |
//! | `expires_at` | when the person expires or expired, in any form a date filter of the API takes |
//! | `org.<dimension>` | the names of attributes, separated by `;`, in which `\;` is a semicolon and `\\` a backslash |
//! | `metadata.<key>` | a text, kept to the letter; an empty cell is none |
//! | `account.<attribute>` | how the account stands, as the attribute of a directory server says it (`standing.rs`) |
//! | `metadata.<key>:json` | any other value, as JSON; also an empty text, and a text whose key ends in `:json` |
//!
//! A JSON line has the same fields, `org` as an object of names or lists of names, and `metadata` as an object.

use std::fmt;

use super::{MAX_NAME, Membership, check, standing};

/// A column that every file may have, in the order an export writes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The key.
    Id,
    /// The email address.
    Email,
    /// The username.
    Username,
    /// The first name.
    FirstName,
    /// The last name.
    LastName,
    /// The full name.
    FullName,
    /// The badge identifier.
    BadgeId,
    /// The employee identifier.
    EmployeeId,
    /// The second employee identifier.
    EmployeeAltId,
    /// The key or the email of the manager.
    Manager,
    /// The state.
    State,
    /// When the person expires.
    ExpiresAt,
}

impl Field {
    pub(crate) const ALL: [Self; 12] = [
        Self::Id,
        Self::Email,
        Self::Username,
        Self::FirstName,
        Self::LastName,
        Self::FullName,
        Self::BadgeId,
        Self::EmployeeId,
        Self::EmployeeAltId,
        Self::Manager,
        Self::State,
        Self::ExpiresAt,
    ];

    /// The name in the header row of a CSV file and in a JSON line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Email => "email",
            Self::Username => "username",
            Self::FirstName => "first_name",
            Self::LastName => "last_name",
            Self::FullName => "full_name",
            Self::BadgeId => "badge_id",
            Self::EmployeeId => "employee_id",
            Self::EmployeeAltId => "employee_alt_id",
            Self::Manager => "manager",
            Self::State => "state",
            Self::ExpiresAt => "expires_at",
        }
    }

    /// Whether its values identify a person. Names, states and dates do not.
    pub(super) fn is_identifier(self) -> bool {
        !matches!(
            self,
            Self::FirstName | Self::LastName | Self::FullName | Self::State | Self::ExpiresAt
        )
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<Self> {
        let name = if name == "key" { Self::Id.name() } else { name };
        Self::ALL.into_iter().find(|field| field.name() == name)
    }
}

/// The member of a JSON line that holds the attributes, and what their columns begin with.
pub(crate) const ORG: &str = "org";
/// The member of a JSON line that holds the metadata, and what its columns begin with.
pub(crate) const METADATA: &str = "metadata";
/// What columns begin with that say how an account stands.
const ACCOUNT: &str = "account";
const JSON: &str = ":json";

/// A column of a CSV file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Column {
    Field(Field),
    /// The attributes of the dimension with this handle.
    Org(String),
    /// A text of the metadata under this key.
    Metadata(String),
    /// Any value of the metadata under this key, as JSON.
    MetadataJson(String),
    /// How the account stands, in the words of this attribute (in small letters).
    Account(String),
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(field) => f.write_str(field.name()),
            Self::Org(dimension) => write!(f, "{ORG}.{dimension}"),
            Self::Metadata(key) => write!(f, "{METADATA}.{key}"),
            Self::MetadataJson(key) => write!(f, "{METADATA}.{key}{JSON}"),
            Self::Account(attribute) => write!(f, "{ACCOUNT}.{attribute}"),
        }
    }
}

impl Column {
    /// The column with this name in the header.
    ///
    /// # Errors
    /// The reason it is none, with the nearest and the allowed.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        match name.split_once('.') {
            Some((ORG, handle)) => dimension(handle).map(|()| Self::Org(handle.to_owned())),
            Some((METADATA, key)) => {
                let column = match key.strip_suffix(JSON) {
                    Some(key) => Self::MetadataJson(key.to_owned()),
                    None => Self::Metadata(key.to_owned()),
                };
                check::text(METADATA, key, MAX_NAME + JSON.len()).map(|()| column)
            }
            Some((ACCOUNT, attribute)) => {
                let attribute = attribute.to_ascii_lowercase();
                match standing::reads(&attribute) {
                    true => Ok(Self::Account(attribute)),
                    false => Err(check::unknown(
                        "attribute of an account",
                        &attribute,
                        standing::names(),
                    )),
                }
            }
            _ => Field::named(name).map(Self::Field).ok_or_else(|| {
                let families = ["org.<dimension>", "metadata.<key>", "account.<attribute>"];
                check::unknown(
                    "column",
                    name,
                    Field::ALL.into_iter().map(Field::name).chain(families),
                )
            }),
        }
    }

    /// Whether a text is written to a column of its own rather than as JSON.
    pub(crate) fn holds_text(key: &str, text: &str) -> bool {
        !text.is_empty() && !key.ends_with(JSON)
    }
}

/// The handle of a dimension: letters, digits, `_`, `-` and `.`.
pub(super) fn dimension(handle: &str) -> Result<(), String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if handle.is_empty() || handle.len() > MAX_NAME || !handle.chars().all(fits) {
        let handle = check::label(handle);
        return Err(format!(
            "{ORG}.{handle}: a dimension is named by 1 to {MAX_NAME} letters, digits, _, - or ."
        ));
    }
    Ok(())
}

/// The attributes of `dimension` that a cell names; see the table above.
pub(super) fn memberships(dimension: &str, cell: &str) -> Result<Vec<Membership>, String> {
    let attribute = format!("{ORG}.{dimension}");
    let mut names = vec![String::new()];
    let mut letters = cell.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            ';' => names.push(String::new()),
            '\\' => names.iter_mut().last().into_iter().for_each(|name| {
                name.push(letters.next_if(|next| matches!(next, ';' | '\\')).unwrap_or('\\'));
            }),
            other => names
                .iter_mut()
                .last()
                .into_iter()
                .for_each(|name| name.push(other)),
        }
    }
    let names = names
        .iter()
        .map(|name| check::name(&attribute, name))
        .filter_map(Result::transpose);
    names
        .map(|name| {
            Ok(Membership {
                dimension: dimension.to_owned(),
                name: name?,
            })
        })
        .collect()
}

/// The cell that [`memberships`] reads these names from.
pub(crate) fn cell<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let escaped: Vec<String> = names
        .map(|name| name.replace('\\', "\\\\").replace(';', "\\;"))
        .collect();
    escaped.join("; ")
}
