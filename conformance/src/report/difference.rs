//! Where two sentences part: what was expected and what came back mostly begin and end alike.

/// A sentence in three parts, the middle one of which differs from the other sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts<'t> {
    /// What both begin with.
    pub(super) before: &'t str,
    /// Where they differ.
    pub(super) differs: &'t str,
    /// What both end with.
    pub(super) after: &'t str,
}

/// Takes two sentences apart, at the borders of words.
pub(super) fn parts<'t>(one: &'t str, other: &'t str) -> (Parts<'t>, Parts<'t>) {
    let (ones, others) = (words(one), words(other));
    let before = length(ones.iter().zip(&others));
    let after = length(ones.iter().rev().zip(others.iter().rev()));
    // Where the beginning and the end overlap in the shorter one, the end gives way.
    let is_overlap = before + after > one.len().min(other.len());
    let after = if is_overlap { 0 } else { after };
    let split = |text: &'t str| {
        let (head, after) = text.split_at(text.len() - after);
        let (before, differs) = head.split_at(before);
        Parts {
            before,
            differs,
            after,
        }
    };
    (split(one), split(other))
}

/// Words, and each blank between them.
fn words(text: &str) -> Vec<&str> {
    let words = text.split_inclusive(' ').flat_map(|word| {
        let (bare, blank) = word.split_at(word.trim_end_matches(' ').len());
        [bare, blank]
    });
    words.filter(|word| !word.is_empty()).collect()
}

/// How many bytes the equal words at the beginning have.
fn length<'t>(pairs: impl Iterator<Item = (&'t &'t str, &'t &'t str)>) -> usize {
    pairs
        .take_while(|(one, other)| one == other)
        .map(|(one, _)| one.len())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_stands_between_what_is_alike() {
        let (one, other) = parts("only records with ada", "only records with ada and 3 more");
        assert_eq!((one.before, one.differs), ("only records with ada", ""));
        assert_eq!(one.after, "");
        assert_eq!(other.differs, " and 3 more");
        let (one, other) = parts("2 users found here", "5 users found here");
        assert_eq!((one.differs, other.differs), ("2", "5"));
        assert_eq!((one.after, other.after), (" users found here", one.after));
    }

    #[test]
    fn equal_and_empty_sentences_do_not_differ() {
        for text in ["", "a", "a a a", "äö ü"] {
            let (one, other) = parts(text, text);
            assert_eq!((one.differs, other.differs), ("", ""), "{text:?}");
        }
        assert_eq!(parts("a a", "a a a").0.before, "a a");
    }
}
