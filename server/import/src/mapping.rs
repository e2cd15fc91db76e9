//! Mapping files: which column, member or attribute of a foreign export is which column of an import.
//!
//! ```toml
//! known_by = "employee_id"
//! others = "ignore"
//!
//! [columns]
//! "Work Email" = "email"
//! "Phone" = "ignore"
//! "Status" = { to = "state", values = { "Active" = "active", "Inactive" = "deactivated" } }
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;

use super::column::{Column, Field};
use super::{Format, KnownBy, check};

/// What a column is mapped to when nothing of it is read.
const IGNORE: &str = "ignore";

/// A mapping file.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    /// What the file is.
    pub format: Option<Format>,
    /// What people are known by where a row has no id.
    pub known_by: Option<KnownBy>,
    ignores_others: bool,
    /// By the name of the column in small letters.
    targets: BTreeMap<String, Target>,
}

/// What becomes of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// It is not read.
    Ignored,
    /// It is read as this column.
    Read(Source),
}

/// How a column is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) column: Column,
    /// What its values mean, by the value in small letters; without any, they are taken as they are.
    values: Option<BTreeMap<String, String>>,
}

impl Source {
    /// Whether nothing said is not enough: who comes in must not depend on a cell that an export left out.
    pub(super) fn needs_value(&self) -> bool {
        self.values.is_some() && self.column == Column::Field(Field::State)
    }

    /// What a value means.
    ///
    /// # Errors
    /// When the mapping does not name it.
    pub(super) fn value<'v>(&'v self, given: &'v str) -> Result<&'v str, String> {
        let is_blank = given.trim().is_empty() && !self.needs_value();
        let Some(values) = self.values.as_ref().filter(|_| !is_blank) else {
            return Ok(given);
        };
        let meant = values.get(&given.trim().to_lowercase()).map(String::as_str);
        meant.ok_or_else(|| {
            let allowed = values.keys().map(String::as_str);
            format!("{}: {}", self.column, check::unknown("value", given, allowed))
        })
    }
}

impl From<Column> for Source {
    fn from(column: Column) -> Self {
        Self { column, values: None }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: Option<Format>,
    known_by: Option<KnownBy>,
    #[serde(default)]
    others: Others,
    columns: BTreeMap<String, WrittenTarget>,
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Others {
    #[default]
    Refuse,
    Ignore,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "the name of a column, or a table with `to` and `values`"
)]
enum WrittenTarget {
    Name(String),
    Table(WrittenTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenTable {
    to: String,
    values: BTreeMap<String, String>,
}

impl Mapping {
    /// Reads a mapping file; `states` are those a row may have.
    ///
    /// # Errors
    /// What is wrong with it, with its place.
    pub fn read(text: &str, states: &[String]) -> Result<Self, String> {
        let written: Written =
            toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        let mut targets = BTreeMap::new();
        for (name, target) in written.columns {
            let read = target
                .read(states)
                .map_err(|fault| format!("columns.{name:?}: {fault}"))?;
            if targets.insert(name.to_lowercase(), read).is_some() {
                return Err(format!(
                    "columns.{name:?}: comes twice, for the case of letters does not count"
                ));
            }
        }
        Ok(Self {
            format: written.format,
            known_by: written.known_by,
            ignores_others: written.others == Others::Ignore,
            targets,
        })
    }

    /// The same with other names of columns.
    ///
    /// # Errors
    /// What is wrong with a column, with its place; also if two columns get one name.
    pub(super) fn renamed(
        self,
        rename: impl Fn(&str, &Target) -> Result<String, String>,
    ) -> Result<Self, String> {
        let mut targets = BTreeMap::new();
        for (name, target) in self.targets {
            let renamed = rename(&name, &target).map_err(|fault| format!("columns.{name:?}: {fault}"))?;
            if targets.insert(renamed.clone(), target).is_some() {
                return Err(format!("columns.{name:?}: {renamed} comes twice"));
            }
        }
        Ok(Self { targets, ..self })
    }

    /// Whether it says nothing, so that every column has its own name.
    pub(super) fn is_empty(&self) -> bool {
        self.targets.is_empty() && !self.ignores_others
    }

    /// Whether columns are passed over that are of no import.
    pub(super) fn ignores_others(&self) -> bool {
        self.ignores_others
    }

    /// The columns of a file that say whether a person may come in. A file without one of them is not read.
    pub(super) fn needed(&self) -> impl Iterator<Item = &Source> {
        self.targets.values().filter_map(|target| match target {
            Target::Read(source) => {
                let is_needed = matches!(source.column, Column::Field(Field::State) | Column::Account(_));
                is_needed.then_some(source)
            }
            Target::Ignored => None,
        })
    }

    /// What becomes of a column; none where the mapping says nothing.
    pub(super) fn target(&self, name: &str) -> Option<&Target> {
        match self.targets.is_empty() {
            true => None,
            false => self.targets.get(&name.to_lowercase()),
        }
    }

    /// What becomes of a column, by its own name where the mapping says nothing.
    ///
    /// # Errors
    /// When it is a column of no import, and others are not ignored.
    pub(super) fn resolve(&self, name: &str) -> Result<Target, String> {
        match (self.target(name), Column::named(name)) {
            (Some(target), _) => Ok(target.clone()),
            (None, Ok(column)) => Ok(Target::Read(column.into())),
            (None, Err(_)) if self.ignores_others => Ok(Target::Ignored),
            (None, Err(fault)) => Err(fault),
        }
    }
}

impl WrittenTarget {
    fn read(self, states: &[String]) -> Result<Target, String> {
        let (to, values) = match self {
            Self::Name(to) => (to, None),
            Self::Table(table) => (table.to, Some(table.values)),
        };
        if to == IGNORE {
            return Ok(Target::Ignored);
        }
        let column = Column::named(&to)?;
        let values = values.map(|values| {
            values.into_iter().map(|(given, meant)| {
                if column == Column::Field(Field::State) && !states.contains(&meant) {
                    return Err(check::unknown("state", &meant, states.iter().map(String::as_str)));
                }
                Ok((given.trim().to_lowercase(), meant))
            })
        });
        let values = values.map(Iterator::collect::<Result<_, _>>).transpose()?;
        Ok(Target::Read(Source { column, values }))
    }
}

#[cfg(test)]
mod tests {
    use super::{Column, Field, Mapping, Target};

    fn read(text: &str) -> Result<Mapping, String> {
        Mapping::read(text, &["active".to_owned(), "suspended".to_owned()])
    }

    #[test]
    fn columns_and_values_are_mapped_whatever_their_case() {
        let mapping = read(
            "others = \"ignore\"\n[columns]\n\"Work Email\" = \"email\"\nPhone = \"ignore\"\n\
             Status = { to = \"state\", values = { Open = \"active\" } }\n",
        );
        let mapping = mapping.unwrap();
        let Ok(Target::Read(email)) = mapping.resolve("work EMAIL") else {
            panic!()
        };
        assert_eq!(email.column, Column::Field(Field::Email));
        assert_eq!(mapping.resolve("phone"), Ok(Target::Ignored));
        assert_eq!(mapping.resolve("Anything"), Ok(Target::Ignored));
        let Ok(Target::Read(state)) = mapping.resolve("Status") else {
            panic!()
        };
        assert_eq!(state.value(" OPEN "), Ok("active"));
        assert!(state.value("Closed").unwrap_err().contains("allowed: open"));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, part) in [
            ("[columns]\nA = \"emial\"", "did you mean email?"),
            ("[columns]\nA = \"email\"\na = \"ignore\"", "comes twice"),
            (
                "[columns]\nA = { to = \"state\", values = { x = \"aktive\" } }",
                "did you mean active?",
            ),
            ("[columns]\nA = 5", "the name of a column"),
            ("colums = 5", "unknown field `colums`"),
            ("", "missing field `columns`"),
            ("others = \"keep\"\n[columns]", "unknown variant `keep`"),
        ] {
            let fault = read(text).unwrap_err();
            assert!(fault.contains(part), "{text}: {fault}");
        }
    }
}
