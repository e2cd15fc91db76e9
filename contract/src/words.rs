//! The meaning of annotations in words, for readers of descriptions, of the review page and of the list of changes.

use std::fmt::{self, Display};

use crate::lint::specification::SILENT;
use crate::{Condition, Filter, Join, Listing, Match, Origin, Pointer, Relation, Test};

impl Origin {
    /// Whether the element belongs to clauses that say nothing about it but that it is not shown.
    pub fn is_left_open(&self) -> bool {
        self.source.iter().all(|clause| SILENT.contains(&clause.as_str()))
    }

    /// Where the element comes from, such as `Specified in §4.1; rulings L10, L11.` None for an element that does not say so.
    pub fn in_words(&self) -> Option<String> {
        let clauses = self.source.join(", ");
        let from = match (self.extension, self.source.is_empty()) {
            (false, true) => None,
            (false, false) if self.is_left_open() => Some(format!("Left open in {clauses}")),
            (false, false) => Some(format!("Specified in {clauses}")),
            (true, true) => Some("Extension".to_owned()),
            (true, false) => Some(format!("Extension for {clauses}")),
        };
        with_rulings(from, &self.open_points)
    }
}

/// Where an element comes from, with the rulings on it.
pub(crate) fn with_rulings(from: Option<String>, open_points: &[String]) -> Option<String> {
    let points = open_points.join(", ");
    let rulings = match open_points.len() {
        0 => None,
        1 => Some(format!("ruling {points}")),
        _ => Some(format!("rulings {points}")),
    };
    match (from, rulings) {
        (None, None) => None,
        (Some(from), None) => Some(format!("{from}.")),
        (Some(from), Some(rulings)) => Some(format!("{from}; {rulings}.")),
        (None, Some(rulings)) => Some(format!("R{}.", &rulings[1..])),
    }
}

/// Pointers in a sentence.
fn listed(pointers: &[Pointer]) -> String {
    pointers
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

impl Filter {
    /// Which records the filter finds, such as `/email contains the value`.
    pub fn meaning(&self) -> String {
        let fields = match self.fields.as_slice() {
            [one] => one.to_string(),
            several => format!("one of {}", listed(several)),
        };
        let finds = match self.matching {
            Match::Exact => format!("{fields} equals the value"),
            Match::Contains => format!("{fields} contains the value"),
            Match::Before => format!("{fields} is before the value"),
            Match::After => format!("{fields} is after the value"),
            Match::Flag if self.all.is_empty() => format!("{fields} is true or false, like the value"),
            Match::Flag => {
                let all: Vec<_> = self.all.iter().map(ToString::to_string).collect();
                format!("true: {}; false: all other records", all.join(" and "))
            }
            Match::Trashed => {
                let [with, only, without] = self.words.all();
                format!("{with}, {only} or {without} records that have {fields}")
            }
        };
        match &self.seen_in {
            _ if self.shown => finds,
            None => format!("{finds} (no record shows it)"),
            Some(seen) => format!("{finds} (shown at {} with include={})", seen.at, seen.include),
        }
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, test } = self;
        match test {
            Test::Is(serde_json::Value::String(text)) => write!(f, "{field} is {text}"),
            Test::Is(value) => write!(f, "{field} is {value}"),
            Test::Present(true) => write!(f, "{field} is set"),
            Test::Present(false) => write!(f, "{field} is null"),
        }
    }
}

impl Display for Join {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of the record equals {} of the related record",
            self.ours, self.theirs
        )
    }
}

impl Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {}", self.operation, self.filter)
    }
}

impl Relation {
    /// What the relation loads, such as `many UserSummary records at /included/direct_report_users`.
    pub fn meaning(&self) -> String {
        let number = if self.many { "many" } else { "one" };
        let records = match &self.record {
            Some(record) => format!("{number} {record} at {}", self.at),
            None => format!("{number}, named in /included"),
        };
        let join = self.join.as_ref().map(|join| format!("; {join}"));
        let count = self
            .count_at
            .as_ref()
            .map(|count| format!("; {count} is their number"));
        let listed = self
            .listed_by
            .as_ref()
            .map(|listing| format!("; listed by {listing}"));
        [Some(records), join, count, listed]
            .into_iter()
            .flatten()
            .collect()
    }
}
