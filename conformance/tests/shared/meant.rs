//! `FAULT` names a part of the names of the targets to judge. A text that is in no name is an error, so that no run is green
//! because nothing was judged.

/// So many of the names that are most like a text are told.
const NEAR: usize = 5;

/// The part of a name that `FAULT` says, if it is set.
///
/// # Panics
/// No name has it.
pub(crate) fn meant(names: impl IntoIterator<Item = String>) -> Option<String> {
    let part = std::env::var("FAULT").ok()?;
    let names: Vec<String> = names.into_iter().collect();
    let is_known = names.iter().any(|name| name.contains(&part));
    assert!(is_known, "{}", unknown(&part, names));
    Some(part)
}

fn unknown(part: &str, mut names: Vec<String>) -> String {
    names.sort_by_key(|name| edits(part, name));
    names.truncate(NEAR);
    format!("FAULT={part} is in no name; near names: {}", names.join(", "))
}

/// How many edits make a text a part of a name.
fn edits(part: &str, name: &str) -> usize {
    let letters = |text: &str| text.to_lowercase().chars().collect::<Vec<char>>();
    let (part, name) = (letters(part), letters(name));
    let parts = name.windows(part.len().clamp(1, name.len().max(1)));
    let edits = parts.map(|own| strsim::generic_damerau_levenshtein(&part, own));
    edits.min().unwrap_or(part.len())
}

#[test]
fn a_name_that_no_target_has_is_told_with_near_names() {
    let names = ["CountIsWrong", "PagesFromZero", "OrderIsIgnored"].map(str::to_owned);
    let told = unknown("PagseFrom", names.to_vec());
    assert!(
        told.starts_with("FAULT=PagseFrom is in no name; near names: PagesFromZero, "),
        "{told}"
    );
}
