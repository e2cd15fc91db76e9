//! A summary for the person who confirms the suggestions: the suggestions by kind, the parameters without one, the next steps.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rollcall_contract::suggest::{Suggestion, Suggestions, Unclear};

/// Tells of suggestions. The `complaints` keep the runner from judging by the result.
pub(super) fn of(suggestions: &Suggestions, complaints: &[String]) -> String {
    let mut text = String::new();
    let Suggestions { made, unclear } = suggestions;
    let kinds = counted(made.iter().map(kind));
    match made.len() {
        0 => text.push_str("Nothing is suggested.\n"),
        1 => _ = writeln!(text, "1 annotation is suggested: {kinds}."),
        number => _ = writeln!(text, "{number} annotations are suggested: {kinds}."),
    }
    if !made.is_empty() {
        text.push_str(
            "Confirm or correct each, and then remove the `x-suggested` beside it, which says the reason.\n",
        );
    }
    if !unclear.is_empty() {
        _ = writeln!(text, "\nNot understood: {}", unclear.len());
        for (says, places) in grouped(unclear) {
            _ = writeln!(text, "  {says} ({})", places_in_words(&places));
        }
    }
    if !complaints.is_empty() {
        text.push_str("\nThe runner cannot judge by the result yet:\n");
        complaints.iter().for_each(|line| _ = writeln!(text, "  {line}"));
    }
    text.push_str(
        "\nNext: rollcall-conformance run --dry-run --contract FILE, where FILE has this output.\n",
    );
    text
}

/// The kind of a suggestion: a filter by its match, a parameter by its role.
fn kind(suggestion: &Suggestion) -> String {
    let annotation = suggestion.annotation;
    match suggestion
        .value
        .get("match")
        .unwrap_or(&suggestion.value)
        .as_str()
    {
        Some(word) if annotation != "x-identifier" => format!("{annotation} {word}"),
        _ => annotation.to_owned(),
    }
}

fn counted(kinds: impl Iterator<Item = String>) -> String {
    let mut numbers = BTreeMap::<String, usize>::new();
    kinds.for_each(|kind| *numbers.entry(kind).or_default() += 1);
    let each: Vec<_> = numbers
        .iter()
        .map(|(kind, number)| format!("{number} {kind}"))
        .collect();
    each.join(", ")
}

/// The same name for the same reason once, in the order of the document, with its places.
fn grouped(unclear: &[Unclear]) -> Vec<(String, Vec<&Unclear>)> {
    let mut groups: Vec<(String, Vec<&Unclear>)> = Vec::new();
    let mut known = BTreeMap::new();
    for one in unclear {
        let says = format!("{}: {}", one.name, one.why);
        let group = *known.entry(says.clone()).or_insert_with(|| {
            groups.push((says, Vec::new()));
            groups.len() - 1
        });
        groups[group].1.push(one);
    }
    groups
}

fn places_in_words(places: &[&Unclear]) -> String {
    match places {
        [] => String::new(),
        [one] => format!("at {}", one.at),
        [first, rest @ ..] => format!("at {} and {} more", first.at, rest.len()),
    }
}
