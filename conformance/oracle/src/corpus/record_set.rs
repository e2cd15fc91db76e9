//! A set of the records of a list, by their place in it.

/// A set of the records of a list, by their place in the order of the identifiers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordSet(Vec<u64>);

impl RecordSet {
    /// The indices below `count` that a test is true for.
    pub fn of(count: usize, is_in: impl Fn(usize) -> bool) -> Self {
        let mut words = vec![0; count.div_ceil(64)];
        for index in (0..count).filter(|index| is_in(*index)) {
            words[index / 64] |= 1 << (index % 64);
        }
        Self(words)
    }

    /// The records that are in both sets.
    pub fn and(&self, other: &Self) -> Self {
        Self(
            self.0
                .iter()
                .zip(&other.0)
                .map(|(one, other)| one & other)
                .collect(),
        )
    }

    /// The records that are in one of both sets.
    pub fn or(&self, other: &Self) -> Self {
        Self(
            self.0
                .iter()
                .zip(&other.0)
                .map(|(one, other)| one | other)
                .collect(),
        )
    }

    /// The records that are in this set and not in the other.
    pub fn minus(&self, other: &Self) -> Self {
        Self(
            self.0
                .iter()
                .zip(&other.0)
                .map(|(one, other)| one & !other)
                .collect(),
        )
    }

    /// Whether two sets have a record in common.
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(one, other)| one & other != 0)
    }

    /// The memory that the set takes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.0.as_slice())
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether a record is in the set.
    pub fn has(&self, index: usize) -> bool {
        self.0
            .get(index / 64)
            .is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// The records, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|index| self.has(*index))
    }
}
