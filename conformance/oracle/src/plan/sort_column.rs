//! A sort field, and what it tells apart among the records of a list.

use crate::corpus::order::Key;

/// A sort field and the values of all records.
#[derive(Clone, Debug)]
pub struct SortColumn {
    /// Its name in `sort`.
    pub name: String,
    /// The same number for the same value.
    exact: Vec<usize>,
    /// Different numbers for values that are different under every collation; none where that cannot be told.
    told: Vec<Option<usize>>,
}

impl SortColumn {
    /// A field with its values in the order of the records.
    pub fn new(name: &str, keys: &[Option<Key>]) -> Self {
        let mut known: Vec<&Option<Key>> = Vec::new();
        let mut number = |key| match known.iter().position(|other| *other == key) {
            Some(at) => at,
            None => {
                known.push(key);
                known.len() - 1
            }
        };
        let exact: Vec<usize> = keys.iter().map(&mut number).collect();
        let told = keys.iter().zip(&exact).map(|(key, exact)| match key {
            None | Some(Key::Null) => None,
            Some(Key::Text(text)) => {
                let first = text.chars().next().filter(char::is_ascii_alphabetic);
                first.map(|letter| letter.to_ascii_lowercase() as usize)
            }
            Some(_) => Some(*exact),
        });
        let told = told.collect();
        Self {
            name: name.to_owned(),
            exact,
            told,
        }
    }

    /// Whether no two records have the same value.
    pub(super) fn is_unique(&self) -> bool {
        // Each new value has the next number.
        self.exact.last().is_some_and(|last| last + 1 == self.exact.len())
    }

    /// How many of some records that are the same here have different values in another field.
    pub(super) fn told_apart(&self, other: &Self, records: &[usize]) -> usize {
        let groups = self.split(records).into_iter();
        let told = groups.filter(|group| other.is_discriminating(group));
        told.map(|group| group.len()).sum()
    }

    /// Whether two of some records differ.
    pub(super) fn is_discriminating(&self, records: &[usize]) -> bool {
        let mut told = records.iter().filter_map(|record| self.told[*record]);
        let first = told.next();
        told.any(|other| Some(other) != first)
    }

    /// Records in groups of the same value.
    pub(super) fn split(&self, records: &[usize]) -> Vec<Vec<usize>> {
        let mut groups = std::collections::BTreeMap::<usize, Vec<usize>>::new();
        for record in records {
            groups.entry(self.exact[*record]).or_default().push(*record);
        }
        groups.into_values().filter(|group| group.len() > 1).collect()
    }
}
