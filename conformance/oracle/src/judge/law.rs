//! Laws between the answers to several questions, which hold whatever the records are.

use std::collections::{BTreeSet, HashSet};

use super::Violation;
use crate::corpus::listing::Pages;

/// How the records of the first answer stand to those of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// They are the records of the second.
    Same,
    /// None of them is in the second.
    Disjoint,
    /// All of them are in the second.
    Within,
    /// They are the records of all others.
    Union,
    /// They are the records that each of the others has.
    Meet,
}

impl Law {
    /// The records that break the law.
    pub fn violation(self, readings: &[&Pages], expected: &str) -> Option<Violation> {
        self.violation_of(readings, expected, |_| true)
    }

    /// The records that break the law, of those that each answer would show if they belonged to it.
    pub fn violation_of_reached(self, readings: &[&Pages], expected: &str) -> Option<Violation> {
        let reach = |id: &str| readings.iter().all(|reading| reading.reaches(id));
        // A record that is in both answers was reached.
        self.violation_of(readings, expected, |id| self == Self::Disjoint || reach(id))
    }

    fn violation_of(
        self,
        readings: &[&Pages],
        expected: &str,
        is_judged: impl Fn(&str) -> bool,
    ) -> Option<Violation> {
        let broken = self.broken(readings).into_iter().filter(|id| is_judged(id));
        let broken = broken.map(str::to_owned).collect();
        let told = match self {
            Self::Disjoint => "in both answers",
            Self::Within => "in the first answer only",
            Self::Same | Self::Union => "in one answer only",
            Self::Meet => "otherwise",
        };
        Violation::of_records(broken, expected, |names| format!("{names} {told}"))
    }

    fn broken<'r>(self, readings: &[&'r Pages]) -> BTreeSet<&'r str> {
        let mut sets = readings.iter().map(|reading| reading.ids());
        let ours: HashSet<&str> = sets.next().unwrap_or_default();
        let others = sets.reduce(|one, other| match self {
            Self::Meet => &one & &other,
            _ => &one | &other,
        });
        let others = others.unwrap_or_default();
        match self {
            Self::Disjoint => ours.intersection(&others).copied().collect(),
            Self::Within => ours.difference(&others).copied().collect(),
            Self::Same | Self::Union | Self::Meet => ours.symmetric_difference(&others).copied().collect(),
        }
    }
}
