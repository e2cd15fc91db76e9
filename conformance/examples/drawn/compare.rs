//! Two results of the same mutants, held against each other.

use std::collections::HashMap;

use crate::results::{Class, Line};

/// The faults that were found before and are not found now, and the other way round, as Markdown.
pub(crate) fn difference(before: &[&Line], now: &[&Line]) -> String {
    let before: HashMap<&str, &Line> = before.iter().map(|line| (line.name.as_str(), *line)).collect();
    let both = now.iter().filter(|line| line.class == Class::Violates);
    let both = both.filter_map(|line| Some((*before.get(line.name.as_str())?, *line)));
    let (mut lost, mut gained) = (Vec::new(), Vec::new());
    for (before, now) in both {
        match (before.is_found(), now.is_found()) {
            (true, false) => lost.push(now.name.as_str()),
            (false, true) => gained.push(now.name.as_str()),
            _ => {}
        }
    }
    let list = |names: &[&str]| names.iter().map(|name| format!("- {name}\n")).collect::<String>();
    format!(
        "\n## Since the run before\n\nLost: {}\n\n{}\nGained: {}\n\n{}",
        lost.len(),
        list(&lost),
        gained.len(),
        list(&gained)
    )
}
