//! The order of what is found.

use std::cmp::Ordering;

use rollcall_contract::Role;

use super::super::Asked;
use super::Model;
use super::find::Refused;
use super::row::{Cell, Row};
use super::table::{Column, Table};

impl Model {
    /// Orders rows by the keys asked for, ties by the id.
    pub(super) fn sort(&self, table: &Table, asked: &Asked, rows: &mut [&Row]) -> Result<(), Refused> {
        let usual = self.hooks.settings.default_sort.unwrap_or_default();
        let words = table.asked(Role::Sort, asked).filter(|words| !words.is_empty());
        let mut keys: Vec<(Column, bool)> = Vec::new();
        for word in words.unwrap_or(usual).split(',').filter(|word| !word.is_empty()) {
            let (field, descending) = match word.strip_prefix('-') {
                Some(field) => (field, true),
                None => (word, false),
            };
            let column = *table.sorts.get(field).ok_or(Refused(400))?;
            if keys.iter().any(|(known, _)| *known == column) {
                return Err(Refused(400));
            }
            keys.push((column, descending));
        }
        rows.sort_by(|one, other| {
            let keys = keys.iter().map(|(column, descending)| {
                self.compare(&one.cells[column.0], &other.cells[column.0], *descending)
            });
            let decided = keys.into_iter().find(|order| order.is_ne());
            decided.unwrap_or_else(|| one.key.cmp(&other.key))
        });
        Ok(())
    }

    fn compare(&self, one: &Cell, other: &Cell, descending: bool) -> Ordering {
        let settings = &self.hooks.settings;
        let order = match (one.texts.first(), other.texts.first()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) | (Some(_), None) => {
                let last = one.texts.is_empty().cmp(&other.texts.is_empty());
                return match settings.nulls_first || settings.nulls_lowest && !descending {
                    true => last.reverse(),
                    false => last,
                };
            }
            (Some(one), Some(other)) if settings.sorts_bytes => one.exact.cmp(&other.exact),
            (Some(own), Some(their)) if settings.sorts_without_accents && one.timestamp.is_none() => {
                plain(&own.folded).cmp(&plain(&their.folded))
            }
            (Some(own), Some(their)) => match (one.timestamp, other.timestamp) {
                (Some(own), Some(their)) => own.cmp(&their),
                _ => own
                    .folded
                    .cmp(&their.folded)
                    .then_with(|| own.exact.cmp(&their.exact)),
            },
        };
        if descending { order.reverse() } else { order }
    }
}

/// A text without the accents that names of the model have.
fn plain(text: &str) -> String {
    let bare = |letter| match letter {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'ø' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ñ' => 'n',
        'ç' => 'c',
        other => other,
    };
    text.chars().map(bare).collect()
}
