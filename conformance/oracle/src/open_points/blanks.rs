//! L21: blanks around the value of a filter. A target keeps them, or cuts them off in all filters alike, as frameworks do with all
//! input.

use std::collections::BTreeMap;

/// What a target does with blanks around the value of a filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Blanks {
    /// They are a part of the value.
    #[default]
    Kept,
    /// They are cut off.
    Cut,
}

impl Blanks {
    /// What most filters of a target do; none if no filter has shown anything.
    pub fn of_most(filters: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut votes: BTreeMap<Self, usize> = BTreeMap::new();
        for one in filters {
            *votes.entry(one).or_default() += 1;
        }
        // Of two that are as frequent, blanks are kept: that is what the value says.
        let most = votes.into_iter().rev().max_by_key(|(_, count)| *count);
        most.map(|(blanks, _)| blanks)
    }

    /// The value that a filter looks for; none where that is open: a word of another kind may be refused, and not every framework
    /// cuts every kind of white space.
    pub fn compared(self, value: &str, is_text: bool) -> Option<&str> {
        let cut = value.trim_matches(' ');
        let has_none = value.trim() == value;
        match self {
            Self::Cut if !has_none => (is_text && cut.trim() == cut).then_some(cut),
            Self::Kept | Self::Cut => Some(value),
        }
    }

    /// How reports call it.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Cut => "cut off",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_most_filters_do_is_what_the_target_does() {
        use Blanks::{Cut, Kept};
        assert_eq!(Blanks::of_most([]), None);
        assert_eq!(Blanks::of_most([Cut, Kept, Cut]), Some(Cut));
        assert_eq!(Blanks::of_most([Kept, Cut]), Some(Kept));
    }

    #[test]
    fn blanks_that_are_cut_off_are_not_compared() {
        assert_eq!(Blanks::Kept.compared(" Ann ", true), Some(" Ann "));
        assert_eq!(Blanks::Cut.compared(" Ann ", true), Some("Ann"));
        assert_eq!(Blanks::Cut.compared("Ann", false), Some("Ann"));
        assert_eq!(Blanks::Cut.compared(" only", false), None);
        assert_eq!(Blanks::Cut.compared("\u{a0}Ann", true), None);
    }
}
