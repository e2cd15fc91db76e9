//! What many results come to. Every figure of nothing is written as `–`.

/// What is written where nothing was measured.
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

/// The middle one and the greatest of some values, with so many decimals.
pub(crate) fn spread(values: impl IntoIterator<Item = f64>, decimals: usize) -> String {
    let mut values: Vec<_> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    match (values.get(values.len() / 2), values.last()) {
        (Some(median), Some(most)) => format!("{median:.decimals$} / {most:.decimals$}"),
        _ => NOTHING.to_owned(),
    }
}

/// A row of a table in Markdown.
pub(crate) fn row(cells: impl IntoIterator<Item = String>) -> String {
    let cells = cells.into_iter().map(|cell| cell.replace('|', "\\|"));
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}
