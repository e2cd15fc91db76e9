//! Figures of many results. A figure of nothing is written as `–`.

use std::fmt::Display;

/// The mark for a figure that was not measured.
pub(crate) const NOTHING: &str = "–";

/// `3 of 4 (75.0 %)`.
pub(crate) fn share(part: usize, whole: usize) -> String {
    match whole {
        0 => NOTHING.to_owned(),
        _ => format!("{part} of {whole} ({})", percent(part, whole)),
    }
}

/// `75.0 %`.
pub(crate) fn percent(part: usize, whole: usize) -> String {
    if whole == 0 {
        return NOTHING.to_owned();
    }
    let share = 100.0 * part as f64 / whole as f64;
    // What is not all must not look like all.
    let share = if part < whole { share.min(99.9) } else { share };
    format!("{share:.1} %")
}

/// The middle one of some values.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<_> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// `3 / 7`: the middle one and the greatest of some values, with so many decimals.
pub(crate) fn spread(values: impl IntoIterator<Item = f64>, decimals: usize) -> String {
    let values: Vec<_> = values.into_iter().collect();
    let most = values.iter().copied().reduce(f64::max);
    match (median(values), most) {
        (Some(median), Some(most)) => format!("{median:.decimals$} / {most:.decimals$}"),
        _ => NOTHING.to_owned(),
    }
}

/// A row of a table in Markdown.
pub(crate) fn row<T: Display>(cells: impl IntoIterator<Item = T>) -> String {
    let cells = cells.into_iter().map(|cell| cell.to_string().replace('|', "\\|"));
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_nothing_are_a_dash() {
        assert_eq!(share(0, 0), NOTHING);
        assert_eq!(spread([], 1), NOTHING);
    }

    #[test]
    fn all_but_one_is_never_a_hundred_percent() {
        assert_eq!(share(99_999, 100_000), "99999 of 100000 (99.9 %)");
        assert_eq!(share(3, 3), "3 of 3 (100.0 %)");
        assert_eq!(spread([3.0, 1.0, 7.0], 0), "3 / 7");
    }
}
