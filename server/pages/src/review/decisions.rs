//! The decisions of `docs/decisions`, read from their Markdown.

use maud::Markup;

use crate::markdown::{block, inline};

const README: &str = include_str!("../../../../docs/decisions/README.md");

const FILES: [&str; 5] = [
    include_str!("../../../../docs/decisions/records.md"),
    include_str!("../../../../docs/decisions/lists.md"),
    include_str!("../../../../docs/decisions/operations.md"),
    include_str!("../../../../docs/decisions/access.md"),
    include_str!("../../../../docs/decisions/policy.md"),
];

/// The entry of an open point.
pub(super) struct Decision {
    /// The number of the point, such as `L10`.
    pub(super) id: &'static str,
    /// Its title.
    pub(super) title: Markup,
    /// What this server does, what the runner accepts, and why.
    pub(super) text: Markup,
}

/// All entries, in the order of the files.
pub(super) fn all() -> impl Iterator<Item = Decision> {
    FILES
        .into_iter()
        .flat_map(|file| file.split("\n## ").skip(1))
        .filter_map(|entry| {
            let (heading, text) = entry.split_once('\n')?;
            let (id, title) = heading.split_once(": ")?;
            Some(Decision {
                id,
                title: inline(title),
                text: block(text),
            })
        })
}

/// What all decisions follow from: the text above the table of the index.
pub(super) fn principles() -> Markup {
    let (text, _) = README.split_once("\n| ").unwrap_or((README, ""));
    let (_, text) = text.split_once('\n').unwrap_or(("", text));
    block(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::model;

    #[test]
    fn every_open_point_of_the_contract_has_one_entry_with_ruling_answers_and_reason() {
        let entries: Vec<_> = all().collect();
        let mut ids: Vec<_> = entries.iter().map(|entry| entry.id).collect();
        let mut points: Vec<_> = model()
            .expect("a contract")
            .open_points
            .iter()
            .map(|point| point.id.as_str())
            .collect();
        ids.sort_unstable();
        points.sort_unstable();
        assert_eq!(ids, points);
        for entry in entries {
            for part in ["This server", "The runner accepts", "Why"] {
                assert!(
                    entry.text.0.contains(&format!("<em>{part}</em>")),
                    "{}: {part}",
                    entry.id
                );
            }
        }
    }
}
