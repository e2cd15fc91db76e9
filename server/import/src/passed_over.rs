//! What a file has and an import does not read: entries by their kind, attributes by their name, each with the line of its first.

use std::collections::BTreeMap;
use std::fmt;

use super::MAX_NAME;
use super::check::label;

/// The most names that are counted one by one. A file with more is no export of a directory.
const MOST_NAMES: usize = 500;

/// How often something was passed over, and where first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrences {
    /// How often.
    pub count: u64,
    /// The line of the first.
    pub first_line: u64,
}

/// Occurrences by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    by_name: BTreeMap<String, Occurrences>,
    others: u64,
}

impl Names {
    /// Counts one. Names of any length come from files: a long one is kept as far as it is shown.
    pub(super) fn add(&mut self, name: &str, line: u64) {
        let short;
        let name = if name.len() > MAX_NAME {
            short = label(name);
            &short
        } else {
            name
        };
        self.add_many(
            name,
            Occurrences {
                count: 1,
                first_line: line,
            },
        );
    }

    /// Counts those of another count, which come later in the file.
    pub(super) fn add_all(&mut self, later: &Self) {
        for (name, occurrences) in &later.by_name {
            self.add_many(name, *occurrences);
        }
        self.others += later.others;
    }

    fn add_many(&mut self, name: &str, occurrences: Occurrences) {
        let names = self.by_name.len();
        if let Some(known) = self.by_name.get_mut(name) {
            known.count += occurrences.count;
        } else if names < MOST_NAMES {
            self.by_name.insert(name.to_owned(), occurrences);
        } else {
            self.others += occurrences.count;
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.by_name.values().map(|one| one.count).sum::<u64>() + self.others
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }
}

/// `container 2 (line 1), account 1 (line 9)`: the most frequent first.
impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<_> = self.by_name.iter().collect();
        names.sort_by_key(|(_, one)| std::cmp::Reverse(one.count));
        for (place, (name, Occurrences { count, first_line })) in names.into_iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(f, "{comma}{} {count} (line {first_line})", label(name))?;
        }
        match self.others {
            0 => Ok(()),
            others => write!(f, ", others {others}"),
        }
    }
}

/// What was passed over in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassedOver {
    /// Entries by kind: `deleted entry`, or the classes of the entry, such as `account posixAccount`.
    pub entries: Names,
    /// Attributes, columns and members that have no place here, and second values where there is a place for one.
    pub attributes: Names,
    /// Cells that were taken for several names, by their column.
    pub separated: Names,
}
