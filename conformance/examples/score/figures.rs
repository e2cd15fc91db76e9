//! What many runs come to: counts, shares, medians. Every figure of nothing is written as `–`.

use crate::measure::{Judged, Proof};
use crate::plan::{Task, Tool};
use crate::results::{Came, Line};
use crate::rival::Tested;
use crate::shared::figures::NOTHING;

/// The results of our runner's runs that are meant.
pub(crate) fn judged<'a>(
    lines: &'a [Line],
    is_meant: impl Fn(&Task) -> bool + 'a,
) -> Vec<(&'a Task, &'a Judged)> {
    let ours = lines.iter().filter_map(|line| match &line.came {
        Came::Judged(judged) if line.task.tool == Tool::Runner => Some((&line.task, judged)),
        _ => None,
    });
    ours.filter(|(task, _)| is_meant(task)).collect()
}

/// The results of Schemathesis on one target.
pub(crate) fn tested<'a>(lines: &'a [Line], target: &str) -> Vec<&'a Tested> {
    let theirs = lines.iter().filter(|line| line.task.target == target);
    let theirs = theirs.filter_map(|line| match &line.came {
        Came::Tested(tested) => Some(tested),
        Came::Judged(_) => None,
    });
    theirs.collect()
}

/// `3/4`.
pub(crate) fn fraction(part: usize, whole: usize) -> String {
    match whole {
        0 => NOTHING.to_owned(),
        _ => format!("{part}/{whole}"),
    }
}

/// A value with so many decimals.
pub(crate) fn shown(value: Option<f64>, decimals: usize) -> String {
    value.map_or(NOTHING.to_owned(), |value| format!("{value:.decimals$}"))
}

/// A count as a number to reckon with.
pub(crate) fn number(count: usize) -> f64 {
    count as f64
}

/// All reproductions of some runs.
pub(crate) fn proofs<'a>(runs: &[(&'a Task, &'a Judged)]) -> Vec<&'a Proof> {
    runs.iter().flat_map(|(_, judged)| &judged.proofs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_nothing_are_a_dash() {
        assert_eq!(fraction(0, 0), NOTHING);
        assert_eq!(shown(None, 1), NOTHING);
    }
}
