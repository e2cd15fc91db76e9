//! What all collations have in common (L19).

use std::cmp::Ordering;

/// Whether two texts that begin alike, but for case, then have letters or digits that no collation takes for the same.
pub(super) fn texts_differ(one: &str, other: &str) -> bool {
    let mut letters = one.chars().zip(other.chars());
    let differing = letters.find(|(a, b)| !a.eq_ignore_ascii_case(b));
    let Some((a, b)) = differing.filter(|(a, b)| a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric())
    else {
        return false;
    };
    match a.is_ascii_digit() && b.is_ascii_digit() {
        // 7 and 007 may be the same number.
        true => text_order(one, other).is_some(),
        false => !are_variants(a, b),
    }
}

/// The order of texts that begin alike and then differ in a way that all collations see: by letters without accent, in
/// the same case or with both cases in the same order, or by digits of numbers of the same length.
pub(super) fn text_order(one: &str, other: &str) -> Option<Ordering> {
    let (ours, theirs): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let at = ours.iter().zip(&theirs).position(|(a, b)| a != b)?;
    let (a, b) = (ours[at], theirs[at]);
    if !a.is_ascii_alphanumeric() || !b.is_ascii_alphanumeric() {
        return None;
    }
    if a.is_ascii_digit() && b.is_ascii_digit() {
        let digits = |text: &[char]| text[at..].iter().take_while(|c| c.is_ascii_digit()).count();
        return (digits(&ours) == digits(&theirs)).then(|| a.cmp(&b));
    }
    if a.is_ascii_digit() || b.is_ascii_digit() {
        return None; // Some collations have digits first, some letters.
    }
    let (folded, exact) = (a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase()), a.cmp(&b));
    (folded == exact && folded.is_ne() && !are_variants(a, b)).then_some(folded)
}

/// Whether some languages take two letters for one, or order them the other way round.
fn are_variants(a: char, b: char) -> bool {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    ["uvw", "ijy"]
        .iter()
        .any(|group| group.contains(a) && group.contains(b))
        || a == 'z'
        || b == 'z'
}
