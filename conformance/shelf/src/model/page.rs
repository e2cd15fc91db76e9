//! Which part of what is found an answer shows, and how it leads to the next.

use std::ops::RangeInclusive;

use reqwest::Url;
use rollcall_contract::Role;

use super::super::Asked;
use super::Model;
use super::find::Refused;
use super::table::Table;

/// The word that an opaque cursor begins with.
const CURSOR: &str = "cursor-";

/// A page of what is found.
pub(super) struct Page {
    number: usize,
    pub(super) from: usize,
    pub(super) size: usize,
    /// Whether the number of all found is told.
    pub(super) total: bool,
}

impl Model {
    /// The page that a request asks for.
    pub(super) fn page(&self, table: &Table, asked: &Asked) -> Result<Page, Refused> {
        let first = usize::from(!self.hooks.settings.pages_from_zero);
        let number = match table.asked(Role::Page, asked) {
            None => first,
            Some(word) => whole(word.strip_prefix(CURSOR).unwrap_or(word), first..=usize::MAX)?,
        };
        let size = match table.asked(Role::PageSize, asked) {
            None => self.page_size,
            Some(word) => whole(word, 1..=200)?,
        };
        let total = match table.asked(Role::PageTotal, asked) {
            None | Some("false") => false,
            Some("true") => true,
            Some(_) => return Err(Refused(400)),
        };
        let everything = self.hooks.settings.one_page;
        Ok(Page {
            number,
            from: if everything {
                0
            } else {
                (number - first).saturating_mul(size)
            },
            size: if everything { usize::MAX } else { size },
            total,
        })
    }

    /// The value of the header that leads to the next page of a list, if there is one.
    pub(super) fn next(&self, page: &Page, found: usize, asked: &Asked) -> Option<String> {
        let settings = &self.hooks.settings;
        if !settings.links_pages || found <= page.from.saturating_add(page.size) {
            return None;
        }
        let cursor = if settings.opaque_cursors { CURSOR } else { "" };
        let mut next = Url::parse("http://model").unwrap();
        let rest = asked
            .query
            .iter()
            .filter(|(name, _)| name != "page" && !settings.lossy_links);
        let number = format!("{cursor}{}", page.number + 1);
        next.query_pairs_mut()
            .extend_pairs(rest)
            .append_pair("page", &number);
        Some(format!("<?{}>; rel=\"next\"", next.query().unwrap()))
    }
}

/// A whole number within bounds.
fn whole(word: &str, bounds: RangeInclusive<usize>) -> Result<usize, Refused> {
    let number = word.parse().ok().filter(|number| bounds.contains(number));
    number.ok_or(Refused(400))
}
